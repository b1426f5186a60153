"""The inner loops of the scattering transform: wavelet, modulus and average of a block of images at once.

The last axis of every array runs over the images of the block, and so do all inner loops; a "row" is one
coefficient or pixel of all of them. Rows are numbered through, whatever axes they stand for.
"""

import math

import numpy as np
from numba import njit

# Fused multiply-adds are the one liberty taken: a value must not depend on the image's place in a block.
COMPILED = {"nogil": True, "cache": True, "fastmath": {"contract"}}
MATRIX, MATRICES, COUPLING = "float32[:, ::1]", "float32[:, :, ::1]", "int32[::1], int32[::1], float32[::1]"


@njit(f"void(float32, {MATRIX}, int64, {MATRIX}, int64)", **COMPILED)
def add_row(weight, rows, row, out, line):
    for i in range(rows.shape[1]):
        out[line, i] += weight * rows[row, i]


@njit(f"void({MATRICES}, int64, {MATRIX}, int64, {MATRIX}, int64)", **COMPILED)
def combine(matrices, which, rows, first, out, begin):
    """Rows `begin, ...` of `out` become `matrices[which]` times the rows `first, ...` of `rows`."""
    n_out, n_terms, n = matrices.shape[1], matrices.shape[2], rows.shape[1]
    for k in range(n_out):
        line, j = begin + k, 0
        for i in range(n):
            out[line, i] = 0
        while j + 6 <= n_terms:
            a, p, q, r = first + j, matrices[which, k, j], matrices[which, k, j + 1], matrices[which, k, j + 2]
            s, t, u = matrices[which, k, j + 3], matrices[which, k, j + 4], matrices[which, k, j + 5]
            for i in range(n):
                out[line, i] += (
                    p * rows[a, i]
                    + q * rows[a + 1, i]
                    + r * rows[a + 2, i]
                    + s * rows[a + 3, i]
                    + t * rows[a + 4, i]
                    + u * rows[a + 5, i]
                )
            j += 6
        if j + 3 <= n_terms:
            a, p, q, r = first + j, matrices[which, k, j], matrices[which, k, j + 1], matrices[which, k, j + 2]
            for i in range(n):
                out[line, i] += p * rows[a, i] + q * rows[a + 1, i] + r * rows[a + 2, i]
            j += 3
        while j < n_terms:
            add_row(matrices[which, k, j], rows, first + j, out, line)
            j += 1


@njit(f"{MATRIX}({MATRICES}, {MATRICES}, {MATRICES})", **COMPILED)
def combine_both(row_matrix, column_matrix, images):
    """`row_matrix images column_matrix'` for `images` of shape (rows, columns, images)."""
    n_rows, n_columns, n = images.shape
    n_lines, n_out = row_matrix.shape[1], column_matrix.shape[1]
    half_way = np.empty((n_lines, n_columns * n), np.float32)
    combine(row_matrix, 0, images.reshape(n_rows, n_columns * n), 0, half_way, 0)
    half_way_rows = half_way.reshape(n_lines * n_columns, n)
    out = np.empty((n_lines * n_out, n), np.float32)
    for k in range(n_lines):
        combine(column_matrix, 0, half_way_rows, k * n_columns, out, k * n_out)
    return out


@njit(f"void({MATRIX}, {COUPLING}, int64, {MATRIX})", **COMPILED)
def _couple(source, starts, sources, weights, first, out):
    """Rows `first, first + 1, ...` of a sparse matrix (`trigonometric.Coupling`) times `source`."""
    for k in range(out.shape[0]):
        for i in range(out.shape[1]):
            out[k, i] = 0
        for j in range(starts[first + k], starts[first + k + 1], 4):
            a, b, c, d = sources[j], sources[j + 1], sources[j + 2], sources[j + 3]
            p, q, r, s = weights[j], weights[j + 1], weights[j + 2], weights[j + 3]
            for i in range(out.shape[1]):
                out[k, i] += p * source[a, i] + q * source[b, i] + r * source[c, i] + s * source[d, i]


@njit(f"void({MATRIX}, int64, int64, float32, float32)", **COMPILED)
def _turn(rows, a, b, cosine, sine):
    for i in range(rows.shape[1]):
        turned = cosine * rows[a, i] - sine * rows[b, i]
        rows[b, i] = cosine * rows[b, i] + sine * rows[a, i]
        rows[a, i] = turned


@njit(f"void({MATRIX}, UniTuple(int64, 4), int64[:, ::1], {MATRIX}, int64[:, ::1], {MATRIX})", **COMPILED)
def recentre(coefficients, classes, row_pairs, row_turns, column_pairs, column_turns):
    """Move the centre of the coefficients, in place.

    `coefficients` has a row for each (row class, column class, row slot, column slot), `classes` their numbers.
    A pair is the (class, slot) of a cosine and of a sine, a turn the cosine and sine of its angle.
    """
    rows, columns, height, width = classes
    lines = coefficients.reshape(rows * columns * height, width * coefficients.shape[1])
    for k in range(row_pairs.shape[0]):
        c, i, d, j = row_pairs[k, 0], row_pairs[k, 1], row_pairs[k, 2], row_pairs[k, 3]
        for other in range(columns):
            a, b = (c * columns + other) * height + i, (d * columns + other) * height + j
            _turn(lines, a, b, row_turns[k, 0], row_turns[k, 1])
    for k in range(column_pairs.shape[0]):
        c, i, d, j = column_pairs[k, 0], column_pairs[k, 1], column_pairs[k, 2], column_pairs[k, 3]
        for other in range(rows):
            for slot in range(height):
                a = ((other * columns + c) * height + slot) * width + i
                b = ((other * columns + d) * height + slot) * width + j
                _turn(coefficients, a, b, column_turns[k, 0], column_turns[k, 1])


