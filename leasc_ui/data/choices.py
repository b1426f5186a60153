"""What may be chosen on the Data page, and how a choice becomes a recipe and comes back from one. No Streamlit in here."""

from dataclasses import dataclass, replace
from pathlib import Path

from leasc_core.data.synthetic.presets import PRESETS
from leasc_ui.session.fields import menu, number, slider, switch
from leasc_ui.work.uploads import inside, own, server_folder

WAYS = {"make": "Make points", "sample": "Sample data", "file": "Your file"}
FOUR_LINES = "four_lines"
# Slider → parameter of the generator; those in per cent are shares there.
PER_CENT = {"noise": "noise", "outlying": "sparse_fraction", "missing": "missing_fraction", "outliers": "outlier_fraction"}
SLIDERS = {
    "subspaces": "n_subspaces",
    "dim": "dim",
    "ambient": "ambient_dim",
    "points": "n_per_subspace",
    "angle": "angle",
    "balance": "imbalance",
    "affine": "affine",
    "spread": "spread",
    "seed": "random_state",
}
TEXT = ("separator", "decimal", "encoding", "header")
READING = ("array", "label", "transpose", *TEXT, "sheet", "spectrum", "background", "window", "tracks", "roles")

# The axis of a cube that is its spectrum, by a name of its own: False equals 0.
SPECTRA = {"none": False, "0": 0, "1": 1, "2": 2}


@dataclass(frozen=True)
class Sample:
    """A set that comes with the app: its file, and what it shows."""

    title: str
    file: str
    story: str
    facts: str
    icon: str


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
    ),
    "shapes_under_light": Sample(
        "Shapes under light",
        "shapes_under_light.npz",
        "Eight bodies, each lit from 120 sides: nine dimensions hold a shape, whatever the light.",
        "960 pictures of 32 × 32, 8 shapes",
        ":material/light_mode:",
    ),
    "digits": Sample(
        "Digits",
        "digits.npz",
        "Real handwriting: no digit is an exact subspace, and most are still told apart.",
        "1,797 pictures of 8 × 8, 10 digits",
        ":material/draw:",
    ),
    "field_scene": Sample(
        "Field scene",
        "field_scene.npz",
        "A small scene seen in 40 bands: five materials, mixed where they meet, in sun and shade.",
        "3,072 pixels × 40 bands, 5 materials",
        ":material/satellite_alt:",
    ),
    "cell_counts": Sample(
        "Cell counts",
        "cell_counts.h5ad",
        "Counts of genes in cells: each type runs its own programme beside what all cells share.",
        "500 cells × 240 genes, 5 types",
        ":material/biotech:",
    ),
    "sentences": Sample(
        "Sentences",
        "sentences.jsonl",
        "Short texts with an embedding each, as a language model would give it.",
        "400 texts × 32, 5 topics",
        ":material/notes:",
    ),
    "sensor_states": Sample(
        "Sensor states",
        "sensor_states.ts",
        "Six sensors of a machine, cut into windows: each state is a motion of its own.",
        "300 windows × 144, 4 states",
        ":material/sensors:",
    ),
    "corrupted": Sample(
        "Corrupted",
        "corrupted.npz",
        "Five subspaces, and three points in ten are grossly wrong: the error term decides.",
        "400 points × 80, 5 subspaces",
        ":material/broken_image:",
    ),
}


SPREADS = {"gaussian": "Gaussian", "uniform": "Uniform ball", "one_sided": "One-sided cone"}


def _on_rays(making, facts):
    return making.preset == FOUR_LINES


def _on_subspaces(making, facts):
    return making.preset != FOUR_LINES


def _dial(usual, label, ends, step, left=False, when=_on_subspaces, help=""):
    shown = {"step": step} if when is _on_rays else {"step": step, "format": "%d" if isinstance(step, int) else "%.1f"}
    return slider(usual, label, ends, look=shown, side_by_side=left, when=when, help=help)


@dataclass(frozen=True)
class Making:
    """The sliders of *Make points*; shares in per cent, ``angle`` 0 is random. ``noise`` of the four lines is in multiples."""

    preset: str = menu("independent_planes", "Preset", {name: each.title for name, each in PRESETS.items()})
    rays_noise: float = _dial(1.0, "Noise, times the paper’s", (0.0, 3.0), 0.25, when=_on_rays)
    subspaces: int = _dial(4, "Subspaces", (1, 20), 1, left=True)
    dim: int = _dial(2, "Dimension of each", (1, 10), 1)
    ambient: int = _dial(20, "Features", (2, 100), 1, left=True, help="The dimension of the space they lie in.")
    points: int = _dial(200, "Points a subspace", (10, 1000), 10, help="On average, where the sizes differ.")
    angle: float = _dial(
        0.0,
        "Angle, degrees",
        (0.0, 90.0),
        1.0,
        left=True,
        help="The smallest principal angle between neighbours; 0 leaves it to chance.",
    )
    noise: float = _dial(2.0, "Noise, %", (0.0, 30.0), 0.5, help="Of a point’s typical length.")
    outlying: float = _dial(0.0, "Outlying entries, %", (0.0, 20.0), 0.5, left=True, help="Single values with a gross error.")
    missing: float = _dial(0.0, "Missing entries, %", (0.0, 50.0), 1.0, help="Single values that are not there.")
    outliers: float = _dial(0.0, "Outlier points, %", (0.0, 50.0), 0.1, left=True, help="Points that lie on no subspace.")
    balance: float = _dial(
        1.0, "Imbalance, times", (1.0, 20.0), 0.5, help="The largest subspace has so many times the points of the smallest."
    )
    spread: str = menu("gaussian", "Spread", SPREADS, side_by_side=True, when=_on_subspaces, help="How they fill a subspace.")
    seed: int = number(0, "Seed", (0, 9999), help="Another seed draws other subspaces and points.")
    affine: bool = switch(False, "Affine", side_by_side=True, when=_on_subspaces, help="Subspaces that miss the origin.")
    growing: bool = switch(False, "Growing", when=_on_subspaces, help="Each subspace has one dimension more than the one before.")

    def parameters(self):
        """For the generator; plain JSON."""
        if self.preset == FOUR_LINES:
            return {"preset": FOUR_LINES, "noise": self.rays_noise, "random_state": self.seed}
        dims = [self.dim + more for more in range(self.subspaces)] if self.growing else self.dim
        given = {key: getattr(self, name) for name, key in SLIDERS.items()}
        given |= {key: getattr(self, name) / 100 for name, key in PER_CENT.items()}
        return given | {"dim": dims, "angle": self.angle or None}


