"""``synth``, ``info``, ``bench``, the help, and the parts that read numbers and tell progress."""

import argparse
import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from leasc_core import LeaSC, load_data, make_union_of_subspaces
from leasc_core.cli.commands import machine
from leasc_core.cli.main import COMMANDS, main
from leasc_core.cli.parameters import setting, size, widths
from leasc_core.cli.progress import Told
from leasc_core.cli.terminal import clock, plain, sparkline
from leasc_core.events import PointsDone, StageFinished, StageStarted

ROOT = Path(__file__).parents[2]


def test_synth_writes_a_union_of_subspaces(tmp_path):
    path = tmp_path / "union.npy"
    assert (
        main(["synth", str(path), "--points", "900", "--dims", "30", "--clusters", "3", "--dim", "2", "--noise", "0", "-q"]) == 0
    )
    points, labels = np.load(path, allow_pickle=False), np.load(tmp_path / "union-labels.npy", allow_pickle=False)
    assert points.shape == (900, 30) and labels.shape == (900,) and set(labels) == {0, 1, 2}
    for label in range(3):
        sizes = np.linalg.svd(points[labels == label], compute_uv=False)
        assert sizes[1] > 1 and sizes[2] < 1e-4 * sizes[0], "each cluster spans exactly two dimensions"


def test_synth_puts_labels_inside_tables_and_streams_the_same_points(tmp_path):
    common = ["--points", "50", "--dims", "4", "--clusters", "2", "--dim", "1", "--seed", "3", "-q"]
    assert main(["synth", str(tmp_path / "u.npy"), *common]) == 0 and main(["synth", str(tmp_path / "u.parquet"), *common]) == 0
    table = load_data(tmp_path / "u.parquet")
    np.testing.assert_array_equal(table.X, np.load(tmp_path / "u.npy"))
    np.testing.assert_array_equal(table.y, np.load(tmp_path / "u-labels.npy"))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["u-labels.npy", "u.npy", "u.parquet"]


def test_synth_presets(tmp_path, capsys):
    assert main(["synth", "-", "--preset", "list"]) == 0 and "four_lines" in capsys.readouterr().out
    assert main(["synth", str(tmp_path / "lines.csv"), "--preset", "four_lines", "-q"]) == 0
    assert load_data(tmp_path / "lines.csv").X.shape == (800, 2)
    assert main(["synth", str(tmp_path / "x.csv"), "--preset", "nine_lives"]) == 1
    assert "nine_lives" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--dim", "9", "--dims", "4"], ["--points", "0"], ["--noise", "-1"], ["--seed", "-1"]])
