# make run: start the app.  make test: the whole suite.  make test-quick: without the slow and browser tests.
# make test-package: the wheel, installed in an empty folder.  make docs: the documentation, in site/.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8501
HOST ?= localhost
HOSTS ?=
TESTS ?= tests

.PHONY: run serve test test-quick test-package docs coverage fuzz sample-data lint clean

run: $(VENV)/.app-installed
	$(BIN)/streamlit run app.py --server.port $(PORT)

# For others too: the names they use in HOSTS, behind a proxy that speaks TLS (docs/SECURITY.md).
serve: $(VENV)/.app-installed
	$(BIN)/python -c "import sys; from leasc_ui.launch import leasc; sys.exit(leasc())" app \
		--host $(HOST) --port $(PORT) $(HOSTS:%=--name %) --no-browser

test: $(VENV)/.dev-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder $(TESTS)

test-quick: $(VENV)/.dev-installed
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m "not slow and not browser" $(TESTS)

test-package: $(VENV)/.dev-installed
	$(BIN)/python -m tests.package.check

docs: $(VENV)/.dev-installed
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

coverage: $(VENV)/.dev-installed
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not slow and not browser" --cov=leasc_core --cov=leasc_ui --cov-report=term:skip-covered $(TESTS)

fuzz: $(VENV)/.dev-installed
	$(BIN)/python -m tests.hostile.fuzz --seconds 600

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
