"""A bounded run of the fuzzer: the same damaged files every time, a few hundred of each format."""

import random

import pytest

from tests.hostile.fuzz import complaint, damaged, run, seeds

pytestmark = pytest.mark.slow

# These cost a child process each.
ISOLATED = ("matlab", "hdf5", "parquet", "feather", "workbook", "tiff", "cells", "sparse")
COUNTS = {"pictures": 150} | dict.fromkeys(ISOLATED, 10)


@pytest.mark.parametrize("kind", seeds())
def test_valid_files_load(kind):
    for name, body in seeds()[kind]:
        assert complaint(name, body) is None


@pytest.mark.parametrize("kind", seeds())
def test_damaged_files_load_sanely_or_are_refused(kind):
    limit = COUNTS.get(kind, 400)
    count, bad = run(seeds()[kind], random.Random(f"suite {kind}"), lambda count: count < limit)
    assert bad is None, f"file {count} ({bad[0]}): {bad[2]}"
    assert count == limit


def test_damage_is_repeatable_and_real():
    body = bytes(range(200))
    first = [damaged(body, random.Random(at)) for at in range(50)]
    assert first == [damaged(body, random.Random(at)) for at in range(50)]
    assert sum(changed != body for changed in first) >= 45
