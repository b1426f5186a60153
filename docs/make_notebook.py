"""``python docs/make_notebook.py``: runs ``docs/tour.py`` as a notebook and keeps it, with its pictures, as ``docs/tour.ipynb``.

A cell begins at ``# %%``; at ``# %% [markdown]`` it is text. What depends on the machine is left out of the file.
"""

import base64
import os
import sys
from io import BytesIO
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
STORY, NOTEBOOK = ROOT / "docs" / "tour.py", ROOT / "docs" / "tour.ipynb"
SHADES = 64
KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
# One thread: quick enough here, and the same rounding everywhere. Pictures go into the notebook, whoever started this.
QUIET = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
}


def notebook_of(story):
    """The cells of a script, not yet run."""
    cells = []
    for number, part in enumerate(story.split("# %%")[1:]):
        kind, _, body = part.partition("\n")
        if "[markdown]" in kind:
            words = "\n".join(line.removeprefix("#").removeprefix(" ") for line in body.strip().splitlines())
            cells.append(nbformat.v4.new_markdown_cell(words, id=f"cell-{number}"))
        else:
            cells.append(nbformat.v4.new_code_cell(body.strip(), id=f"cell-{number}"))
    return nbformat.v4.new_notebook(cells=cells, metadata=KERNEL)


def run(notebook):
    """The notebook with its outputs; an error in a cell is raised."""
    where = {"metadata": {"path": str(ROOT)}}
    client = NotebookClient(notebook, timeout=120, record_timing=False, coalesce_streams=True, resources=where)
    client.execute(env={**os.environ, **QUIET, "PYTHONPATH": str(ROOT)})
    notebook.metadata = nbformat.from_dict(KERNEL)
    for cell in notebook.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs = [_kept(output) for output in cell.outputs if output.output_type != "execute_result"]
    return notebook


def _kept(output):
    """An output without metadata, its picture in few colours; a warning is an error, it would name this machine's paths."""
    if output.get("name") == "stderr":
        raise RuntimeError(f"a cell of the story warns: {output.text}")
    if output.output_type == "display_data":
        picture = Image.open(BytesIO(base64.b64decode(output.data["image/png"]))).convert("RGB")
        stream = BytesIO()
        picture.quantize(SHADES, dither=Image.Dither.NONE).save(stream, "PNG", optimize=True)
        output.data = {"image/png": base64.b64encode(stream.getvalue()).decode(), "text/plain": output.data["text/plain"]}
        output.metadata = {}
    return output


def main():
    notebook = run(notebook_of(STORY.read_text(encoding="utf-8")))
    nbformat.validate(notebook)
    nbformat.write(notebook, NOTEBOOK)
    print(f"{NOTEBOOK.name}: {len(notebook.cells)} cells, {NOTEBOOK.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    sys.exit(main())
