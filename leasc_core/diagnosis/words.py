"""The diagnosis in plain words: first what is so, then the numbers that say it."""

import numpy as np

# What the data may leave at most, as a share of what one cloud, or blobs, leave.
CLOUD, BLOBS = 0.85, 0.87
AFFINE_FROM = 0.3
SAME_FROM = 0.95
AS_GOOD = 1.05
ALIKE = 0.9


def headline(kind, expression, groups, rival, dimension, sample, found):
    """The verdict, why, and what to do; ``found`` is whether the groups are only those of a quick look."""
    if kind == "line":
        why = (
            "Not as it is: a single direction holds 95 % of all points’ energy, so they are one line to this method. A column "
            "far larger than the others, or a mean far from zero, hides the rest."
        )
        return "no", why, "Standardise the features, leave out columns that only number or date the rows, and look again."
    if kind == "cloud":
        return "no", _one_cloud_words(expression, dimension, sample), _one_cloud_advice(dimension, sample)
    if kind == "blobs":
        why = (
            f"Not subspace data: about {expression.groups} round blobs explain it as well. Points gather around centres instead "
            "of spreading along lines or planes through the origin."
        )
        return "no", why, "This method is not for this data; try K-means, a Gaussian mixture or HDBSCAN."
    why = (
        f"Yes: a few others write a point {1 / max(expression.against_cloud, 1e-3):.1f} times as well as in a shapeless cloud "
        "of the same spread, so the points lie near flat pieces of low dimension."
    )
    return "yes", why, _what_next(groups, rival, found)


def all_checks(expression, groups, rival, outliers, dimension, sample):
    """``(name, value, chance, sentence, good)`` of every check that can be made, the telling ones first."""
    yield _cloud(expression)
    yield _blobs(expression)
    yield _dimensions(groups, dimension, sample)
    if groups and any(group.affinity is not None for group in groups):
        yield _angles(groups, sample)
    if groups:
        yield _affine(groups)
    if rival is not None:
        yield _cosine(rival)
    yield _outliers(outliers)
    yield _repeats(sample)


def _cloud(expression):
    sentence = (
        f"Written by {_few(expression.steps)} of {expression.atoms} others, a point keeps {_percent(expression.left)} of its "
        f"length as error; in one shapeless cloud of the same mean and spread it would keep {_percent(expression.left_in_cloud)}."
    )
    return "Few others write a point", expression.left, expression.left_in_cloud, sentence, expression.against_cloud < CLOUD


def _blobs(expression):
    sentence = (
        f"Were the data {expression.groups} round blobs, the blob-like data most like these, it would keep "
        f"{_percent(expression.left_in_blobs)}; here it keeps {_percent(expression.left)}."
    )
    return "More than blobs", expression.left, expression.left_in_blobs, sentence, expression.against_blobs < BLOBS


def _dimensions(groups, dimension, sample):
    directions = min(sample.features, len(sample.singular_values))
    sentence = f"{dimension} of {directions:,} directions hold 95 % of all points’ energy"
    if groups:
        low, high = min(g.dimension for g in groups), max(g.dimension for g in groups)
        each = f"{low}" if low == high else f"{low} to {high}"
        sentence += f"; the {len(groups)} groups have {each} each" if len(groups) > 1 else f"; its one group has {each}"
    return "Dimensions", dimension, directions, sentence + ".", None


def _angles(groups, sample):
    first = max((g for g in groups if g.affinity is not None), key=lambda g: g.affinity)
    other = next(g for g in groups if g.label == first.nearest)
    width = sample.points.shape[1]
    chance = float(np.sqrt(max(first.dimension, other.dimension) / width)) if width else None
    how = "are nearly the same" if first.affinity >= SAME_FROM else "can be told apart"
    sentence = (
        f"The two groups most alike, {first.label + 1} and {other.label + 1}, {how}: {first.affinity:.2f} on a scale from 0 (at "
        f"right angles) to 1 (the same), smallest angle {first.angle:.0f}°; two drawn at random would have "
        f"about {min(1, chance):.2f}."
    )
    return "Angles between groups", first.affinity, min(1.0, chance), sentence, None


def _affine(groups):
    offset = float(np.median([group.offset for group in groups]))
    if offset >= AFFINE_FROM:
        words = "so an affine model fits: a linear one needs one more dimension a group, and still works"
    else:
        words = "so a linear model fits"
    sentence = f"The flat pieces pass the origin at {_percent(offset)} of a point’s length, {words}."
    return "Linear or affine", offset, 0.0, sentence, None


def _cosine(rival):
    if _cosine_does(rival):
        words = "so cosine K-means does just as well here, and is simpler"
    else:
        words = "so it is no substitute"
    sentence = (
        f"Groups by cosine K-means leave {_percent(rival.left_by_rival)} of points held out, these groups "
        f"{_percent(rival.left)}, {words}; the two agree to {rival.agreement:.2f} (1 is the same)."
    )
    return "Cosine K-means", rival.left, rival.left_by_rival, sentence, None


def _outliers(outliers):
    here, chance = outliers
    sentence = f"{_percent(here)} of the points are far worse written than the usual one; in one cloud it is {_percent(chance)}."
    return "Outliers", here, chance, sentence, None


def _repeats(sample):
    parts = [(sample.repeated, "repeat an earlier one"), (sample.empty, "are all zeros"), (sample.missing, "have missing values")]
    found = [f"{count:,} {words}" for count, words in parts if count]
    told = ", ".join(found) if found else "none repeats another, is all zeros or has missing values"
    share = (sample.repeated + sample.empty + sample.missing) / sample.looked_at
    return "Rows left out", share, 0.0, f"Of {sample.looked_at:,} rows looked at {told}.", None


def _one_cloud_words(expression, dimension, sample):
    whole = min(sample.features, len(sample.singular_values))
    flat = f" All of it lies near a single flat piece of dimension {dimension}." if dimension <= whole // 2 else ""
    return (
        f"Not subspace data: a few others write a point about as badly as in one shapeless cloud of the same spread "
        f"({_percent(expression.left)} left against {_percent(expression.left_in_cloud)}).{flat}"
    )


def _one_cloud_advice(dimension, sample):
    if sample.points.shape[1] <= 3:
        return (
            "This method is not for this data; try DBSCAN or spectral clustering on distances if you see curved or round groups, "
            "K-means if you see blobs."
        )
    return (
        "This method is not for this data as it is; try K-means, HDBSCAN or spectral clustering on distances, or other features "
        "(scaled columns; scattering features for pictures)."
    )


def _what_next(groups, rival, found):
    begin = "Go on. " if found else ""
    if rival is not None and _cosine_does(rival):
        return f"{begin}Cosine K-means does just as well in this sample, so compare with it."
    if groups and float(np.median([group.offset for group in groups])) >= AFFINE_FROM:
        return f"{begin}The pieces miss the origin, which costs the linear model one dimension each and little else."
    return f"{begin}Choose representatives and train." if found else "Look at clusters that are alike before you use them."


def _cosine_does(rival):
    return rival.left_by_rival <= AS_GOOD * rival.left or rival.agreement >= ALIKE


def _few(steps):
    return "the best one" if steps == 1 else f"the best {steps}"


def _percent(share):
    if share < 5e-4:
        return "0 %"
    return f"{100 * share:.1f} %" if share < 0.095 else f"{100 * share:.0f} %"
