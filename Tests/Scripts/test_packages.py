# SPDX-License-Identifier: Apache-2.0
import re
import subprocess

import pytest
from conftest import ROOT

ROWS = [line.split(None, 4) for line in (ROOT / ".ci/packages").read_text().splitlines() if line and line[0] != "#"]


def setup(*words):
    return subprocess.run([ROOT / ".ci/setup", *words], capture_output=True, text=True, check=False)


def test_each_row_has_its_columns():
    assert all(len(row) == 5 for row in ROWS)
    # A module of pkg-config is a Debian package for development.
    assert all(row[2].endswith("-dev") for row in ROWS if row[1][0] not in "@=")


def test_modules_of_the_package_are_those_of_the_list():
    manifest = (ROOT / "Package.swift").read_text()
    modules = {name for names in re.findall(r'pkgConfig: "([^"]+)"', manifest) for name in names.split()}
    assert modules and modules <= {row[1] for row in ROWS if row[0] in ("product", "test")}
    packages = {name for names in re.findall(r"\.apt\(\[([^\]]+)\]", manifest) for name in re.findall(r'"([^"]+)"', names)}
    assert packages and packages <= {row[2] for row in ROWS}


def test_groups_that_make_names_are_there():
    used = re.findall(r"\.ci/setup ([a-z0-9 ]+)", (ROOT / "Makefile").read_text())
    groups = {group for words in used for group in words.split()}
    assert groups and groups <= {row[0] for row in ROWS}


@pytest.mark.parametrize("words", [["nothing"], ["product", "nothing"], ["--debian", "nothing"]])
def test_an_unknown_group_is_an_error(words):
    done = setup(*words)
    assert done.returncode == 1 and "has no group nothing" in done.stderr


def test_groups_are_printed_for_other_tools():
    assert setup("--debian", "venv", "tarball").stdout == "python3-venv\nxz-utils\npatchelf\n"
    assert "libavformat" in setup("--modules", "product", "lint").stdout.split()
    assert "@" not in setup("--modules", "product", "lint").stdout
