"""What may be chosen on the Data page, and how a choice becomes a recipe and an address. No Streamlit in here."""

from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from leasc_core.data.presets import PRESETS
from leasc_ui.uploads import inside, server_folder

WAYS = {"make": "Make points", "sample": "Sample data", "file": "Your file"}
FOUR_LINES = "four_lines"
READING = ("array", "label", "transpose", "separator", "header", "decimal")


@dataclass(frozen=True)
class Sample:
    """A set that comes with the app: its file, what it shows, and the cleaning it calls for."""

    title: str
    file: str
    story: str
    facts: str
    icon: str
    cleaning: dict = field(default_factory=dict)


SAMPLES = {
    "four_lines": Sample(
        "Four lines",
        "four_lines.csv",
        "The paper’s example: four noisy rays in the plane.",
        "800 points × 2, 4 rays",
        ":material/scatter_plot:",
    ),
    "moving_objects": Sample(
        "Moving objects",
        "moving_objects.npz",
        "Tracks of points on a globe, a ring, a die, a wheel and the stars: each motion is a subspace.",
        "450 tracks × 48, 5 objects",
        ":material/animation:",
        {"unit_rows": True},
    ),
    "shapes_under_light": Sample(
        "Shapes under light",
        "shapes_under_light.npz",
        "Eight bodies, each lit from 120 sides: nine dimensions hold a shape, whatever the light.",
        "960 pictures of 32 × 32, 8 shapes",
        ":material/light_mode:",
        {"unit_rows": True},
    ),
    "digits": Sample(
        "Digits",
        "digits.npz",
        "Real handwriting: no digit is an exact subspace, and most are still told apart.",
        "1,797 pictures of 8 × 8, 10 digits",
        ":material/draw:",
        {"unit_rows": True},
    ),
    "corrupted": Sample(
        "Corrupted",
        "corrupted.npz",
        "Five subspaces, and three points in ten are grossly wrong: the error term decides.",
        "400 points × 80, 5 subspaces",
        ":material/broken_image:",
    ),
}


@dataclass(frozen=True)
class Making:
    """The sliders of *Make points*; shares in per cent, ``angle`` 0 is random. ``noise`` of the four lines is in multiples."""

    preset: str = "independent_planes"
    subspaces: int = 4
    dim: int = 2
    growing: bool = False
    ambient: int = 20
    points: int = 200
    balance: float = 1.0
    angle: float = 0.0
    noise: float = 2.0
    rays_noise: float = 1.0
    outlying: float = 0.0
    missing: float = 0.0
    outliers: float = 0.0
    affine: bool = False
    spread: str = "gaussian"
    seed: int = 0

    def parameters(self):
        """For the generator; plain JSON."""
        if self.preset == FOUR_LINES:
            return {"preset": FOUR_LINES, "noise": self.rays_noise, "random_state": self.seed}
        dims = [self.dim + more for more in range(self.subspaces)] if self.growing else self.dim
        return {
            "n_subspaces": self.subspaces, "dim": dims, "ambient_dim": self.ambient, "n_per_subspace": self.points,
            "noise": self.noise / 100, "angle": self.angle or None, "imbalance": self.balance, "affine": self.affine,
            "spread": self.spread, "sparse_fraction": self.outlying / 100, "missing_fraction": self.missing / 100,
            "outlier_fraction": self.outliers / 100, "random_state": self.seed,
        }  # fmt: skip


@dataclass(frozen=True)
class Cleaning:
    """What is done to the rows before any later room sees them; ``missing`` counts only where values are missing."""

    missing: str = "low_rank"
    drop_constant: bool = False
    standardise: bool = False
    unit_rows: bool = False
    scattering: bool = False
    reduce: str = "no"
    components: int = 50
    variance: float = 95.0

    def settings(self, some_missing):
        """For the recipe; None where nothing is to be done."""
        wanted = {
            "missing": self.missing if some_missing else "error",
            "drop_constant": self.drop_constant,
            "standardise": self.standardise,
            "n_components": self.components if self.reduce == "components" else None,
            "variance": self.variance / 100 if self.reduce == "variance" else None,
            "unit_rows": self.unit_rows,
        }
        if self.scattering:
            wanted["scattering"] = True
        return wanted if any(value not in ("error", False, None) for value in wanted.values()) else None


@dataclass(frozen=True)
class FileChoice:
    """A stored or server-side file and how to read it; None is found by itself. ``root`` is "uploads" or "server"."""

    path: str | None = None
    root: str = "uploads"
    array: str | None = None
    label: str | bool | None = None
    transpose: bool | None = None
    separator: str | None = None
    header: bool | None = None
    decimal: str | None = None

    def place(self):
        """Where the file lies; DataError for a server-side name that leads out of the server's folder."""
        return inside(server_folder(), self.path) if self.root == "server" else Path(self.path)

    def options(self):
        """What was asked for, for the reader."""
        return {name: getattr(self, name) for name in READING if getattr(self, name) is not None}


