"""Which files go into the wheel: the two packages, and as `leasc_app` what stands beside them (all else: pyproject.toml)."""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=["leasc_core*", "leasc_ui*"]), "leasc_app", "leasc_app.pages", "leasc_app.sample_data"],
    package_dir={"leasc_app": ".", "leasc_app.pages": "pages", "leasc_app.sample_data": "sample_data"},
    package_data={
        "leasc_core": ["py.typed"],
        "leasc_ui": ["py.typed", "**/*.css", "**/*.js", "**/*.svg", "**/*.png"],
        "leasc_app": [".streamlit/config.toml"],
        "leasc_app.sample_data": ["*.csv", "*.npz", "*.h5ad", "*.jsonl", "*.ts", "README.md"],
    },
    include_package_data=False,
)
