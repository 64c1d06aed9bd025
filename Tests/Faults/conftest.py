# SPDX-License-Identifier: Apache-2.0
"""Options of `make faults`, `make crash-consistency` and `make races`, rounds that run side by side, and figures."""
import collections
import concurrent.futures
import datetime
import pathlib
import sys

import jobs
import pytest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
FIGURES = pytest.StashKey[dict]()


def pytest_addoption(parser):
    parser.addoption("--pinna", default=".build/release/pinna", help="the program")
    parser.addoption("--seed", type=int, default=24, help="chooses the share and the moments (24)")
    parser.addoption("--jobs", type=int, default=2, help="rounds that run at once (2)")
    parser.addoption("--share", type=float, default=1.0, help="part of all points, chosen by the seed (1)")
    parser.addoption("--most", type=int, default=120, help="calls of one kind that are tried in one job (120)")
    parser.addoption("--anywhere", type=int, default=0, help="as --most, for calls about any file at all (0)")
    parser.addoption("--points", default=HERE / "points.txt", type=pathlib.Path,
                     help="points such as wav:write:3:ENOSPC, tried besides (those that once failed)")
    parser.addoption("--kills", type=int, default=500, help="moments at which a job is killed (500)")


@pytest.fixture(scope="session")
def shop(pytestconfig):
    return jobs.workshop(pytestconfig)


@pytest.fixture(scope="session")
def ahead(request):
    """Begins a round for one parameter of all chosen tests. As many as --jobs run at once; a test waits for its own."""
    pool = concurrent.futures.ThreadPoolExecutor(request.config.getoption("jobs"))

    def begin(name, play):
        chosen = [item.callspec.params for item in request.session.items if hasattr(item, "callspec")]
        return {params[name]: pool.submit(play, params[name]) for params in chosen if name in params}

    yield begin
    pool.shutdown(cancel_futures=True)


@pytest.fixture(scope="module")
def figures(request):
    """Counts by row and column, for the table below the results. The module's `told` makes a sentence of their sums, and
    says whether the run was a whole one."""
    return request.config.stash.setdefault(FIGURES, {}).setdefault(
        request.module, collections.defaultdict(collections.Counter))


def pytest_terminal_summary(terminalreporter, config):
    for module, rows in config.stash.get(FIGURES, {}).items():
        columns = list(dict.fromkeys(column for counts in rows.values() for column in counts))
        for name, cells in [("", columns), *((name, [rows[name][column] for column in columns]) for name in sorted(rows))]:
            terminalreporter.write_line(f"{name:10}" + "".join(f"{cell:>10}" for cell in cells))
        sentence, is_whole = module.told(sum(rows.values(), collections.Counter()), config)
        name = module.__name__.removeprefix("test_")
        terminalreporter.write_line(f"{name}: {sentence}")
        # Of a part of the rounds nothing is kept for `make trust`.
        if is_whole:
            kept = HERE.parents[1] / "out/trust" / name
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(f"{datetime.date.today()}: {sentence}\n")
