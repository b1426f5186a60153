"""Cleaning that is learned from the rows, and how far that is. No Streamlit."""

from leasc_core.data.sources import DataSource


def quiet(words, share=None):
    """Progress that nobody reads; the real one is called as ``say("Reading …", 0.4)``, share None where it is not known."""


def fitted(source, wanted, say):
    """A Preprocessor that has learned from the source; None where it would do nothing."""
    from leasc_core.data.preprocessing import Preprocessor

    if not any(value not in ("error", False, None) for value in wanted.values()):
        return None
    return Preprocessor(**wanted).fit(Watched(source, "Learning the cleaning", say))


class Watched(DataSource):
    """A source that tells how far it has been read."""

    def __init__(self, base, words, say):
        super().__init__(base.shape, base.dtype, base.name)
        self.feature_names = base.feature_names
        self.base, self.words, self.say = base, words, say

    def rows(self, start, stop):
        return self.base.rows(start, stop)

    def raw_blocks(self, rows):
        for start, block in self.base.raw_blocks(rows):
            self.say(self.words, start / max(1, len(self)))
            yield start, block
