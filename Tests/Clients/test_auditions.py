# SPDX-License-Identifier: Apache-2.0
"""Listening pages in Chromium: how they look, what comes out sample by sample, and whether their tests find
what a simulated listener hears."""
import json
import math
import pathlib
import shutil

import pytest
import sources
from devtools import SCHEMES

CLIENT = "Chromium audition"
HERE = pathlib.Path(__file__).resolve().parent
WIDTHS = (1200, 400)
TOURNAMENTS = 100
LABELLED = {"button", "radio", "checkbox", "slider", "combobox", "tab", "progressbar", "tabpanel", "group"}


@pytest.fixture(scope="module")
def pages(workshop, walk, tmp_path_factory):
    """A folder with a page with four ways and one whose media lie in a folder; what `--json` says of the first."""
    folder = tmp_path_factory.mktemp("auditions")

    def make(name, *arguments):
        return json.loads(sources.run(workshop.pinna, "audition", walk, "-o", folder / name, "--json", "-q", *arguments))

    report = make("page.html", "--itd-scale", "0.9,1.2", "--room", "off,small", "--at", "0s,1s", "--length", "2s")
    # A colon would make the folder an address, a number sign cut its name off.
    make("100% #1? a:b.html", "--endpoint", "headphones,none", "--folder")
    return folder, report


@pytest.fixture
def page(pages):
    return pages[0] / "page.html"


def test_levels(table, pages):
    _, report = pages
    spread = max(excerpt["spreadLU"] for excerpt in report["excerpts"])
    table.add(CLIENT, "levels", f"{len(report['ways'])} ways within {spread:.4f} LU", "≤ 0.1 LU", spread <= 0.1)


def _prepare(browser, page, before=""):
    """Opens the page with the harness in it."""
    source = (HERE / "auditions.js").read_text(encoding="utf-8") + before
    script = browser.call("Page.addScriptToEvaluateOnNewDocument", source=source)["identifier"]
    browser.open(page.as_uri())
    browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)


def _names(browser):
    """Controls without a name."""
    browser.call("Accessibility.enable")
    wrong = []
    for node in browser.call("Accessibility.getFullAXTree")["nodes"]:
        role = node.get("role", {}).get("value")
        if not node.get("ignored") and role in LABELLED and not node.get("name", {}).get("value", "").strip():
            wrong.append(f"a {role} without a name")
    browser.call("Accessibility.disable")
    return wrong


def test_look(table, browser, page):
    for scheme in SCHEMES:
        for width in WIDTHS:
            # All of the page is in the window, so that pictures lack nothing.
            browser.show(width, scheme, height=3000)
            _prepare(browser, page)
            wrong, least = [], 21
            for part in ("listen", "tournament", "abx"):
                browser.value(f"document.getElementById('tab-{part}').click()")
                for step in ("", f"document.getElementById('{part}-start')?.click()"):
                    browser.value(step or "0")
                    found = browser.faults()
                    wrong += found["wrong"] + _names(browser)
                    least = min(least, found["least"])
                    name = f"audition-{part}{'-asked' if step else ''}-{scheme}-{width}.png"
                    if part != "listen" or not step:
                        browser.picture(name)
            wrong += browser.noise(page)
            table.add(CLIENT, f"{scheme}, {width} px", "; ".join(wrong[:4]) or f"contrast ≥ {least:.1f}",
                      "nothing wrong", not wrong)


def test_keyboard(table, browser, page):
    """Every stop is seen and in the order of the page; arrows change tabs."""
    browser.show(1200, "light")
    _prepare(browser, page)
    told, tops = [], []
    for _ in range(40):
        browser.press("Tab", number=9)
        tag, style, seen, top = browser.value(
            "(e => [e.tagName, getComputedStyle(e).outlineStyle, e.getBoundingClientRect().width > 0,"
            " Math.round(e.getBoundingClientRect().top + scrollY)])(document.activeElement)")
        if tag == "BODY":
            break
        if style == "none" or not seen:
            told.append(f"a focus that can't be seen on {tag}")
        tops.append(top)
    if any(later < earlier - 60 for earlier, later in zip(tops[1:], tops[2:])):
        told.append("the order of the stops isn't that of the page")
    browser.value("document.getElementById('tab-listen').focus()")
    browser.press("ArrowRight", number=39)
    if browser.value("document.activeElement.id + document.getElementById('tournament').hidden") != "tab-tournamentfalse":
        told.append("an arrow doesn't open the next tab")
    table.add(CLIENT, "by keyboard", "; ".join(told) or f"{len(tops)} stops", "seen, in order", not told)


