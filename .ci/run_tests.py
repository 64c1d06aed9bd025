#!/usr/bin/env python3
"""Runs the tests, and prints at the end how many ran, which were skipped and why, and which took longest.

    .ci/run_tests.py [--fast] [OPTION …]

--fast leaves out the tests that start other programs or take long. Options go to `swift test`; exit code is its own, or
1 when no test ran or one took more than its budget. JUnit and the log are kept as out/tests.xml and out/tests.log.
"""
import collections
import datetime
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
SLOW_TESTS = ROOT / ".ci/slow_tests"
# The share of all tests' seconds that one test may take. Seconds would depend on the machine and its load, which stretch all
# tests alike; a share of 1/50 is sixty times that of the mean test. Only tests that run one after the other (--no-parallel)
# have times of their own: otherwise all begin at once, and each lasts until the last of its steps had its turn.
BUDGET = 0.02
TESTCASE = re.compile(r'(<testcase classname=")(.*)(" name=")(.*?)("(?: time="[^"]*")? */?>)$', re.M)

Test = collections.namedtuple("Test", "name seconds failures skipped")


def read(text):
    """The tests of a JUnit file. Swift Testing writes names without escapes."""
    def escaped(name):
        return re.sub(r"&(?!\w+;)", "&amp;", name).replace("<", "&lt;").replace('"', "&quot;")
    text = TESTCASE.sub(lambda row: row[1] + escaped(row[2]) + row[3] + escaped(row[4]) + row[5], text)
    tests = []
    for case in xml.etree.ElementTree.fromstring(text.encode()).iter("testcase"):
        skipped = case.find("skipped")
        reason = None if skipped is None else (skipped.text or "").strip().strip('"') or "no reason is given"
        tests.append(Test(f"{case.get('classname')}/{case.get('name')}", float(case.get("time") or 0),
                          len(case.findall("failure")), reason))
    return tests


def exceptions(text):
    """Tests that may take longer, each with its reason."""
    rows = [line.split(None, 1) for line in text.splitlines() if line.strip() and not line.startswith("#")]
    for row in rows:
        if len(row) != 2:
            raise ValueError(f"{row[0]} stands in slow_tests without a reason")
    return dict(rows)


def over_budget(tests, allowed):
    """Sentences about tests that take too large a share, and about exceptions that nothing needs."""
    total = sum(test.seconds for test in tests)
    shares = {test.name: test.seconds / total for test in tests} if total else {}
    for name, share in shares.items():
        if share > BUDGET and name not in allowed:
            yield (f"{name} takes {share:.1%} of all tests' time, at most {BUDGET:.1%} are allowed: make it quicker, "
                   "or name it with a reason in .ci/slow_tests")
    for name in allowed:
        if name not in shares:
            yield f"{name} stands in .ci/slow_tests, but there is no such test"


def summary(tests):
    """Closing lines: the slowest tests, and how many ran and were skipped, why."""
    ran = [test for test in tests if test.skipped is None]
    total = sum(test.seconds for test in ran)
    lines = ["the slowest tests:"] if ran else []
    for test in sorted(ran, key=lambda test: -test.seconds)[:10]:
        lines.append(f"  {test.seconds:7.2f} s  {test.seconds / total if total else 0:6.2%}  {test.name}")
    reasons = collections.Counter(test.skipped for test in tests if test.skipped is not None)
    skipped = "; ".join(f"{reason} ({count})" for reason, count in reasons.most_common())
    failed = sum(test.failures > 0 for test in ran)
    lines.append(f"{len(ran)} tests ran, {failed} failed, {len(tests) - len(ran)} were skipped" + (f": {skipped}" if skipped else ""))
    return lines


def run(words, log):
    """Runs a command, with its output here and in the log."""
    with log.open("wb") as file, subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        for line in process.stdout:
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
            file.write(line)
    return process.returncode


def keep(log):
    """Keeps the result of a full run for `make trust`."""
    found = re.findall(r"Test run with .*", log.read_text(errors="replace"))
    if found:
        (ROOT / "out/trust").mkdir(parents=True, exist_ok=True)
        (ROOT / "out/trust/tests").write_text(f"{datetime.date.today()}: {found[-1]}\n")


def main():
    words = sys.argv[1:]
    if words[:1] == ["--fast"]:
        words = words[1:]
        os.environ["PINNA_FAST"] = "1"
    out = ROOT / "out"
    out.mkdir(exist_ok=True)
    # Swift Testing takes the second name where XCTest may write the first one.
    written = [out / "tests.xml", out / "tests-swift-testing.xml"]
    for path in written:
        path.unlink(missing_ok=True)
    code = run(["swift", "test", "--xunit-output", str(written[0]), *words], out / "tests.log")
    results = next((path for path in reversed(written) if path.exists()), None)
    if results is None:
        print("run_tests: there are no results, because the build failed or the tests crashed", file=sys.stderr)
        return code or 1
    results = results.replace(written[0])
    tests = read(results.read_text(encoding="utf-8"))
    is_full = not {"--filter", "--skip"} & set(words) and not os.environ.get("PINNA_FAST")
    print("\n".join(summary(tests)))
    faults = [] if tests else ["no test ran"]
    # A soak has more rounds by intention.
    if is_full and not os.environ.get("PINNA_SOAK"):
        keep(out / "tests.log")
    if is_full and "--no-parallel" in words:
        faults += over_budget(tests, exceptions(SLOW_TESTS.read_text()))
    for fault in faults:
        print(f"run_tests: {fault}", file=sys.stderr)
    return code or (1 if faults else 0)


if __name__ == "__main__":
    sys.exit(main())
