"""The filters of the scattering transform, as kymatio has them: Morlet wavelets, and a Gaussian that averages."""

import numpy as np

# kymatio's filters are normalised with this value of pi; with the true one every map would differ by 3e-5.
PI_OF_THE_NORM = 3.1415
SIGMA = 0.8
CENTRE_FREQUENCY = 3 * np.pi / 4
PERIODS = np.arange(-2, 3)


def padded_size(size, J):
    """Length after the reflection: a multiple of 2**J with at least half of 2**J more at either end."""
    return ((size >> J) + 2) << J


def wavelets(shape, j, L):
    """Fourier transforms, which are real, of the L wavelets of scale j: `(L, rows, columns)`."""
    spread = SIGMA * 2**j, 4 / L
    angles = [(int(L / 2 - 1) - turn) * np.pi / L for turn in range(L)]
    return np.stack([_morlet(shape, angle, CENTRE_FREQUENCY / 2**j, *spread) for angle in angles])


def _morlet(shape, angle, frequency, sigma, slant):
    """A wave under a Gaussian, less the multiple of the Gaussian that makes its mean zero."""
    wave = _gabor(shape, angle, frequency, sigma, slant)
    envelope = _gabor(shape, angle, 0.0, sigma, slant)
    return np.fft.fft2(wave - wave.sum() / envelope.sum() * envelope).real


def _gabor(shape, angle, frequency, sigma, slant):
    """A wave along `angle` under a Gaussian `1/slant` times as wide across it, made periodic."""
    rows, columns = ((np.arange(size) + size * PERIODS[:, None]).reshape(-1).astype(float) for size in shape)
    along = np.cos(angle) * rows[:, None] + np.sin(angle) * columns
    across = np.cos(angle) * columns - np.sin(angle) * rows[:, None]
    values = np.exp(-(along**2 + (slant * across) ** 2) / (2 * sigma**2) + 1j * frequency * along)
    folded = values.reshape(PERIODS.size, shape[0], PERIODS.size, shape[1]).sum(axis=(0, 2))
    return folded * slant / (2 * PI_OF_THE_NORM * sigma**2)


def cropped(spectrum, level, axes):
    """The low frequencies alone, for signals of which every 2**level-th sample was kept."""
    for axis in axes:
        size = spectrum.shape[axis]
        kept = np.fft.fftfreq(size >> level, 1 / (size >> level)).astype(int) % size
        spectrum = np.take(spectrum, kept, axis=axis)
    return spectrum


def averaging(size, J, level):
    """Matrix that averages with the Gaussian, samples, and drops the two ends, along one axis.

    It takes `size >> level` samples to `(size >> J) - 2`; the Gaussian is the same along both axes.
    """
    sigma = SIGMA * 2 ** (J - 1)
    distances = np.arange(size) + size * PERIODS[:, None]
    gaussian = np.exp(-(distances**2) / (2 * sigma**2)).sum(axis=0) / np.sqrt(2 * PI_OF_THE_NORM * sigma**2)
    window = np.fft.ifft(cropped(np.fft.fft(gaussian).real, level, axes=(0,))).real
    outputs = np.arange(1, (size >> J) - 1) << (J - level)
    return window[(outputs[:, None] - np.arange(window.size)) % window.size]