def test_sound(table, browser, page):
    _prepare(browser, page)
    digests = browser.value("probe.digests()")
    same = sum(one == other for one, other in digests)
    table.add(CLIENT, "samples decoded", f"{same} of {len(digests)} digests", "all equal", same == len(digests) > 0)
    got = browser.value("probe.switching([[0.5, 2], [1.1, 4], [1.9, 1], [2.7, 3], [4.2, 2]])")
    met = got["differs"] == 0 and got["worstInRamps"] < 1e-5 and got["heard"] > 200_000 and got["ramps"] == 4800
    table.add(CLIENT, "switching", f"{got['differs']} of {2 * got['frames']} samples differ, "
              f"{got['worstInRamps']:.1e} within ramps of {got['ramps']} samples", "0, below 1e-5", met)


def _results(workshop, folder, *saved):
    paths = []
    for index, text in enumerate(saved):
        paths.append(folder / f"results-{index}.json")
        paths[-1].write_text(text, encoding="utf-8")
    return json.loads(sources.run(workshop.pinna, "audition", "results", *paths, "--json"))


def test_tournaments_and_abx(table, browser, page, workshop, tmp_path):
    _prepare(browser, page)
    answer = browser.value("probe.tournament('w2', true)")
    read = _results(workshop, tmp_path, answer["saved"])
    order = [way["label"] for way in read["ways"]]
    stated = browser.value("document.getElementById('tournament-setup').textContent.match(/at most ([0-9]+) /)[1]")
    met = (order == answer["order"] and answer["places"] == 64 and answer["winner"] == f"The winner is {order[0]}"
           and sum(way["places"] for way in read["ways"]) == 64 and answer["most"] == f"at most {stated}")
    table.add(CLIENT, "tournament with places",
              f"{answer['places']} places, {answer['pairs']} comparisons, {' > '.join(answer['order'])}",
              "results agree", met)
    for right in (16, 12, 8):
        answer = browser.value(f"probe.abx({right})")
        guess = sum(math.comb(16, count) for count in range(right, 17)) / 2 ** 16
        test = _results(workshop, tmp_path, answer["saved"])["abx"][-1]
        met = (answer["heading"] == f"{right} of 16 right" and test["right"] == right
               and abs(test["guessing"] - guess) < 1e-12 and test["isHeard"] == (guess < 0.05)
               and ("you hear a difference" in answer["text"]) == (guess < 0.05))
        table.add(CLIENT, f"ABX, {right} right", f"{answer['heading']}, by guessing {test['guessing']:.6f}",
                  f"{guess:.6f}", met)
    got = browser.value(f"probe.tournaments({TOURNAMENTS})")
    table.add(CLIENT, "tournaments of a listener who prefers one way in 4 of 5",
              f"{got['won']} of {TOURNAMENTS} won by it, at most {got['most']} comparisons", "≥ 95, at most 33",
              got["won"] >= 95 and got["most"] <= 33)
    done = browser.value("probe.save()")
    read = _results(workshop, tmp_path, done, done)
    met = read["tournaments"] == TOURNAMENTS + 1 and read["stopped"] == 0 and len(read["abx"]) == 3
    table.add(CLIENT, "results of all", f"{read['tournaments']} tournaments, {len(read['abx'])} ABX tests",
              "each once", met)


def test_haste(table, browser, page):
    """Whoever is faster than the decoder hears what was chosen last, and nothing else."""
    _prepare(browser, page, "\nprobe.delay = 100;")
    wrong = browser.value("probe.haste()")
    table.add(CLIENT, "faster than the decoder", "; ".join(wrong) or "as chosen", "as chosen", not wrong)


def test_folder(table, browser, pages):
    """Media beside the page are found without a server; a page whose media are gone says so."""
    page = pages[0] / "100% #1? a:b.html"
    _prepare(browser, page)
    # The page plays, or has told why it doesn't: no time is waited for.
    play = "document.getElementById('play').click(); probe.outcome()"
    here = browser.value(play)
    media = [event["params"]["request"]["url"] for event in browser.events
             if event.get("method") == "Network.requestWillBeSent" and event["params"]["type"] == "Script"]
    shutil.rmtree(page.with_name(page.stem + "-media"))
    _prepare(browser, page)
    gone = browser.value(play)
    met = here == "Stop " and len(media) == 2 and gone.startswith("Play The file") and "keep it beside" in gone
    table.add(CLIENT, "media in a folder", f"{len(media)} loaded; without them: {gone}", "plays; says so", met)


def test_without_sound(table, browser, page):
    _prepare(browser, page, "\ndelete globalThis.AudioContext; delete globalThis.webkitAudioContext;")
    told = browser.value("document.getElementById('trouble').textContent")
    hidden = browser.value("document.getElementById('parts').hidden")
    table.add(CLIENT, "without Web Audio", told, "a sentence", "Web Audio" in told and hidden)
