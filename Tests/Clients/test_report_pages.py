# SPDX-License-Identifier: Apache-2.0
"""The pages of `pinna report`, `batch` and `compare` in Chromium: with light and dark colours, wide and narrow, by keyboard,
on paper, with scripts off, filtered, and under an accessibility checker."""
import json
import math

import pytest
import sources
from devtools import SCHEMES

CLIENT = "Chromium page"
WIDTHS = (1280, 390)
NAMES = ("one", "comparison", "several", "objects", "batch")
# A name like this must stay a name.
HOSTILE = "a\"><script>alert(1)<\\script>&\u202egpj.wav"


@pytest.fixture(scope="module")
def pages(workshop, walk, tmp_path_factory):
    """The pages to look at by name, with the number of reports on each."""
    folder = tmp_path_factory.mktemp("pages")

    def make(name, *arguments, codes=(0,)):
        report = folder / f"{name}.json"
        if arguments[0] == "render":
            arguments += ("--report", report)
        done = sources.run(workshop.pinna, *arguments, codes=codes)
        if arguments[0] != "render":
            report.write_bytes(done)
        return report

    def render(name, source, *extra, codes=(0,)):
        return make(name, "render", source, "-o", folder / f"{name}.wav", *extra, codes=codes)

    hostile = folder / HOSTILE
    sources.write_wav(hostile, sources.bursts(sources.FRAMES, sources.BURSTS))
    one = render("one", walk, "--also", f"speakers:{folder / 'speakers.wav'}")
    quiet = render("quiet", walk, "-l", "-23", "-e", "none", "--layout", "stereo")
    bad = render("bad", hostile, "--peak-policy", "fail", "-l", "-1", codes=(8,))
    loud = render("loud", hostile, "-l", "-16")
    short = render("short", walk, "--end", "1.5s")
    off = render("off", hostile, "-l", "off")
    differs = make("differs", "compare", folder / "one.wav", folder / "quiet.wav", "--json", codes=(7,))
    alike = make("alike", "compare", folder / "one.wav", folder / "one.wav", "--json")
    valid = make("valid", "validate", folder / "one.wav", "--json")
    several = [one, bad, loud, quiet, short, off, differs, alike, valid]
    made = {}
    objects = folder / "objects.json"
    objects.write_text(json.dumps(with_objects(json.loads(one.read_text()))))
    for name, reports in {"one": [one], "several": several, "objects": [objects]}.items():
        made[name] = folder / f"{name}.html", len(reports)
        sources.run(workshop.pinna, "report", *reports, "-o", made[name][0])
    made["comparison"] = folder / "comparison.html", 1
    sources.run(workshop.pinna, "compare", folder / "one.wav", folder / "quiet.wav", "--html", made["comparison"][0], codes=(7,))
    made["batch"] = folder / "batch.html", batch(workshop, folder)
    return made


def with_objects(report):
    """The report with 20 objects at seven places, of which seven go round in circles."""
    places = [(-1, 1, 0), (1, 1, 0), (0, 1, 0), (-1, -1, 0), (1, -1, 0), (0, 0, 1), (0.5, 0.2, 0.5)]

    def way(number):
        x, y, z = places[number % 7]
        turns = [step / 40 * 2 * math.pi for step in range(41 if number % 3 == 0 else 1)]
        return [{"seconds": turn, "gain": 1, "position": [
            x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn), z]} for turn in turns]
    report["inputs"][0]["scene"] = [
        {"name": ("Walker", "Helicopter far above")[number % 2], "type": "object", "tracks": [number + 1], "start": 0.5,
         "end": 9, "changes": 12, "coordinates": "cartesian", "least": [-1, -1, 0], "greatest": [1, 1, 1],
         "path": way(number)} for number in range(20)]
    return report


