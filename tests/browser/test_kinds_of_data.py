"""A file of each kind: uploaded, clustered, seen in its picture, selected in it and in the map, taken away with its columns."""

import json
import re

import h5py
import numpy as np
import pandas as pd
import pytest
import scipy.io
from PIL import Image
from playwright.sync_api import expect

from leasc_core.metrics import clustering_accuracy
from tests.browser.acts import idle, nothing_broke

pytestmark = pytest.mark.browser


def scene(folder):
    """Three materials in stripes, in 16 bands, in light and shade; the truth in a file of its own."""
    rng = np.random.default_rng(0)
    spectra = np.array([np.linspace(1, 3, 16), 2 + np.sin(np.arange(16) / 2), np.exp(-np.arange(16) / 5) + 0.3])
    truth = np.repeat([1, 2, 3], 8)[:, None] * np.ones(20, int)
    cube = spectra[truth - 1] * (0.6 + 0.4 * rng.random((24, 20, 1))) + 0.01 * rng.normal(size=(24, 20, 16))
    np.save(folder / "field.npy", cube)
    np.save(folder / "field_gt.npy", truth)
    table = {f"x{band}": cube.reshape(-1, 16)[:, band] for band in range(16)}
    table |= dict(zip(("row", "column"), np.divmod(np.arange(480), 20), strict=True))
    return [folder / "field.npy", folder / "field_gt.npy"], "480 points × 16", truth.ravel(), table, "scene"


def tracks(folder):
    """Points of two turning bodies, a position a row, and a frame."""
    rng, frames = np.random.default_rng(1), np.arange(12)
    truth, rows = np.repeat([0, 1], 25), []
    for at, body in enumerate(truth):
        x, y = rng.uniform(-1, 1, 2)
        turn = (0.05 + 0.1 * body) * frames
        across = 60 + 90 * body + 4 * frames * (1 - body) + 30 * (x * np.cos(turn) - y * np.sin(turn))
        rows += [
            (at, frame, a, b) for frame, a, b in zip(frames, across, 60 + 30 * (x * np.sin(turn) + y * np.cos(turn)), strict=True)
        ]
    frame = pd.DataFrame(rows, columns=["point", "frame", "x", "y"]).round(3)
    frame.to_csv(folder / "bodies.csv", index=False)
    Image.new("RGB", (260, 120), (200, 220, 200)).save(folder / "bodies.jpg")
    table = {f"{axis}{at}": frame[axis].to_numpy().reshape(50, 12)[:, at] for at in range(12) for axis in "xy"}
    return [folder / "bodies.csv", folder / "bodies.jpg"], "50 points × 24", truth, table | {"point": np.arange(50)}, "frame"


def series(folder):
    """Windows of two channels in two states, which take turns."""
    rng, moments = np.random.default_rng(2), np.arange(20)
    truth = np.tile(np.repeat([0, 1], 6), 8)
    waves = np.array([[np.sin(moments / 3), np.cos(moments / 3)], [np.sin(moments), np.sin(moments) / 2]])
    values = (waves[truth] * rng.uniform(0.5, 1.5, (96, 1, 1)) + 0.02 * rng.normal(size=(96, 2, 20))).round(4)
    lines = [":".join(",".join(map(str, channel)) for channel in window) for window in values]
    (folder / "machine.ts").write_text("@problemName machine\n@classLabel false\n@data\n" + "\n".join(lines) + "\n")
    table = {f"t{at} c{channel}": values[:, channel, at] for at in range(20) for channel in range(2)}
    return [folder / "machine.ts"], "96 points × 40", truth, table, "time"


