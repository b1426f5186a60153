# %% [markdown]
# # A tour of learnable subspace clustering
# The first nine steps of the app's Tour, from Python. `docs/tour.py` is this notebook as a script; `python docs/make_notebook.py`
# runs it again. You need `leasc_core` and matplotlib.

# %%
import numpy as np
from matplotlib import pyplot as plt

from leasc_core import RPCM, KMeansSelector, LeaSC, RandomSelector, clustering_accuracy, make_union_of_subspaces
from leasc_core.data.synthetic import four_rays
from leasc_core.spectral.kmeans import kmeans_centres, nearest_centre
from leasc_core.theory.complexity import TABLE, Sizes
from leasc_core.theory.coverage import coverage_probability, picks_needed
from leasc_core.theory.radius import representative_radius

plt.rcParams.update({"figure.figsize": (8, 2.9), "figure.dpi": 80, "axes.spines.top": False, "axes.spines.right": False})
COLOURS = np.array(["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#8C6D00", "#4B4B4B", "#7A4FA3"])


def scatter(axes, points, labels, title):
    axes.scatter(*points.T, c=COLOURS[labels], s=6)
    axes.set_title(title, fontsize=10)


def matrices(titled, limit):
    _, row = plt.subplots(1, len(titled))
    for axes, (title, matrix) in zip(row, titled.items(), strict=True):
        axes.imshow(matrix, cmap="RdBu", vmin=-limit, vmax=limit, aspect="auto", interpolation="nearest")
        axes.set_title(title, fontsize=10)
        axes.set_xticks([])
        axes.set_yticks([])


# %% [markdown]
# ## 1 · K-means cuts across lines
# The paper's four noisy rays, pressed a little flatter: 800 points. Which belong together? K-means looks for blobs, and a line is
# none.

# %%
Y, rays = four_rays(0)
Y *= [1, 0.4]
blobs = nearest_centre(Y, kmeans_centres(Y, 4, np.random.default_rng(0)))
_, (left, right) = plt.subplots(1, 2, sharey=True)
scatter(left, Y, rays, "the rays")
scatter(right, Y, blobs, f"K-means: {clustering_accuracy(rays, blobs):.0%} right")

# %% [markdown]
# ## 2 · Two dozen points can stand for eight hundred
# A few points stand for all. Random picks must meet every ray (Proposition 1), and ρ is the farthest a point is from help
# (Definition 1).

# %%
print("the paper's example, 7 picks of 50 + 50:", coverage_probability([50, 50], 7, exact=True))
print("picks that meet all four rays with 99 %:", picks_needed([200] * 4, 0.99))
chosen = {}
for selector in (RandomSelector(), KMeansSelector()):
    chosen[type(selector).__name__] = indices = selector.select(Y, 88, np.random.default_rng(0))
    print(f"{type(selector).__name__}: ρ = {representative_radius(Y, indices).radius:.2f}")

# %% [markdown]
# ## 3 · The price of a code decides who helps
# Every representative is written by the others. The norm decides who helps: everyone a little (F²), or as few as possible (ℓ1).

# %%
indices = np.sort(chosen["RandomSelector"])
X = Y[indices] / np.linalg.norm(Y[indices], axis=1, keepdims=True)
own = rays[indices][:, None] == rays[indices]
coded = {}
for variant in ("f2", "l1", "nuclear", "elastic_net"):
    model = RPCM(variant, hidden=(50,), tol=1e-2, random_state=0).fit(X)
    coded[variant] = Z = model.codes_
    helpers = (np.abs(Z) > 1e-3 * np.abs(Z).max()).sum(axis=1).mean()
    inside = np.abs(Z)[own].sum() / np.abs(Z).sum()
    print(f"{variant:12} {helpers:5.1f} helpers a point, {inside:.0%} of the weight from the own ray")
matrices({name: Z.T for name, Z in coded.items()}, 0.1)

# %% [markdown]
# Two pairs of rays are nearly one line, seen from the origin, so part of the weight comes from across. Step 6 can live with that.

# %% [markdown]
# ## 4 · Two moves and a price make two copies agree
# Algorithm 2 lets μ grow, which freezes its codes before they are best. The exact solver ends on a proof: a duality gap.

# %%
paper = RPCM("l1", solver="paper", hidden=(50,), random_state=0).fit(X)
exact = RPCM("l1", solver="exact", tol=1e-2, hidden=(50,), random_state=0).fit(X)
plt.plot([step.objective for step in paper.history_], label="Algorithm 2")
plt.axhline(exact.history_[-1].objective, color=COLOURS[1], label=f"exact, gap {exact.gap_:.1%}")
plt.xlabel("iteration")
plt.ylabel("objective (Eq. 8)")
plt.legend(frameon=False)