def test_synth_refuses_in_one_sentence(tmp_path, capsys, arguments):
    assert main(["synth", str(tmp_path / "u.npy"), *arguments, "-q"]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1 and not list(tmp_path.iterdir())


def test_info_says_what_is_in_a_file(tmp_path, capsys):
    np.savez(tmp_path / "a.npz", points=np.random.default_rng(0).random((40, 7)), labels=np.arange(40) % 4)
    assert main(["info", str(tmp_path / "a.npz"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["points"], told["features"], told["kind"]) == (40, 7, "data") and "4 classes" in told["labels"]
    assert len(told["arrays"]) == 2 and len(told["fingerprint"]) == 32
    assert main(["info", str(tmp_path / "a.npz")]) == 0 and "fingerprint" in capsys.readouterr().out
    assert main(["info", str(tmp_path / "b.npz")]) == 1 and "does not exist" in capsys.readouterr().err


def test_info_plans_a_run_here_and_on_more_workers(tmp_path, capsys, monkeypatch):
    """What is passed over once is divided among workers; what one has to do alone is not."""
    from leasc_core.runs import budget

    monkeypatch.setattr(budget, "product_rate", lambda: 1e11)
    np.lib.format.open_memmap(tmp_path / "a.npy", "w+", np.float32, (2_000_000, 16)).flush()
    assert main(["info", str(tmp_path / "a.npy"), "--plan", "-k", "3", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    words = [told[name].split()[1:3] for name in ("plan", "plan_with_4_workers", "plan_with_16_workers")]
    seconds = [float(number) * {"s": 1, "min": 60, "h": 3600}[unit.strip(",")] for number, unit in words]
    assert seconds[0] > seconds[1] >= seconds[2] > 0
    assert all("GB of memory" in told[name] and "of disk" in told[name] for name in ("plan", "plan_with_4_workers"))


def test_info_follows_a_run(tmp_path, capsys):
    from leasc_core import make_union_of_subspaces
    from leasc_core.runs.folder import RunFolder
    from leasc_core.runs.run import prepare

    np.save(tmp_path / "p.npy", make_union_of_subspaces(2, 1, 5, 60)[0])
    run = tmp_path / "run"
    prepare(run, tmp_path / "p.npy", {"n_clusters": 2, "hidden": [20]})
    state = lambda: main(["info", str(run), "--json"]) or json.loads(capsys.readouterr().out)["state"]  # noqa: E731
    assert state().startswith("stopped") and "--resume" in state()
    with RunFolder(run).held():
        assert state().startswith("running")
    assert main(["cluster", "--resume", str(run), "-q"]) == 0 and state() == "finished"
    assert main(["info", str(run / "model.leasc"), "--json"]) == 0
    model = json.loads(capsys.readouterr().out)
    assert model["clusters"] == 2 and model["features"] == 5 and model["parameters"]["hidden"] == [20]


def test_info_counts_the_landmarks_of_all_draws(tmp_path, capsys):
    Y, _ = make_union_of_subspaces(2, 1, 5, 40, random_state=0)
    LeaSC(2, hidden=(20,), n_landmarks=12, n_draws=3, random_state=0).fit(Y).save(tmp_path / "model.leasc")
    assert main(["info", str(tmp_path / "model.leasc"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["landmarks"] == 36


def test_bench_measures_this_machine(capsys, monkeypatch):
    monkeypatch.setattr(machine, "POINTS", 1000)
    monkeypatch.setattr(machine, "CLUSTERS", 5)
    monkeypatch.setattr(machine, "ENCODE_SECONDS", 0.05)
    assert main(["bench", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["acc"] > 0.95 and found["products_per_second"] > 1e8 and found["encoded_per_second"] > 10


@pytest.mark.parametrize("command", [[], *[[name] for name in COMMANDS]])
def test_help_teaches(command, capsys):
    with pytest.raises(SystemExit) as stop:
        main([*command, "--help"])
    out = capsys.readouterr().out
    assert stop.value.code == 0 and "examples:" in out
    assert command or all(code in out for code in ("130", "143", "exit codes"))


def test_numbers_on_the_command_line():
    assert [size(text) for text in ("2GB", "500m", "1.5GiB", "1000")] == [2e9, 5e8, 1.5 * 2**30, 1000]
    assert widths("1500,500") == [1500, 500] and setting("epochs=10") == ("epochs", 10)
    assert setting("affinity=codes") == ("affinity", "codes")
    for read, text in ((size, "much"), (widths, "a,b"), (setting, "epochs"), (size, "1.2.3GB")):
        with pytest.raises(argparse.ArgumentTypeError):
            read(text)


def test_numbers_for_a_person():
    assert [clock(s) for s in (7, 760, 11100)] == ["0:07", "12:40", "3:05:00"]
    assert sparkline([0, 4, 8]) == "▁▅█" and plain("a\x1b[31mb\nc") == "a?[31mb c"


class Screen(io.StringIO):
    def isatty(self):
        return True


def test_progress_tells_rate_time_left_and_memory(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "140")
    screen = Screen()
    told = Told(screen)
    told(StageStarted("encoding", 1000))
    told(PointsDone("encoding", 700, 1000, 2.0, before=500))
    told._tell()
    assert "70% of 1,000" in screen.getvalue() and "100 points/s" in screen.getvalue() and "0:03 left" in screen.getvalue()
    assert "GB" in screen.getvalue() and "\x1b[3" not in screen.getvalue()
    told(StageFinished("encoding", 5.0))
    assert "✓ encoding" in screen.getvalue()


def test_own_memory_counts_what_a_process_takes():
    code = (
        "import numpy as np; from leasc_core.cli.progress import own_memory; before = own_memory(); "
        "block = np.ones(8_000_000); print(own_memory() - before)"
    )
    grown = int(subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    assert 60e6 < grown < 80e6
