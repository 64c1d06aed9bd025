# SPDX-License-Identifier: Apache-2.0
"""Options of `make lv2-survey`, and what its rows say below the results."""
import json
import sys

import pytest

sys.dont_write_bytecode = True
ROWS = pytest.StashKey[dict]()


def pytest_addoption(parser):
    parser.addoption("--pinna", default=".build/release/pinna", help="the program")
    parser.addoption("--json", help="write all rows to this file")
    parser.addoption("--least", type=int, default=384, help="effects that must render (384)")
    parser.addoption("--seconds", type=float, default=300, help="most seconds for one plugin (300)")


@pytest.fixture(scope="module")
def rows(request):
    return request.config.stash.setdefault(ROWS, {}).setdefault(request.module, [])


def pytest_terminal_summary(terminalreporter, config):
    for module, rows in config.stash.get(ROWS, {}).items():
        for line in module.told(rows, config):
            terminalreporter.write_line(line)
        if config.getoption("json"):
            with open(config.getoption("json"), "w") as file:
                json.dump(rows, file, indent=1)
