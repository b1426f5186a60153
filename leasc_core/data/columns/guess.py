"""What each column of a table is for, judged by its name and some of its values; every guess says why."""

import re
from collections import Counter
from dataclasses import dataclass

from leasc_core.data.arrange import is_square
from leasc_core.data.columns.notation import LINK, PICTURE, Notation, unit_mix

LABEL_NAMES = (
    *("label", "labels", "class", "classes", "target", "targets", "gnd", "truth", "ground_truth", "species"),
    *("category", "cluster", "klasse", "classe", "clase", "y", "outcome", "diagnosis", "survived", "income", "churn"),
)
# Names that end in a word for classes: Güteklasse, cell_type, true label.
CLASS_NAME = re.compile(r".*klasse|(.*[ _.-])(class|species|type|target)|((.*[ _.-])?|true|class|cell)labels?")
INDEX_NAMES = ("", "unnamed: 0", "index", "__index_level_0__", "rownames")
# Names of columns that number or name the rows: id, sample_id, CustomerID, Nr., No, row, uuid.
NUMBERING = re.compile(r"(?i:(.*[ _.-])?(id|ids|uid|uuid|guid|nr|no|num|number|index|row|key)\.?)|.*[a-z]I[Dd]")
IDENTITY = re.compile(r"(?i:(.*[ _.-])?(id|uuid|guid|key))|.*[a-z]I[Dd]")
TIME_NAMES = re.compile(
    r"(.*[ _.-])?(date|time|datetime|timestamp|datum|zeit|uhrzeit|zeitpunkt|day|epoch|unixtime|fecha|heure)([ _.-].*)?",
    re.IGNORECASE,
)
YEAR_NAMES = re.compile(r"(.*[ _.-])?(year|yr|jahr|année|annee|año|anno)", re.IGNORECASE)
WEIGHT_NAMES = re.compile(r"(sample|case|survey|sampling|design|obs|observation)[ _.-]?(weights?|wt)|p?weights", re.IGNORECASE)
LEAST_COUNTED = 5
LEAST_CLASSED = 12
FEW_CLASSES = 20
MOST_BESIDE_PIXELS = 100
MOST_CATEGORIES = 50
LARGEST_EXACT = 15
NUMERIC = ("number", "whole", "empty")


@dataclass(frozen=True)
class Column:
    """One column as its reader sees it.

    Attributes
    ----------
    kind : "number", "whole" (whole numbers only), "text", "date", "mixed" (numbers and texts), "yes or no", "list" (numbers),
        "empty" or, for what cannot be used at all, the name of its type.
    sample : some of its values that are not missing: texts, or whole numbers for "whole".
    notation : how its numbers are written.
    width : numbers in each cell of a list.
    later : more values, from further down.
    """

    name: str
    kind: str
    sample: tuple = ()
    notation: Notation | None = None
    width: int = 0
    later: tuple = ()

    @property
    def values(self):
        """All values that were seen."""
        return (*self.sample, *self.later)


def guess_roles(columns, named=True, label=None):
    """`[(role, why)]` for each column.

    Parameters
    ----------
    named : whether the file itself names its columns.
    label : None to judge which column holds the labels, False for none, or its position.
    """
    roles = [_by_itself(column, at, named) for at, column in enumerate(columns)]
    few = [at for at, column in enumerate(columns) if roles[at][0] == "feature" and column.kind in ("whole", "yes or no")]
    looks = [at for at in few if looks_like_classes(columns[at].values)]
    if label is None:
        label, why = _judge_label(columns, roles, looks, named)
        if label is not None:
            roles[label] = ("label", why)
    elif label is not False:
        roles[label] = ("label", "as asked")
    _set_apart(columns, roles, looks, named)
    _refuse_to_leak(columns, roles, label if isinstance(label, int) and label is not False else None)
    return roles


def _by_itself(column, at, named):
    """The role of a column that looks at no other; classes are told apart later."""
    name, sample = column.name.strip(), column.sample
    if column.kind == "empty":
        return ("left out", "empty") if not (named and name) else ("feature", "empty in the rows looked at")
    if column.kind == "list":
        return "feature", f"lists of {column.width:,} numbers"
    if column.kind == "date":
        return "time", "dates or times"
    if column.kind == "whole":
        return _whole(name, sample, column.values, at, named)
    if column.kind == "number":
        if named and WEIGHT_NAMES.fullmatch(name):
            return "weight", "named as the weight of a row"
        if named and TIME_NAMES.fullmatch(name) and _rises(column):
            return "time", "named as a time, and rises from row to row"
        words = column.notation.words if column.notation else ""
        return "feature", "numbers" + (f", {words}" if words else "")
    if column.kind == "mixed":
        return "text", _mixture(column.values)
    if column.kind == "yes or no":
        return "feature", "yes or no, as 1 and 0"
    if column.kind == "text":
        return _texts(name, column.values, named)
    return "left out", f"holds {column.kind} values, which are not used"


