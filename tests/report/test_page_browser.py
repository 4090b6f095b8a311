"""The page in a real browser: nothing runs or is fetched; it sorts, folds, prints, fits a phone."""

import re

import numpy as np
import pytest
from hostile_data import PAYLOADS

from polychotomy.report.section import keep

pytestmark = [pytest.mark.browser, pytest.mark.long]


def test_nothing_runs_and_nothing_is_fetched(opened, hostile_page, hostile):
    tab, seen = opened(hostile_page)
    assert seen["console"] == []
    assert seen["requests"] == [hostile_page.as_uri()]
    assert tab.title().startswith(f"Use {hostile.best}"[:32])  # a long name is cut
    assert tab.locator("h1").inner_text() == hostile.top()[0].text
    assert tab.locator("img, iframe, object, embed, form").count() == 0
    assert tab.locator("script").count() == 1
    names = tab.locator("#which tbody th").all_inner_texts()
    assert names == [candidate.name for candidate in hostile.candidates]
    assert PAYLOADS[3] in tab.locator("#which").inner_text()


def test_tables_sort_by_click_and_by_key(opened, ordinary_page, ordinary):
    tab, _ = opened(ordinary_page)
    table = tab.locator("#which table").first
    head = table.locator("thead th").nth(2)
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    by_loss = [c.name for c in sorted(ordinary.candidates, key=lambda c: c.loss)]
    assert table.locator("tbody th").all_inner_texts() == by_loss
    head.locator("button").focus()
    tab.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "descending"
    assert table.locator("tbody th").all_inner_texts() == by_loss[::-1]
    table.locator("thead th").first.locator("button").click()
    assert head.get_attribute("aria-sort") is None
    assert table.locator("tbody th").all_inner_texts() == sorted(by_loss, key=str.lower)


def test_missing_numbers_sort_last(opened, hostile_page):
    tab, _ = opened(hostile_page)
    table = tab.locator("#which table").first
    table.locator("thead th").nth(2).locator("button").click()
    assert table.locator("tbody th").all_inner_texts()[-1] == "broken"


def test_details_unfold_without_script(opened, hostile_page):
    tab, _ = opened(hostile_page, java_script_enabled=False)
    details = tab.locator("#failed details").first
    assert not details.locator("pre").is_visible()
    details.locator("summary").click()
    assert "Traceback" in details.locator("pre").inner_text()
    assert tab.locator("thead button").count() == 0  # no button that would do nothing


@pytest.mark.parametrize("script", [True, False])
def test_what_a_sentence_rests_on_is_shown_by_focus(opened, ordinary_page, ordinary, script):
    tab, _ = opened(ordinary_page, java_script_enabled=script)
    tip = tab.locator("#top-1-basis")
    assert not tip.is_visible()
    tab.locator("[aria-describedby=top-1-basis]").focus()
    assert tip.inner_text() == keep(ordinary.top()[1].basis)
    if script:
        tab.keyboard.press("Escape")
        assert not tip.is_visible()


def test_what_a_sentence_rests_on_is_shown_by_pointer_and_tap(opened, ordinary_page):
    tab, _ = opened(ordinary_page)
    tab.locator("[aria-describedby=top-2-basis]").hover()
    assert tab.locator("#top-2-basis").is_visible()
    tab, _ = opened(ordinary_page, has_touch=True, viewport={"width": 390, "height": 800})
    tab.locator("[aria-describedby=top-2-basis]").tap()
    box = tab.locator("#top-2-basis").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390


def test_numbers_can_be_taken_away(opened, ordinary_page, ordinary):
    tab, seen = opened(ordinary_page)
    with tab.expect_download() as waiting:
        tab.locator("#price a.csv").click()
    lines = waiting.value.path().read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("candidate,error,fit_seconds")
    assert [line.split(",")[0] for line in lines[1:]] == list(ordinary.price.names)
    assert seen["console"] == []


@pytest.mark.parametrize("width", [320, 390, 820])
def test_narrow_screens_show_it_without_scrolling_sideways(opened, hostile_page, width):
    tab, _ = opened(hostile_page, viewport={"width": width, "height": 740})
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    frames = [frame.bounding_box() for frame in tab.locator(".chart").all()]
    assert frames
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in frames)


