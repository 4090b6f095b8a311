"""The page: inert whatever the data say, the same bytes every time, every number the verdict's."""

import base64
import csv
import hashlib
import io
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from urllib.parse import unquote

import numpy as np
import pytest
from hostile_data import PAYLOADS

from polychotomy.report.page import claim
from polychotomy.report.section import keep
from polychotomy.validation import Confusion

QUESTIONS = ["which", "real", "price", "trust", "limits", "combining", "errors", "columns",
             "failed", "computed"]  # fmt: skip


class Outline(HTMLParser):
    """Headings, ids, figures and links of a page."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.ids, self.links, self.messages, self.numbers = [], [], [], [], {}
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.tags.append(tag)
        if "id" in found:
            self.ids.append(found["id"])
        if tag == "a" and "download" in found:
            self.numbers[found["download"]] = found["href"]
        elif tag == "a":
            self.links.append(found["href"])
        if found.get("role") == "img":
            self.messages.append(found["aria-label"])


@pytest.fixture(scope="module")
def hostile_text(hostile_page):
    return hostile_page.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def text(ordinary_page):
    return ordinary_page.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def outline(text):
    return Outline(text)


def test_everything_from_the_data_is_escaped(hostile_text):
    assert hostile_text.count("<script>") == 1  # our own
    assert hostile_text.count("</script>") == 1
    assert "<img" not in hostile_text
    assert "<b>bold" not in hostile_text
    assert PAYLOADS[3] in hostile_text  # as it is, not 49
    assert "ValueError: &lt;img src=x" in hostile_text


def test_policy_allows_our_script_by_its_hash_and_nothing_else(text):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1].replace("&#39;", "'")
    script = re.search(r"<script>(.*?)</script>", text, flags=re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy.split("; ")[0] == "default-src 'none'"
    assert f"script-src 'sha256-{digest}'" in policy
    assert not re.search(r'\s(?:src|srcset|action|xlink:href)="', text)
    assert not re.search(r'\son\w+="', text)


def test_links_lead_into_the_page_or_are_numbers_to_take_away(outline):
    assert all(link.startswith("#") and link[1:] in outline.ids for link in outline.links)
    assert all(a.startswith("data:text/csv;charset=utf-8,") for a in outline.numbers.values())
    assert len(outline.ids) == len(set(outline.ids))


def test_every_element_is_closed_where_it_should_be(hostile_text):
    class Nesting(HTMLParser):
        def __init__(self):
            super().__init__()
            self.open = []

        def handle_starttag(self, tag, attributes):
            if tag not in ("meta",):
                self.open.append(tag)

        def handle_endtag(self, tag):
            assert self.open.pop() == tag

    parser = Nesting()
    parser.feed(hostile_text)
    assert parser.open == []


def test_a_section_a_question_in_an_outline(outline):
    assert [name for name in outline.ids if name in QUESTIONS] == QUESTIONS
    headings = [tag for tag in outline.tags if tag in ("h1", "h2")]
    assert headings == ["h1"] + ["h2"] * len(QUESTIONS)


def test_every_figure_says_its_message_and_gives_its_numbers(outline):
    assert outline.tags.count("figure") == len(outline.messages) == len(outline.numbers)
    assert all(len(message) > 20 and message.endswith(".") for message in outline.messages)


def test_numbers_of_a_figure_are_the_verdicts(outline, ordinary):
    address = outline.numbers["candidates.csv"]
    rows = list(csv.DictReader(io.StringIO(unquote(address.partition(",")[2]))))
    for name, folds in zip(ordinary.ordering.names, ordinary.ordering.errors, strict=True):
        shown = [float(row["error"]) for row in rows if row["candidate"] == name]
        np.testing.assert_allclose(shown, folds.ravel(), rtol=1e-5)


def test_numbers_in_the_table_are_the_verdicts(text, ordinary):
    for candidate in ordinary.candidates:
        cell = f'data-v="{candidate.loss:.9g}">{100 * candidate.error:.1f} %</td>'
        assert cell in text


def test_every_sentence_stands_in_its_section_with_its_basis(text, ordinary):
    plain = re.sub(r"</?(?:a|b|span)\b[^>]*>", "", text)
    for sentence in ordinary.sentences()[1:]:
        section = plain[plain.index(f'<section id="{sentence.section}"') :]
        assert escaped(keep(sentence.text)) in section
        assert escaped(keep(sentence.basis)) in section


def escaped(words):
    from markupsafe import escape

    return str(escape(words))


def test_first_screen_links_its_claims(ordinary):
    sentence = next(one for one in ordinary.top()[1:] if one.emphasis)
    assert f'<a href="#{sentence.section}">' in claim(sentence, "top-1")
    assert "<b>" in claim(sentence, "trust-1")


def test_a_claim_is_escaped_around_and_inside():
    from types import SimpleNamespace

    said = SimpleNamespace(text="<i>a</i> <u>", basis="", section="which", emphasis="a</i>")
    expected = '&lt;i&gt;<a href="#which">a&lt;/i&gt;</a> &lt;u&gt;'
    assert claim(said, "top-1") == expected
    assert (
        claim(SimpleNamespace(**vars(said) | {"emphasis": ""}), "x")
        == "&lt;i&gt;a&lt;/i&gt; &lt;u&gt;"
    )


def test_same_verdict_same_bytes(ordinary, text):
    assert ordinary.to_html() == text


def test_a_page_that_is_written_does_not_flood_a_notebook(ordinary, text, tmp_path):
    assert ordinary.to_html(str(tmp_path / "verdict.html")) is None
    assert (tmp_path / "verdict.html").read_text(encoding="utf-8") == text


def dense(verdict, *, classes):
    k = len(classes)
    counts = np.random.default_rng(0).integers(0, 30, size=(k, k)).astype(float)
    confusion = Confusion(name=verdict.best, classes=classes, counts=counts, order=np.arange(k))
    return replace(
        verdict, confusion=confusion, dataset=verdict.dataset | {"classes": list(classes)}
    )


def test_a_hundred_classes_confused_with_each_other_stay_below_a_megabyte(ordinary):
    page = dense(ordinary, classes=tuple(f"species number {i}" for i in range(100))).to_html()
    assert len(page.encode()) < 1_000_000


def test_names_of_ten_kilobytes_stay_below_a_megabyte(ordinary):
    page = dense(ordinary, classes=tuple(f"{i} {'🌱' * 5000}" for i in range(12))).to_html()
    assert len(page.encode()) < 1_000_000


def test_error_not_corrected_for_the_choice_has_no_thousand_dots(ordinary):
    page = replace(ordinary, selected=None).to_html()
    assert "Its mean error is" in page.replace("<a", " <a")
    assert 'class="icon-array"' not in page


def test_who_only_guesses_is_no_answer(ordinary):
    page = replace(ordinary, baselines=(ordinary.best,)).to_html()
    assert ">Nothing is shown to beat guessing.</h1>" in page


def test_the_command_to_predict_can_be_pasted(ordinary):
    page = replace(ordinary, model="my wine.skops").to_html()
    assert "polychotomy predict &#39;my wine.skops&#39; new.csv" in page


def test_every_table_has_a_caption_and_every_heading_of_it_a_scope(text):
    tables = re.findall(r"<table.*?</table>", text, flags=re.DOTALL)
    assert len(tables) >= 8
    for table in tables:
        assert table.count("<caption>") == 1
        assert "<th>" not in table
        rows = table.count("<tr")
        assert table.count('scope="row"') == rows - 1
        assert table.count('scope="col"') >= 2


def test_language_and_outline(outline, text):
    assert '<html lang="en">' in text
    levels = [int(tag[1]) for tag in outline.tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert outline.ids.count("which") == 1
    assert "#which" in outline.links  # the way past the first screen
