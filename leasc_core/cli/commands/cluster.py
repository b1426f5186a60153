"""``cluster``: a data file to labels, a model and a report, in a folder that can be resumed."""

import shlex
import sys
from pathlib import Path

from ...errors import ParameterError, RunError
from ..labels import check_labels_path, write_labels
from ..outcome import tell_outcome
from ..parameters import add_method_arguments, method_parameters, preprocess_settings, seconds, size
from ..progress import add_progress_arguments, progress_of, warnings_told
from ..reading import add_reading_arguments, existing, open_data, read_labels, reading_options
from ..steering import check_steering, steered
from ..stopping import Interrupted, Stopping
from ..terminal import plain, styled

USAGE = "DATA [-k K] [-o FOLDER] [options]\n       python -m leasc_core cluster --resume FOLDER"
DESCRIPTION = """\
Find the clusters of the points in a file, whatever its size: it is read block by block.

The folder it writes holds labels.npy (one label a row), model.leasc (labels new points: see predict), report.html (the pictures)
and what is needed to go on after Ctrl-C, a kill or a power cut. What the run will need is said before it starts, and what
cannot fit is refused. Labels found in the file judge the result; they are used for nothing else."""
EPILOG = """\
files:
  CSV, TSV, .npy, .npz, MATLAB, HDF5, Parquet, Feather, IDX, libsvm, a zip or folder of pictures

examples:
  cluster digits.npz -k 10                            into digits-leasc/
  cluster digits.npz -k 10 --variant nuclear -o out/  the nuclear norm, into out/
  cluster big.npy --memory 2GB --labels-out big.parquet
  cluster big.npy --auto --budget 2m                  the autopilot looks for k and β first, two minutes at most
  cluster survey.csv --missing low_rank --standardise --label group
  cluster --resume out/                               go on where it stopped"""


def add_arguments(parser):
    """The command's options."""
    parser.add_argument("data", nargs="?", help="the file (or folder of pictures) with the points")
    parser.add_argument("-o", "--output", metavar="FOLDER", help="the run's folder (the file's name with -leasc)")
    parser.add_argument("--resume", nargs="?", const=True, metavar="FOLDER", help="go on with a run that was stopped or killed")
    parser.add_argument("--labels-out", metavar="FILE", help="write the labels to a .csv, .tsv, .parquet or .npy file as well")
    parser.add_argument("--join", action="store_true", help="in --labels-out, the columns of the file as well")
    parser.add_argument("--certain", type=float, metavar="SHARE", help="in --labels-out, -1 for labels less sure than this (0.9)")
    parser.add_argument("--auto", action="store_true", help="let the autopilot choose what is not given, without labels")
    parser.add_argument("--budget", type=seconds, metavar="TIME", help="how long it may search, as in 60s or 2m (60s)")
    parser.add_argument("--truth", metavar="FILE", help="known labels in a file of their own (.npy, or one a line), to judge by")
    parser.add_argument(
        "--memory", type=size, metavar="SIZE", help="do not begin what needs more, as in 2GB (4/5 of what is free)"
    )
    parser.add_argument("--scheduler", metavar="ADDRESS", help="let a Dask cluster do the work: tcp://host:8786")
    add_method_arguments(parser)
    add_reading_arguments(parser)
    add_progress_arguments(parser)


def run(options):
    """Begin or resume a run; returns the exit code."""
    data, folder = _places(options)
    check_steering(options)
    if options.labels_out:
        check_labels_path(options.labels_out, *filter(None, [data]), join=options.join)
    progress = progress_of(options)
    with Stopping(quiet=options.quiet or options.json) as stopping:
        try:
            with progress, warnings_told(progress):
                begun = _begin(options, data, folder, progress, stopping)
                result = _work(options, folder, progress, stopping)
        except Interrupted as stop:
            return _stopped(folder, stop.exit_code, progress)
        except Exception as error:
            progress.say("Failed", message=" ".join(str(error).split()))
            raise
    if not result.finished:
        return _stopped(folder, 128 + stopping.asked, progress)
    _finish(options, result, begun, progress)
    return 0


def _places(options):
    """The data file (None where only the folder is known) and the run's folder."""
    data, folder = options.data, options.output
    if isinstance(options.resume, str):
        if data is None and folder is not None:
            data = options.resume
        elif folder is None:
            folder = options.resume
        else:
            options.refuse(f"--resume {options.resume} and -o {folder} name two folders, give one of them")
    if data is None and not (options.resume and folder):
        options.refuse("name a data file to cluster, or a run's folder after --resume")
    if folder is None:
        folder = f"{Path(data).name.split('.')[0] or 'data'}-leasc"
    return data, Path(folder)


