"""What belongs together lights up together: a word of the story, its symbol in the equation, its marks in the picture.

In a story ``[words](idea)`` names an idea; in an equation :func:`symbol` does. A symbol is known by its colour, which is the
only thing that the renderer of equations lets through.
"""

import re
from dataclasses import dataclass
from html import escape

from leasc_ui.frame.theme import CLUSTERS

TERM = re.compile(r"\[([^\]]+)\]\((\w+)\)")


@dataclass(frozen=True)
class Idea:
    """Its colour in equations, its marks in pictures (drawn with a stroke), and whole pictures of it (drawn with a frame)."""

    colour: tuple[int, int, int]
    marks: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()


def _curve(number):
    """A line of the chart of times, by its colour."""
    return f'.st-key-tour_scale_times .mark-line path[stroke*="{CLUSTERS[number][0]}" i]'


IDEAS = {
    "points": Idea((46, 128, 193), (".tour .points path",), (".matrices .of-points img",)),
    "representatives": Idea(
        (201, 92, 16), (".tour .points .chosen", ".tour .discs circle", ".tour .cross .marks circle + circle")
    ),
    "lines": Idea((24, 140, 100), (".tour .lines path", ".tour .regions rect")),
    "codes": Idea((128, 90, 190), (".tour .arrows path", ".tour .bars rect"), (".tour .matrix canvas", ".tour .sheets canvas")),
    "function": Idea(
        (160, 120, 0), (".tour .cross .marks circle:first-child", _curve(0)), (".tour .sheets figure:nth-child(2) canvas",)
    ),
    "classical": Idea((190, 100, 0), (_curve(1),)),
    "joins": Idea((190, 70, 130), (), (".matrices .of-joins img",)),
    "pieces": Idea((30, 130, 140), (), (".st-key-tour_clusters_spectrum",)),
    "errors": Idea((200, 50, 50), (".tour .points .missed",), (".matrices .of-errors img",)),
}


def symbol(idea: str, latex: str) -> str:
    """A symbol of an equation that stands for an idea."""
    return rf"\textcolor{{#{bytes(IDEAS[idea].colour).hex()}}}{{{latex}}}"


def story_html(story: str) -> str:
    """The story with its ideas as words that light up, and what makes them do so."""
    words = TERM.sub(lambda found: f'<span class="lit lit-{found[2]}" tabindex="0">{found[1]}</span>', escape(story, quote=False))
    used = dict.fromkeys(found[1] for found in TERM.findall(story))
    return f'<style>{"".join(map(_rules, used))}</style><p class="story">{words}</p>'


def _rules(name):
    idea, shade = IDEAS[name], "rgb({}, {}, {})".format(*IDEAS[name].colour)
    word, letter = f".lit-{name}", f'.katex [style*="{shade}"]'
    touched = ",".join([f"{word}:hover", f"{word}:focus", *(f"{each}:hover" for each in (letter, *idea.marks, *idea.frames))])
    lit = f".stApp:has({touched})"
    rules = f"{word}{{border-bottom:2px solid {shade}}}"
    rules += f"{lit} :is({word},{letter}){{background:color-mix(in srgb,{shade} 24%,transparent);border-radius:.2em}}"
    rules += f'{lit} {letter} [style*="{shade}"]{{background:none}}'
    if idea.marks:
        rules += f"{lit} :is({','.join(idea.marks)}){{stroke:{shade};stroke-width:2.5;stroke-opacity:1}}"
    if idea.frames:
        rules += f"{lit} :is({','.join(idea.frames)}){{outline:3px solid {shade}}}"
    return rules
