"""Templates: each model is what a seeded clone of the candidate would be."""

import pytest
from sklearn.decomposition import PCA
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from polychotomy.study.fitting.fit import seeded
from polychotomy.study.fitting.prepare import Template, content_key

TREE = DecisionTreeClassifier()
CANDIDATES = [
    DummyClassifier(),
    TREE,
    BaggingClassifier(TREE),
    make_pipeline(StandardScaler(), TREE),
    make_pipeline(StandardScaler(), PCA(), TREE),
    make_pipeline(PCA(), StandardScaler(), PCA(), BaggingClassifier(TREE)),
    make_pipeline(PCA(random_state=3), "passthrough", RandomForestClassifier(random_state=4)),
]


@pytest.mark.parametrize("candidate", CANDIDATES)
@pytest.mark.parametrize("n_shared", [0, 1])
def test_a_model_is_a_seeded_clone(candidate, n_shared):
    from sklearn.base import clone

    before = content_key(candidate)
    n_shared = n_shared if isinstance(candidate, Pipeline) else 0
    whole = seeded(clone(candidate), 1, preparation_seed=2)
    template = Template(candidate, n_shared)
    model = template.make(seed=lambda: 1, preparation_seed=lambda: 2)
    if n_shared:
        steps = [template.make_step(0, preparation_seed=2)]
        steps += [step for _, step in model.steps] if isinstance(model, Pipeline) else [model]
        assert [*map(content_key, steps)] == [content_key(step) for _, step in whole.steps]
    else:
        assert content_key(model) == content_key(whole)
    assert content_key(candidate) == before


def test_models_share_nothing():
    template = Template(make_pipeline(StandardScaler(), LogisticRegression()), 0)
    one, other = (template.make(seed=int, preparation_seed=int) for _ in range(2))
    one.fit([[0.0], [1.0]], [0, 1])
    assert not hasattr(other[-1], "coef_")
    assert one[0] is not other[0]


class Mine(DummyClassifier):
    pass


@pytest.mark.parametrize(
    ("candidate", "plain"),
    [
        (TREE, True),
        (Mine(), False),  # of the user's own: may check what it likes
        (BaggingClassifier(TREE), False),  # makes others, with parameters of its own
        (make_pipeline(StandardScaler(), TREE), False),
    ],
)
def test_whose_checks_may_be_spared(candidate, plain):
    assert Template(candidate, 0).is_plain == plain