def _begin(options, data, folder, progress, stopping):
    """Prepare a new run, or make sure that the old one is the one that is asked for; returns whether it is new."""
    from ...runs.folder import RunFolder

    files = RunFolder(folder)
    if files.config_file.exists():
        if not options.resume:
            raise RunError(
                f"{folder} already holds a run; go on with it by `cluster --resume {shlex.quote(str(folder))}`, or name "
                "another folder with -o."
            )
        _same_question(options, data, files.config())
        return False
    if data is None:
        files.config()
    _refuse_strange_folder(folder)
    _prepare(options, data, folder, progress, stopping)
    return True


def _prepare(options, data, folder, progress, stopping):
    from ...runs.folder import RunFolder
    from ...runs.run import prepare

    wishes = reading_options(options)
    source = open_data(data, wishes, progress, lambda: stopping.asked is not None)
    if options.truth:
        read_labels(options.truth, len(source))
    parameters, proposal = method_parameters(options), None
    if options.auto:
        parameters, proposal = steered(options, source, parameters, progress, stopping)
    need = prepare(
        folder,
        data,
        parameters,
        options=wishes,
        preprocess=preprocess_settings(options),
        memory_budget=options.memory,
    )
    if proposal is not None:
        RunFolder(folder).keep_proposal(proposal)
    stopping.refuse_if_asked()
    progress.say(
        "Prepared",
        folder=str(folder),
        points=len(source),
        features=source.shape[1],
        seconds=need.seconds,
        memory=need.memory,
        disk=need.disk,
    )
    name = styled(plain(source.name), "bold", sys.stderr)
    if not (options.quiet or options.json):
        print(f"{name}  {len(source):,} points × {source.shape[1]:,} features, {source.dtype}", file=sys.stderr)
        print(f"needs {need}; writes to {plain(folder)}/\n", file=sys.stderr)


def _work(options, folder, progress, stopping):
    from ...runs.run import resume

    def told(event):
        progress(event)
        return stopping.asked is not None

    if options.scheduler:
        from ..scheduler import resume_on

        return resume_on(options.scheduler, folder, told)
    return resume(folder, on_event=told)


def _same_question(options, data, config):
    """Whatever is given again with ``--resume`` must be what the run was begun with."""
    asked = {**method_parameters(options), **(preprocess_settings(options) or {}), **reading_options(options)}
    known = {**config["parameters"], **(config["preprocess"] or {}), **config["data"]["options"]}
    for name, value in asked.items():
        if known.get(name) != value:
            was = f"{name}={known.get(name)!r}, not {value!r}"
            raise ParameterError(f"The run was begun with {was}; leave that out, or start a new run in another folder.")
    if data is not None and existing(data).absolute() != Path(config["data"]["path"]):
        raise ParameterError(f"The run was begun on {config['data']['path']}, not on {data}; start a new run in another folder.")


def _refuse_strange_folder(folder):
    """A folder with other things in it is not ours to write to."""
    if folder.exists() and not folder.is_dir():
        raise RunError(f"{folder} is a file, not a folder; name another with -o.")
    if folder.is_dir() and any(folder.iterdir()):
        raise RunError(f"{folder} holds other files and no run; name a new or an empty folder with -o.")


def _stopped(folder, code, progress):
    from ...runs.folder import RunFolder

    command = f"python -m leasc_core cluster --resume {shlex.quote(str(folder))}"
    if RunFolder(folder).config_file.exists():
        progress.say("Stopped", folder=str(folder), resume=command)
        progress.note("Stopped; what is finished is kept. Go on with:")
        progress.note(f"  {command}")
    else:
        progress.say("Stopped", folder=None, resume=None)
        progress.note("Stopped before anything was begun.")
    return code


def _source_of(folder):
    """The data of a run, as it read them."""
    from ...data.sources import open_source
    from ...runs.folder import RunFolder

    data = RunFolder(folder).config()["data"]
    return open_source(data["path"], **data["options"])


def _finish(options, result, begun, progress):
    from ...runs.folder import RunFolder

    summary = dict(result.summary)
    if options.truth:
        from ...metrics import score

        summary["scores"] = score(read_labels(options.truth, len(result.labels)), result.labels)
    if options.labels_out:
        join = _source_of(result.folder) if options.join else None
        kept = write_labels(options.labels_out, result.labels, result.confidence, options.certain, join)
        if options.certain is not None:
            summary["kept"] = kept
    progress.say("Finished", folder=str(result.folder), **summary)
    if not (options.quiet or options.json):
        tell_outcome(summary, RunFolder(result.folder), options.labels_out)
