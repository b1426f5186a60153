"""A process that has imported everything and forks a child for each run it is told of, so that thirty kills take seconds.

Reads a folder a line from standard input; answers with the child's number, and with its exit status when it has ended.
"""

import os
import sys
import traceback

PARAMETERS = {
    "n_clusters": 6,
    "n_representatives": 150,
    "hidden": [120],
    "n_landmarks": 300,
    "block_rows": 300,
    "preprocess": "none",
}


def main():
    import faiss  # noqa: F401
    import sklearn.cluster  # noqa: F401
    import torch

    from leasc_core.runs import run  # noqa: F401
    from leasc_core.storage import tables

    torch.set_num_threads(1)
    tables.SYNC_SECONDS = 0.02  # many places to go on from, in a run of a second
    print("ready", flush=True)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            os._exit(work(line.strip(), run))
        print("child", child, flush=True)
        print("ended", os.waitpid(child, 0)[1], flush=True)


def work(folder, run):
    try:
        return 0 if run.resume(folder).finished else 3
    except BaseException:
        traceback.print_exc()
        return 1


if __name__ == "__main__":
    main()
