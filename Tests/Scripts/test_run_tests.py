# SPDX-License-Identifier: Apache-2.0
import os
import re
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


def test_results_of_several_processes_become_one_file():
    text = run_tests.joined({"ADMTests": RESULTS, "none": "<testsuites />", "more": RESULTS})
    assert run_tests.read(text) == 2 * run_tests.read(RESULTS)
    assert text.count('name="ADMTests"') == 1


def test_each_test_runs_once_and_the_longest_begin_first():
    names = [f"CommandTests.Suite{number}/a{test}()" for number in range(7) for test in range(3)] + [
        "CommandTests.`a suite (with signs)`/b()", "CommandTests.Suite11/c()", "ADMTests.Outer/Inner/d()", "SpatialTests.Some/e()"]
    jobs = run_tests.shared_out(names)
    assert [job.name for job in jobs] == ["CommandTests-1", "CommandTests-2", "CommandTests-3", "SpatialTests", "ADMTests"]
    for name in names:
        assert sum(bool(re.search(job.options[1], name)) for job in jobs) == 1


@pytest.fixture
def swift(tmp_path, monkeypatch):
    """Stands in for swift, whose build makes a program of two targets: ATests writes the given results and ends with the given
    code, BTests always passes."""
    def make(results, code):
        (tmp_path / "results").write_text(results)
        program(tmp_path / "swift", f"echo {tmp_path}")
        a_tests = f"cp {tmp_path}/results $last; echo ✔ passes; echo ✘ is wrong; exit {code}" if results else f"exit {code}"
        b_tests = """printf '<testsuites><testsuite>\\n<testcase classname="BTests" name="two"/>\\n</testsuite></testsuites>\\n' > $last"""
        program(tmp_path / "xPackageTests.xctest", f"for last; do :; done; case \"$*\" in *--list-tests) printf 'ATests.Some/%s()\\n' one two three four; echo 'BTests.Some/two()';; *ATests*) {a_tests};; *) {b_tests};; esac")

    def program(path, text):
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    for name in ("PINNA_FAST", "PINNA_SOAK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(run_tests, "ROOT", tmp_path)
    monkeypatch.setattr("sys.argv", ["run_tests.py", "-c", "release"])
    return make


@pytest.mark.parametrize("results, code, expected, count", [
    (RESULTS, 1, 1, 5), ("", 0, 1, 1), ("", 139, 1, 1), (RESULTS, 0, 0, 5),
])
def test_the_exit_code_says_whether_all_went_well(swift, tmp_path, capfd, results, code, expected, count):
    swift(results, code)
    assert run_tests.main() == expected
    assert len(run_tests.read((tmp_path / "out/tests.xml").read_text())) == count
    said = capfd.readouterr()
    assert "BTests: 1 tests passed" in said.out and "✔" not in said.out
    assert ("✘ is wrong" in said.out) == (code == 1) and ("ATests ended with" in said.err) == (not results)


def test_a_test_without_a_result_fails(swift, tmp_path, capfd):
    swift(RESULTS.replace('<testcase classname="ADMTests.TimeTests" name="quick()" time="0.5" />', ""), 0)
    assert run_tests.main() == 1
    assert "of 5 tests that are listed, 4 have results" in capfd.readouterr().err


def test_a_filter_that_fits_nothing_fails(swift, capfd, monkeypatch):
    swift("<testsuites />", 0)
    monkeypatch.setattr("sys.argv", ["run_tests.py", "--filter", "ATests"])
    assert run_tests.main() == 1
    assert "no test ran" in capfd.readouterr().err


def test_a_build_that_fails_ends_with_its_code(swift, tmp_path):
    swift(RESULTS, 0)
    (tmp_path / "swift").write_text("#!/bin/sh\nexit 3\n")
    with pytest.raises(SystemExit, match="3"):
        run_tests.main()
