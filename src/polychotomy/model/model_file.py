"""A model in one file: skops' zip archive, with the schema and the card in it.

The members ``polychotomy.json`` (schema, recalibration, costs, versions) and ``README.md`` (card)
can be read by any program that reads zip archives; the rest is skops' own, and ``skops.io.load``
gives the classifier.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

import numpy as np

from polychotomy.exceptions import InvalidInput, LearnerError
from polychotomy.model.output_path import check_output
from polychotomy.model.recalibrated import RecalibratedClassifier
from polychotomy.model.schema import Schema
from polychotomy.model.trusted_types import refuse_untrusted
from polychotomy.whole_file import writing_whole

if TYPE_CHECKING:
    from polychotomy.model.model import Model

_FORMAT = "polychotomy model 2"
_FACTS, _CARD = "polychotomy.json", "README.md"
_LIMIT = 4 * 2**30  # bytes unpacked; a file may be small and hold far more


def check_model_path(path: str | Path, *, force: bool = False) -> None:
    """Refuse, before anything is fitted, a place where a model cannot or should not be written.

    Examples
    --------
    >>> from polychotomy.model import check_model_path
    >>> check_model_path("wine.pkl")
    Traceback (most recent call last):
    ...
    polychotomy.exceptions.InvalidInput: cannot save a model as 'wine.pkl'; expected a name that \
ends in .skops.
    """
    path = Path(path)
    if path.suffix != ".skops":
        raise InvalidInput(
            f"cannot save a model as {path.name!r}; expected a name that ends in .skops."
        )
    check_output(path, force=force)


def save_model(model: Model, path: Path, *, force: bool = False) -> None:
    """Write a model to one file, whole or not at all."""
    import skops.io

    check_model_path(path, force=force)
    try:
        data = BytesIO(skops.io.dumps(model.classifier, compression=ZIP_DEFLATED, compresslevel=6))
    except Exception as error:  # skops raises what the learner's own types do
        raise LearnerError(
            f"the candidate {model.name!r} cannot be saved by skops: {type(error).__name__}: "
            f"{error}"
        ) from error
    facts = {
        "format": _FORMAT,
        "name": model.name,
        "schema": model.schema.to_dict(),
        "recalibration": _say_calibrator(model),
        "costs": None if model.costs is None else model.costs.tolist(),
        "versions": dict(model.versions),
    }
    with ZipFile(data, "a", ZIP_DEFLATED) as archive:
        archive.writestr(_FACTS, json.dumps(facts, ensure_ascii=False, indent=1))
        archive.writestr(_CARD, model.card)
    with writing_whole(path) as temporary:
        temporary.write_bytes(data.getbuffer())


def load_model(path: str | Path, *, trusted: Iterable[str] = ()) -> Model:
    """Read a model from a file; refuse types that are not trusted, by name, before any is made.

    Trusted are the types of scikit-learn, skrub, NumPy and polychotomy on a fixed list. Nothing
    is unpickled. A file made to do harm can still be large or make a learner crash, so take models
    from whom you would take programs.

    Parameters
    ----------
    path : path
        A file that :meth:`Model.save` wrote.
    trusted : names
        More types to trust, such as ``mine.MyClassifier``: loading imports ``mine`` and runs what
        the type does when it is made.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy.model import fit_model, load_model
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "iris.skops")
    ...     fit_model(GaussianNB(), X, y).save(path)
    ...     load_model(path).predict_table(X.head(2)).frame["predicted"].tolist()
    [0, 0]
    """
    import skops.io

    from polychotomy.model.model import Model

    path = Path(path)
    data = _read(path)
    facts, card = _read_members(path, data)
    try:
        names = skops.io.get_untrusted_types(data=data)
    except Exception as error:  # a file made by hand: skops fails by whatever it meets first
        reason = f"{type(error).__name__}: {error}"
        raise InvalidInput(_not_a_model(path, reason)) from error
    refuse_untrusted(path, names, trusted)
    try:
        classifier = skops.io.loads(data, trusted=names)
        schema = Schema.from_dict(facts["schema"])
    except Exception as error:  # a type that is gone, or a file made by hand
        raise InvalidInput(
            f"{path.name!r} cannot be loaded: {type(error).__name__}: {error}. It was saved with "
            f"{_say_versions(facts)}."
        ) from error
    if not isinstance(classifier, RecalibratedClassifier):
        raise InvalidInput(_not_a_model(path, f"it holds a {type(classifier).__name__}"))
    k, costs = len(schema.labels), classifier.costs
    if k != len(classifier.classes_) or (costs is not None and np.shape(costs) != (k, k)):
        raise InvalidInput(_not_a_model(path, "its schema and its classifier do not agree"))
    return Model(
        name=str(facts["name"]),
        classifier=classifier,
        schema=schema,
        card=card,
        versions=dict(facts["versions"]),
    )


def _say_calibrator(model: Model) -> str | None:
    calibrator = model.classifier.calibrator
    return None if calibrator is None else type(calibrator).__name__.lower()


def _read(path: Path) -> bytes:
    if not path.exists():
        raise InvalidInput(f"there is no file {str(path)!r}.")
    if not path.is_file():
        raise InvalidInput(f"{str(path)!r} is not a file; expected a model (.skops).")
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"cannot read {str(path)!r}: {error.strerror}.") from error


def _read_members(path: Path, data: bytes) -> tuple[dict[str, Any], str]:
    """Return facts and card; refuse what is no model of ours or would not fit into memory."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            size = sum(member.file_size for member in archive.infolist())
            if size > _LIMIT:
                raise InvalidInput(
                    f"{path.name!r} holds {size} bytes unpacked; expected at most {_LIMIT}."
                )
            broken = archive.testzip()
            if broken is not None:
                raise InvalidInput(
                    f"{path.name!r} is damaged: {broken!r} in it is not what was saved. Take "
                    "another copy, or save the model again."
                )
            facts = json.loads(archive.read(_FACTS))
            card = archive.read(_CARD).decode("utf-8")
    except (BadZipFile, KeyError, ValueError, zlib.error) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(_not_a_model(path, str(error).strip("'"))) from error
    found = facts.get("format") if isinstance(facts, dict) else None
    if found != _FORMAT:
        raise InvalidInput(_not_a_model(path, f"its format is {found!r}, not {_FORMAT!r}"))
    return facts, card


def _not_a_model(path: Path, reason: str) -> str:
    return f"{path.name!r} is not a model saved by polychotomy: {reason}."


def _say_versions(facts: dict[str, Any]) -> str:
    return ", ".join(f"{package} {number}" for package, number in facts["versions"].items())