LOW_RANK = "A low-rank model predicts them from a point’s other features."


@dataclass(frozen=True)
class Cleaning:
    """What is done to the rows before any later room sees them; ``missing`` counts only where values are missing."""

    missing: str = menu(
        "low_rank",
        "Missing values",
        {"low_rank": "predict them (low rank)", "mean": "the feature’s mean", "drop": "leave those rows out"},
        when=lambda cleaning, found: found.n_missing > 0,
        help=lambda cleaning, found: f"{found.n_missing:,} values are missing. {LOW_RANK}",
    )
    scattering: bool = switch(
        False,
        "Scattering features of the pictures",
        when=lambda cleaning, found: not found.n_missing and found.data.image_shape and min(found.data.image_shape[:2]) >= 8,
        help="Wavelets and averages: features that small shifts hardly change. Reduce them by PCA below.",
    )
    drop_constant: bool = switch(False, "Leave out constant features", help="Features that show one value only.")
    standardise: bool = switch(False, "Standardise features", help="Mean 0 and standard deviation 1 for every feature.")
    reduce: str = menu(
        "no",
        "PCA",
        {"no": "none", "components": "by number", "variance": "by variance"},
        side_by_side=True,
        help="Keep only the principal axes that carry the most variance.",
    )
    components: int = number(50, "Components", (1, 500), when=lambda cleaning, found: cleaning.reduce == "components")
    variance: float = number(
        95.0, "Variance kept, %", (50.0, 100.0), look={"step": 1.0}, when=lambda cleaning, found: cleaning.reduce == "variance"
    )
    unit_rows: bool = switch(
        False,
        "Unit length for every point",
        help="Divide every row by its length: then only directions count, as subspaces do.",
    )

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
    encoding: str | None = None
    sheet: str | None = None
    spectrum: str | None = None
    background: float | None = None
    window: int | None = None
    tracks: bool | None = None
    roles: tuple | None = None

    def place(self):
        """Where the file lies; DataError for a server-side name that leads out of the server's folder."""
        return inside(server_folder(), self.path) if self.root == "server" else own(self.path)

    def options(self):
        """What was asked for, for the reader."""
        given = {name: getattr(self, name) for name in READING if getattr(self, name) is not None}
        as_asked = {"roles": dict, "spectrum": SPECTRA.get}
        return {name: as_asked.get(name, _same)(value) for name, value in given.items()}


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
    given |= {key: round(given[key], 3) for key in PER_CENT.values() if key in given}
    return replace(of_parameters(given | {"random_state": seed}), preset=name)


def of_sample(name):
    """The page as one click on a sample set leaves it."""
    return DataChoices(way="sample", sample=name, cleaning=Cleaning())


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
    options = _options_of(recipe.get("options", {}))
    return DataChoices("file", file=replace(file, **options), cleaning=cleaning)


def _same(value):
    return value


def _options_of(given):
    """How a file is read, as a recipe has it; what recipes of before left out has that role."""
    options = {name: value for name, value in given.items() if name in READING}
    roles = dict(given.get("roles") or {}) | dict.fromkeys(given.get("leave_out") or (), "left out")
    if "spectrum" in options:
        options["spectrum"] = next(name for name, value in SPECTRA.items() if value is options["spectrum"])
    return options | ({"roles": tuple(sorted(roles.items()))} if roles else {})


def of_parameters(given):
    """The sliders that give these parameters of the generator (the inverse of ``Making.parameters``)."""
    if given.get("preset") == FOUR_LINES:
        return replace(of_preset(FOUR_LINES, given["random_state"]), rays_noise=given["noise"])
    given = Making().parameters() | given
    dims, values = given["dim"], {name: given[key] for name, key in SLIDERS.items()}
    values |= {name: round(100 * given[key], 6) for name, key in PER_CENT.items()}
    growing = not isinstance(dims, int)
    return Making(**values | {"dim": dims[0] if growing else dims, "growing": growing, "angle": given["angle"] or 0.0})


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
