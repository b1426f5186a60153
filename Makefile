# make run: start the app.  make test: the whole suite.  make test-quick: without the slow and browser tests.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8501
TESTS ?= tests

.PHONY: run test test-quick fuzz sample-data lint clean

run: $(VENV)/.app-installed
	$(BIN)/streamlit run app.py --server.port $(PORT)

test: $(VENV)/.dev-installed
	$(BIN)/ruff check .
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder $(TESTS)

test-quick: $(VENV)/.dev-installed
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m "not slow and not browser" $(TESTS)

fuzz: $(VENV)/.dev-installed
	$(BIN)/python -m tests.hostile.fuzz --seconds 300

sample-data: $(VENV)/.dev-installed
	$(BIN)/python -m sample_data.make

lint: $(VENV)/.dev-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

clean:
	rm -rf $(VENV)

$(VENV)/.app-installed: requirements.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

$(VENV)/.dev-installed: requirements-dev.txt requirements-dask.txt $(VENV)/.app-installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@
