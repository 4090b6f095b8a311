"""Seeds: of a learner by its trial, of a preparation by its training set."""

from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from polychotomy.study.fitting.seeding import seeded, unset


def states(pipeline):
    return [step.random_state for _, step in pipeline.steps if hasattr(step, "random_state")]


def test_equal_preparations_have_equal_seeds_and_learners_their_own():
    one = seeded(make_pipeline(PCA(), RandomForestClassifier()), 1, preparation_seed=9)
    other = seeded(make_pipeline(PCA(), RandomForestClassifier()), 2, preparation_seed=9)
    assert states(one)[0] == states(other)[0]
    assert states(one)[1] != states(other)[1]
    elsewhere = seeded(make_pipeline(PCA(), RandomForestClassifier()), 1, preparation_seed=8)
    assert states(elsewhere)[0] != states(one)[0]
    assert states(elsewhere)[1] == states(one)[1]


def test_two_equal_steps_have_different_seeds():
    twice = seeded(make_pipeline(PCA(), PCA(), RandomForestClassifier()), 1, preparation_seed=9)
    assert len(set(states(twice))) == 3


def test_the_users_own_seeds_are_kept():
    model = make_pipeline(PCA(random_state=3), RandomForestClassifier(random_state=4))
    assert states(seeded(model, 1, preparation_seed=9)) == [3, 4]


def test_nothing_to_seed():
    model = make_pipeline("passthrough", StandardScaler())
    assert unset(seeded(model, 1, preparation_seed=9), "random_state") == []
