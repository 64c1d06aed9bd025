#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds and runs the tests, and prints at the end how many ran, which were skipped and why, and which took longest.

    .ci/run_tests.py [--fast] [--filter REGEX] [--no-parallel] [OPTION …]

--fast leaves out the tests that start other programs or take long. Each test target is a process of its own or a few, and some of
them run at once: tests that wait for a program hold threads of their process only. With --no-parallel one test runs after
the other. Other options go to `swift build`. The exit code is 1 when a test failed, when none ran or when one took more
than its budget. JUnit is written to out/tests.xml, and what each process printed to out/tests/TARGET.log
or TARGET-NUMBER.log.
"""
import argparse
import collections
import concurrent.futures
import datetime
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
SLOW_TESTS = ROOT / ".ci/slow_tests"
# The share of all tests' seconds that one test may take. Seconds would depend on the machine and its load, which stretch all
# tests alike; a share of 1/50 is sixty times that of the mean test. Only tests that run one after the other (--no-parallel)
# have times of their own: otherwise all begin at once, and each lasts until the last of its steps had its turn.
BUDGET = 0.02
# Targets that last longest begin first, each in so many processes: one that lasts longer than all others would be left alone
# at the end.
LONGEST = {"CommandTests": 3, "RenderingTests": 2, "SpatialTests": 1, "MediaInTests": 1, "AnalysisTests": 1, "ReportTests": 1,
           "AC4Tests": 1, "IAMFTests": 1, "LoudnessTests": 1}
# One more than cores, since CommandTests waits for programs half of its time.
AT_ONCE = (os.cpu_count() or 1) + 1
TESTCASE = re.compile(r'(<testcase classname=")(.*)(" name=")(.*?)("(?: time="[^"]*")? */?>)$', re.M)
# Lines of Swift Testing about what went well.
PASSES = ("✔", "◇", "➜")

Test = collections.namedtuple("Test", "name seconds failures skipped")
# What one process runs: its name, and the options that choose its tests.
Job = collections.namedtuple("Job", "name options")


def repaired(text):
    """JUnit of Swift Testing, which writes names without escapes."""
    def escaped(name):
        return re.sub(r"&(?!\w+;)", "&amp;", name).replace("<", "&lt;").replace('"', "&quot;")
    # A message may hold what a terminal got; XML has no such characters (XML 1.0, 2.2).
    text = re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", "\ufffd", text)
    return TESTCASE.sub(lambda row: row[1] + escaped(row[2]) + row[3] + escaped(row[4]) + row[5], text)


def read(text):
    """The tests of a JUnit file."""
    tests = []
    for case in xml.etree.ElementTree.fromstring(repaired(text).encode()).iter("testcase"):
        skipped = case.find("skipped")
        reason = None if skipped is None else (skipped.text or "").strip().strip('"') or "no reason is given"
        tests.append(Test(f"{case.get('classname')}/{case.get('name')}", float(case.get("time") or 0),
                          len(case.findall("failure")), reason))
    return tests


def joined(texts):
    """One JUnit file of several."""
    root = xml.etree.ElementTree.Element("testsuites")
    for name, text in texts.items():
        for suite in xml.etree.ElementTree.fromstring(repaired(text).encode()).iter("testsuite"):
            suite.set("name", name)
            root.append(suite)
    return xml.etree.ElementTree.tostring(root, encoding="unicode", xml_declaration=True)


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


def output(*words):
    return subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout


def shared_out(tests):
    """The processes that run the named tests, those that last longest first."""
    suites = collections.defaultdict(list)
    for target, suite in dict.fromkeys(re.match(r"(\w+)\.([^/]+)/", test).groups() for test in tests):
        suites[target].append(suite)
    jobs = []
    for target in [*(target for target in LONGEST if target in suites), *sorted(suites.keys() - LONGEST)]:
        parts = LONGEST.get(target, 1)
        for part in range(parts):
            chosen = "|".join(re.escape(suite) for suite in suites[target][part::parts])
            if chosen:
                name = target if parts == 1 else f"{target}-{part + 1}"
                jobs.append(Job(name, ["--filter", rf"^{target}\.({chosen})/"]))
    return jobs


def built(configuration, options):
    """Builds the tests; answers the program that runs them, and the names of the tests. Ends with the exit code of a failed build."""
    # `swift test` would add -enable-testing once more, and compile all again.
    code = subprocess.run(["swift", "build", "-c", configuration, *options, "--build-tests"], cwd=ROOT, check=False).returncode
    if code:
        sys.exit(code)
    place = output("swift", "build", "-c", configuration, *options, "--show-bin-path")
    program = next(pathlib.Path(place.strip()).glob("*PackageTests.xctest"))
    listing = output(program, "--testing-library", "swift-testing", "--list-tests")
    return program, [line for line in listing.splitlines() if re.match(r"\w+\.[^/]+/", line)]


def run(program, job, folder, is_serial):
    """Runs a process of tests; answers its exit code, its results as JUnit or None, and the seconds it took."""
    results = folder / f"{job.name}.xml"
    words = [program, "--testing-library", "swift-testing", *job.options, *(["--no-parallel"] if is_serial else []), "--xunit-output", results]
    start = time.monotonic()
    with (folder / f"{job.name}.log").open("wb") as log:
        code = subprocess.run(words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, check=False).returncode
    return code, results.read_text(encoding="utf-8") if results.exists() else None, time.monotonic() - start


def say(job, code, text, seconds, log):
    """Prints how a process ended, and of one that failed all that isn't about tests that passed."""
    ran = sum(test.skipped is None for test in read(text)) if text else 0
    print(f"{job.name}: {ran} tests {'ran, and some failed,' if code else 'passed'} in {seconds:.0f} s", flush=True)
    if code:
        print("".join(line + "\n" for line in log.read_text(errors="replace").splitlines() if not line.startswith(PASSES)), end="", flush=True)
    if not text:
        print(f"run_tests: {job.name} ended with {code} and left no results; {log} has its output", file=sys.stderr, flush=True)


