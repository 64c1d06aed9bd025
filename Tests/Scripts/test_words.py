# SPDX-License-Identifier: Apache-2.0
"""The rule about words: which sentences of a page it names, and which it leaves alone."""
import pytest
import words

TABLE = list(words.rules((words.ROOT / ".ci/words.txt").read_text(encoding="utf-8")))


def lines(text):
    """The lines of a page that the rule names."""
    return [line for line, _ in words.findings("page.md", text, TABLE)]


@pytest.mark.parametrize("text", [
    "The length is told in the report.", "`probe` tells the length.", "The fault was mended.", "Silence behind the end is fed.",
    "It says how many, and by whose word.", "Bitmap subtitles stay behind.", "Which set suits you is shown.", "One. What is in the file counts.",
    "- Those files count.", "| a | It is refused |", "A text of 16 signs.", "The law holds.", "Suites that come by.", "And what it costs is in a table."])
def test_a_phrase_of_the_dialect_is_named(text):
    assert lines(text)


@pytest.mark.parametrize("text", [
    "The source is behind the listener.", "Sources ahead and behind.", "WAV holds µ-law.", "The pan law is constant power.", "A two-way street.",
    "What does it mean?", "## What players do", "`told`", "```\ntold\n```", "[a page](behind.md)"])
def test_the_fields_own_words_are_left_alone(text):
    assert not lines(text)


def test_a_finding_has_its_line_and_what_to_say():
    found = list(words.findings("page.md", "One line.\n\nThe fault was mended.\n", TABLE))
    assert found == [(3, 'page.md:3: "mended": say "fix"')]


def test_a_phrase_over_a_line_break_is_found():
    assert lines("It can be seen by\nwhose word that is.")


def test_older_sections_of_the_changelog_are_left_alone():
    assert words.newest("# Changelog\n\n## New\n\nOne.\n\n## 0.1\n\nTold.\n") == "# Changelog\n\n## New\n\nOne.\n\n"
