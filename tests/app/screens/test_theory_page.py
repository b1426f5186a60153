"""The Theory page as Streamlit runs it: empty, on four lines, with every stage of a pipeline; its numbers against brute force."""

import json

import numpy as np
import pytest
from scipy.linalg import subspace_angles
from scipy.spatial.distance import cdist

from leasc_core.data.sources import open_source
from leasc_core.data.synthetic import four_rays, make_union_of_subspaces
from leasc_ui.charts.theory.bounds import INSIDE, KINK_INSIDE, KINK_OUTSIDE, OUTSIDE, bounds_chart, kinds_of
from leasc_ui.charts.theory.jacobian import plane_chart
from leasc_ui.screens.representatives.compute import choose
from leasc_ui.screens.theory.compute import (
    contraction_of,
    exact_chance,
    norms_by_angle,
    parse_sizes,
    radius_of,
    sizes_for,
    spans_of,
    written_sizes,
)
from leasc_ui.screens.theory.settings import FORM, SECTIONS, TheoryChoices
from leasc_ui.screens.theory.subject import four_lines, subject_of
from leasc_ui.screens.train.compute import train
from leasc_ui.screens.train.settings import TrainSettings
from leasc_ui.session.pipeline import FoundClusters, LoadedData, RepresentativeSettings, TrainedModel
from leasc_ui.session.state import Session
from tests.app.visits import address, sound, visit, words

PAGE = "pages/7_Theory.py"
PATIENCE = 60


def filled(points, labels=None, stages=3, hidden=50, activation="relu", clusters=None):
    """A session whose pipeline is done up to a stage: 0 data, 1 representatives, 2 model, 3 clusters."""
    mine = Session()
    pipeline = mine.pipeline
    pipeline.data = LoadedData("test points", {"kind": "synthetic"}, open_source(np.asarray(points)), labels=labels)
    if stages >= 1:
        pipeline.representatives = choose(pipeline.data, RepresentativeSettings("random", 60, 0))
    if stages >= 2:
        settings = TrainSettings(hidden=hidden, activation=activation)
        rpcm = train(pipeline.data, pipeline.representatives, settings, lambda event: None)
        pipeline.model = TrainedModel(pipeline.representatives.fingerprint, settings, rpcm)
    if stages >= 3:
        pipeline.clusters = FoundClusters(pipeline.model.fingerprint, None, clusters)
    return mine


@pytest.fixture(scope="module")
def planes():
    """Three planes in twelve dimensions, all stages done, found clusters equal to the truth."""
    Y, y, truth = make_union_of_subspaces(3, 2, 12, 80, noise=1e-3, random_state=0, return_truth=True)
    return filled(Y, clusters=y), y, truth


@pytest.fixture(scope="module")
def lines():
    return four_lines()


def page(mine=None, **address):
    return sound(visit(PAGE, PATIENCE, session=mine, **address))


def tiles(app):
    return {tile.label: tile.value for tile in app.metric}


def test_without_data_there_is_a_sentence_and_one_click_shows_everything():
    app = page()
    assert "no points to speak of yet" in words(app) and not app.metric
    sound(app.button(key="theory_lines").click().run())
    assert address(app) == {"on": "lines"} and tiles(app)["Subspaces"] == "4"
    pipeline = app.session_state["session"].pipeline
    assert pipeline.data is pipeline.representatives is pipeline.model is pipeline.clusters is None, "nothing is stored"
    sound(app.button(key="theory_yours").click().run())
    assert "no points to speak of yet" in words(app) and address(app) == {}


@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_of_four_lines_opens_from_a_link(section):
    app = page(on="lines", section=section)
    assert len(app.metric) == 4 and app.expander
    assert address(app) == {"on": "lines"} | ({"section": section} if section != "picks" else {})


def test_the_papers_example_in_one_click():
    app = page(on="lines")
    sound(app.button(key="theory_paper").click().run())
    assert tiles(app)["Every subspace met"] == "98.8 %" and "1820/1843" in words(app)
    assert tiles(app)["Certain from"] == "51"
    assert address(app) == {"on": "lines", "sizes": "2 × 50", "picks": "7"}
    sound(app.button(key="theory_usual").click().run())
    assert address(app) == {"on": "lines"} and tiles(app)["Subspaces"] == "4"


