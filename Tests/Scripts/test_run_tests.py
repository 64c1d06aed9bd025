import os
import stat

import pytest
import run_tests
from conftest import ROOT

RESULTS = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="TestResults" errors="0" tests="4" failures="1" skipped="2" time="3.5">
    <testcase classname="ADMTests.TimeTests" name="quick()" time="0.5" />
    <testcase classname="ADMTests.TimeTests" name="a < b & "c"" time="1.5" >
      <failure message="Expectation failed: 1 &lt; 0" />
    </testcase>
    <testcase classname="ADMTests.MediaTests" name="needsMedia()" >
      <skipped>"the media aren't here"</skipped>
    </testcase>
    <testcase classname="ADMTests.MediaTests" name="off()" >
      <skipped />
    </testcase>
  </testsuite>
</testsuites>
"""
EVEN = [run_tests.Test(f"A.B/c{number}()", 0.1, 0, None) for number in range(100)]


def test_results_are_read_although_names_are_not_escaped():
    assert run_tests.read(RESULTS) == [
        ("ADMTests.TimeTests/quick()", 0.5, 0, None), ('ADMTests.TimeTests/a < b & "c"', 1.5, 1, None),
        ("ADMTests.MediaTests/needsMedia()", 0, 0, "the media aren't here"), ("ADMTests.MediaTests/off()", 0, 0, "no reason is given")]


def test_closing_lines_count_tests_and_give_reasons():
    lines = run_tests.summary(run_tests.read(RESULTS))
    assert lines[-1] == "2 tests ran, 1 failed, 2 were skipped: the media aren't here (1); no reason is given (1)"
    assert lines[1].split() == ["1.50", "s", "75.00%", "ADMTests.TimeTests/a", "<", "b", "&", '"c"']
    assert run_tests.summary([]) == ["0 tests ran, 0 failed, 0 were skipped"]


def test_a_test_over_its_share_is_refused():
    slow = run_tests.Test("A.B/slow()", 0.3, 0, None)
    assert not list(run_tests.over_budget(EVEN, {}))
    found = list(run_tests.over_budget([*EVEN, slow], {}))
    assert len(found) == 1 and found[0].startswith("A.B/slow() takes 2.9%")
    # Shares don't change on a machine that is ten times slower.
    assert found == list(run_tests.over_budget([test._replace(seconds=test.seconds * 10) for test in [*EVEN, slow]], {}))


def test_an_exception_has_a_reason_and_a_test():
    slow = run_tests.Test("A.B/slow()", 0.3, 0, None)
    allowed = run_tests.exceptions("# comment\nA.B/slow()  it is the oracle of all others\n")
    assert not list(run_tests.over_budget([*EVEN, slow], allowed))
    assert list(run_tests.over_budget(EVEN, allowed)) == ["A.B/slow() stands in .ci/slow_tests, but there is no such test"]
    with pytest.raises(ValueError):
        run_tests.exceptions("A.B/slow()\n")
    run_tests.exceptions((ROOT / ".ci/slow_tests").read_text())


@pytest.fixture
def swift(tmp_path, monkeypatch):
    """A program that stands in for swift: writes the given results and ends with the given code."""
    def make(results, code):
        (tmp_path / "results").write_text(results)
        program = tmp_path / "swift"
        copy = f'cp {tmp_path}/results "${{3%.xml}}-swift-testing.xml"' if results else "true"
        program.write_text(f"#!/bin/sh\necho a line; {copy}; exit {code}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    for name in ("PINNA_FAST", "PINNA_SOAK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(run_tests, "ROOT", tmp_path)
    monkeypatch.setattr("sys.argv", ["run_tests.py", "-c", "release"])
    return make


@pytest.mark.parametrize("results, code, expected", [
    (RESULTS, 1, 1), ("", 0, 1), ("", 139, 139), ("<testsuites />", 0, 1),
    ("<testsuites>" + "".join(f'<testcase classname="A" name="b{one}" time="1"/>\n' for one in range(60)) + "</testsuites>", 0, 0),
])
def test_the_exit_code_says_whether_all_went_well(swift, tmp_path, capfd, results, code, expected):
    swift(results, code)
    assert run_tests.main() == expected
    assert (tmp_path / "out/tests.log").read_text() == "a line\n" and "a line" in capfd.readouterr().out
    assert (tmp_path / "out/tests.xml").exists() == bool(results)
