"""A visitor's own file, uploaded, to finished clusters: MATLAB, CSV and IDX."""

import gzip
import re
import struct
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from leasc_core import make_union_of_subspaces
from tests.browser.acts import idle

pytestmark = pytest.mark.browser

SAMPLE_FOLDER = Path(__file__).parents[2] / "sample_data"


def matlab(folder):
    from scipy.io import savemat

    X, y = make_union_of_subspaces(4, 2, 12, 60, noise=0.02, random_state=0)
    savemat(folder / "planes.mat", {"fea": X, "gnd": y[:, None] + 1})
    return [folder / "planes.mat"], 4, "240 points × 12 features"


def csv(folder):
    return [SAMPLE_FOLDER / "four_lines.csv"], 4, "800 points × 2 features"


def idx(folder):
    """The first 300 of scikit-learn's digits as MNIST is stored: pictures and labels, each a gzip file."""
    digits = np.load(SAMPLE_FOLDER / "digits.npz")
    images, labels = digits["images"][:300].astype(np.uint8).reshape(300, 8, 8), digits["labels"][:300].astype(np.uint8)
    files = {"train-images-idx3-ubyte.gz": images, "train-labels-idx1-ubyte.gz": labels}
    for name, array in files.items():
        header = struct.pack(f">BBBB{array.ndim}I", 0, 0, 8, array.ndim, *array.shape)
        (folder / name).write_bytes(gzip.compress(header + array.tobytes()))
    return [folder / name for name in files], 10, "300 points × 64 features"


@pytest.mark.parametrize("make", [matlab, csv, idx], ids=["mat", "csv", "idx"])
def test_an_uploaded_file_becomes_clusters(page, tmp_path, make):
    files, count, size = make(tmp_path)
    page.goto("/Data?way=file")
    page.locator("input[type=file]").set_input_files(files)
    expect(page.locator(".st-key-room_data_ready")).to_contain_text(size)
    idle(page)
    page.locator(".st-key-rooms").get_by_role("link", name=re.compile("^Clusters")).click()
    expect(page.get_by_role("heading", name="Cluster", exact=True)).to_be_visible()
    idle(page)
    page.locator(".st-key-cluster_how").get_by_text("I know it").click()
    page.locator(".st-key-cluster_clusters input").fill(str(count))
    page.locator(".st-key-cluster_clusters input").press("Enter")
    expect(page.locator(".st-key-cluster_clusters input")).to_have_value(str(count))
    idle(page)
    page.get_by_role("button", name=re.compile("Find the clusters")).click()
    expect(page.locator(".st-key-exports")).to_be_visible()
    expect(page.locator(".st-key-room_clusters_ready")).to_contain_text(f"{count} clusters")
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_test_id("stAlertContentError")).to_have_count(0)