def batch(workshop, folder):
    """Makes the page of a batch: twelve good files, a quiet one, a clipped one, a broken one and an empty one. Returns how many
    items it has."""
    inputs = folder / "batch"
    inputs.mkdir()
    sound = sources.bursts(sources.FRAMES, sources.BURSTS)
    for number in range(12):
        sources.write_wav(inputs / f"good {number}.wav", sound // (number + 1))
    sources.write_wav(inputs / "quiet.wav", sound // 900)
    sources.write_wav(inputs / "silent.wav", sound * 0)
    (inputs / "torn.wav").write_bytes((inputs / "good 0.wav").read_bytes()[:-999])
    (inputs / "empty.wav").touch()
    (inputs / "words.wav").write_text("no sound")
    sources.run(workshop.pinna, "batch", inputs, "-O", folder / "batch-out", "--html", folder / "batch.html", "-q",
                "-e", "none", "-l", "-16", codes=(10,))
    return len(list(inputs.iterdir()))


@pytest.mark.parametrize("name", NAMES)
def test_look(table, browser, pages, name):
    page, _ = pages[name]
    for scheme in SCHEMES:
        for width in WIDTHS:
            browser.show(width, scheme)
            browser.open(page.as_uri())
            browser.value("document.querySelectorAll('details').forEach(one => { one.open = true })")
            found = browser.faults()
            wrong = found["wrong"] + browser.noise(page)
            browser.picture(f"report-{name}-{scheme}-{width}.png")
            figure = f"{found['plots']} plots, contrast ≥ {found['least']:.1f}"
            table.add(CLIENT, f"{name}, {scheme}, {width} px", "; ".join(wrong[:4]) or figure,
                      "nothing wrong", not wrong and found["plots"] > 0)


def test_keyboard(table, browser, pages):
    """The skip link comes first, then the overview's headings, which sort, and links that open."""
    page, count = pages["several"]
    browser.show(1280, "light")
    browser.open(page.as_uri())
    told = []
    browser.press("Tab", number=9)
    if browser.value("document.activeElement.className") != "skip":
        told.append("the first stop isn't the skip link")
    if browser.value("document.activeElement.getBoundingClientRect().top") < 0:
        told.append("the skip link isn't seen when it has the focus")
    stops = []
    for _ in range(60):
        browser.press("Tab", number=9)
        stops.append(browser.value(
            "(e => [e.tagName, getComputedStyle(e).outlineStyle, e.getBoundingClientRect().width > 0,"
            " Math.round(e.getBoundingClientRect().top + scrollY)])(document.activeElement)"))
        if stops[-1][0] == "BODY":
            stops.pop()
            break
    if any(style == "none" or not seen for _, style, seen, _ in stops):
        told.append("a focus that can't be seen")
    tops = [top for *_, top in stops]
    if any(later < earlier - 60 for earlier, later in zip(tops, tops[1:])):
        told.append("the order of the stops isn't that of the page")
    if sum(tag == "BUTTON" for tag, *_ in stops) != 11 or sum(tag == "SUMMARY" for tag, *_ in stops) != count:
        told.append(f"stops are {[tag for tag, *_ in stops]}")
    order = ("[...document.querySelectorAll('.sortable tbody tr')]"
             ".map(row => Number(row.cells[4].dataset.key || NaN)).filter(one => !Number.isNaN(one))")
    browser.value("document.querySelectorAll('.sortable button')[4].focus()")
    for turn, sort in ((1, "ascending"), (-1, "descending")):
        browser.press("Enter", number=13)
        browser.call("Input.dispatchKeyEvent", type="char", text="\r")
        levels = browser.value(order)
        state = browser.value("document.querySelectorAll('.sortable th[scope=col]')[4].ariaSort")
        if levels != sorted(levels, reverse=turn < 0) or state != sort or len(levels) < 3:
            told.append(f"sorting gives {state} {levels}")
    browser.value("document.querySelector('.sortable a[href=\"#r2\"]').click()")
    browser.value("new Promise(done => setTimeout(done, 100))")
    if not browser.value("document.getElementById('r2').open"):
        told.append("a link doesn't open its report")
    told += browser.noise(page)
    table.add(CLIENT, "several, by keyboard", "; ".join(told) or f"{len(stops) + 1} stops",
              "skips, sorts, opens", not told)


@pytest.mark.parametrize("name", NAMES)
def test_accessibility(table, browser, pages, axe, name):
    """axe-core finds nothing, with closed and open reports, with light and dark colours, wide and narrow."""
    page, _ = pages[name]
    wrong = []
    for scheme in SCHEMES:
        for width in WIDTHS:
            browser.show(width, scheme)
            browser.open(page.as_uri())
            wrong += browser.accessibility(axe)
            browser.value("document.querySelectorAll('details').forEach(one => { one.open = true })")
            wrong += browser.accessibility(axe)
    table.add(CLIENT, f"{name}, axe-core", "; ".join(wrong[:4]) or "nothing", "nothing", not wrong)


def test_filter(table, browser, pages):
    """The filter shows rows by outcome and name, hides the reports of the others, and says how many are left."""
    page, count = pages["batch"]
    browser.show(1280, "light")
    browser.open(page.as_uri())

    def choose(outcome, name):
        browser.value(f"(([state, text]) => {{ const bar = document.querySelector('.filter');"
                      "bar.querySelector('select').value = state; bar.querySelector('input').value = text;"
                      "bar.querySelector('select').dispatchEvent(new Event('change')) })"
                      f"({json.dumps([outcome, name])})")
        rows = browser.value("[...document.querySelectorAll('.sortable tbody tr')].filter(row => row.checkVisibility())"
                             ".map(row => row.cells[0].textContent)")
        hidden = browser.value("document.querySelectorAll('details.report[hidden]').length")
        return rows, hidden, browser.value("document.querySelector('.filter [role=status]').textContent")
    every, hidden, words = choose("", "")
    wrong = [] if (len(every), hidden, words) == (count, 0, f"{count} of {count} rows") else [f"all: {words}"]
    if every[:2] != ["empty.wav", "words.wav"]:
        wrong.append(f"first {every[:2]}")
    for outcome, name, wanted in (("failed", "", ["empty.wav", "words.wav"]), ("damage", "", ["torn.wav"]),
                                  ("", "GOOD 1", ["good 1.wav", "good 10.wav", "good 11.wav"]),
                                  ("failed", "good", [])):
        rows, hidden, words = choose(outcome, name)
        if rows != wanted or hidden != count - len(wanted) or words != f"{len(wanted)} of {count} rows":
            wrong.append(f"{outcome} {name}: {rows}, {hidden} hidden, {words}")
    table.add(CLIENT, "batch, filtered", "; ".join(wrong) or f"{count} rows", "right rows", not wrong)


def test_folded(table, browser, pages):
    """A page of many items is short; a link shows its report, and nothing else."""
    page, _ = pages["batch"]
    browser.show(1280, "light")
    browser.open(page.as_uri())
    height = browser.value("document.documentElement.scrollHeight")
    shown = "[...document.querySelectorAll('details.report')].filter(one => one.checkVisibility()).map(one => one.id)"
    before = browser.value(shown)
    browser.value("document.querySelector('.sortable a[href=\"#r3\"]').click()")
    browser.value("new Promise(done => setTimeout(done, 100))")
    after = browser.value(shown)
    table.add(CLIENT, "batch, folded", f"{height} px, {before} then {after}", "below 2,500 px, r3",
              height < 2500 and before == [] and after == ["r3"])


def test_saved_table(table, browser, pages, tmp_path):
    """The browser saves the table that the link holds: a line for each item."""
    page, count = pages["batch"]
    browser.open(page.as_uri())
    browser.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    browser.value("document.querySelector('a[download]').click()")
    browser.wait("Page.downloadWillBegin")
    lines = []
    for _ in range(50):
        if (tmp_path / "pinna.csv").exists():
            lines = (tmp_path / "pinna.csv").read_text(encoding="utf-8").splitlines()
            break
        browser.value("new Promise(done => setTimeout(done, 100))")
    table.add(CLIENT, "batch, saved as CSV", f"{len(lines)} lines", f"{count + 1} lines",
              len(lines) == count + 1 and lines[0].startswith("item,status,exit,output,"))


def test_players(table, browser, pages):
    """The player loads nothing by itself, and then the whole output: the policy of the page lets it."""
    page, _ = pages["one"]
    browser.open(page.as_uri())
    noise = browser.noise(page)
    seconds = browser.value(
        "Promise.all([...document.querySelectorAll('audio')].map(player => new Promise(done => {"
        "player.onloadedmetadata = () => done(player.duration); player.onerror = () => done(0);"
        "player.preload = 'auto'; player.load() })))")
    table.add(CLIENT, "players", f"{seconds} s, {noise}", "two outputs of 15 s, loaded on demand",
              noise == [] and len(seconds) == 2 and all(abs(one - 15) < 0.1 for one in seconds))


def test_without_script(table, browser, pages):
    page, count = pages["several"]
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(page.as_uri())
    # The row of a report links to its part, #r1; those of its outputs link further down.
    rows = browser.value(
        "[...document.querySelectorAll('.sortable tbody tr a')]"
        ".filter(link => /^#r[0-9]+$/.test(link.getAttribute('href'))).length")
    buttons = browser.value("document.querySelectorAll('.sortable button').length")
    table.add(CLIENT, "several, scripts off", f"{rows} reports, {buttons} buttons",
              f"{count} reports, no buttons", (rows, buttons) == (count, 0))


def test_paper(table, browser, pages):
    page, _ = pages["one"]
    browser.show(1280, "dark")
    browser.open(page.as_uri())
    data = browser.call("Page.printToPDF", printBackground=True, paperWidth=8.27, paperHeight=11.69)
    browser.call("Emulation.setEmulatedMedia", media="print",
                 features=[{"name": "prefers-color-scheme", "value": "dark"}])
    ink = browser.value("getComputedStyle(document.body).color")
    table.add(CLIENT, "on paper", f"ink {ink}, {len(data['data']) * 3 // 4 // 1024} KiB",
              "dark ink", ink == "rgb(26, 33, 48)")