def test_sizes_can_be_written_and_nonsense_is_one_sentence():
    app = page(on="lines", sizes="900, 90, 10", picks="100")
    missed = 100 * (1 - float(np.prod((990 - np.arange(100)) / (1000 - np.arange(100)))))
    assert float(tiles(app)["Every subspace met"].removesuffix(" %")) == pytest.approx(missed, abs=0.2)
    app.text_input(key="theory_sizes").set_value("many").run()
    assert not app.exception and "does not list sizes" in app.error[0].value
    sound(app.button(key="theory_usual").click().run())


def test_a_stale_link_opens_with_defaults_for_what_it_gets_wrong():
    app = page(on="lines", section="gone", sizes="0", picks="-4", energy="99")
    assert address(app) == {"on": "lines", "energy": "99"}


def test_each_section_says_what_it_needs_and_one_click_gets_it():
    Y = four_rays(0)[0]
    app = page(filled(Y, stages=0), section="subspaces")
    assert "neither clusters nor labels" in words(app)
    app = page(filled(Y, stages=0), section="radius")
    assert "there are none yet" in words(app) and not app.metric
    app = page(filled(Y, stages=1), section="contraction")
    assert "there is none yet" in words(app)
    sound(app.button(key="theory_take").click().run())
    assert "Inside the bound" in tiles(app) and app.session_state["session"].pipeline.status("model") == "ready"


def test_what_is_out_of_date_is_not_used():
    mine = filled(four_rays(0)[0], stages=2)
    mine.pipeline.representatives = choose(mine.pipeline.data, RepresentativeSettings("random", 30, 0))
    app = page(mine, section="contraction")
    assert "out of date" in words(app) and not app.metric


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_theorem_1_with_a_trained_model(activation):
    app = page(filled(four_rays(0)[0], stages=2, activation=activation), section="contraction")
    assert "holds for all of them" in words(app) and "please report" not in words(app)
    assert ("promises nothing" if activation == "relu" else "square of the distance") in words(app)
    assert (tiles(app)["Past a kink"] == "0 %") == (activation == "tanh")
    app.segmented_control(key="theory_against").set_value("bound")
    assert address(sound(app.run())) == {"section": "contraction", "against": "bound"}


def test_with_clusters_the_angles_are_those_of_the_planes(planes):
    mine, _, truth = planes
    app = page(mine, section="subspaces", rule="gap")
    bases = truth.bases
    smallest = min(np.degrees(subspace_angles(bases[i], bases[j]).min()) for i in range(3) for j in range(i))
    assert float(tiles(app)["Smallest angle"].removesuffix("°")) == pytest.approx(smallest, abs=0.5)
    assert tiles(app)["Dimensions"] == "2" and "the found clusters" in words(app)
    for section in SECTIONS:
        assert len(page(mine, section=section).metric) == 4


def test_known_labels_stand_in_for_clusters_and_that_is_said():
    Y, y = four_rays(0)
    app = page(filled(Y, y, stages=1), section="subspaces")
    assert "By your labels, as nothing has been clustered yet" in words(app)
    assert tiles(page(filled(Y, y, stages=0)))["Subspaces"] == "4"


def test_more_points_make_classical_coding_dearer():
    app = page(on="lines", section="cost")
    assert tiles(app)["LSR, classical"] == "5.1 · 10⁸", "800 cubed"
    app.select_slider(key="theory_points").set_value(10**6)
    assert tiles(sound(app.run()))["LSR, classical"] == "1.0 · 10¹⁸"
    assert tiles(app)["Classical codes"] == "4 TB" and address(app)["points"] == "1000000"


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("50, 50", [50, 50]),
        ("2 × 50", [50, 50]),
        ("2x50,  7", [50, 50, 7]),
        ("3", [3]),
        ("1 2 3", [1, 2, 3]),
        ("", None),
        ("0", None),
        ("5, -1", None),
        ("a", None),
        ("1.5", None),
        ("200000 × 1", None),
        ("99999999999", None),
        ("x5", None),
        ("²", None),
    ],
)
def test_sizes_as_text(text, sizes):
    assert parse_sizes(text) == sizes
    if sizes:
        assert parse_sizes(written_sizes(sizes)) == sizes


