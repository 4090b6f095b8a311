"""A verdict as one self-contained HTML page. Nothing is computed here."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from hashlib import sha256
from shlex import quote
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from polychotomy._version import __version__
from polychotomy.core.numbers import counted, mean_words, seconds, short
from polychotomy.report import answers, background, sections
from polychotomy.report.drawing import Figure, element
from polychotomy.report.figures.candidates import draw_icon_array
from polychotomy.report.section import Section, drawn, keep, made
from polychotomy.report.text import warnings_of
from polychotomy.telling.choice import if_known, say_error
from polychotomy.verdict import Sentence, Verdict
from polychotomy.verdict.findings import QUESTIONS

if TYPE_CHECKING:
    from jinja2 import Environment


_LONGEST = 2000  # characters of a sentence or of what it rests on


RELOADS_EVERY = 4  # seconds after which the page of a study that is running reloads itself


def render_page(verdict: Verdict, *, running: str = "") -> str:
    """Return the page of a verdict: the same bytes for the same ledger.

    While its study is ``running``, by words on how far it is, the page says so and reloads itself.

    Everything that comes from the data is escaped, the page's policy forbids whatever is not in
    the file, and of scripts allows only our own by its hash: nothing from the data can run in it.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy import judge
    >>> X, y = load_iris(return_X_y=True)
    >>> candidates = {"MAX": DummyClassifier(), "<b>bayes": GaussianNB()}
    >>> page = render_page(judge(candidates, X, y, anatomy=False))
    >>> "&lt;b&gt;bayes" in page, "<b>bayes" in page
    (True, False)
    """
    said = verdict.sentences()
    headline, *top = verdict.top()
    (expected,) = say_error(verdict)
    makers = (
        sections.which_section, sections.real_section, sections.price_section,
        answers.trust_section, answers.limits_section, answers.combining_section,
        answers.errors_section, answers.columns_section, background.failed_section,
        background.computed_section,
    )  # fmt: skip
    return render(
        "verdict.html",
        verdict=verdict,
        running=running,
        every=RELOADS_EVERY,
        title=f"{headline.text.rstrip('.')}: {verdict.dataset['name']}",
        first=headline.text,
        facts=_facts(verdict),
        top=top,
        expected=expected,
        number=_headline(verdict, expected),
        thousand=_thousand(verdict),
        warnings=warnings_of(verdict),
        command=f"polychotomy predict {quote(verdict.model)} new.csv" if verdict.model else "",
        if_known=if_known,
        **answer(verdict, QUESTIONS, makers, [x for x in said[1:] if x.emphasis not in _ABOVE]),
    )


_ABOVE = ("Caveat", "Next", "Warning")  # what is said once, before all sections

Makers = Iterable[Callable[..., Section]]


def answer(
    subject: object, questions: Mapping[Any, str], makers: Makers, sentences: Sequence[Sentence]
) -> dict[str, Any]:
    """Return a section for each question, in the order of reading, and the sentences in each."""
    shown = [
        made(anchor, question, partial(make, subject))
        for (anchor, question), make in zip(questions.items(), makers, strict=True)
    ]
    said_in = {anchor: [one for one in sentences if one.section == anchor] for anchor in questions}
    return {"sections": shown, "said_in": said_in}


def render(template: str, **context: Any) -> str:
    """Fill a template in, with our script and the policy that allows nothing else."""
    environment = _environment()
    assert environment.loader is not None
    script = environment.loader.get_source(environment, "page.js")[0]
    digest = b64encode(sha256(script.encode()).digest()).decode()
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    return environment.get_template(template).render(
        policy=policy, script=Markup(script), version=__version__, **context
    )


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("polychotomy.report"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters |= {"short": short, "keep": keep, "claim": claim, "ranged": ranged}
    return environment


def ranged(words: str) -> Markup:
    """Write a number with what stands behind it in brackets, which may go on a line of its own.

    Examples
    --------
    >>> print(ranged("2.4 (1.1 to 4.2)"), ranged("2.4"))
    2.4 <span class="range">(1.1 to 4.2)</span> 2.4
    """
    number, space, behind = words.partition(" (")
    if not space:
        return escape(number)
    return escape(number) + Markup(' <span class="range">({}</span>').format(behind)


def claim(sentence: Sentence, place: str) -> Markup:
    """Write a sentence with its claim bold; on the first screen it leads to its section.

    The last word stays with the mark that shows what the sentence rests on.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> said = SimpleNamespace(text="<Use> a.", basis="", section="which", emphasis="<Use>")
    >>> print(claim(said, "top-1"))
    <a href="#which">&lt;Use&gt;</a> a.
    """
    words, emphasis = keep(short(sentence.text, _LONGEST)), keep(sentence.emphasis)
    before, found, after = words.partition(emphasis or "\0")
    if not found:
        before, after = "", before
    bold = Markup('<a href="#{}">{}</a>' if place.startswith("top") else "<b>{1}</b>")
    claimed = bold.format(sentence.section, found) if found else Markup("")
    head, space, last = after.rpartition(" ")
    return escape(before) + claimed + escape(head + space) + _rests_on(last, sentence, place)


def _rests_on(last: str, sentence: Sentence, place: str) -> Markup:
    """Return the last word and a button with the basis of the sentence, never parted by a line."""
    if not sentence.basis:
        return escape(last)
    told = f"{place}-basis"
    described = {"aria_label": "What this rests on", "aria_describedby": told}
    button = element("button", "i", type="button", **described)
    basis = keep(short(sentence.basis, _LONGEST))
    tip = element("span", basis, class_="tip", role="tooltip", id=told)
    return element("span", last, button, tip, class_="basis")


def _facts(verdict: Verdict) -> list[str]:
    dataset, timings = verdict.dataset, verdict.timings
    counts = {
        "row": dataset["rows"],
        "column": dataset["columns"],
        "class": len(dataset["classes"]) * verdict.knows_labels,
        "candidate": len(verdict.candidates),
    }
    spent = f", {seconds(timings.seconds)} of computing" * bool(timings.seconds)
    facts = [counted(number, thing) for thing, number in counts.items() if number]
    fits = [f"{counted(timings.n_fits, 'fit')}{spent}"]
    return facts if verdict.plan["kind"] == "imported folds" and not spent else facts + fits


def _headline(verdict: Verdict, expected: Sentence) -> tuple[str, str]:
    """Return the one number of the first screen, as its sentence has it, and the unit."""
    number, criterion = expected.emphasis.replace("less than", "<"), verdict.criterion
    if number.endswith(" %"):
        return number.removesuffix(" %"), "%"
    if criterion.name == "auc":
        return number, "AUC"
    return number, criterion.words if verdict.selected else mean_words(criterion)


def _thousand(verdict: Verdict) -> Figure | None:
    """Draw how many of a thousand cases would be wrong, where errors are what is expected."""
    found = verdict.selected
    if found is None or verdict.criterion.name != "error":
        return None
    return drawn(draw_icon_array, found.expected, found.low, max(found.high, found.expected))
