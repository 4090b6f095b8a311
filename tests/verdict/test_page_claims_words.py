"""Every sentence of every kind of page, and what it rests on, computed again from the ledger.

A sentence that is not in the list of `page_words.CLAIMS` fails here: add its numbers there with it.
"""

import re

import pytest
from page_kinds import KINDS
from page_words import CLAIMS, check
from page_words_first import called


@pytest.fixture(params=KINDS)
def world(request, worlds):
    return worlds[request.param]


def names_of(world):
    return [one["name"] for one in world.verdict["candidates"]]


def test_every_sentence_and_what_it_rests_on(world):
    rows = world.page.table("Test, numbers and assumption")
    for row in rows:
        check(world, row["sentence"][0], row["basis"][0], names_of(world))


def test_whether_it_is_real_is_always_answered(world):
    """Every rival that is undecided is named, or counted with the others."""
    said = [one["text"] for one in world.verdict["sentences"] if one["section"] == "real"]
    rivals = [j for j in range(world.r.m) if j != world.r.best]
    rivals = [j for j in rivals if not (world.guesses and world.r.names[j] in world.guessing)]
    assert bool(said) == bool(rivals)
    for j in rivals:
        if world.r.answer(world.r.best, j) == "undecided" and len(rivals) < 6:
            assert any(called(world, j) in text for text in said)


def test_every_kind_of_sentence_occurs(worlds):
    """Otherwise its check is never run."""
    pages = [world.page for world in worlds.values()]
    said = [one for page in pages for one in [*page.words["h1"], *page.sentences()]]
    unsaid = [pattern for pattern, *_ in CLAIMS if not any(re.match(pattern, s) for s in said)]
    assert unsaid == []


@pytest.mark.parametrize("kind", ["log-loss", "cost", "tiny", "recalibrated"])
def test_a_choice_that_recalibration_would_change_is_named(worlds, kind):
    """And only such a one."""
    world = worlds[kind]
    said = any(text.startswith("But recalibrated") for text in world.page.sentences())
    assert said == world.recalibrated.changes(world)
