"""What all decoders share: a code looked at once, then outputs by the chunk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, TypeAlias

from numpy.typing import ArrayLike

from polychotomy.arrays import Floats, Outputs, Probabilities
from polychotomy.decoding.arguments import as_floats, check_unit_interval
from polychotomy.decoding.chunks import ChunkWork, in_chunks
from polychotomy.exceptions import InvalidInput

Work: TypeAlias = Callable[[Outputs], Probabilities]
"""From outputs (c, l) of a chunk to probabilities (c, k)."""


@dataclass(frozen=True, eq=False)
class PreparedDecoder:
    """A decoder for one code: a function from outputs (n, l) to probabilities (n, k).

    Made by `make_decoder`; what depends on the code alone has been done.

    Parameters
    ----------
    shape : (int, int)
        Of the code.
    start : callable
        From an array namespace and an array of the kind to come, to what works on a chunk.
    numbers_each : int
        How many floats a sample occupies while being worked on.
    in_double : bool
        Whether single precision is not enough on the way; the result has it all the same.
    elementwise : bool
        Whether the work is the same to the bit in chunks of any size: see ``in_chunks``.

    Examples
    --------
    >>> from polychotomy.codes import one_vs_one
    >>> from polychotomy.decoding import make_decoder
    >>> make_decoder(one_vs_one(3))([[0.9, 0.4, 0.7]]).round(6)
    array([[0.481068, 0.241639, 0.277293]])
    """

    shape: tuple[int, int]
    start: Callable[[ModuleType, Floats], Work]
    numbers_each: int
    in_double: bool = False
    elementwise: bool = False

    def __call__(self, outputs: ArrayLike, *, n_jobs: int | None = None) -> Probabilities:
        """Return the class probabilities, (n, k), of the kind of array given, in chunks.

        Parameters
        ----------
        outputs : (n, l)
            Probabilities of the + sides.
        n_jobs : int, optional
            Threads over chunks of NumPy arrays, as joblib counts them. Results do not depend on it.
        """
        xp, q = self._check_shape(outputs)
        dtype = xp.float64 if self.in_double else q.dtype

        def prepare() -> ChunkWork:
            work = self.start(xp, xp.astype(q[:0, :], dtype))

            def check_and_work(rows: Outputs, start: int) -> Probabilities:
                inside = xp.astype(check_unit_interval(xp, rows, start), dtype, copy=False)
                p: Probabilities = xp.astype(work(inside), q.dtype, copy=False)
                return p

            return check_and_work

        return in_chunks(
            xp,
            prepare,
            q,
            numbers_each=self.numbers_each,
            n_jobs=n_jobs,
            elementwise=self.elementwise,
        )

    def _check_shape(self, outputs: ArrayLike) -> tuple[ModuleType, Outputs]:
        xp, q = as_floats("outputs", outputs)
        rows = self.shape[0]
        if q.ndim != 2 or q.shape[1] != rows:
            hint = " For a single sample pass outputs[np.newaxis]." if q.shape == (rows,) else ""
            raise InvalidInput(
                f"outputs has shape {tuple(q.shape)}; expected (n, {rows}): a column for each row "
                f"of code, which has shape {self.shape}.{hint}"
            )
        return xp, q


@dataclass(frozen=True, eq=False)
class CompiledDecoder(PreparedDecoder):
    """A decoder whose work also says which samples have outputs in [0, 1] only, (c,) bools.

    Or whether all have, () bool. A pass to check them first would take as long as the work.
    """

    def __call__(self, outputs: ArrayLike, *, n_jobs: int | None = None) -> Probabilities:
        """Return the class probabilities, (n, k), of the kind of array given, in chunks."""
        xp, q = self._check_shape(outputs)
        work: Any = self.start(xp, q)

        def work_and_check(rows: Outputs, start: int) -> Probabilities:
            p, inside = work(rows)
            if not bool(xp.all(inside)):
                p, _ = work(check_unit_interval(xp, rows, start))
            checked: Probabilities = p
            return checked

        numbers_each = self.numbers_each
        return in_chunks(xp, lambda: work_and_check, q, numbers_each=numbers_each, n_jobs=n_jobs)
