"""The scattering transform against kymatio's, and what must hold whatever the images are."""

import json

import numpy as np
import pytest
import torch
from kymatio.scattering2d.frontend.torch_frontend import ScatteringTorch2D

from leasc_core.data.sources import open_source
from leasc_core.errors import BundleError, DataError, ParameterError
from leasc_core.features.scattering import (
    Scattering2D,
    ScatteringFeatures,
    map_maxima,
    normalise_maps,
    scattering_features,
)

TOLERANCE = 1e-5


def random_images(n, shape, seed=0):
    return np.random.default_rng(seed).random((n, *shape), np.float32)


def kymatio(images, J, L, max_order=2):
    oracle = ScatteringTorch2D(J=J, shape=images.shape[1:], L=L, max_order=max_order)
    return oracle(torch.from_numpy(np.ascontiguousarray(images, np.float32))).numpy()


@pytest.fixture(autouse=True, scope="module")
def one_thread_for_the_oracle():
    """Two threads that wait for each other on a busy machine make kymatio a hundred times slower."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def digits_transform():
    return Scattering2D((32, 32))


@pytest.mark.parametrize(
    ("shape", "J", "L", "max_order"),
    [
        ((32, 32), 3, 8, 2),
        ((32, 32), 3, 8, 1),
        ((32, 32), 2, 6, 2),
        ((28, 28), 3, 8, 2),
        ((20, 28), 2, 4, 2),
        ((33, 29), 3, 5, 2),
        ((16, 24), 1, 8, 2),
        ((8, 8), 3, 4, 2),
        ((48, 64), 4, 3, 2),
        ((5, 41), 2, 1, 2),
        ((2, 2), 1, 2, 2),
    ],
)
def test_values_are_those_of_kymatio(shape, J, L, max_order):
    images = random_images(3, shape)
    expected = kymatio(images, J, L, max_order)
    transform = Scattering2D(shape, J, L, max_order)
    assert transform.output_shape == expected.shape[1:]
    features = transform(images)
    assert features.shape == (3, transform.n_features)
    assert features.dtype == np.float32
    difference = np.abs(features.reshape(expected.shape) - expected).max()
    assert difference <= TOLERANCE * np.abs(expected).max()


def test_values_are_those_of_kymatio_on_images_with_edges():
    images = np.zeros((6, 32, 32), np.float32)
    for k, image in enumerate(images):
        image[4 + k : 20, 3 * k : 3 * k + 9] = 255
    expected = kymatio(images, 3, 8)
    difference = np.abs(Scattering2D((32, 32))(images).reshape(expected.shape) - expected)
    assert difference.max() <= TOLERANCE * expected.max()


def test_digits_are_surrounded_by_zeros_first():
    images = random_images(4, (28, 28))
    expected = kymatio(np.pad(images, ((0, 0), (2, 2), (2, 2))), 3, 8).reshape(4, -1)
    features = scattering_features(images)
    assert features.shape == (4, 3472)
    np.testing.assert_allclose(features, expected, atol=TOLERANCE)


def test_sides_that_fit_are_not_surrounded():
    images = random_images(2, (32, 16))
    np.testing.assert_array_equal(Scattering2D((32, 16), J=2, zero_pad=True)(images), Scattering2D((32, 16), J=2)(images))


def test_channels_are_scattered_separately():
    images = random_images(5, (16, 24, 3))
    transform = Scattering2D((16, 24, 3), J=2, L=4)
    each = [kymatio(images[..., channel], 2, 4) for channel in range(3)]
    features = transform(images).reshape(5, *transform.output_shape)
    np.testing.assert_allclose(features, np.concatenate(each, axis=1), atol=TOLERANCE)


def test_an_image_has_the_same_features_in_any_company(digits_transform):
    images = random_images(300, (32, 32))
    whole = digits_transform(images)
    for count, batch in ((4, 1), (40, 13), (140, 128), (299, 299)):
        streamed = np.concatenate([part for _, part in digits_transform.stream(images[:count], batch)])
        np.testing.assert_array_equal(streamed, whole[:count])
    order = np.random.default_rng(1).permutation(300)
    np.testing.assert_array_equal(digits_transform(images[order]), whole[order])


def test_batches_are_as_asked(digits_transform):
    starts = [(start, len(part)) for start, part in digits_transform.stream(random_images(10, (32, 32)), 4)]
    assert starts == [(0, 4), (4, 4), (8, 2)]


def test_rows_bytes_tensors_lists_maps_and_sources_give_the_same(tmp_path, digits_transform):
    images = np.random.default_rng(0).integers(0, 256, (5, 32, 32), np.uint8)
    expected = digits_transform(images.astype(np.float64))
    np.save(tmp_path / "rows.npy", images.reshape(5, -1))
    for given in (
        images,
        images.reshape(5, -1),
        torch.from_numpy(images),
        images.tolist(),
        np.load(tmp_path / "rows.npy", mmap_mode="r"),
        open_source(images.reshape(5, -1)),
        np.asfortranarray(images),
    ):
        np.testing.assert_array_equal(digits_transform(given), expected)


def test_features_can_be_written_to_a_memory_map(tmp_path, digits_transform):
    images = random_images(6, (32, 32))
    out = np.lib.format.open_memmap(tmp_path / "features.npy", "w+", np.float32, (6, 3472))
    assert digits_transform.transform(images, out=out, batch=4) is out
    out.flush()
    np.testing.assert_array_equal(np.load(tmp_path / "features.npy"), digits_transform(images))


def test_progress_counts_to_the_end(digits_transform):
    calls = []
    digits_transform.transform(random_images(10, (32, 32)), batch=4, on_progress=lambda *call: calls.append(call))
    assert calls == [(4, 10), (8, 10), (10, 10)]


def test_progress_can_stop_the_work(digits_transform):
    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        digits_transform.transform(random_images(10, (32, 32)), batch=4, on_progress=stop)


def test_no_images_give_no_features(digits_transform):
    assert digits_transform(np.empty((0, 32, 32))).shape == (0, 3472)


def test_a_constant_image_has_its_average_and_no_waves(digits_transform):
    features = digits_transform(np.full((1, 32, 32), 3.0)).reshape(217, 4, 4)
    np.testing.assert_allclose(features[0], 3, rtol=1e-4)
    np.testing.assert_allclose(features[1:], 0, atol=1e-5)


def test_features_scale_with_the_image_and_waves_ignore_its_sign(digits_transform):
    images = random_images(3, (32, 32))
    features = digits_transform(images).reshape(3, 217, 16)
    np.testing.assert_allclose(digits_transform(255 * images).reshape(features.shape), 255 * features, rtol=1e-4)
    negative = digits_transform(-images).reshape(features.shape)
    np.testing.assert_allclose(negative[:, 0], -features[:, 0], atol=1e-6)
    np.testing.assert_allclose(negative[:, 1:], features[:, 1:], atol=1e-6)


def test_an_image_turned_by_a_right_angle_has_turned_maps(digits_transform):
    # Four angles of eight are a right angle; kymatio's reflection leaves out the same border row on both sides
    # only for images that are zero there.
    image = np.zeros((33, 33), np.float32)
    image[10:23, 10:23] = random_images(1, (13, 13))[0]
    transform = Scattering2D((33, 33), J=2, max_order=1)
    upright, turned = (transform(np.stack([i]))[0].reshape(17, 8, 8) for i in (image, np.rot90(image)))
    upright, turned = upright[1:].sum(axis=(1, 2)).reshape(2, 8), turned[1:].sum(axis=(1, 2)).reshape(2, 8)
    np.testing.assert_allclose(np.roll(upright, 4, axis=1), turned, rtol=0.02)


def test_maps_are_divided_by_their_maxima():
    images = random_images(20, (16, 16))
    plain = scattering_features(images, J=2, L=4)
    maps = plain.reshape(20, 25, 16)
    expected = maps / maps.max(axis=(0, 2))[:, None]
    features = scattering_features(images, J=2, L=4, normalise_maps=True)
    np.testing.assert_allclose(features, expected.reshape(20, -1), rtol=1e-6)


def test_new_images_are_divided_by_what_was_learned():
    images, more = random_images(20, (16, 16)), 3 * random_images(5, (16, 16), seed=1)
    learned = ScatteringFeatures((16, 16), J=2, L=4, batch=7).fit(images)
    whole = ScatteringFeatures((16, 16), J=2, L=4)
    features = whole.fit_transform(images)
    np.testing.assert_array_equal(learned.maxima_, whole.maxima_)
    np.testing.assert_array_equal(learned.transform(images), features)
    expected = scattering_features(more, J=2, L=4).reshape(5, 25, 16) / learned.maxima_[:, None]
    np.testing.assert_allclose(learned.transform(more), expected.reshape(5, -1), rtol=1e-6)
    assert learned.transform(more).max() > 1


def test_maps_of_all_channels_are_normalised():
    images = random_images(6, (8, 8, 3))
    made = ScatteringFeatures((8, 8, 3), J=1, L=2)
    features = made.fit_transform(images).reshape(6, 3 * 3, -1)
    assert made.maxima_.shape == (9,)
    np.testing.assert_allclose(features.max(axis=(0, 2)), 1, rtol=1e-6)


def test_a_map_of_zeros_stays_and_negative_values_count_by_size():
    features = np.array([[0, 0, -4, 2], [0, 0, 1, 2]], np.float32)
    maxima = map_maxima(features, 2)
    np.testing.assert_array_equal(maxima, [0, 4])
    np.testing.assert_array_equal(normalise_maps(features, maxima), [[0, 0, -1, 0.5], [0, 0, 0.25, 0.5]])


def test_maps_are_divided_in_place_whatever_the_layout():
    features = np.asfortranarray(np.arange(1, 9, dtype=np.float32).reshape(2, 4))
    assert normalise_maps(features, map_maxima(features, 2)) is features
    np.testing.assert_allclose(features, [[1 / 6, 2 / 6, 3 / 8, 4 / 8], [5 / 6, 1, 7 / 8, 1]], rtol=1e-6)


def test_the_record_repeats_the_features():
    images = random_images(9, (10, 12, 2))
    made = ScatteringFeatures((10, 12, 2), J=2, L=3, max_order=1)
    expected = made.fit_transform(images)
    settings, arrays = made.state()
    again = ScatteringFeatures.from_state(json.loads(json.dumps(settings)), arrays)
    np.testing.assert_array_equal(again.transform(images), expected)


@pytest.mark.parametrize(
    "damage",
    [
        lambda settings, arrays: (None, arrays),
        lambda settings, arrays: ({**settings, "version": 99}, arrays),
        lambda settings, arrays: ({"version": 1}, arrays),
        lambda settings, arrays: ({"version": 1, "parameters": {"shape": [8, 8], "J": 9}}, arrays),
        lambda settings, arrays: ({"version": 1, "parameters": {"shape": [8, 8], "K": 1}}, arrays),
        lambda settings, arrays: (settings, {"maxima": arrays["maxima"][:-1]}),
        lambda settings, arrays: (settings, {"maxima": arrays["maxima"] * np.nan}),
        lambda settings, arrays: (settings, {"maxima": arrays["maxima"].astype(str)}),
    ],
)
def test_a_damaged_record_is_refused(damage):
    made = ScatteringFeatures((8, 8), J=1, L=2).fit(random_images(2, (8, 8)))
    with pytest.raises(BundleError):
        ScatteringFeatures.from_state(*damage(*made.state()))


@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ({"shape": (32, 32), "J": 6}, "J=6"),
        ({"shape": (32, 7), "J": 3}, "1 to 2"),
        ({"shape": (32, 32), "J": 0}, "J=0"),
        ({"shape": (32, 32), "J": 10**9}, "J=1000000000"),
        ({"shape": (32, 32), "J": 1.5}, "J=1.5"),
        ({"shape": (1, 1), "J": 1}, "too small"),
        ({"shape": (32, 32), "J": True}, "J=True"),
        ({"shape": (32, 32), "L": 0}, "L=0"),
        ({"shape": (32, 32), "L": 1000}, "L=1000"),
        ({"shape": (32, 32), "max_order": 3}, "max_order=3"),
        ({"shape": 32}, "shape=32"),
        ({"shape": (32,)}, r"\(32,\)"),
        ({"shape": (32, -1)}, "-1"),
        ({"shape": (100_000, 100_000)}, "smaller"),
        ({"shape": (512, 512), "J": 9}, "lower J"),
    ],
)
def test_parameters_outside_their_limits_are_named(parameters, named):
    with pytest.raises(ParameterError, match=named):
        Scattering2D(**parameters)


@pytest.mark.parametrize(
    ("images", "named"),
    [
        (np.zeros((2, 31, 32)), r"\(31, 32\)"),
        (np.zeros((2, 32, 32, 3)), "expected"),
        (np.zeros((32, 32)), "expected"),
        (np.zeros(1024), "expected"),
        (3.0, "single value"),
        (np.zeros((2, 32, 32), complex), "complex"),
        (np.full((2, 32, 32), "a"), "real numbers"),
        (np.full((2, 32, 32), None), "object"),
        ([np.zeros((32, 32)), np.zeros((32, 31))], "differ in shape"),
    ],
)
def test_unusable_images_are_refused(digits_transform, images, named):
    with pytest.raises(DataError, match=named):
        digits_transform(images)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e13, 1e300])
def test_the_image_with_an_unusable_value_is_named(digits_transform, value):
    images = np.zeros((300, 32, 32))
    images[201, 4, 5] = value
    with pytest.raises(DataError, match="Image 201 "):
        digits_transform.transform(images, batch=128)


def test_what_is_missing_is_named(digits_transform):
    images = random_images(2, (32, 32))
    with pytest.raises(ParameterError, match="fit"):
        ScatteringFeatures((32, 32)).transform(images)
    with pytest.raises(ParameterError, match="float32"):
        digits_transform.transform(images, out=np.empty((2, 3472)))
    with pytest.raises(ParameterError, match="batch=0"):
        digits_transform.transform(images, batch=0)
    with pytest.raises(DataError, match="no images"):
        ScatteringFeatures((32, 32)).fit_transform(images[:0])
    with pytest.raises(DataError, match="no images"):
        ScatteringFeatures((32, 32)).fit(images[:0])
    with pytest.raises(DataError, match="2 dimensions"):
        scattering_features(images.reshape(2, -1))