def run_all(program, jobs, folder, is_serial):
    """Runs all processes, a few at once; answers their results as JUnit by name, and whether all went well."""
    texts, is_passed = {}, True
    with concurrent.futures.ThreadPoolExecutor(1 if is_serial else AT_ONCE) as pool:
        futures = {pool.submit(run, program, job, folder, is_serial): job for job in jobs}
        for future in concurrent.futures.as_completed(futures):
            job, (code, text, seconds) = futures[future], future.result()
            say(job, code, text, seconds, folder / f"{job.name}.log")
            is_passed = is_passed and code == 0 and text is not None
            if text:
                texts[job.name] = text
    return texts, is_passed


def arguments():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--filter", action="append", default=[])
    parser.add_argument("--no-parallel", action="store_true")
    parser.add_argument("-c", "--configuration", default="debug")
    return parser.parse_known_args()


def main():
    given, options = arguments()
    if given.fast:
        os.environ["PINNA_FAST"] = "1"
    out = ROOT / "out"
    shutil.rmtree(out / "tests", ignore_errors=True)
    (out / "tests").mkdir(parents=True)
    (out / "tests.xml").unlink(missing_ok=True)
    program, names = built(given.configuration, options)
    # Swift Testing joins filters by "or", so that a target's own can't be had with another one.
    jobs = [Job("chosen", [word for regex in given.filter for word in ("--filter", regex)])] if given.filter else shared_out(names)
    texts, is_passed = run_all(program, jobs, out / "tests", given.no_parallel)
    (out / "tests.xml").write_text(joined(texts), encoding="utf-8")
    tests = [test for text in texts.values() for test in read(text)]
    lines = summary(tests)
    print("\n".join(lines))
    faults = [] if tests else ["no test ran"]
    # A process that fails has said so; one that passes must not have lost a test on the way.
    if is_passed and not given.filter and len(tests) != len(names):
        faults.append(f"of {len(names)} tests that are listed, {len(tests)} have results")
    is_full = not given.filter and not os.environ.get("PINNA_FAST")
    # A soak has more rounds by intention.
    if is_full and not os.environ.get("PINNA_SOAK"):
        (out / "trust").mkdir(exist_ok=True)
        (out / "trust/tests").write_text(f"{datetime.date.today()}: {lines[-1]}\n")
    if is_full and given.no_parallel:
        faults += over_budget(tests, exceptions(SLOW_TESTS.read_text()))
    for fault in faults:
        print(f"run_tests: {fault}", file=sys.stderr)
    return 0 if is_passed and not faults else 1


if __name__ == "__main__":
    sys.exit(main())
