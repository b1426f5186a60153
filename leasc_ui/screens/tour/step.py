"""What a step of the tour is: a title, a sentence, a picture one can touch, a question, and the equation behind it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from leasc_ui.session.fields import hidden


@dataclass(frozen=True)
class StepSettings:
    """What a step remembers; each step adds its own fields, every one with a default.

    ``guess`` is the answer that was picked, by its name; empty until then, and so long nothing is revealed.
    """

    guess: str = hidden("", parse=str)

    @property
    def revealed(self):
        return bool(self.guess)


@dataclass(frozen=True)
class Question:
    """To predict before it is revealed; all of it is computed from the settings.

    Attributes
    ----------
    words : what is asked
    answers : the name of each answer (short, in the address) and its words
    truth : the name of the right one
    because : one sentence with the computed figures, shown once the reader has picked
    """

    words: str
    answers: dict[str, str]
    truth: str
    because: str


@dataclass(frozen=True)
class Equation:
    """The formula behind the picture, and what it says."""

    title: str
    latex: str
    words: str


# The whole plot, told where the tour begins and again where it ends.
IN_ONE_BREATH = (
    "**Representatives**, a few points that stand for all, make it affordable. **Codes** say of which others a point is mixed, "
    "and so who belongs with whom. **The function** gives every point a code, old or new."
)


@dataclass(frozen=True)
class Step:
    """One screen of the tour.

    Attributes
    ----------
    name : short and unique; it is in the address and in the keys of the step's widgets
    title, sentence : what stands above the picture; one honest sentence, two at most
    story : below it, why that is so, in words alone; ``[words](idea)`` is linked with the picture (``linked.py``)
    kind : a frozen dataclass that extends :class:`StepSettings`, of declared settings (:mod:`leasc_ui.session.fields`)
    knobs : the settings in sight, one where one will do; the others are folded away. None: all in sight
    controls : ``controls(memory)`` draws the knobs in another way
    note : what stands below them
    draw : ``draw(settings, memory)`` draws the picture; what answers the question only where ``settings.revealed``
    question : ``question(settings)`` gives the :class:`Question`
    equation : the :class:`Equation`
    presets : label → fields of ``kind``; a click sets these, leaves those in ``kept`` alone and the others at their defaults
    answers : the names of all answers that ``question`` may offer
    wide : whether the picture takes the whole width, with all else below it
    warm : called in the background while the step before is shown, to compute what would keep a visitor waiting
    """

    name: str
    title: str
    sentence: str
    story: str
    kind: type
    draw: Callable
    question: Callable
    equation: Equation
    answers: tuple
    presets: dict = field(default_factory=dict)
    kept: tuple = ("guess",)
    knobs: tuple | None = None
    controls: Callable | None = None
    note: str = ""
    wide: bool = False
    warm: Callable | None = None
