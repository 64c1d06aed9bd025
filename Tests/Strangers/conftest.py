# SPDX-License-Identifier: Apache-2.0
"""Options of `make strangers`, its rows, and what stands below its results."""
import collections
import csv
import datetime
import hashlib
import os
import pathlib
import shutil
import sys
import tempfile

import pytest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests/BadInputs"))
ROWS = pytest.StashKey[list]()
KEPT = ROOT / "out/trust/strangers"
COLUMNS = [
    "digest", "file", "bytes", "container", "codec", "exit", "outcome", "rate", "channels", "samples", "ffmpeg_samples", "priming",
    "priming_source", "padding_source", "stated", "stated_start", "stated_by", "cut", "gaps", "degradations", "messages",
    "differences", "unjudged", "note", "seconds", "ffmpeg_seconds", "sentence", "ffmpeg_says"]


def pytest_addoption(parser):
    parser.addoption("--pinna", default=".build/release/pinna", help="the program")
    parser.addoption("--media", help="a folder; all files below it are tried")
    parser.addoption("--csv", help="write a row for each file to this file")
    parser.addoption("--seconds", type=float, default=60, help="most seconds for one run on one file (60)")


def files(folder):
    """All files below a folder, but for hidden ones, in a fixed order."""
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (os.path.join(base, name) for name in sorted(names) if not name.startswith("."))


def pytest_generate_tests(metafunc):
    """A test for each file. Names of files may hold anything."""
    if "path" in metafunc.fixturenames:
        folder = metafunc.config.getoption("media")
        paths = [os.path.abspath(path) for path in files(folder)] if folder else []
        names = [os.path.relpath(path, folder).encode(errors="surrogateescape").decode("latin-1") for path in paths]
        metafunc.parametrize("path", paths, ids=[name.encode("unicode_escape").decode() for name in names])


@pytest.fixture(scope="session")
def rows(pytestconfig):
    return pytestconfig.stash.setdefault(ROWS, [])


@pytest.fixture(scope="session")
def scratch():
    made = tempfile.mkdtemp(prefix="pinna-strangers-")
    yield made
    shutil.rmtree(made, ignore_errors=True)


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def table(rows):
    """Counts of files by what became of them, and of differences by kind."""
    outcomes = collections.Counter(row["outcome"] for row in rows)
    kinds = collections.Counter(part.split(":")[0] for row in rows for part in row["unjudged"].split("; ") if part)
    slowest = max(rows, key=lambda row: row["seconds"])
    yield f"{len(rows)} files: " + ", ".join(f"{count} {name}" for name, count in outcomes.most_common())
    yield from (f"unjudged, {kind}: {count}" for kind, count in kinds.most_common())
    yield f"slowest: {slowest['seconds']} s, {slowest['file']}"


def pytest_terminal_summary(terminalreporter, config):
    rows = config.stash.get(ROWS, [])
    if not rows:
        return
    for line in table(rows):
        terminalreporter.write_line(line)
    if config.getoption("csv"):
        with open(config.getoption("csv"), "w", newline="", encoding="utf-8", errors="surrogateescape") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        # Of a part of the files nothing is kept for `make trust`.
        KEPT.parent.mkdir(parents=True, exist_ok=True)
        unjudged = sum(bool(row["unjudged"]) for row in rows)
        KEPT.write_text(f"{datetime.date.today()}: {len(rows)} files, {unjudged} with differences that weren't judged\n")