@dataclass(frozen=True)
class DataChoices:
    """Everything on the page; ``way`` is None before anything is chosen."""

    way: str | None = None
    sample: str | None = None
    making: Making = Making()
    file: FileChoice = FileChoice()
    cleaning: Cleaning = Cleaning()

    @property
    def complete(self):
        """Whether there is enough to load something."""
        return self.way == "make" or bool(self.way == "sample" and self.sample) or bool(self.way == "file" and self.file.path)

    def recipe(self):
        """How to get the rows, without their cleaning; None where the choice is not complete."""
        if not self.complete:
            return None
        if self.way == "make":
            return {"kind": "synthetic", "parameters": self.making.parameters()}
        if self.way == "sample":
            return {"kind": "sample", "name": self.sample}
        return {"kind": "file", "path": str(self.file.place()), "options": self.file.options()}


def of_preset(name, seed=0):
    """The sliders as a preset puts them."""
    given = dict(PRESETS[name].parameters)
    dims = given.get("dim", 2)
    growing = not isinstance(dims, int)
    return Making(
        preset=name, subspaces=given.get("n_subspaces", 4), dim=dims[0] if growing else dims, growing=growing,
        ambient=given.get("ambient_dim", 20), points=given.get("n_per_subspace", 200), balance=given.get("imbalance", 1.0),
        angle=given.get("angle") or 0.0, noise=round(100 * given.get("noise", 0.02), 1),
        outlying=round(100 * given.get("sparse_fraction", 0), 1), missing=round(100 * given.get("missing_fraction", 0), 1),
        outliers=round(100 * given.get("outlier_fraction", 0), 1), affine=bool(given.get("affine", False)),
        spread=given.get("spread", "gaussian"), seed=seed,
    )  # fmt: skip


def of_sample(name):
    """The page as one click on a sample set leaves it."""
    return DataChoices(way="sample", sample=name, cleaning=Cleaning(**SAMPLES[name].cleaning))


# What each slider may say; a link is held to the same limits.
RANGES = {
    "subspaces": (1, 20), "dim": (1, 10), "ambient": (2, 100), "points": (10, 1000), "balance": (1.0, 20.0), "angle": (0.0, 90.0),
    "noise": (0.0, 30.0), "rays_noise": (0.0, 3.0), "outlying": (0.0, 20.0), "missing": (0.0, 50.0), "outliers": (0.0, 50.0),
    "seed": (0, 9999), "components": (1, 500), "variance": (50.0, 100.0),
}  # fmt: skip
CHOICES = {
    "preset": tuple(PRESETS),
    "spread": ("gaussian", "uniform", "one_sided"),
    "missing_values": ("low_rank", "mean", "drop"),
    "reduce": ("no", "components", "variance"),
}


def to_address(choices):
    """What differs from the default, as query parameters; an uploaded file is private and is left out."""
    if choices.way is None:
        return {}
    address = {"way": choices.way}
    if choices.way == "make":
        base = of_preset(choices.making.preset)
        address |= {"preset": choices.making.preset} | _differences(choices.making, base, skip=("preset",))
    if choices.way == "sample" and choices.sample:
        address["sample"] = choices.sample
    if choices.way == "file" and choices.file.path and choices.file.root == "server":
        address["file"] = choices.file.path
        address |= {name: _text(value) for name, value in choices.file.options().items()}
    return address | _differences(choices.cleaning, _base_cleaning(choices), prefix="clean_")


def from_address(given):
    """The choices of an address; what is missing, unknown or out of range takes its default, as in a stale link."""
    way = given.get("way")
    if way not in WAYS:
        return DataChoices()
    choices = DataChoices(way=way)
    if way == "make":
        preset = given.get("preset") if given.get("preset") in CHOICES["preset"] else Making().preset
        choices = replace(choices, making=_read(of_preset(preset), given))
    if way == "sample" and given.get("sample") in SAMPLES:
        choices = of_sample(given["sample"])
    if way == "file" and given.get("file"):
        asked = {name: _option(given[name]) for name in READING if name in given}
        choices = replace(choices, file=FileChoice(path=given["file"], root="server", **asked))
    return replace(choices, cleaning=_read(choices.cleaning, given, prefix="clean_"))


def _base_cleaning(choices):
    return of_sample(choices.sample).cleaning if choices.way == "sample" and choices.sample else Cleaning()


def _differences(settings, base, prefix="", skip=()):
    return {
        prefix + each.name: _text(getattr(settings, each.name))
        for each in fields(settings)
        if each.name not in skip and getattr(settings, each.name) != getattr(base, each.name)
    }


def _read(base, given, prefix=""):
    """``base`` with every sound value of the address."""
    changes = {}
    for each in fields(base):
        text = given.get(prefix + each.name)
        if text is None or each.name == "preset":
            continue
        value = _sound(each.name, text, getattr(base, each.name))
        if value is not None:
            changes[each.name] = value
    return replace(base, **changes)


def _sound(name, text, example):
    """The value of a text of the address, of the type of ``example``; None where it is none or out of range."""
    if isinstance(example, bool):
        return {"yes": True, "no": False}.get(text)
    if isinstance(example, str):
        allowed = CHOICES["missing_values" if name == "missing" else name]
        return text if text in allowed else None
    try:
        value = type(example)(text)
    except ValueError:
        return None
    low, high = RANGES[name]
    return value if low <= value <= high else None


def _text(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _option(text):
    return {"yes": True, "no": False}.get(text, text)
