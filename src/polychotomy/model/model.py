"""A fitted model with its schema and its card: predicting a table, one file to keep it in."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from html import escape
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.metrics import accuracy_score
from sklearn.utils import check_array, estimator_html_repr
from sklearn.utils.metaestimators import available_if

from polychotomy.core.arguments import shown
from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.exceptions import InvalidInput, InvalidTable, LearnerError
from polychotomy.core.files import check_output, check_suffix, writing_whole
from polychotomy.core.plain_values import read_as
from polychotomy.model.conforming import conform, dates_of
from polychotomy.model.recalibrated import RecalibratedClassifier
from polychotomy.model.schema import Schema, describe_table
from polychotomy.model.trusted_types import refuse_unsound, refuse_untrusted
from polychotomy.study.design.dataset import Dataset, plain_labels
from polychotomy.study.fitting.user_module import load_beside
from polychotomy.tables.reading import as_pandas

if TYPE_CHECKING:
    import pandas as pd


_LONGEST = 500

_SAID_BETTER = "Found unknown categories"  # the schema counts them and names them


@contextmanager
def gathering_warnings() -> Iterator[list[str]]:
    """Gather each different warning once; the list is filled at the end.

    Examples
    --------
    >>> import warnings
    >>> with gathering_warnings() as found:
    ...     warnings.warn("no convergence", UserWarning)
    >>> found
    ['UserWarning: no convergence']
    """
    found: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield found
    texts = (f"{one.category.__name__}: {one.message}"[:_LONGEST] for one in caught)
    found += dict.fromkeys(text for text in texts if _SAID_BETTER not in text)


class Predictions(NamedTuple):
    """Predictions for a table, and remarks about it.

    ``frame`` has a row for each row of the table: ``predicted`` in the labels' own type, and a
    column ``p:<class>`` for each class.

    Examples
    --------
    >>> import pandas as pd
    >>> from polychotomy.model import Predictions
    >>> Predictions(pd.DataFrame({"predicted": ["a"], "p:a": [1.0]}), notes=()).frame.shape
    (1, 2)
    """

    frame: pd.DataFrame
    notes: tuple[str, ...]


class Decisions(NamedTuple):
    """Probabilities, (n, k), the number of the class decided for, (n,), and warnings."""

    probabilities: Floats
    codes: Ints
    warned: list[str]


def _has_probabilities(model: Model) -> bool:
    return not model.is_hard


class Model(RecalibratedClassifier):
    """A classifier fitted on all data, with its recalibration, costs, schema and card.

    Made by :meth:`Verdict.fit` or :func:`fit_model`, read from a file by :func:`load_model`. To
    scikit-learn it is a fitted classifier. Its clone is a `RecalibratedClassifier`, not fitted,
    that learns all of it anew from whatever it is fitted to: the classifier, the recalibration
    that was advised, and the sets of classes; so that `cross_val_score` and the like judge that.

    Attributes
    ----------
    name : str
        The candidate's name.
    schema : Schema
        What table it wants and what labels it gives.
    card : str
        The model card, in Markdown.
    versions : {package: version}
        With what it was fitted.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy.model import fit_model
    >>> X = pd.DataFrame({"size": [1.0, 1.2, 3.0, 3.1]})
    >>> model = fit_model(GaussianNB(), X, ["small", "small", "large", "large"])
    >>> found = model.predict_table(pd.DataFrame({"size": [0.9], "colour": ["red"]}))
    >>> found.frame["predicted"].tolist(), list(found.frame.columns)
    (['small'], ['predicted', 'p:large', 'p:small'])
    >>> found.notes
    ("1 column that the model does not use left out: 'colour'",)

    One file, which `load_model` reads:

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model.save(pathlib.Path(folder, "sizes.skops"))
    """

    name: str
    schema: Schema
    card: str
    versions: Mapping[str, str]

    @classmethod
    def of(cls, classifier: RecalibratedClassifier, **about: Any) -> Model:
        """Return a fitted classifier with its name, schema, card and versions.

        Examples
        --------
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from polychotomy.model import fit_model
        >>> model = fit_model(GaussianNB(), [[0.0], [0.2], [0.8], [1.0]], ["a", "a", "b", "b"])
        >>> Model.of(model.classifier, name="b or a", schema=model.schema)
        <Model: 'b or a', tells a, b by x0>
        """
        model = cls(**classifier.get_params(deep=False))
        model.__dict__.update(vars(classifier) | about)
        return model

    @property
    def classifier(self) -> RecalibratedClassifier:
        """The classifier alone, which takes rows just as those of training, and no others."""
        plain = RecalibratedClassifier(**self.get_params(deep=False))
        plain.__dict__.update({name: one for name, one in vars(self).items() if name.endswith("_")})
        return plain

    def fit(self, X: Any, y: Any) -> Model:
        """Learn all of it anew, from other rows; the card says so."""
        labels = as_pandas(y)
        data = Dataset.of(as_pandas(X), labels, name=self.schema.target)
        super().fit(data.X, data.target.classes[data.target.codes])
        self.schema = describe_table(data.X, labels, data.target, name=self.schema.target)
        self.card = f"# {self.name}\n\nFitted anew, to other rows than a verdict was drawn on.\n"
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row, (n,), in the type of the labels.

        Parameters
        ----------
        X : data frame of any library, array or sparse matrix
            With the columns of training; those of a data frame may stand in any order. Remarks on
            what was never seen in training are those of `predict_table`.
        """
        return np.asarray(self.classes_[self._decide(X)[0].codes])

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows whose label it tells; of numbers with fractions, too."""
        right = plain_labels(np.asarray(y)) == self.predict(X)
        return float(accuracy_score(np.ones_like(right), right, sample_weight=sample_weight))

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]  # has no types
    def predict_proba(self, X: Any) -> Floats:
        """Return class probabilities, (n, k), in the order of ``classes_``.

        There is no such method where the classifier gives labels only.
        """
        return self._decide(X)[0].probabilities

    def predict_sets(self, X: Any, coverage: float = 0.9) -> list[list[Any]]:
        """Return for each row the labels that hold the true one in this share of cases.

        Parameters
        ----------
        X : data frame of any library, array or sparse matrix
        coverage : float
            Of every class, to whole percents from 0.01 to 0.99.

        Examples
        --------
        >>> from sklearn.datasets import load_wine
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from polychotomy import judge
        >>> X, y = load_wine(return_X_y=True)
        >>> model = judge({"naive Bayes": GaussianNB()}, X, y, anatomy=False).fit()
        >>> model.predict_sets(X[[0, 90]], coverage=0.95)
        [[0], [1]]
        """
        held = self.choose_sets(self._decide(X)[0].probabilities, coverage)
        return [self.classes_[row].tolist() for row in held]

    def _decide(self, table: Any) -> tuple[Decisions, tuple[str, ...]]:
        """Predict a table as it comes, and return remarks on it; columns of arrays go by place."""
        import pandas as pd

        X = as_pandas(table)
        notes: tuple[str, ...] = ()
        numbered = [*getattr(X, "columns", ())] == [*range(self.n_features_in_)]
        if numbered and not self.schema.is_frame:  # an array that was made a table
            X = X.to_numpy()
        if not hasattr(X, "columns"):
            X = check_array(X, dtype=None, accept_sparse=True, ensure_all_finite=False)
            if X.shape[1] != self.n_features_in_:
                raise InvalidTable(
                    f"the table is an array of {X.shape[1]} columns; expected the "
                    f"{self.n_features_in_} of training: {', '.join(self.schema.names[:20])}."
                )
            X = pd.DataFrame(X, columns=list(self.schema.names)) if self.schema.is_frame else X
        if not X.shape[0]:
            raise InvalidTable("the table has no rows; expected at least one to predict.")
        if hasattr(X, "columns"):
            X, notes = conform(X, self.schema, dates_of(self.estimator_))
        return self.predict_conformed(X), notes

    @property
    def classes_(self) -> NDArray[Any]:
        """The class labels, (k,), in the order of the probabilities."""
        return np.asarray(self.classes)

    @property
    def n_features_in_(self) -> int:
        """How many columns it wants."""
        return len(self.schema.columns)

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """Names of the columns; only where it was trained on a data frame."""
        if not self.schema.is_frame:
            raise AttributeError("feature_names_in_: it was trained on an array")
        return np.array(self.schema.names, dtype=object)

    def __sklearn_clone__(self) -> RecalibratedClassifier:
        return clone(self.classifier)

    def _html_repr(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}; {escape(self.deciding)}</p>\n" + str(
            estimator_html_repr(self.classifier)
        )

    def __repr__(self) -> str:
        wants = ", ".join(str(column.name) for column in self.schema.columns)
        return f"<Model: {self.name!r}, tells {', '.join(map(str, self.schema.labels))} by {wants}>"

    @property
    def classes(self) -> pd.Series:
        """The class labels in their own type, in the order of the probabilities."""
        return self.schema.label_series()

    @property
    def deciding(self) -> str:
        """What its labels and probabilities are, in words.

        Examples
        --------
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from polychotomy.model import fit_model
        >>> fit_model(GaussianNB(), [[0.0], [0.2], [0.8], [1.0]], [0, 0, 1, 1]).deciding
        'labels are the most probable ones, probabilities are without recalibration'
        """
        if self.is_hard:
            return "labels are the learner's own, it gives no probabilities but 0 and 1"
        rule = "the most probable ones" if self.costs is None else "those of least expected cost"
        rule = "by the learner's own rule" if self.own_labels_ else rule
        by = self._recalibrated_by
        how = "without" if by is None else f"with {by}"
        return f"labels are {rule}, probabilities are {how} recalibration"

    @property
    def _recalibrated_by(self) -> str | None:
        found = self.calibrator_
        return None if found is None else type(found).__name__.lower()

    def predict_table(self, table: Any) -> Predictions:
        """Predict the class of each row of a table: the most probable, or by costs the cheapest.

        Parameters
        ----------
        table : data frame of any library, or array
            With the columns of training, in any order; others are left out and remarked on. Those
            of an array are taken by their places.
        """
        found, notes = self._decide(table)
        return Predictions(self.frame_of(found), (*notes, *found.warned))

    def frame_of(self, found: Decisions) -> pd.DataFrame:
        """Return decisions as columns: ``predicted``, and ``p:<class>`` for each class.

        Examples
        --------
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from polychotomy.model import fit_model
        >>> model = fit_model(GaussianNB(), [[0.0], [0.2], [0.8], [1.0]], ["a", "a", "b", "b"])
        >>> model.frame_of(model.predict_conformed([[0.1]])).columns.tolist()
        ['predicted', 'p:a', 'p:b']
        """
        import pandas as pd

        names = [f"p:{label}" for label in self.schema.labels]
        frame = pd.DataFrame(found.probabilities, columns=names)
        frame.insert(0, "predicted", self.classes.take(found.codes).reset_index(drop=True))
        return frame

    def predict_conformed(self, X: Any) -> Decisions:
        """Predict rows, DataFrame or array, that have the columns and types of training.

        Examples
        --------
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from polychotomy.model import fit_model
        >>> model = fit_model(GaussianNB(), [[0.0], [0.2], [0.8], [1.0]], ["a", "a", "b", "b"])
        >>> model.predict_conformed([[0.1], [0.9]]).codes.tolist()
        [0, 1]
        """
        try:
            with gathering_warnings() as warned:
                probabilities = super().predict_proba(X)
                own = self._own_codes(X) if self.own_labels_ else None
        except Exception as error:  # whatever the learner raises
            raise LearnerError(
                f"{self.name!r} cannot predict this table: {type(error).__name__}: {error}"
            ) from error
        return Decisions(probabilities, self.decide(probabilities) if own is None else own, warned)

    def save(self, path: str | Path, *, force: bool = False) -> None:
        """Write the model to one file, whole or not at all.

        The file is a zip archive in skops' format, so that ``skops.io.load`` gives the classifier;
        it also holds ``polychotomy.json``, the schema, and ``README.md``, the card.

        Parameters
        ----------
        path : path
            A name that ends in ``.skops``.
        force : bool
            Overwrite an existing file.
        """
        check_model_path(path, force=force)
        data = _dump(self)
        facts = {
            "format": _FORMAT, "name": self.name, "schema": self.schema.to_dict(),
            "recalibration": self._recalibrated_by, "versions": dict(self.versions),
            "costs": None if self.costs is None else self.costs.tolist(),
        }  # fmt: skip
        with ZipFile(data, "a", ZIP_DEFLATED) as archive:
            archive.writestr(_FACTS, json.dumps(facts, ensure_ascii=False, indent=1))
            archive.writestr(_CARD, self.card)
        with writing_whole(Path(path)) as temporary:
            temporary.write_bytes(data.getbuffer())


_FORMAT = "polychotomy model 3"

_FACTS, _CARD = "polychotomy.json", "README.md"


@dataclass(frozen=True, kw_only=True)
class _Facts:
    """What a file says of the model in it."""

    format: str
    name: str
    schema: Schema
    recalibration: str | None
    costs: Any
    versions: dict[str, str]


_LIMIT = 4 * 2**30  # bytes unpacked; a file may be small and hold far more


def check_model_path(path: str | Path, *, force: bool = False) -> None:
    """Refuse, before anything is fitted, a place where a model cannot or should not be written.

    Examples
    --------
    >>> from polychotomy.model import check_model_path
    >>> check_model_path("wine.pkl")
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: cannot save a model as 'wine.pkl'; expected a name \
that ends in .skops.
    """
    path = Path(path)
    check_suffix(path, ".skops", what="save a model as")
    check_output(path, force=force)


def _dump(model: Model) -> BytesIO:
    """Return the classifier as skops writes it, once it has been read again."""
    from polychotomy.model.skops_io import io as skops_io

    try:
        data = BytesIO(skops_io.dumps(model.classifier, compression=ZIP_DEFLATED, compresslevel=6))
        # skops writes functions without a name of their own, and cannot find them again.
        skops_io.loads(data.getvalue(), trusted=skops_io.get_untrusted_types(data=data.getvalue()))
    except Exception as error:  # skops raises what the learner's own types do
        raise LearnerError(
            f"the candidate {model.name!r} cannot be saved by skops: {type(error).__name__}: "
            f"{str(error).rstrip('.')}. Where it holds a 'lambda', write 'def'. The model was not "
            "written."
        ) from error
    return data


def load_model(path: str | Path, *, trusted: Iterable[str] = ()) -> Model:
    """Read a model from a file; refuse types that are not trusted, by name, before any is made.

    Trusted are the types of scikit-learn, skrub, NumPy and polychotomy on a fixed list. Nothing
    is unpickled. Trees, boosted trees, neighbours and support vectors that point outside of their
    own arrays, which would end the process, are refused. A file made to do harm can still be large
    or predict nonsense, so take models from whom you would take programs.

    Parameters
    ----------
    path : path
        A file that :meth:`Model.save` wrote.
    trusted : names
        More types to trust, such as ``mine.MyClassifier``: loading imports ``mine`` and runs what
        the type does when it is made. A name that ends in ``.py`` is the candidates file that the
        model came from: it is run, and its types are trusted, with those of the modules beside it
        that it imports.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy.model import fit_model
    >>> from polychotomy.model import load_model
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "iris.skops")
    ...     fit_model(GaussianNB(), X, y).save(path)
    ...     load_model(path).predict_table(X.head(2)).frame["predicted"].tolist()
    [0, 0]
    """
    from polychotomy.model.skops_io import io as skops_io

    path = Path(path)
    data, facts, card = _read(path)
    try:
        names = skops_io.get_untrusted_types(data=data)
    except Exception as error:  # a file made by hand: skops fails by whatever it meets first
        raise _not_a_model(path, _reason(error)) from error
    asked = [trusted] if isinstance(trusted, str) else [str(one) for one in trusted]
    own = [name for one in asked if one.endswith(".py") for name in load_beside(Path(one))]
    refuse_untrusted(path, names, [*asked, *(f"{module}.*" for module in own)])
    try:
        classifier = skops_io.loads(data, trusted=names)
        refuse_unsound(classifier)
    except Exception as error:  # a type that is gone, or a file made by hand
        versions = ", ".join(f"{package} {number}" for package, number in facts.versions.items())
        raise InvalidInput(
            f"{path.name!r} cannot be loaded: {_reason(error)}. It was saved with {versions}."
        ) from error
    if not isinstance(classifier, RecalibratedClassifier):
        raise _not_a_model(path, f"it holds a {type(classifier).__name__}")
    about = {"name": facts.name, "schema": facts.schema, "versions": facts.versions}
    model, agrees = Model.of(classifier, card=card, **about), False
    with suppress(Exception):  # of a file made by hand
        agrees = _agrees(model, facts)
    if not agrees:
        raise _not_a_model(path, "its schema and its classifier do not agree")
    return model


def _agrees(model: Model, facts: _Facts) -> bool:
    """Whether a file's description is of the classifier that it holds."""
    k, n_columns, costs = len(model.schema.labels), len(model.schema.columns), model.costs
    listed = None if costs is None else np.array(costs).tolist()
    return (
        getattr(model.classifier, "n_features_in_", n_columns) == n_columns
        and len(model.estimator_.classes_) == k
        and (costs is None or np.shape(costs) == (k, k))
        and (facts.recalibration, facts.costs) == (model._recalibrated_by, listed)
    )