def _whole(name, sample, values, at, named):
    numbers, all_numbers = [int(value) for value in sample], [int(value) for value in values]
    if numbers and max(map(abs, numbers)) >= 10**LARGEST_EXACT:
        return "id", "whole numbers of more than 15 digits are names"
    counts = numbers == list(range(numbers[0], numbers[0] + len(numbers))) if numbers else False
    if at == 0 and counts and name.lower() in INDEX_NAMES and numbers[0] in (0, 1):
        return "id", "counts the rows"
    if not named:
        return "feature", "whole numbers"
    if numbers and YEAR_NAMES.fullmatch(name) and min(numbers) >= 1500 and max(numbers) <= 2200:
        return "time", "years"
    if numbers and TIME_NAMES.fullmatch(name) and (_rising(numbers) or _like_epochs(numbers) or _like_days(numbers)):
        return "time", "named as a time"
    if counts and len(numbers) >= LEAST_CLASSED:
        return "id", "counts the rows"
    if NUMBERING.fullmatch(name) and len(numbers) >= (2 if IDENTITY.fullmatch(name) else LEAST_COUNTED):
        if counts:
            return "id", "counts the rows"
        if len(set(all_numbers)) == len(all_numbers):
            return "id", "named as a number of the row, and different in every row"
        if IDENTITY.fullmatch(name) and len(set(all_numbers)) > FEW_CLASSES:
            return "id", "named as a number of something"
    if WEIGHT_NAMES.fullmatch(name):
        return "weight", "named as the weight of a row"
    return "feature", "whole numbers"


