"""What may be chosen on the Data page, and how a choice becomes a recipe and comes back from one. No Streamlit in here."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from leasc_core.data.presets import PRESETS
from leasc_ui.uploads import inside, server_folder

WAYS = {"make": "Make points", "sample": "Sample data", "file": "Your file"}
FOUR_LINES = "four_lines"
PER_CENT = {"noise": "noise", "outlying": "sparse_fraction", "missing": "missing_fraction", "outliers": "outlier_fraction"}
READING = ("array", "label", "transpose", "separator", "header", "decimal", "drop_text", "leave_out")


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
            "angle": self.angle or None, "imbalance": self.balance, "affine": self.affine, "spread": self.spread,
            "random_state": self.seed,
        } | {key: getattr(self, name) / 100 for name, key in PER_CENT.items()}  # fmt: skip


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
    drop_text: bool | None = None
    leave_out: tuple | None = None

    def place(self):
        """Where the file lies; DataError for a server-side name that leads out of the server's folder."""
        return inside(server_folder(), self.path) if self.root == "server" else Path(self.path)

    def options(self):
        """What was asked for, for the reader."""
        given = {name: getattr(self, name) for name in READING if getattr(self, name) is not None}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}


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


def of_recipe(recipe):
    """The page as it stood when data came by this recipe (see ``LoadedData``)."""
    cleaning = of_settings(recipe.get("preprocess"))
    if recipe["kind"] == "sample":
        return replace(of_sample(recipe["name"]), cleaning=cleaning)
    if recipe["kind"] == "synthetic":
        return DataChoices("make", making=of_parameters(recipe["parameters"]), cleaning=cleaning)
    path, folder = Path(recipe["path"]), server_folder()
    on_server = folder is not None and path.is_relative_to(folder)
    file = FileChoice(str(path.relative_to(folder)) if on_server else str(path), "server" if on_server else "uploads")
    options = {name: tuple(value) if isinstance(value, list) else value for name, value in recipe.get("options", {}).items()}
    return DataChoices("file", file=replace(file, **options), cleaning=cleaning)


def of_parameters(given):
    """The sliders that give these parameters of the generator (the inverse of ``Making.parameters``)."""
    if given.get("preset") == FOUR_LINES:
        return replace(of_preset(FOUR_LINES, given["random_state"]), rays_noise=given["noise"])
    given = Making().parameters() | given
    dims = given["dim"]
    growing = not isinstance(dims, int)
    per_cent = {name: round(100 * given[key], 6) for name, key in PER_CENT.items()}
    return Making(
        subspaces=given["n_subspaces"], dim=dims[0] if growing else dims, growing=growing, ambient=given["ambient_dim"],
        points=given["n_per_subspace"], balance=given["imbalance"], angle=given["angle"] or 0.0, affine=given["affine"],
        spread=given["spread"], seed=given["random_state"], **per_cent,
    )  # fmt: skip


def of_settings(given):
    """The cleaning that gives these settings (the inverse of ``Cleaning.settings``)."""
    if not given:
        return Cleaning()
    kept = {name: given[name] for name in ("drop_constant", "standardise", "unit_rows", "scattering") if given.get(name)}
    if given.get("missing", "error") != "error":
        kept["missing"] = given["missing"]
    if given.get("n_components"):
        kept |= {"reduce": "components", "components": given["n_components"]}
    if given.get("variance"):
        kept |= {"reduce": "variance", "variance": round(100 * given["variance"], 6)}
    return Cleaning(**kept)
