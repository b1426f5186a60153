"""Where the app's own files lie: app.py, pages/, sample_data/ and .streamlit/."""

from pathlib import Path


def app_folder() -> Path:
    """The folder of app.py: the checkout, or `leasc_app` beside the installed packages."""
    beside = Path(__file__).resolve().parents[1]
    return beside if (beside / "app.py").is_file() else beside / "leasc_app"
