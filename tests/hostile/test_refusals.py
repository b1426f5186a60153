"""Every bad file is refused in one sentence, quickly, in little memory, and nothing inside it ever runs."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile.measure import FAMILIES, SECONDS

MEGABYTES, CHILD_MEGABYTES = 256, 512
ROOT = Path(__file__).parents[2]
CASES = [(family, case.id) for family, make in FAMILIES.items() for case in make()]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="memory is measured through /proc"),
]


@pytest.fixture(scope="module")
def records(request, tmp_path_factory):
    """What one child process found out about the cases that were selected; it must survive them all."""
    wanted = [item.callspec.params["case"] for item in request.session.items if "records" in item.fixturenames]
    families = list(dict.fromkeys(family for family, _ in wanted))
    output = subprocess.run(
        [sys.executable, "-m", "tests.hostile.measure", str(tmp_path_factory.mktemp("hostile"))],
        input=json.dumps([families, [id for _, id in wanted]]),
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    found = {record["id"]: record for record in map(json.loads, output.stdout.splitlines())}
    lost = [id for _, id in wanted if id not in found]
    assert output.returncode == 0, f"the process that loads the files died at '{lost[0]}': {output.stderr[-2000:]}"
    return found


def test_there_are_at_least_three_hundred_and_no_two_alike():
    ids = [id for _, id in CASES]
    assert len(ids) == len(set(ids)) >= 300


@pytest.mark.parametrize("case", CASES, ids=[id for _, id in CASES])
def test_refusal(case, records):
    record = records[case[1]]
    message = record["message"]
    assert record["kind"] == "DataError", f"{record['kind']}: {message}"
    assert len(message.splitlines()) == 1
    assert len(message) <= 400, message
    assert "Traceback" not in message
    assert re.match(r".+: .+[;:] .+\.$", message), f"not 'file: what is wrong; what to do.': {message}"
    assert not record["canary"], "a pickle was opened"
    assert not record["outside"], "another file was read or written"
    assert record["seconds"] <= SECONDS, f"took {record['seconds']:.2f} s"
    assert record["megabytes"] <= MEGABYTES, f"took {record['megabytes']:.0f} MB"
    assert record["children"] <= CHILD_MEGABYTES, f"the child process took {record['children']:.0f} MB"
