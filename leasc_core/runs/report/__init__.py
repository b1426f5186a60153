"""``report.html``: what a run found, on one page without scripts."""
