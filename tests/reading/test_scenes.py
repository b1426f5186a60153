"""Scenes written by spectral (ENVI) and tifffile: every interleave, wavelengths, empty values, headers that lie."""

import io
import zipfile

import numpy as np
import pytest
import tifffile

from leasc_core import load_data, open_source
from leasc_core.errors import DataError

envi = pytest.importorskip("spectral.io.envi")
RNG = np.random.default_rng(0)
CUBE = RNG.integers(0, 3000, (9, 7, 12)).astype(np.int16)
WAVELENGTHS = np.linspace(400, 900, 12)


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("LEASC_CACHE", str(tmp_path_factory.mktemp("cache")))


def write(path, interleave="bip", cube=CUBE, **fields):
    about = {"wavelength": list(WAVELENGTHS), "wavelength units": "Nanometers"} | fields
    envi.save_image(str(path), cube, interleave=interleave, dtype=cube.dtype, metadata=about, force=True, ext=".img")


@pytest.mark.parametrize("interleave", ["bsq", "bil", "bip"])
@pytest.mark.parametrize("byteorder", ["little", "big"])
def test_every_interleave_and_byte_order(tmp_path, interleave, byteorder):
    envi.save_image(
        str(tmp_path / "a.hdr"),
        CUBE,
        interleave=interleave,
        dtype=np.int16,
        byteorder=0 if byteorder == "little" else 1,
        metadata={"wavelength": list(WAVELENGTHS), "wavelength units": "Nanometers"},
        ext=".img",
    )
    truth = RNG.integers(0, 3, (9, 7)).astype(np.uint8)
    np.save(tmp_path / "a_gt.npy", truth)
    for name in ("a.hdr", "a.img"):
        data = load_data(tmp_path / name)
        assert np.array_equal(data.X, CUBE.reshape(-1, 12)) and data.layout.shape == (9, 7, 12)
        assert np.allclose(data.layout.wavelengths, WAVELENGTHS) and data.layout.unit == "nm"
        assert np.array_equal(data.y, np.where(truth == 0, -1, truth.astype(int)).ravel())
        source = open_source(tmp_path / name)
        assert np.array_equal(source.rows(5, 40), CUBE.reshape(-1, 12)[5:40]) and source.fingerprint == data.fingerprint
        assert np.array_equal(source.take([60, 3, 3, 17]), CUBE.reshape(-1, 12)[[60, 3, 3, 17]])
        assert source.labels.tolist() == data.y.tolist() and source.layout.sides == (9, 7)


def test_the_header_s_empty_value_is_background(tmp_path):
    cube = CUBE.copy()
    cube[0] = -1
    write(tmp_path / "a.hdr", "bsq", cube, **{"data ignore value": -1})
    assert load_data(tmp_path / "a.hdr").layout.background.tolist() == [True] * 7 + [False] * 56


def test_an_upload_is_a_zip_of_both(tmp_path):
    write(tmp_path / "a.hdr", "bil")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.write(tmp_path / "a.hdr", "a.hdr")
        archive.write(tmp_path / "a.img", "a.img")
    assert np.array_equal(load_data(out.getvalue(), name="scene.zip").X, CUBE.reshape(-1, 12))
    with pytest.raises(DataError, match="without its data; give a zip archive of both"):
        load_data((tmp_path / "a.hdr").read_bytes(), name="a.hdr")


@pytest.mark.parametrize(
    "field, value, why",
    [
        ("bands", "13", "promises 1,638 bytes of data where there are 1,512"),
        ("lines", "999999999", "the limit is|promises"),
        ("lines", "-4", "'lines' is '-4'"),
        ("samples", "seven", "'samples' is 'seven'"),
        ("data type", "6", "data of type 6"),
        ("interleave", "odd", "interleave 'odd'"),
        ("header offset", "10", "promises"),
        ("wavelength", "{400, 500}", "2 wavelengths in its header for 12 bands"),
        ("wavelength", "{a, b}", "no numbers"),
    ],
)
def test_a_header_that_lies_is_refused(tmp_path, field, value, why):
    write(tmp_path / "a.hdr")
    text = (tmp_path / "a.hdr").read_text()
    lines = [line for line in text.replace("{\n", "{").splitlines() if not line.lower().startswith(field)]
    if field == "wavelength":
        lines = [line for line in text.splitlines() if "wavelength" not in line.lower() and " , " not in line]
    (tmp_path / "a.hdr").write_text("\n".join([*lines, f"{field} = {value}", ""]))
    with pytest.raises(DataError, match=why):
        load_data(tmp_path / "a.hdr")


def test_a_header_without_its_data_and_a_link_elsewhere(tmp_path):
    write(tmp_path / "a.hdr")
    (tmp_path / "a.img").rename(tmp_path / "other")
    with pytest.raises(DataError, match=r"the data are not beside it; put a.img or .dat in its folder"):
        load_data(tmp_path / "a.hdr")
    (tmp_path / "a.img").symlink_to(tmp_path / "other")
    with pytest.raises(DataError, match="the data are not beside it"):
        load_data(tmp_path / "a.hdr")


@pytest.mark.parametrize(
    "how", [{}, {"compression": "zlib"}, {"tile": (16, 16)}, {"planarconfig": "separate"}, {"bigtiff": True}]
)
def test_tiff_of_every_arrangement(tmp_path, how):
    cube = np.moveaxis(CUBE, -1, 0) if how.get("planarconfig") else CUBE
    tifffile.imwrite(
        tmp_path / "a.tif",
        cube,
        photometric="minisblack",
        extratags=[(42113, "s", 0, "-99", True)],
        **{"planarconfig": "contig", **how},
    )
    data = load_data(tmp_path / "a.tif")
    assert np.array_equal(data.X, CUBE.reshape(-1, 12)) and data.layout.shape == (9, 7, 12)
    assert np.array_equal(open_source(tmp_path / "a.tif").rows(0, 63), data.X)


def test_tiff_with_a_truth_a_single_band_and_damage(tmp_path):
    truth = RNG.integers(0, 3, (9, 7)).astype(np.uint8)
    tifffile.imwrite(tmp_path / "a.tif", CUBE, photometric="minisblack", planarconfig="contig")
    tifffile.imwrite(tmp_path / "a_gt.tif", truth)
    assert np.array_equal(load_data(tmp_path / "a.tif").y, np.where(truth == 0, -1, truth.astype(int)).ravel())
    with pytest.raises(DataError, match="single band"):
        load_data(tmp_path / "a_gt.tif")
    stored = (tmp_path / "a.tif").read_bytes()
    for bad in (stored[:200], stored[:8], stored[:100] + b"\xff" * (len(stored) - 100)):
        with pytest.raises(DataError):
            load_data(bad, name="a.tif")
