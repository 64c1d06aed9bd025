"""The pages of `pinna report` in Chromium: with light and dark colours, wide and narrow, by keyboard,
on paper, and with scripts off."""
import pytest
import sources
from devtools import SCHEMES

CLIENT = "Chromium page"
WIDTHS = (1280, 400)
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
    for name, reports in {"one": [one], "comparison": [differs], "several": several}.items():
        made[name] = folder / f"{name}.html", len(reports)
        sources.run(workshop.pinna, "report", *reports, "-o", made[name][0])
    return made


@pytest.mark.parametrize("name", ["one", "comparison", "several"])
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
    if sum(tag == "BUTTON" for tag, *_ in stops) != 9 or sum(tag == "SUMMARY" for tag, *_ in stops) != count:
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