def test_letters_in_figures_keep_their_size_on_a_phone(opened, ordinary_page):
    tab, _ = opened(ordinary_page, viewport={"width": 390, "height": 740})
    heights = tab.evaluate(
        "[...document.querySelectorAll('.plot text')].filter(e => e.textContent)"
        ".map(e => e.getBoundingClientRect().height).filter(h => h)"
    )
    assert len(heights) > 20
    assert min(heights) > 11


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_in_both_schemes(opened, ordinary_page, scheme):
    tab, _ = opened(ordinary_page, color_scheme=scheme)
    found = tab.evaluate(COLOURS)
    assert len(found) > 100
    weak = [one for one in found if contrast(one["ink"], one["paper"]) < 4.5]
    assert weak == []


# Ink and the nearest background behind it, of every element that holds words of its own.
COLOURS = """
[...document.querySelectorAll('body *')].filter(e =>
  [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())
  && e.getClientRects().length && !['STYLE', 'SCRIPT', 'title'].includes(e.tagName)
).map(e => {
  const style = getComputedStyle(e);
  let behind = e;
  while (behind && getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)')
    behind = behind.parentElement;
  const ink = e.ownerSVGElement ? style.fill : style.color;
  const paper = e.classList.contains('light')  // written on a dark cell of the matrix
    ? getComputedStyle(document.querySelector('.miss')).fill
    : getComputedStyle(behind).backgroundColor;
  return {words: e.textContent.slice(0, 40), ink, paper};
})
"""


def contrast(first, second):
    """Contrast ratio of two CSS colours, by the definition in WCAG 2."""

    def luminance(colour):
        parts = np.array([int(c) for c in re.findall(r"\d+", colour)[:3]]) / 255
        linear = np.where(parts <= 0.03928, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return linear @ [0.2126, 0.7152, 0.0722]

    a, b = sorted((luminance(first), luminance(second)))
    return (b + 0.05) / (a + 0.05)


def test_dark_is_dark(opened, ordinary_page):
    papers = []
    for scheme in ("light", "dark"):
        tab, _ = opened(ordinary_page, color_scheme=scheme)
        papers.append(tab.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert contrast(*papers) > 10


def test_on_paper_nothing_is_folded_dark_or_cut(opened, ordinary_page):
    tab, _ = opened(ordinary_page, color_scheme="dark")
    pdf = tab.pdf(prefer_css_page_size=True)
    assert pdf.startswith(b"%PDF")
    tab.emulate_media(media="print")
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert tab.evaluate("getComputedStyle(document.querySelector('figure')).breakInside") == "avoid"
    assert tab.locator(".overview").is_visible()  # the answers at a glance fill the first sheet
    assert not tab.locator("details.on-screen").first.is_visible()  # pages of parameters
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert tab.locator("details:not([open], .on-screen)").count() == 0
    tab.evaluate("dispatchEvent(new Event('afterprint'))")
    assert tab.locator("details[open]").count() == 0


def test_headings_figures_and_regions_have_names(opened, ordinary_page):
    tab, _ = opened(ordinary_page)
    unnamed = tab.evaluate(
        "[...document.querySelectorAll('[role=img], [role=region], nav, button')]"
        ".filter(e => !(e.getAttribute('aria-label') || e.textContent.trim())).length"
    )
    assert unnamed == 0
    described = tab.evaluate(
        "[...document.querySelectorAll('[aria-describedby], [aria-labelledby]')].filter(e =>"
        " !document.getElementById(e.getAttribute('aria-describedby')"
        " || e.getAttribute('aria-labelledby'))).length"
    )
    assert described == 0


def test_the_keyboard_goes_down_the_page(opened, ordinary_page):
    tab, _ = opened(ordinary_page)
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.className") == "skip"
    order = []
    for _ in range(60):
        tab.keyboard.press("Tab")
        order.append(tab.evaluate("Math.round(document.activeElement.getBoundingClientRect().top"
                                  " + scrollY)"))  # fmt: skip
    sections = tab.evaluate(
        "[...document.querySelectorAll('section')]"
        ".map(e => e.getBoundingClientRect().top + scrollY)"
    )
    at = [int(np.searchsorted(sections, top + 1)) for top in order]
    assert at == sorted(at)  # never back to an earlier section
    assert max(at) > 1


def test_heads_are_repeated_on_the_next_sheet(opened, ordinary_page):
    """Chromium repeats a head only where nothing in it is a box of its own."""
    tab, _ = opened(ordinary_page)
    tab.emulate_media(media="print")
    button = tab.locator("thead button").first
    assert button.evaluate("e => getComputedStyle(e).display") == "contents"
    head = tab.locator("thead").first
    assert head.evaluate("e => getComputedStyle(e).breakInside") == "avoid"
