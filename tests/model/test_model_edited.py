"""Model files edited by hand: a sentence, never one of Python's errors nor a crash."""

import contextlib
import copy
import io
import json
import os
import resource
import traceback
import warnings
import zipfile
from collections import Counter

import numpy as np
import pytest
from messy_tables import messy
from sklearn.datasets import load_wine
from sklearn.ensemble import (
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from polychotomy.core.exceptions import InvalidInput, PolychotomyError
from polychotomy.model import fit_model, load_model
from polychotomy.study import for_tables

WRONG = [
    None,
    True,
    0,
    -1,
    2.5,
    10**30,
    "",
    "nonsense",
    "\ud800",
    [],
    {},
    [None],
    {"a": 1},
    "int64",
]


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    X, y = messy(40)
    path = tmp_path_factory.mktemp("models") / "m.skops"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit_model(for_tables(DecisionTreeClassifier()), X, y).save(path)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    return X, members


def places(value, path=()):
    """Where something stands in the facts: of a list, its first item."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value[:1])
    for key, inner in items:
        if isinstance(inner, (dict, list)):
            yield from places(inner, (*path, key))
        else:
            yield (*path, key)


def edits(facts, within=None):
    """Every value replaced by each wrong one, deleted, or with something beside it."""
    for path in (path for path in places(facts) if within is None or within in path):
        for wrong in (*WRONG, "delete", "add"):
            edited = copy.deepcopy(facts)
            holder = edited
            for key in path[:-1]:
                holder = holder[key]
            if wrong == "delete":
                del holder[path[-1]]
            elif wrong == "add" and isinstance(holder, dict):
                holder["besides"] = 1
            elif wrong == "add":
                holder.append(holder[0])
            else:
                holder[path[-1]] = wrong
            if edited != facts:
                yield edited


def check_edits(saved, folder, step):
    X, members = saved
    facts = json.loads(members["polychotomy.json"])
    kinds = {column["kind"]: column for column in facts["schema"]["columns"]}
    tried, refusals = 0, []
    for first in kinds.values():  # each kind of column in turn is the one edited
        columns = facts["schema"]["columns"]
        ordered = [first, *(one for one in columns if one is not first)]
        shuffled = {**facts, "schema": {**facts["schema"], "columns": ordered}}
        for edited in list(edits(shuffled, "columns" if tried else None))[tried % step :: step]:
            path = folder / "edited.skops"
            with zipfile.ZipFile(path, "w") as archive:
                for name, data in members.items():
                    text = json.dumps(edited) if name == "polychotomy.json" else data
                    archive.writestr(name, text)
            tried += 1
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    model = load_model(path)
                    found = model.predict_table(X)
                assert len(found.frame) == len(X)
                assert repr(model).encode()
            except PolychotomyError as error:
                refusals.append(str(error))
    assert all(refusal.encode() for refusal in refusals)
    assert len(refusals) > tried / 2
    return tried


def test_edited_facts_give_a_sentence(saved, tmp_path):
    assert check_edits(saved, tmp_path, step=61) >= 10


@pytest.mark.long
def test_every_edit_gives_a_sentence(saved, tmp_path):
    assert check_edits(saved, tmp_path, step=1) >= 280


def test_what_cannot_be_read_as_facts(saved, tmp_path):
    _, members = saved
    for text in ("[" * 100_000, "{", "[]", "3", b"\xff\xfe", '{"format": NaN}'):
        with zipfile.ZipFile(tmp_path / "m.skops", "w") as archive:
            for name, data in members.items():
                archive.writestr(name, text if name == "polychotomy.json" else data)
        with pytest.raises(InvalidInput, match="is not a model saved by polychotomy"):
            load_model(tmp_path / "m.skops")


def test_a_damaged_archive_gives_a_sentence(saved, tmp_path):
    path = tmp_path / "m.skops"
    write_with(path, saved[1])
    whole = path.read_bytes()
    directory = whole.rindex(b"PK\x01\x02")
    for place, bit in ((6, 7), (8, 0), (8, 5), (10, 2), (10, 6)):
        data = bytearray(whole)  # version, flags and method of the last member
        data[directory + place] ^= 1 << bit
        path.write_bytes(data)
        with pytest.raises(InvalidInput, match=r"is not a model saved by polychotomy: ."):
            load_model(path)


def break_tree(tree, **changes):
    state = tree.__getstate__()
    nodes = state["nodes"].copy()
    for name, value in changes.items():
        nodes[name][0] = value
    tree.__setstate__({**state, "nodes": nodes})


def break_boosted(boosting, **changes):
    for name, value in changes.items():
        boosting._predictors[0][0].nodes[name][0] = value


def break_neighbours(neighbours, place, value):
    state = list(neighbours._tree.__getstate__())
    array = state[place].copy()
    array[0] = value
    state[place] = array
    neighbours._tree.__setstate__(tuple(state))


BOOSTED = HistGradientBoostingClassifier(max_iter=2)
NEIGHBOURS = KNeighborsClassifier(algorithm="kd_tree", leaf_size=10)
CRAFTED = {
    "boosted tree, child far away": (BOOSTED, lambda e: break_boosted(e, left=10**9)),
    "boosted tree, circle": (BOOSTED, lambda e: break_boosted(e, right=0)),
    "boosted tree, feature": (BOOSTED, lambda e: break_boosted(e, feature_idx=10**9)),
    "boosted tree, no category": (BOOSTED, lambda e: break_boosted(e, is_categorical=1)),
    "boosted tree, width": (BOOSTED, lambda e: setattr(e, "n_features_in_", 3)),
    "tree, child far away": (
        DecisionTreeClassifier(),
        lambda e: break_tree(e.tree_, left_child=10**9),
    ),
    "tree, circle": (DecisionTreeClassifier(), lambda e: break_tree(e.tree_, right_child=0)),
    "tree, feature": (DecisionTreeClassifier(), lambda e: break_tree(e.tree_, feature=10**9)),
    "tree, width": (DecisionTreeClassifier(), lambda e: setattr(e, "n_features_in_", 99)),
    "forest": (
        RandomForestClassifier(2),
        lambda e: break_tree(e.estimators_[1].tree_, left_child=10**9),
    ),
    "gradient boosting": (
        GradientBoostingClassifier(n_estimators=2),
        lambda e: break_tree(e.estimators_[1, 0].tree_, feature=12345),
    ),
    "neighbours, row": (NEIGHBOURS, lambda e: break_neighbours(e, 1, 10**9)),
    "machine, counts": (SVC(), lambda e: e._n_support.__setitem__(0, 10**6)),
    "machine, coefficients": (SVC(), lambda e: setattr(e, "_dual_coef_", e._dual_coef_[:, :3])),
}


@pytest.mark.parametrize("name", CRAFTED)
def test_a_file_made_to_crash_the_reader_is_refused(name, tmp_path):
    estimator, spoil = CRAFTED[name]
    X, y = load_wine(return_X_y=True)
    model = fit_model(estimator, X, y)
    model.save(tmp_path / "good.skops")
    assert len(load_model(tmp_path / "good.skops").classifier.predict(X)) == len(X)
    spoil(model.classifier.estimator_)
    model.save(tmp_path / "bad.skops")
    with pytest.raises(InvalidInput, match=r"cannot be loaded|do not agree"):
        load_model(tmp_path / "bad.skops")


def test_a_neighbours_tree_without_its_leaves_is_refused(tmp_path):
    X, y = load_wine(return_X_y=True)
    model = fit_model(NEIGHBOURS, X, y)
    state = list(model.classifier.estimator_._tree.__getstate__())
    nodes = state[2].copy()
    nodes["is_leaf"] = 0
    state[2] = nodes
    model.classifier.estimator_._tree.__setstate__(tuple(state))
    model.save(tmp_path / "bad.skops")
    with pytest.raises(InvalidInput, match="points outside of its own arrays"):
        load_model(tmp_path / "bad.skops")


def unpacked(estimator, folder, X, y):
    """Return the members of a model's file, and the description of its objects among them."""
    fit_model(estimator, X, y).save(folder / "good.skops")
    with zipfile.ZipFile(folder / "good.skops") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    return members, json.loads(members["schema.json"])


def nodes_of(described):
    """Yield every object described in a file, parents first."""
    if isinstance(described, dict):
        yield described
    inner = described.values() if isinstance(described, dict) else described
    for one in inner if isinstance(described, (dict, list)) else ():
        yield from nodes_of(one)


def load_and_predict(path, X):
    """Return how a process ends that does so: 0 done, 1 with a sentence, 2 otherwise, − a signal.

    Why another process: where the claim is wrong, it is this one that would end.
    """
    child = os.fork()
    if child == 0:
        code = 2
        try:
            resource.setrlimit(resource.RLIMIT_AS, (16 * 2**30,) * 2)
            resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
            warnings.simplefilter("ignore")
            model = load_model(path)
            with contextlib.suppress(Exception):  # the learner's, which predict_table words
                model.classifier.predict_proba(X)
            code = 0
        except PolychotomyError:
            code = 1
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def write_with(path, members, **replaced):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in {**members, **replaced}.items():
            archive.writestr(name, content)


def as_npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


TREES = {  # what a tree is made of: where its parts stand, and what is put there
    "no features": (["args", 0], "-1"),
    "classes below zero": (["args", 1], np.array([-3])),
    "no classes": (["args", 1], np.array([], dtype=int)),
    "a million million classes": (["args", 1], np.array([2**40])),
    "more outputs than counts of classes": (["args", 2], "1000000"),
    "outputs below zero": (["args", 2], "-1"),
    "deeper than memory": (["content", "max_depth"], "1099511627776"),
    "depth below zero": (["content", "max_depth"], "-5"),
    "nodes below zero": (["content", "node_count"], "-1"),
    "more nodes than there are": (["content", "node_count"], "1000000"),
    "no nodes": (["content", "nodes"], lambda array: array[:0]),
    "nodes of another kind": (["content", "nodes"], np.zeros(5)),
    "nodes twice": (["content", "nodes"], lambda array: np.concatenate([array, array])),
    "no values": (["content", "values"], lambda array: array[:0]),
    "values of another shape": (["content", "values"], lambda array: array[:, :, :1]),
    "values in another order": (["content", "values"], np.asfortranarray),
}


@pytest.mark.parametrize("name", TREES)
def test_a_tree_made_of_other_things_crashes_nobody(name, tmp_path):
    X, y = load_wine(return_X_y=True)
    members, described = unpacked(DecisionTreeClassifier(max_depth=3), tmp_path, X, y)
    (tree,) = (one for one in nodes_of(described) if one.get("__class__") == "Tree")
    (part, place), wrong = TREES[name]
    inside = tree["__reduce__"]["args"] if part == "args" else tree["content"]
    node = inside["content"][place]
    if isinstance(wrong, str):
        node["content"], node["__id__"] = wrong, 1  # equal objects are described as the same one
    else:
        array = np.load(io.BytesIO(members[node["file"]]))
        members[node["file"]] = as_npy(wrong(array) if callable(wrong) else wrong)
    write_with(tmp_path / "bad.skops", members, **{"schema.json": json.dumps(described)})
    assert load_and_predict(tmp_path / "bad.skops", X) in (0, 1)


NUMBERS = ("-1", "2", "1099511627776", "null")


def spoiled(array):
    """Yield arrays that stand in the place of one."""
    yield from (array[:0], array[:1], np.concatenate([array, array]), array[np.newaxis])
    if array.dtype.names is None:
        yield from (array.ravel(), np.asfortranarray(array), array.astype(np.float32))
        wrong = (-1, 10**6) if array.dtype.kind in "iu" else (np.nan, np.inf)
        yield from (np.full(array.shape, value) for value in wrong)
        return
    for name in array.dtype.names:
        for value in (0, 10**6):
            changed = array.copy()
            with contextlib.suppress(OverflowError):
                changed[name] = value
                yield changed


@pytest.mark.long
@pytest.mark.parametrize(
    "estimator",
    [
        DecisionTreeClassifier(max_depth=3),
        HistGradientBoostingClassifier(max_iter=1, max_leaf_nodes=4),
        KNeighborsClassifier(algorithm="ball_tree", leaf_size=60),
        SVC(),
    ],
    ids=lambda one: type(one).__name__,
)
def test_no_number_and_no_array_in_a_file_crashes_the_reader(estimator, tmp_path):
    X, y = load_wine(return_X_y=True)
    members, described = unpacked(estimator, tmp_path, X, y)
    ends = Counter()
    for node in nodes_of(described):
        if node.get("__loader__") == "JsonNode":
            kept = dict(node)
            for wrong in NUMBERS:
                node |= {"content": wrong, "__id__": 1}
                text = json.dumps(described)
                write_with(tmp_path / "bad.skops", members, **{"schema.json": text})
                ends[load_and_predict(tmp_path / "bad.skops", X)] += 1
            node |= kept
    for name in members:
        array = np.load(io.BytesIO(members[name])) if name.endswith(".npy") else np.array(0)
        for wrong in spoiled(array) if array.ndim else ():
            write_with(tmp_path / "bad.skops", members, **{name: as_npy(wrong)})
            ends[load_and_predict(tmp_path / "bad.skops", X)] += 1
    assert set(ends) == {0, 1}, ends
    assert ends.total() > 100
