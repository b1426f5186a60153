"""``report.html``: what a run found, on one page that needs nothing else."""

from html import escape

from ..runs.files import replacing


def write_report(path, model, source, summary, config, events):
    """Write the page; all of it or nothing."""
    facts = "".join(f"<tr><th>{escape(str(name))}</th><td>{escape(str(value))}</td></tr>" for name, value in summary.items())
    name = escape(source.name)
    page = f"<!doctype html><meta charset=utf-8><title>{name}</title><h1>{name}</h1><table>{facts}</table>"
    with replacing(path) as file:
        file.write(page.encode())
