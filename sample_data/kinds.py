"""One small file of each kind that fields bring: a scene in many bands, counts of genes, texts, sensors along time."""

import json

import numpy as np

TOPICS = {
    "kitchen": ["soup", "onion", "pepper", "kettle", "bread", "oven", "butter", "recipe", "plate", "salt"],
    "weather": ["rain", "cloud", "wind", "storm", "frost", "sunshine", "thunder", "fog", "snow", "breeze"],
    "football": ["goal", "striker", "keeper", "penalty", "referee", "match", "league", "corner", "pitch", "coach"],
    "music": ["violin", "rhythm", "chorus", "melody", "drummer", "concert", "piano", "tune", "singer", "stage"],
    "garden": ["tulip", "compost", "hedge", "spade", "rose", "lawn", "seedling", "mower", "beetle", "orchard"],
}
OPENINGS = ("Today", "Yesterday", "In the end", "Once more", "As always", "Early on")
VERBS = ("came before", "went well with", "followed", "was better than", "made us forget", "stood beside")
STATES = {"idle": (0.0, 0.1), "ramp": (0.7, 0.8), "run": (1.5, 1.0), "fault": (2.4, 1.2)}


def field_scene(path):
    """Five materials in 40 bands: mixtures of two states of a material, light and shade, mixed pixels where materials meet."""
    rng = np.random.default_rng(0)
    wavelengths = np.linspace(420, 1000, 40)

    def bump(centre, width, height):
        return height * np.exp(-(((wavelengths - centre) / width) ** 2))

    states = np.array(
        [
            (0.15 + bump(900, 350, 0.35), 0.12 + bump(800, 250, 0.3)),
            (0.05 + bump(550, 40, 0.1) + bump(900, 130, 0.5), 0.08 + bump(560, 60, 0.15) + bump(870, 160, 0.35)),
            (0.02 + bump(450, 90, 0.12), 0.03 + bump(520, 100, 0.1)),
            (0.1 + bump(650, 60, 0.35), 0.15 + bump(700, 120, 0.3)),
            (0.22 + bump(600, 900, 0.05), 0.12 + bump(1000, 900, 0.1)),
        ]
    )
    rows, columns = np.mgrid[:48, :64]
    truth = np.ones((48, 64), np.int64)
    truth[(rows - 8) ** 2 + (columns - 50) ** 2 < 130] = 3
    truth[rows > 26 + 4 * np.sin(columns / 9)] = 2
    truth[(rows // 9 == 2) & (columns // 7 % 3 == 1)] = 4
    truth[np.abs(rows - columns * 0.7 + 4) < 2.2] = 5
    share = np.stack([(truth == k + 1).astype(float) for k in range(5)], axis=-1)
    padded = np.pad(share, ((1, 1), (1, 1), (0, 0)), "edge")
    near = sum(padded[1 + down : 49 + down, 1 + right : 65 + right] for down in (-1, 0, 1) for right in (-1, 0, 1)) / 9
    share = 0.75 * share + 0.25 * near
    state = rng.uniform(0, 1, (48, 64, 5))
    materials = state[..., None] * states[:, 0] + (1 - state[..., None]) * states[:, 1]
    light = 0.55 + 0.45 * (np.sin(rows / 11) * np.cos(columns / 13) + 1) / 2
    scene = (share[..., None] * materials).sum(axis=2) * light[..., None] + 0.004 * rng.standard_normal((48, 64, 40))
    truth[:3, :10] = 0
    scene[:3, :10] = 0
    np.savez(
        path,
        scene=np.rint(10_000 * np.clip(scene, 0, 1)).astype(np.uint16),
        scene_gt=truth.astype(np.uint8),
        wavelengths=wavelengths.round(1),
    )


def cell_counts(path):
    """Poisson counts of 240 genes: five programmes of 20 genes, 140 that all cells share; depths from 1 to 10."""
    import h5py
    from scipy.sparse import csr_matrix

    rng = np.random.default_rng(0)
    kinds = np.array(["B", "Mono", "NK", "T", "Plasma"])
    genes = [f"{kind}{at}" for kind in kinds for at in range(1, 21)] + [f"House{at}" for at in range(1, 141)]
    kind = rng.integers(0, 5, 500)
    base = rng.gamma(0.8, 0.4, 240)
    base[:100] *= 0.15
    rates = np.tile(base, (500, 1))
    for k in range(5):
        members = np.flatnonzero(kind == k)
        rates[np.ix_(members, range(20 * k, 20 * k + 20))] += rng.gamma(2.0, 0.5, (len(members), 1)) * rng.gamma(2.0, 0.5, 20)
    depth = 10 ** rng.uniform(-0.3, 0.7, 500)
    counts = csr_matrix(rng.poisson(rates * depth[:, None]).astype(np.float32))
    with h5py.File(path, "w") as file:
        stored = file.create_group("X")
        stored.attrs.update({"encoding-type": "csr_matrix", "encoding-version": "0.1.0", "shape": counts.shape})
        for part in ("data", "indices", "indptr"):
            stored.create_dataset(part, data=getattr(counts, part), compression="gzip")
        obs, var = file.create_group("obs"), file.create_group("var")
        for group, names, order in ((obs, [f"cell{at}" for at in range(500)], ["cell_type", "depth"]), (var, genes, [])):
            group.attrs.update({"_index": "_index", "encoding-type": "dataframe", "encoding-version": "0.2.0"})
            group.attrs["column-order"] = np.array(order, dtype=h5py.string_dtype())
            group["_index"] = np.array(names, dtype=h5py.string_dtype())
        levels = sorted(kinds)
        category = obs.create_group("cell_type")
        category.attrs.update({"encoding-type": "categorical", "encoding-version": "0.2.0", "ordered": False})
        category["categories"] = np.array(levels, dtype=h5py.string_dtype())
        category["codes"] = np.array([levels.index(kinds[k]) for k in kind], np.int8)
        obs["depth"] = depth.round(3)


def sentences(path):
    """Sentences of two or three words of a topic; an embedding is the sum of the words' vectors and noise."""
    rng = np.random.default_rng(0)
    vectors = {}
    for words in TOPICS.values():
        plane = np.linalg.qr(rng.standard_normal((32, 6)))[0]
        vectors |= {word: plane @ rng.standard_normal(6) for word in words}
    lines = []
    for at in range(400):
        topic = list(TOPICS)[at % 5]
        first, second, third = rng.choice(TOPICS[topic], 3, replace=False).tolist()
        text = f"{rng.choice(OPENINGS)} the {first} {rng.choice(VERBS)} the {second} and the {third}."
        where = vectors[first] + vectors[second] + vectors[third] + 0.12 * rng.standard_normal(32)
        embedding = [round(float(value), 4) for value in where / np.linalg.norm(where)]
        lines.append(json.dumps({"text": text, "topic": topic, "embedding": embedding}) + "\n")
    path.write_bytes("".join(lines).encode("ascii"))


def sensor_states(path):
    """Windows of six sensors: in each state they swing at its own rhythm, each sensor with its own part in it."""
    rng = np.random.default_rng(0)
    parts = {state: rng.standard_normal((2, 6)) for state in STATES}
    moments, lines, phase, windows = np.arange(24), [], 0.0, 0
    while windows < 300:
        state = str(rng.choice(list(STATES)))
        speed, strength = STATES[state]
        for _ in range(int(rng.integers(6, 20))):
            if windows == 300:
                break
            phase += rng.uniform(0, 2 * np.pi)
            swing = np.stack([np.cos(speed * moments + phase), np.sin(speed * moments + phase)])
            values = strength * rng.uniform(0.7, 1.4) * parts[state].T @ swing + 0.05 * rng.standard_normal((6, 24))
            lines.append(":".join(",".join(f"{value:.3f}" for value in channel) for channel in values) + f":{state}\n")
            windows += 1
    head = "@problemName SensorStates\n@timeStamps false\n@univariate false\n@dimensions 6\n@equalLength true\n@seriesLength 24\n"
    path.write_bytes((head + f"@classLabel true {' '.join(STATES)}\n@data\n" + "".join(lines)).encode("ascii"))
