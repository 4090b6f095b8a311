"""The page: inert whatever the data say, the same bytes every time, right in a real browser."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from polychotomy import judge

PAYLOADS = [
    "<script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "</script></style></svg><b>bold</b>",
    "{{ 7*7 }} {% if %} ${7*7} $x^2$",
    "\"quotes\" & 'more' 🌱 עברית",
]


class Broken(ClassifierMixin, BaseEstimator):
    """Fails with a message of the user's choice."""

    def __init__(self, message=""):
        self.message = message

    def fit(self, X, y):
        raise ValueError(self.message)

    def predict(self, X):
        return X


@pytest.fixture(scope="module")
def verdict():
    X, y = load_iris(return_X_y=True)
    frame = pd.DataFrame(X, columns=PAYLOADS[:4])
    labels = np.array(PAYLOADS[:3])[y]
    candidates = {
        PAYLOADS[3]: DummyClassifier(),
        PAYLOADS[0]: GaussianNB(),
        PAYLOADS[4]: GaussianNB(var_smoothing=1e-3),
        "broken": Broken(PAYLOADS[1]),
    }
    return judge(candidates, frame, labels, dataset=PAYLOADS[2], notes=[PAYLOADS[1]])


@pytest.fixture(scope="module")
def page(verdict, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "page.html"
    verdict.to_html(path)
    return path


def test_everything_from_the_data_is_escaped(page):
    text = page.read_text()
    assert "<script" not in text
    assert not re.search(r"<img", text)
    assert "<b>bold" not in text
    assert "{{ 7*7 }} {% if %} ${7*7} $x^2$" in text


def test_page_forbids_scripts_and_the_network(page):
    text = page.read_text()
    assert "default-src 'none'" in text
    assert not re.search(r'(?:src|href)="(?!#)', text)
    assert len(text) < 1_000_000


def test_same_ledger_same_bytes(tmp_path):
    X, y = load_iris(return_X_y=True)
    candidates = {"MAX": DummyClassifier(), "naive Bayes": GaussianNB()}
    for name in ("one", "elsewhere"):
        judge(candidates, X, y, study=tmp_path / "study").to_html(tmp_path / f"{name}.html")
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "elsewhere.html").read_bytes()


def test_numbers_on_the_page_are_the_ledgers(verdict, page):
    text = page.read_text()
    for candidate in verdict.candidates[:3]:
        assert f'<td class="number">{100 * candidate.error:.1f} %</td>' in text


def test_yardsticks_are_called_so(page):
    assert "does not look at the features; it is a yardstick" in page.read_text()


def test_failures_and_notes_are_shown(page):
    text = page.read_text()
    assert "10 fits gave no predictions" in text
    assert text.count("ValueError: &lt;img") >= 10
    assert "<li>&lt;img src=x onerror=" in text


def opened(browser, page, **options):
    context = browser.new_context(**options)
    tab = context.new_page()
    seen = {"console": [], "requests": []}
    tab.on("console", lambda message: seen["console"].append(message.text))
    tab.on("pageerror", lambda error: seen["console"].append(str(error)))
    tab.on("request", lambda request: seen["requests"].append(request.url))
    tab.goto(page.as_uri())
    return tab, seen


@pytest.mark.browser
def test_in_a_browser_nothing_runs_and_nothing_is_fetched(browser, page, verdict):
    tab, seen = opened(browser, page)
    assert seen["console"] == []
    assert seen["requests"] == [page.as_uri()]
    assert tab.title() == f"Use {verdict.best}: {PAYLOADS[2]}"
    assert tab.locator("h1").inner_text() == f"Use {verdict.best}."
    assert tab.locator("script, img, iframe, object").count() == 0
    rows = tab.locator("#which tbody th").all_inner_texts()
    assert rows == [candidate.name for candidate in verdict.candidates]


@pytest.mark.browser
def test_in_a_browser_a_phone_shows_it_without_scrolling_sideways(browser, page):
    tab, _ = opened(browser, page, viewport={"width": 360, "height": 740})
    assert tab.evaluate("document.documentElement.scrollWidth") <= 360
    frames = [frame.bounding_box() for frame in tab.locator("figure > div").all()]
    assert len(frames) == 4
    assert all(0 < frame["width"] <= 360 for frame in frames)  # a figure scrolls inside its frame


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_in_a_browser_text_stands_out_in_both_schemes(browser, page, scheme):
    tab, _ = opened(browser, page, color_scheme=scheme)
    read = "e => getComputedStyle(e).color"
    paper = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    inks = [tab.locator(s).first.evaluate(read) for s in ("body", ".facts", "h1 em", "thead th")]
    inks += [tab.locator("figure svg text").first.evaluate("e => getComputedStyle(e).fill")]
    for ink in inks:
        assert contrast(ink, paper) >= 4.5


def contrast(first, second):
    """Contrast ratio of two CSS colours, by the definition in WCAG 2."""

    def luminance(colour):
        parts = np.array([int(c) for c in re.findall(r"\d+", colour)[:3]]) / 255
        linear = np.where(parts <= 0.03928, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return linear @ [0.2126, 0.7152, 0.0722]

    a, b = sorted((luminance(first), luminance(second)))
    return (b + 0.05) / (a + 0.05)


@pytest.mark.browser
def test_in_a_browser_details_unfold(browser, page):
    tab, _ = opened(browser, page)
    details = tab.locator("#failed details").first
    assert not details.locator("pre").is_visible()
    details.locator("summary").click()
    assert "Traceback" in details.locator("pre").inner_text()
