# SPDX-License-Identifier: Apache-2.0
"""Options of `make scale`, and the table of what it found: case, figure, goal, ok."""
import datetime
import os
import pathlib
import shutil
import sys
import tempfile

import pytest

sys.dont_write_bytecode = True
ROWS = pytest.StashKey[list]()
KEPT = pathlib.Path(__file__).resolve().parents[2] / "out/trust/scale"


def pytest_addoption(parser):
    parser.addoption("--pinna", default=".build/release/pinna", help="the program")
    parser.addoption("--items", type=int, default=100_000, help="items of the batch (100000)")
    parser.addoption("--hours", type=int, default=12, help="length of the long programme (12)")
    parser.addoption("--folder", help="where to work; it needs 20 GB (default: the temporary folder)")


class Table:
    """Rows of cases; each is a subtest."""

    def __init__(self, rows, subtests):
        self.rows, self.subtests = rows, subtests

    def add(self, case, figure, goal, is_ok):
        """Adds a row, and prints it at once."""
        self.rows.append((case, str(figure), str(goal), "ok" if is_ok else "NO"))
        self.note(" | ".join(self.rows[-1]))
        with self.subtests.test(case):
            assert is_ok, f"{figure}, the goal is {goal}"

    def note(self, text):
        """Prints something that isn't judged."""
        print(text, flush=True)


@pytest.fixture
def table(pytestconfig, subtests):
    return Table(pytestconfig.stash.setdefault(ROWS, []), subtests)


@pytest.fixture
def pinna(pytestconfig):
    return os.path.abspath(pytestconfig.getoption("pinna"))


@pytest.fixture
def folder(pytestconfig):
    """A place to work in, empty again before the next case needs the disk."""
    made = tempfile.mkdtemp(prefix="pinna-scale-", dir=pytestconfig.getoption("folder"))
    yield made
    shutil.rmtree(made)


def pytest_terminal_summary(terminalreporter, config):
    rows = config.stash.get(ROWS, [])
    for row in [("case", "figure", "goal", "ok"), ("---",) * 4, *rows] if rows else []:
        terminalreporter.write_line(f"| {' | '.join(row)} |")
    # Of a part of the cases nothing is kept for `make trust`.
    if rows and not config.getoption("keyword"):
        KEPT.parent.mkdir(parents=True, exist_ok=True)
        failed = sum(row[3] != "ok" for row in rows)
        KEPT.write_text(f"{datetime.date.today()}: {len(rows)} figures, {failed} beyond their goals\n")
