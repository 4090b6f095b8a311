"""What a model expects of a table: its columns, and the labels it gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from polychotomy.core.arguments import shown
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.plain_values import read_as
from polychotomy.study.design.dataset import Target

if TYPE_CHECKING:
    import pandas as pd


Plain: TypeAlias = str | int | float | bool

Kind = Literal["number", "truth", "text", "category", "date", "other"]

_MOST_CATEGORIES = 100  # more are free text, or names of people that no model file should hold


@dataclass(frozen=True, kw_only=True)
class Column:
    """A feature as it was in training.

    Parameters
    ----------
    name : str or int
    kind : {"number", "truth", "text", "category", "date", "other"}
        A category is a column of pandas' type of that name; text is any other text.
    dtype : str
        Its type in training; of a category that of its values.
    categories : tuple of str or None
        The different texts; None where there are more than 100, or where most rows have their own.
    has_missing : bool
        Whether values were missing in training.

    Examples
    --------
    >>> from polychotomy.model import Column
    >>> Column(name="size", kind="number", dtype="int64", categories=None, has_missing=False).kind
    'number'
    """

    name: str | int
    kind: Kind
    dtype: str
    categories: tuple[str, ...] | None
    has_missing: bool


@dataclass(frozen=True, eq=False, kw_only=True)
class Schema:
    """The columns and the labels of a model.

    Parameters
    ----------
    columns : tuple of Column
        In the order of training.
    is_frame : bool
        Trained on a DataFrame; else on an array, whose columns are called x0, x1, ….
    target : str
        The target's name.
    labels : tuple
        The class labels, plain values in the order of the probabilities.
    label_dtype : str
        The labels' type in training.
    label_categories : tuple or None
        All categories, used or not, if the labels were of pandas' category type.
    label_ordered : bool
        Whether those have an order.

    Examples
    --------
    >>> from polychotomy.model import Schema
    >>> schema = Schema(
    ...     columns=(), is_frame=True, target="ripe", labels=(0, 1), label_dtype="int8")
    >>> Schema.from_dict(schema.to_dict()).label_series().dtype
    dtype('int8')
    """

    columns: tuple[Column, ...]
    is_frame: bool
    target: str
    labels: tuple[Plain, ...]
    label_dtype: str
    label_categories: tuple[Plain, ...] | None = None
    label_ordered: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Column names as text."""
        return tuple(str(column.name) for column in self.columns)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Schema:
        """Undo ``to_dict``, also after a way through JSON; refuse what it cannot have written."""
        import pandas as pd

        schema: Schema = read_as(cls, values, "its schema")
        try:
            for column in schema.columns:
                pd.api.types.pandas_dtype(column.dtype)
            labels = schema.label_series()
        except (TypeError, ValueError, OverflowError) as error:
            reason = str(error).rstrip(".")
            raise InvalidInput(
                f"a type in its schema is not that of its values: {reason}"
            ) from None
        texts = [str(label) for label in labels]
        for what, found in (("columns", schema.names), ("labels", texts)):
            if len(set(found)) < len(found) or (what == "labels" and labels.isna().any()):
                raise InvalidInput(
                    f"its {what} are {shown(found)}; expected each once, none missing"
                )
        return schema

    def label_series(self) -> pd.Series:
        """Return the labels, (k,), in their own type."""
        import pandas as pd

        labels = list(self.labels)
        if self.label_categories is not None:
            kind = pd.CategoricalDtype(list(self.label_categories), ordered=self.label_ordered)
            return pd.Series(labels, dtype=kind)
        plain = pd.Series(labels, dtype=None if labels else object)
        return plain if self.label_dtype == "text" else plain.astype(self.label_dtype)


def describe_table(X: Any, y: Any, target: Target, *, name: str) -> Schema:
    """Describe features and labels as a schema.

    Examples
    --------
    >>> import pandas as pd
    >>> y = pd.Series([True, False])
    >>> X = pd.DataFrame({"size": [1.5, None], "colour": ["red", "blue"]})
    >>> schema = describe_table(X, y, Target.from_labels(y), name="ripe")
    >>> [(column.name, column.kind, column.has_missing) for column in schema.columns]
    [('size', 'number', True), ('colour', 'text', False)]
    >>> schema.labels, schema.label_dtype
    ((False, True), 'bool')
    """
    import pandas as pd

    is_frame = hasattr(X, "iloc")
    if is_frame:
        frame = X
    else:
        dense = X.toarray() if hasattr(X, "toarray") else X
        frame = pd.DataFrame(dense).add_prefix("x")
    return Schema(
        columns=tuple(_describe(frame.iloc[:, i]) for i in range(frame.shape[1])),
        is_frame=is_frame,
        target=name,
        **_describe_labels(y, target),
    )


def _describe(column: pd.Series) -> Column:
    kind = kind_of(column)
    name = int(column.name) if isinstance(column.name, Integral) else str(column.name)
    known = column.dropna()
    categories = None
    if kind in ("text", "category"):
        distinct = sorted(set(known.astype(str)))
        is_free = len(distinct) > min(_MOST_CATEGORIES, max(2, len(known) / 2))
        categories = None if is_free else tuple(distinct)
    dtype = column.cat.categories.dtype if kind == "category" else column.dtype
    gaps = len(known) < len(column)
    return Column(name=name, kind=kind, dtype=str(dtype), categories=categories, has_missing=gaps)


def kind_of(column: pd.Series) -> Kind:
    """Say what kind of values a column holds.

    Examples
    --------
    >>> import pandas as pd
    >>> kind_of(pd.Series([1, 2])), kind_of(pd.Series(["a"])), kind_of(pd.Series([True]))
    ('number', 'text', 'truth')
    """
    import pandas as pd

    types = pd.api.types
    if isinstance(column.dtype, pd.CategoricalDtype):
        return "category"
    kinds: dict[Kind, Any] = {
        "truth": types.is_bool_dtype,
        "number": types.is_numeric_dtype,
        "date": types.is_datetime64_any_dtype,
    }
    found = (kind for kind, holds in kinds.items() if holds(column.dtype))
    return next(found, None) or _kind_of_objects(column.dropna())


def _kind_of_objects(values: pd.Series) -> Kind:
    """Tell texts from truths with gaps, which pandas keeps as objects, and from the rest."""
    types = {str} if values.dtype == "str" else {type(value) for value in values}
    if types == {bool}:
        return "truth"
    return "text" if types <= {str} else "other"


def _describe_labels(y: Any, target: Target) -> dict[str, Any]:
    import pandas as pd

    dtype: Any = getattr(y, "dtype", target.classes.dtype)
    labels = target.classes.tolist()
    by_text = {str(one): one for one in getattr(dtype, "categories", pd.Index([])).tolist()}
    if by_text and all(isinstance(one, str | int | float) for one in by_text.values()):
        return {
            "labels": tuple(by_text[str(label)] for label in labels),  # also if made texts
            "label_dtype": "category",
            "label_categories": tuple(dtype.categories.tolist()),
            "label_ordered": bool(dtype.ordered),
        }
    is_text = getattr(dtype, "kind", "O") not in "biuf"  # dates and other objects have become texts
    if not is_text:  # numbers with fractions are classes in the form of texts
        labels = [float(label) if isinstance(label, str) else label for label in labels]
    return {"labels": tuple(labels), "label_dtype": "text" if is_text else str(dtype)}