def test_every_choice_survives_its_address():
    chosen = TheoryChoices("lines", "cost", "3, 4", 5, "data", "bound", "gap", 80, 10**6, 20)
    assert FORM.from_address(FORM.to_address(chosen)) == chosen


def test_exact_chances_are_shown_where_they_can_be_read():
    assert exact_chance([50, 50], 7) == "1820/1843"
    assert exact_chance([50, 50], 60) is None and exact_chance([10**6] * 2, 5) is None


@pytest.mark.parametrize("unit", [True, False])
def test_the_radius_equals_all_pairs(lines, unit):
    Y = lines.source.take(np.arange(800))
    Y = Y / np.linalg.norm(Y, axis=1, keepdims=True) if unit else Y
    table, found = cdist(Y, Y[lines.indices]), radius_of(lines, unit)
    assert found.whole and found.radius == pytest.approx(table.min(axis=1).max())
    own = [table[table.argmin(axis=1) == j, j].max(initial=0) for j in range(88)]
    assert np.allclose(found.radii, own, atol=1e-12)
    radii, shares = found.curve
    assert shares[-1] == 1 and np.allclose(shares, [(table.min(axis=1) <= r).mean() for r in radii], atol=2 / 800)


def test_large_data_are_sampled_and_it_is_said():
    rng = np.random.default_rng(0)
    Y = rng.standard_normal((60_000, 3)).astype(np.float32)
    mine = filled(Y, rng.integers(0, 3, 60_000), stages=2)
    subject = subject_of(mine.pipeline)
    assert len(contraction_of(subject).rows) == 2000 and not radius_of(subject, True).whole and spans_of(subject)[1] < 60_000
    assert "of 60,000 points, so ρ may be larger" in words(page(mine, section="radius"))
    assert "2,000 of 60,000 points" in words(page(mine, section="contraction"))


def test_marks_say_how_a_point_stands_to_its_bound(lines):
    made = contraction_of(lines)
    report, kinds = made.report, kinds_of(made.report)
    over = report.changes > report.first_order * (1 + 1e-9) + 1e-9
    assert set(np.unique(kinds)) <= {INSIDE, KINK_INSIDE, KINK_OUTSIDE}, "ReLU leaves its bound at kinks only"
    assert np.array_equal(np.isin(kinds, [KINK_OUTSIDE, OUTSIDE]), over)
    for against in ("distance", "bound"):
        chart = bounds_chart(made.rows, lines.indices[report.nearest], report, against)
        json.dumps(chart.spec)
        drawn = chart.data[chart.data["mark"] == "point"]
        assert len(drawn) == report.apart.sum() == 800 - 88
        ends = chart.data[chart.data["mark"] == "line"]
        assert np.allclose(ends["change"], ends["slope"] * ends["bound"])


def test_the_plane_shows_the_norms_of_its_directions(lines):
    """Read back from the picture: the most solid pixel lies in the steepest direction."""
    import base64
    from io import BytesIO

    from PIL import Image

    norms = norms_by_angle(lines.network)
    chart = plane_chart(np.array([[-1.0, -1], [1, 1]]), np.zeros((1, 2)), norms)
    image = chart.data.loc[0]
    pixels = np.array(Image.open(BytesIO(base64.b64decode(image["url"].split(",")[1]))))[..., 3].astype(float)
    down, across = np.unravel_index(pixels.argmax(), pixels.shape)
    x = image["x"] + (across + 0.5) / pixels.shape[1] * (image["x2"] - image["x"])
    y = image["y"] + (down + 0.5) / pixels.shape[0] * (image["y2"] - image["y"])
    turn = np.arctan2(y, x) / (2 * np.pi) % 1
    assert norms[round(turn * len(norms)) % len(norms)] == pytest.approx(norms.max(), rel=0.02)


def test_table_ii_takes_its_letters_from_the_model(lines):
    sizes = sizes_for(lines, 800, 100)
    assert (sizes.m, sizes.n, sizes.d, sizes.hidden, sizes.epochs) == (800, 88, 2, (50,), 5)
