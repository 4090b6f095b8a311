"""A thousand new cases as dots: how many will be wrong, and how sure that number is."""

from __future__ import annotations

from markupsafe import Markup

from polychotomy.report.figure import Figure
from polychotomy.report.marks import element

_ACROSS, _DOWN = 40, 25


def draw_thousand(error: float, low: float, high: float, *, level: float) -> Figure:
    """Draw 1000 dots: wrong for sure, wrong as estimated, perhaps wrong, right.

    Examples
    --------
    >>> draw_thousand(0.024, 0.011, 0.042, level=0.9).message
    'Of 1000 new cases about 24 will be wrong (11 to 42).'
    """
    surely, about, perhaps = (round(1000 * min(max(v, 0.0), 1.0)) for v in (low, error, high))
    spans = [("sure", 0, surely), ("about", surely, about), ("perhaps", about, perhaps),
             ("right", perhaps, 1000)]  # fmt: skip
    dots = [_dots(name, first, last) for name, first, last in spans if last > first]
    drawing = element(
        "svg", *dots, class_="thousand", viewBox=f"0 0 {10 * _ACROSS} {10 * _DOWN}",
        aria_hidden="true",
    )  # fmt: skip
    message = f"Of 1000 new cases {_about(about)} will be wrong ({surely} to {perhaps})."
    reading = _how_to_read(surely, about, perhaps, f"the {100 * level:g} % interval")
    return Figure("thousand", drawing, message, reading, ("wrong", "low", "high"),
                  [(about, surely, perhaps)])  # fmt: skip


def _about(count: int) -> str:
    return f"about {count}" if count else "fewer than one"


def _how_to_read(surely: int, about: int, perhaps: int, interval: str) -> str:
    words = "Each dot is one of 1000 new cases. "
    if not perhaps:
        return (
            words + f"Fewer than one is expected to be wrong, by the upper end of {interval} too."
        )
    if not about:
        return words + (
            f"Fewer than one is expected to be wrong; pale: as many as could be, to the upper end "
            f"of {interval}, {perhaps}."
        )
    words += (
        f"Full: as many as are expected to be wrong, {about}; pale: as many more as could be, to "
        f"the upper end of {interval}, {perhaps}. "
    )
    few = f"only {surely}" if surely else "fewer than one"
    return words + f"By its lower end {few} of the full ones are wrong."


def _dots(name: str, first: int, last: int) -> Markup:
    """Dots fill columns, top to bottom, left to right; a round-capped line of no length is one."""
    path = "".join(f"M{10 * (i // _DOWN) + 5} {10 * (i % _DOWN) + 5}h0" for i in range(first, last))
    return element("path", class_=f"dots {name}", d=path)
