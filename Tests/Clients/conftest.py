# SPDX-License-Identifier: Apache-2.0
"""Options of `make clients`, the clients that are installed, and the table of what they make of the files."""
import importlib.util
import json
import os
import pathlib
import shutil
import sys

import numpy
import pytest
import readers
import sources
from cases import Workshop
from chromium import Chromium
from devtools import Devtools

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
ROWS = pytest.StashKey[list]()
VERSIONS = pytest.StashKey[dict]()

_RENDITION_START = "the own HLS player lets every rendition begin at 0, with its start-up samples"
_OPEN_GOP = "seeking into an open GOP fails alike with the file that ffmpeg writes"
_START = "counts chapters from the start-up samples and time from the sound, alike with the file that ffmpeg writes"
_SEEKING = "seeking fails, PIPELINE_ERROR_DECODE"
# Goals that a reader is known to miss itself, and only with this figure: its very text, or a number within ±2.
FAULTS = {
    ("Chromium src", "open GOP, 3 B-frames, flac, sought"): (_SEEKING, _OPEN_GOP),
    ("Chromium src", "open GOP, 3 B-frames, aac, sought"): (_SEEKING, _OPEN_GOP),
    ("Chromium HLS", "sound, aac, to the end"): (1024, _RENDITION_START),
    ("Chromium HLS", "aligned, aac, to the end"): (1024, _RENDITION_START),
    ("Chromium HLS", "sound 499.333 ms late, aac, to the end"): (1024, _RENDITION_START),
    ("Chromium HLS", "aligned, aac"): (21.33, _RENDITION_START),
    ("Chromium HLS", "aligned, aac in groups, to the end"): (1024, _RENDITION_START),
    ("Chromium HLS", "aligned, aac in groups"): (21.33, _RENDITION_START),
    ("Chromium HLS", "sound 499.333 ms late, aac"): (21.33, _RENDITION_START),
    ("mpv", "mp3, chapters"): ("3, off by 23.021 ms", _START),
}


def pytest_addoption(parser):
    parser.addoption("--pinna", default=".build/release/pinna", help="the program")
    parser.addoption("--json", type=pathlib.Path, help="a file for the table")
    parser.addoption("--large", action="store_true", help="also the file of more than 4 GiB, and 1,000 tagged files")


class Table:
    """Rows of all clients; each is a subtest."""

    def __init__(self, rows, subtests):
        self.rows, self.subtests = rows, subtests

    def add(self, client, case, figure, goal="", met=None, value=None):
        """Adds a row; `met` is None where there is no goal, `value` is the number in `figure`."""
        known, reason = FAULTS.get((client, case), (None, ""))
        expected = known == figure or (
            isinstance(known, (int, float)) and value is not None and abs(value - known) <= 2)
        met = None if met is None else bool(met)
        fault = reason if met is False and expected else ""
        verdict = {None: "as it is", True: "met", False: "MISSED (reader)" if fault else "MISSED"}[met]
        self.rows.append({"client": client, "case": case, "figure": figure, "goal": goal or "–", "met": met,
                          "fault": fault, "verdict": verdict})
        with self.subtests.test(f"{client}, {case}"):
            if fault:
                pytest.xfail(fault)
            elif met is False:
                pytest.fail(f"{client}, {case}: {figure}, the goal is {goal}", pytrace=False)


@pytest.fixture
def table(pytestconfig, subtests):
    return Table(pytestconfig.stash.setdefault(ROWS, []), subtests)


@pytest.fixture(scope="session")
def installed(pytestconfig):
    """Gives the client of this name, or skips the test. Names that aren't clients are programs."""
    clients = {client.name: client for client in (
        *readers.readers(), *readers.players(), *readers.taggers(), Chromium())}
    pytestconfig.stash[VERSIONS] = {name: client.version for name, client in clients.items() if client.version}

    def find(name):
        client = clients.get(name)
        if not (client.version if client else shutil.which(name)):
            pytest.skip(f"{name}: not installed; make setup-clients")
        return client
    return find


@pytest.fixture(params=["ffmpeg", "PyAV", "GStreamer"])
def reader(request, installed):
    return installed(request.param)


@pytest.fixture(params=readers.PLAYERS)
def player(request, installed):
    return installed(request.param)


@pytest.fixture(scope="session")
def chromium(installed):
    return installed("Chromium")


@pytest.fixture
def browser(chromium):
    """A new browser for each test: nothing of another test is left in it."""
    with Devtools(chromium.program) as opened:
        yield opened


@pytest.fixture(scope="session")
def axe():
    """The source of axe-core. Its package isn't imported, because it would import Playwright."""
    spec = importlib.util.find_spec("axe_playwright_python")
    if not spec:
        pytest.skip("axe-core: not installed; make setup-clients")
    return (pathlib.Path(spec.submodule_search_locations[0]) / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def workshop(pytestconfig, tmp_path_factory):
    return Workshop(os.path.abspath(pytestconfig.getoption("pinna")), tmp_path_factory.mktemp("clients"))


@pytest.fixture(scope="session")
def studio(workshop):
    return sources.Studio(workshop.folder)


@pytest.fixture(scope="session")
def original():
    return sources.bursts(sources.FRAMES, sources.BURSTS).astype(numpy.float32) / 32768


@pytest.fixture(scope="session")
def wav(workshop):
    path = workshop.folder / "in.wav"
    sources.write_wav(path, sources.bursts(sources.FRAMES, sources.BURSTS))
    return path


@pytest.fixture(scope="session")
def walk():
    return ROOT / "Golden/Media/channel-walk.mkv"


def pytest_terminal_summary(terminalreporter, config):
    rows, versions = config.stash.get(ROWS, []), config.stash.get(VERSIONS, {})
    if not rows:
        return
    heads = ["client", "case", "figure", "goal", "verdict"]
    lines = [heads, *([row[head] for head in heads] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in [heads, ["-" * width for width in widths], *lines[1:]]:
        terminalreporter.write_line(f"| {' | '.join(cell.ljust(width) for cell, width in zip(line, widths))} |")
    terminalreporter.write_line(f"{len(rows)} rows by {', '.join(map(' '.join, versions.items()))}")
    if path := config.getoption("json"):
        # A reason is the client and why, as `installed` says it.
        reasons = {report.longrepr[2].removeprefix("Skipped: ") for report in terminalreporter.getreports("skipped")}
        path.parent.mkdir(parents=True, exist_ok=True)
        table = {"versions": versions, "rows": rows, "skipped": [reason.split(": ", 1) for reason in sorted(reasons)]}
        path.write_text(json.dumps(table, indent=1, ensure_ascii=False), encoding="utf-8")