# %% [markdown]
# ## 5 · A network codes points it has never seen
# A small network learns the codes of the 88 and then codes all 800, and any point to come.

# %%
leasc = LeaSC(4, n_representatives=88, hidden=(50,), random_state=0).fit(Y)
order = np.argsort(rays[leasc.representative_indices_], kind="stable")
matrices({"88 codes, solved": leasc.rpcm_.codes_[order][:, order].T, "800 codes, by f": leasc.transform(Y)[:, order].T}, 0.05)

# %% [markdown]
# ## 6 · Points mixed alike belong together
# Points with like codes are joined; the eigenvalues of that graph show a gap after the fourth. The finished model labels every
# place of the plane, also where nothing was ever seen.

# %%
_, (left, right) = plt.subplots(1, 2)
left.plot(np.arange(1, 10), leasc.eigenvalues_[:9], "o", color=COLOURS[0])
left.axvline(4.5, color="grey", linestyle=":")
left.set_xlabel("number of the eigenvalue")
x, y = np.meshgrid(np.linspace(-3.5, 4, 200), np.linspace(-0.8, 1, 120))
regions = leasc.predict(np.column_stack([x.ravel(), y.ravel()])).reshape(x.shape)
right.pcolormesh(x, y, regions, cmap=plt.matplotlib.colors.ListedColormap(COLOURS[:4]), alpha=0.25, rasterized=True)
scatter(right, Y, leasc.labels_, f"LeaSC: {clustering_accuracy(rays, leasc.labels_):.0%} right")

# %% [markdown]
# ## 7 · Whom you blame decides what you find
# What the others cannot write goes into E. For a few wrong entries ℓ1 is the right norm; ℓ2,1 must blame whole points, squares
# blame everybody. The three weights β were chosen once, by looking.

# %%
clean, planes = make_union_of_subspaces(4, 2, 20, 15, noise=0.0, random_state=0)
clean /= np.linalg.norm(clean, axis=1, keepdims=True)
rng = np.random.default_rng(1)
wrong = np.zeros_like(clean)
wrong.flat[rng.permutation(clean.size)[:60]] = 0.6
wrong *= rng.choice([-1, 1], clean.shape)
shown = {"what was spoiled": wrong.T}
for noise, beta in (("f2", 1.0), ("l21", 0.3), ("l1", 0.1)):
    errors = RPCM("nuclear", beta=beta, noise=noise, hidden=(50,), tol=1e-2, random_state=0).fit(clean + wrong).errors_
    found = 1 - np.sum((errors - wrong) ** 2) / np.sum(wrong**2)
    shown[f"E, {noise}: {found:.0%} found"] = errors.T
matrices(shown, 0.6)

# %% [markdown]
# ## 8 · Ten times the points take ten times the time
# Table II counts operations, up to a constant: with f, ten times the points cost ten times as much, with classical codes a
# thousand times. (The app's Tour times both on your machine.)

# %%
points = np.geomspace(1e3, 1e9, 30)
for row in TABLE:
    learned = row.length == "n"
    cost = [row.total(Sizes(int(m), 100, 20, (100,))) for m in points]
    plt.loglog(points, cost, "-" if learned else "--", color=COLOURS[0 if learned else 1], label=row.method)
plt.xlabel("points")
plt.ylabel("operations")
plt.legend(frameon=False, fontsize=7, ncols=2)

# %% [markdown]
# ## 9 · It always answers, even when it is wrong
# It always gives an answer. Told to find seven groups it finds seven; and arms that bend share directions, which is all f sees.

# %%
seven = LeaSC(7, n_representatives=88, hidden=(50,), random_state=0).fit(Y).labels_
arm, far = np.repeat([0, 1], 200), rng.uniform(0.4, 2.4, 400)
turn = np.radians(20 + 120 * arm + 120 * (far - 0.4))
arms = np.column_stack([far * np.cos(turn), far * np.sin(turn)])
two = LeaSC(2, n_representatives=80, hidden=(50,), random_state=0).fit(arms).labels_
_, (left, right) = plt.subplots(1, 2)
scatter(left, Y, seven, f"told to find 7: {clustering_accuracy(rays, seven):.0%} right")
scatter(right, arms, two, f"bent arms: {clustering_accuracy(arm, two):.0%} right")

# %% [markdown]
# So you may not conclude that there are k groups because k came out, nor that there are subspaces because there are clusters.
#
# **Representatives** make it affordable, **codes** say who belongs with whom, and **the function** gives a code to every point,
# old or new.