def cells(folder):
    """Counts of three programmes of genes, in AnnData's layout of today."""
    rng, truth = np.random.default_rng(3), np.arange(120) % 3
    rates = np.ones((120, 30))
    for k in range(3):
        rates[truth == k, 10 * k : 10 * k + 8] = 12
    counts = rng.poisson(rates * rng.uniform(0.7, 1.4, (120, 1))).astype(np.float32)
    batch = np.array(["b1", "b2"])[np.arange(120) // 60]
    with h5py.File(folder / "cells.h5ad", "w") as file:
        file["X"] = counts
        for name, index, columns in (("obs", 120, {"batch": batch.astype(object)}), ("var", 30, {})):
            group = file.create_group(name)
            group.attrs.update({"_index": "_index", "encoding-type": "dataframe", "column-order": list(columns)})
            group["_index"] = np.array([f"{name}{at}" for at in range(index)], dtype=object)
            for column, values in columns.items():
                group[column] = values
    table = {f"var{at}": counts[:, at] for at in range(30)} | {"cell": [f"obs{at}" for at in range(120)], "batch": batch}
    return [folder / "cells.h5ad"], "120 points × 30", truth, table, "genes"


def sentences(folder):
    """Texts of three topics with an embedding each."""
    rng, truth = np.random.default_rng(4), np.arange(150) % 3
    words = np.array(["boat", "piano", "tulip"])[truth]
    texts = [f"Number {at}: a {word}, and nothing else; really." for at, word in enumerate(words)]
    vectors = (np.eye(3)[truth] @ rng.normal(size=(3, 12)) + 0.15 * rng.normal(size=(150, 12))).round(4)
    lines = [json.dumps({"text": text, "embedding": vector.tolist()}) for text, vector in zip(texts, vectors, strict=True)]
    (folder / "texts.jsonl").write_text("\n".join(lines) + "\n")
    table = {f"embedding[{at}]": vectors[:, at] for at in range(12)} | {"text": texts}
    return [folder / "texts.jsonl"], "150 points × 12", truth, table, "texts"


def pictures(folder):
    """Two shapes of 8 × 8 in brightness of their own, as MATLAB keeps them."""
    rng, truth = np.random.default_rng(5), np.arange(80) % 2
    shapes = np.array([np.tri(8), np.outer(np.hanning(8), np.hanning(8))])
    stack = (200 * shapes[truth] * rng.uniform(0.5, 1, (80, 1, 1)) + rng.normal(0, 4, (80, 8, 8))).clip(0, 255).astype(np.uint8)
    scipy.io.savemat(folder / "shapes.mat", {"images": stack, "labels": truth[:, None]})
    return [folder / "shapes.mat"], "80 points × 64", truth, None, "sheet"


def drag(page, over, ends=(0.02, 0.02, 0.98, 0.6)):
    """A box over this part of an element."""
    over.scroll_into_view_if_needed()
    box = over.bounding_box()
    left, top, right, bottom = (
        box[side] + share * box[size] for side, size, share in zip("xyxy", ("width", "height") * 2, ends, strict=True)
    )
    page.mouse.move(left, top)
    page.mouse.down()
    page.mouse.move(right, bottom, steps=4)
    page.mouse.up()


def selected(page):
    """How many points the page says are selected."""
    return int(re.search(r"([\d,]+) points", page.locator(".st-key-selection_head").inner_text())[1].replace(",", ""))


@pytest.mark.parametrize("make", [scene, tracks, series, cells, sentences, pictures])
def test_from_a_file_to_its_picture_and_back(page, tmp_path, make):
    files, size, truth, table, kind = make(tmp_path)
    page.goto("/Data?way=file")
    page.locator("input[type=file]").set_input_files(files)
    expect(page.locator(".st-key-room_data_ready")).to_contain_text(size)
    if make in (cells, sentences, tracks):
        expect(page.get_by_text(re.compile("^Columns: "))).to_be_visible()
    idle(page)
    page.locator(".st-key-rooms").get_by_role("link", name=re.compile("^Clusters")).click()
    expect(page.get_by_role("heading", name="Cluster", exact=True)).to_be_visible()
    idle(page)
    page.locator(".st-key-cluster_how").get_by_text("I know it").click()
    page.locator(".st-key-cluster_clusters input").fill(str(len(np.unique(truth))))
    page.locator(".st-key-cluster_clusters input").press("Enter")
    idle(page)
    page.get_by_role("button", name="Find the clusters").click()
    expect(page.locator(".st-key-exports")).to_be_visible()
    shown = page.locator(f".st-key-kind_{kind}")
    expect(shown).to_be_visible()
    idle(page)
    if kind in ("genes", "texts"):
        drag(page, page.locator(".st-key-map canvas").first)
        expect(page.locator(".st-key-selection_head")).to_be_visible()
        told = re.compile(f"{selected(page):,} selected")
        expect(
            page.locator(".st-key-kind_genes_chosen" if kind == "genes" else ".st-key-closer").get_by_text(told).first
        ).to_be_attached()
        if kind == "genes":
            page.locator(".st-key-kind_genes .role-mark.mark-symbol path").first.click()
            expect(page.locator(".st-key-selection_head")).to_contain_text("40 points")
    else:
        drag(page, shown.locator(".pane svg").first)
        expect(page.locator(".st-key-selection_head")).to_be_visible()
        expect(shown.locator(".facts")).to_contain_text(f"{selected(page)} selected")
        few = selected(page)
        assert 0 < few <= len(truth)
        drag(page, page.locator(".st-key-map canvas").first, (0.01, 0.01, 0.99, 0.99))
        expect(page.locator(".st-key-selection_head")).to_contain_text(f"{len(truth)} points")
        expect(shown.locator(".facts")).to_contain_text(f"{len(truth)} selected")
    nothing_broke(page)
    if table is None:
        return
    with page.expect_download() as download:
        page.get_by_role("button", name="Your table with clusters, CSV").click()
    back = pd.read_csv(download.value.path())
    assert clustering_accuracy(truth, back["cluster"]) > 0.9
    for name, values in table.items():
        if np.asarray(values).dtype.kind == "f":
            np.testing.assert_allclose(back[name], values, rtol=1e-6, atol=1e-6)
        else:
            assert back[name].tolist() == list(values), name
