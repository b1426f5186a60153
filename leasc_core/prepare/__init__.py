"""What is done to points before they are coded: kinds of data, preparations a model carries, the choice without labels."""

from .choice import Choice, Evidence, choose
from .kinds import Kind, recognise
from .preparation import NAMES, Preparation, recorded_from

__all__ = ["NAMES", "Choice", "Evidence", "Kind", "Preparation", "choose", "recognise", "recorded_from"]
