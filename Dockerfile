# The app as a container: docker build -t leasc . && docker run -p 8501:8501 -v leasc-runs:/runs leasc
FROM python:3.11-slim AS build
WORKDIR /source
# Where the build of torch without CUDA lies; the other one is gigabytes larger.
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
COPY requirements.txt requirements-dask.txt ./
RUN python -m venv /opt/leasc && \
    /opt/leasc/bin/pip install --no-cache-dir --extra-index-url $TORCH_INDEX -r requirements.txt -r requirements-dask.txt
COPY pyproject.toml setup.py README.md LICENSE app.py ./
COPY .streamlit .streamlit
COPY leasc_core leasc_core
COPY leasc_ui leasc_ui
COPY pages pages
COPY sample_data sample_data
RUN /opt/leasc/bin/pip install --no-cache-dir --no-deps .

FROM python:3.11-slim
RUN useradd --create-home --uid 1000 leasc && mkdir /data /runs /cache && chown leasc /data /runs /cache
COPY --from=build /opt/leasc /opt/leasc
ENV PATH=/opt/leasc/bin:$PATH LEASC_DATA=/data LEASC_RUNS=/runs LEASC_CACHE=/cache
USER leasc
WORKDIR /home/leasc
VOLUME ["/data", "/runs", "/cache"]
EXPOSE 8501
HEALTHCHECK --start-period=60s --interval=30s CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://localhost:8501/_stcore/health', timeout=3)"]
CMD ["leasc", "app", "--host", "0.0.0.0", "--port", "8501", "--no-browser"]