@njit(f"void({MATRIX}, int64, int64, int64)", **COMPILED)
def _mirror(rows, first, step, count):
    """Classes to mirror images or back, in place: the Hadamard matrix on 2 or 4 rows."""
    a, b, c, d = first, first + step, first + 2 * step, first + 3 * step
    if count == 2:
        for i in range(rows.shape[1]):
            total = rows[a, i] + rows[b, i]
            rows[b, i] = rows[a, i] - rows[b, i]
            rows[a, i] = total
    else:
        for i in range(rows.shape[1]):
            p, q = rows[a, i] + rows[b, i], rows[a, i] - rows[b, i]
            r, s = rows[c, i] + rows[d, i], rows[c, i] - rows[d, i]
            rows[a, i] = p + r
            rows[b, i] = q + s
            rows[c, i] = p - r
            rows[d, i] = q - s


@njit(f"void({MATRIX}, int64, int64)", **COMPILED)
def _hadamard(values, row_classes, column_classes):
    """`_mirror` along both axes of classes; `values` has a row for each pair of classes."""
    for i in range(row_classes):
        _mirror(values, i * column_classes, 1, column_classes)
    for j in range(column_classes):
        _mirror(values, j, column_classes, row_classes)


@njit(f"void({MATRIX}, {MATRIX})", **COMPILED)
def _modulus(waves, out):
    """`waves` holds the real and the imaginary part of each row of `out` one after the other."""
    for k in range(out.shape[0]):
        for i in range(out.shape[1]):
            out[k, i] = math.sqrt(waves[2 * k, i] * waves[2 * k, i] + waves[2 * k + 1, i] * waves[2 * k + 1, i])


@njit(f"void({MATRIX}, {COUPLING}, int64, {MATRICES}, {MATRIX}, {MATRIX})", **COMPILED)
def _filter(source, starts, sources, weights, which, to_rows, coupled, half_way):
    """Coefficients of filter `which`, turned into values along the rows (the lines of `half_way`)."""
    height = to_rows.shape[1]
    classes, width = half_way.shape[0] // height, half_way.shape[1]
    for c in range(classes):
        _couple(source, starts, sources, weights, (which * classes + c) * coupled.shape[0], coupled)
        row_class = c * to_rows.shape[0] // classes
        combine(to_rows, row_class, coupled.reshape(height, width), 0, half_way, c * height)


@njit(f"void({MATRIX}, {MATRICES}, {MATRICES}, int64, {MATRIX}, int64)", **COMPILED)
def _average(sizes, row_average, column_average, place, averages, first):
    """Add what the rows at `place` and its mirror images give to the averages."""
    n, n_columns = sizes.shape[1], column_average.shape[1]
    line = np.empty((n_columns, n), np.float32)
    for i in range(row_average.shape[1]):
        combine(column_average, 0, sizes, i * column_average.shape[2], line, 0)
        for o in range(row_average.shape[0]):
            add_row(row_average[o, i, place], line.reshape(1, n_columns * n), 0, averages, first + o)


@njit(f"void({MATRIX}, {COUPLING}, int64, {', '.join([MATRICES] * 6)}, {MATRIX}, {MATRIX})", **COMPILED)
def propagate(
    source,
    starts,
    sources,
    weights,
    first_filter,
    to_rows,
    to_columns,
    from_rows,
    from_columns,
    row_average,
    column_average,
    averages,
    kept,
):
    """Filter, take the modulus and average, for one filter after the other.

    Parameters
    ----------
    source : (coefficients, images)
    starts, sources, weights : the `trigonometric.Coupling` of the filters, which begin at `first_filter`
    to_rows, to_columns : (classes, slots, slots), coefficients to values at the first of the mirror images
    from_rows, from_columns : (classes, slots, slots), their transposes, values to coefficients
    row_average : (outputs, classes, slots)
    column_average : (1, outputs, classes * slots)
    averages : (filters * row outputs, column outputs * images), written
    kept : (coefficients, images) of the modulus of the last filter, written unless it is empty
    """
    (rows, height, _), (columns, width, _) = to_rows.shape, to_columns.shape
    classes, n, n_outputs = rows * columns, source.shape[1], row_average.shape[0]
    coupled = np.empty((height * width * 2, n), np.float32)
    half_way = np.empty((classes * height * width, 2 * n), np.float32)
    waves = np.empty((classes * width, 2 * n), np.float32)
    sizes = np.empty((classes * width, n), np.float32)
    analysed = np.empty((kept.shape[0], n), np.float32)
    averages[:] = 0
    for k in range(averages.shape[0] // n_outputs):
        half_way_lines = half_way.reshape(classes * height, width * 2 * n)
        _filter(source, starts, sources, weights, first_filter + k, to_rows, coupled, half_way_lines)
        for place in range(height):
            for c in range(classes):
                combine(to_columns, c % columns, half_way, (c * height + place) * width, waves, c * width)
            _hadamard(waves.reshape(classes, width * 2 * n), rows, columns)
            _modulus(waves.reshape(classes * width * 2, n), sizes)
            _average(sizes, row_average, column_average, place, averages, k * n_outputs)
            if kept.size:
                _hadamard(sizes.reshape(classes, width * n), rows, columns)
                for c in range(classes):
                    combine(from_columns, c % columns, sizes, c * width, analysed, (c * height + place) * width)
    if kept.size:
        analysed_lines, kept_lines = analysed.reshape(-1, width * n), kept.reshape(-1, width * n)
        for c in range(classes):
            combine(from_rows, c // columns, analysed_lines, c * height, kept_lines, c * height)