def _texts(name, sample, named):
    if all(map(LINK.fullmatch, sample)):
        return "link", "addresses"
    if all(map(PICTURE.fullmatch, sample)):
        return "picture", "names of pictures"
    different = len(set(sample))
    if named and NUMBERING.fullmatch(name):
        return "id", "named as a number of the row"
    if units := unit_mix(sample):
        return "text", f"numbers in several units ({', '.join(units)}); bring them to one to use them"
    if len(sample) < 10 or different <= min(MOST_CATEGORIES, len(sample) // 2) or different <= max(2, len(sample) // 20):
        return "category", f"{different} different texts"
    if different == len(sample) and all(re.fullmatch(r"[\w./:-]*\d[\w./:-]*", text) for text in sample):
        return "id", "codes, different in every row"
    return "text", "many different texts"


def looks_like_classes(sample):
    """Few whole numbers, often repeated and close together?"""
    if len(sample) < LEAST_CLASSED:
        return False
    values = {int(value) for value in sample}
    return 2 <= len(values) <= min(FEW_CLASSES, len(sample) // 2) and max(values) - min(values) <= 3 * len(values) + 2


def looks_like_labels(column):
    """Texts or whole numbers that repeat, few of them."""
    return column.kind == "text" or looks_like_classes(column.values)


def _judge_label(columns, roles, looks, named):
    """`(position or None, why)`: by name first, then the one text with classes, then whole numbers that look like classes."""
    left = [at for at, (role, _) in enumerate(roles) if role in ("feature", "category")]
    features = [at for at in left if roles[at][0] == "feature"]
    texts = [at for at in left if roles[at][0] == "category" and len(set(columns[at].values)) > 1]
    if len(left) < 3 or len(features) < 2:
        return (texts[0], "the only column of texts") if len(texts) == 1 and features else (None, "")
    by_name = {columns[at].name.strip().lower(): at for at in left if columns[at].kind in ("whole", "text", "yes or no")}
    for word in LABEL_NAMES if named else ():
        beside_x = word == "y" and any(columns[at].name.strip().lower() == "x" for at in left)
        if word in by_name and not (beside_x and columns[by_name[word]].kind != "text"):
            return by_name[word], f"named '{columns[by_name[word]].name}'"
    ends = [at for name, at in by_name.items() if CLASS_NAME.fullmatch(name) and looks_like_labels(columns[at])]
    if named and len(ends) == 1:
        return ends[0], f"named '{columns[ends[0]].name}', and its values repeat"
    if len(texts) == 1:
        return texts[0], "the only column of texts that repeat"
    if not named:
        return (None, "") if texts else _label_at_an_end(columns, left)
    measured = [at for at in features if at not in looks]
    if texts or len(looks) != 1 or len(measured) < 2 or _mostly_small(columns, features, looks):
        return None, ""
    return looks[0], f"{len(set(columns[looks[0]].values))} whole numbers that repeat, like classes"


def _mostly_small(columns, features, looks):
    return 2 * len(looks) > len(features)


def _label_at_an_end(columns, left):
    """The last or first column, if it holds few whole numbers, often repeated, and the others differ in kind.

    The others differ if none of them is whole, if none of them repeats so, or if they are the pixels of a square picture.
    """
    whole = [at for at in left if columns[at].kind == "whole"]
    all_whole = len(whole) == len(left)
    is_picture = all_whole and is_square(len(left) - 1) and not is_square(len(left))
    most = MOST_BESIDE_PIXELS if is_picture else FEW_CLASSES
    looks = [at for at in left if looks_like_classes(columns[at].values)] if all_whole and not is_picture else []
    ends = [at for at in (left[-1], left[0]) if (whole == [at] or is_picture or looks == [at]) and _has_few(columns[at], most)]
    # A pixel in a corner is nearly always black, others leave out many grey levels; labels are spread more evenly.
    at = min(ends, key=lambda at: (-_density(columns[at].values), _commonest_share(columns[at].sample)), default=None)
    return at, "whole numbers at an end that repeat, like classes"


def _set_apart(columns, roles, looks, named):
    """Whole numbers that look like classes are features only where most columns are so: answers, counts, pixels."""
    features = [at for at, (role, _) in enumerate(roles) if role == "feature" and columns[at].kind != "empty"]
    small = [at for at in looks if at in features]
    if not named or not small:
        return
    keep = 2 * len(small) > len(features) or len(features) - len(small) < 2
    for at in small:
        different = len(set(columns[at].values))
        if keep:
            roles[at] = ("feature", f"{different} whole numbers that repeat, as in most columns here")
        else:
            roles[at] = ("category", f"{different} whole numbers that repeat, like classes")


def _refuse_to_leak(columns, roles, label):
    """A column with one value for each class tells the label: it is no feature."""
    if label is None or not columns[label].sample:
        return
    truth = columns[label].sample
    for at, (role, _) in enumerate(roles):
        sample = columns[at].sample
        if role != "feature" or columns[at].kind != "whole" or len(sample) != len(truth) or len(truth) < 20:
            continue
        pairs = set(zip(sample, truth, strict=True))
        if 1 < len(set(sample)) == len(set(truth)) == len(pairs) <= FEW_CLASSES:
            roles[at] = ("category", f"tells the label '{columns[label].name}': one value for each class")


def _has_few(column, most):
    different = len(set(column.values))
    return 2 <= different <= min(most, len(column.values) // 2)


def _density(values):
    """Of the whole numbers between the least and the largest value, the share that occur."""
    values = {int(value) for value in values}
    return len(values) / (max(values) - min(values) + 1)


def _commonest_share(sample):
    return Counter(sample).most_common(1)[0][1] / len(sample)


def _mixture(sample):
    from leasc_core.data.columns.notation import is_number
    from leasc_core.data.guards import one_line

    words = [text for text in sample if not is_number(str(text), ".") and not is_number(str(text), ",")]
    return f"mixes numbers and texts such as '{one_line(words[0] if words else sample[0], 20)}'"


def _rises(column):
    try:
        return _rising([float(str(value).replace(",", ".")) for value in column.sample])
    except ValueError:
        return False


def _rising(numbers):
    return len(numbers) >= LEAST_COUNTED and all(a < b for a, b in zip(numbers, numbers[1:], strict=False))


def _like_epochs(numbers):
    return all(10**8 <= n <= 5 * 10**9 or 10**11 <= n <= 5 * 10**12 for n in numbers)


def _like_days(numbers):
    return all(15_000_101 <= n <= 22_001_231 and 1 <= n // 100 % 100 <= 12 and 1 <= n % 100 <= 31 for n in numbers)