def _reason(error: Exception) -> str:
    text = str(error).rstrip(".")
    return text if isinstance(error, InvalidInput) else f"{type(error).__name__}: {text}"


def _read(path: Path) -> tuple[bytes, _Facts, str]:
    """Return a file, its facts and its card; refuse what is no model of ours or far too large."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InvalidInput(
            f"cannot read {str(path)!r}: {error.strerror}; expected a model (.skops)."
        ) from error
    try:
        with ZipFile(BytesIO(data)) as archive:
            size = sum(member.file_size for member in archive.infolist())
            if size > _LIMIT:
                raise ValueError(f"it holds {size} bytes unpacked; expected at most {_LIMIT}")
            broken = archive.testzip()
            if broken is not None:
                raise ValueError(f"{broken!r} in it is damaged; take another copy")
            given = json.loads(archive.read(_FACTS))
            json.dumps(given, ensure_ascii=False, allow_nan=False).encode()  # can be said
            card = archive.read(_CARD).decode("utf-8")
        found = given.get("format") if isinstance(given, dict) else None
        if found != _FORMAT:
            raise ValueError(f"its format is {shown(found)}, not {_FORMAT!r}")
        facts = read_as(_Facts, given | {"schema": Schema.from_dict(given.get("schema"))}, "it")
    except Exception as error:  # whatever a damaged file makes its readers raise
        raise _not_a_model(path, str(error).strip("'") or type(error).__name__) from error
    return data, facts, card


def _not_a_model(path: Path, reason: str) -> InvalidInput:
    return InvalidInput(f"{path.name!r} is not a model saved by polychotomy: {reason.rstrip('.')}.")
