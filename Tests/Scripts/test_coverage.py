# SPDX-License-Identifier: Apache-2.0
import coverage
import pytest


@pytest.fixture
def data(tmp_path, monkeypatch):
    """Counters of two modules, and of a package that was fetched."""
    monkeypatch.setattr(coverage, "ROOT", tmp_path)
    monkeypatch.setattr(coverage, "readable", list)

    def file(path, count, covered):
        return {"filename": str(tmp_path / path), "summary": {"lines": {"count": count, "covered": covered}}}

    def function(path, line, count, name):
        return {"filenames": [str(tmp_path / path)], "regions": [[line, 1, line + 2, 1, count]], "count": count, "name": name}
    return {
        "files": [file("Sources/ADM/A.swift", 100, 50), file("Sources/ADM/B.swift", 100, 100), file("Sources/AC4/C.swift", 10, 0),
                  file(".build/checkouts/Yams/D.swift", 1000, 0), file("Tests/ADMTests/E.swift", 1000, 1000)],
        "functions": [
            function("Sources/ADM/A.swift", 7, 0, "A.swift:hidden"), function("Sources/ADM/A.swift", 3, 2, "used"),
            # A generic function, for two types.
            function("Sources/ADM/B.swift", 5, 0, "genericOfInt"), function("Sources/ADM/B.swift", 5, 1, "genericOfText"),
            function(".build/checkouts/Yams/D.swift", 1, 0, "foreign")]}


def test_modules_are_summed(data):
    assert coverage.modules(data) == {"AC4": [10, 0], "ADM": [200, 150]}


def test_only_functions_that_nothing_executed_are_listed(data):
    assert list(coverage.unexecuted(data).values()) == ["hidden"]


def test_the_report_has_both(data):
    lines = coverage.report(data).splitlines()
    assert lines[1].split() == ["AC4", "10", "0", "0.0%"] and lines[3].split() == ["all", "210", "150", "71.4%"]
    assert lines[-2:] == ["1 functions that nothing executed:", "Sources/ADM/A.swift:7: hidden"]
