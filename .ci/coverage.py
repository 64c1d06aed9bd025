#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests with counters, and writes which code they execute.

    .ci/coverage.py [OPTION …]

Options go to .ci/run_tests.py, which builds in .build-coverage. out/coverage.txt has the lines of each module and how many of them
were executed, and the functions that nothing executed. A failing test doesn't keep the report from being written, but
is the exit code.
"""
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build-coverage"


def tool(name):
    """A program of the toolchain that swift is of."""
    return pathlib.Path(shutil.which("swift")).resolve().parent / name


def count(options):
    """Runs the tests; answers their exit code and what llvm-cov exports."""
    for old in BUILD.rglob("*.profraw"):
        old.unlink()
    # One file for each process, since one that is killed while it adds to a common file spoils it: some gigabytes in all.
    counters = {"LLVM_PROFILE_FILE": str(BUILD / "counters/%p.profraw")}
    words = [ROOT / ".ci/run_tests.py", "--enable-code-coverage", "--scratch-path", BUILD, *options]
    code = subprocess.run(words, cwd=ROOT, env={**os.environ, **counters}, check=False).returncode
    raw = list(BUILD.rglob("*.profraw"))
    # The tests start the program, too, and its counters are its own.
    programs = [path for pattern in ("*/*/*PackageTests.xctest", "*/*/pinna") for path in BUILD.glob(pattern) if path.is_file()]
    if not raw or not programs:
        sys.exit(code or "coverage: the tests left no counters")
    return code, export(raw, programs)


def export(raw, programs):
    """The counters of programs, as llvm-cov writes them."""
    merged = BUILD / "merged.profdata"
    names = BUILD / "counters.txt"
    names.write_text("\n".join(map(str, raw)))
    # Files of killed processes may be cut; they are named and left out.
    subprocess.run([tool("llvm-profdata"), "merge", "-sparse", "-failure-mode=all", "-f", names, "-o", merged], check=True)
    others = [word for program in programs[1:] for word in ("-object", program)]
    done = subprocess.run(
        [tool("llvm-cov"), "export", "-skip-expansions", "-skip-branches", "-instr-profile", merged, programs[0], *others],
        check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)["data"][0]


def module(path):
    """The module of a source file; None of a file that isn't the project's."""
    place = pathlib.Path(path)
    if not place.is_relative_to(ROOT / "Sources"):
        return None
    return place.relative_to(ROOT / "Sources").parts[0]


def modules(data):
    """For each module its lines, and how many of them were executed."""
    lines = collections.defaultdict(lambda: [0, 0])
    for file in data["files"]:
        if name := module(file["filename"]):
            lines[name][0] += file["summary"]["lines"]["count"]
            lines[name][1] += file["summary"]["lines"]["covered"]
    return dict(sorted(lines.items()))


def unexecuted(data):
    """Place and mangled name of the functions that nothing executed. A generic function is there once for each type; one of
    them is enough."""
    executed, found = set(), {}
    for function in data["functions"]:
        place = function["filenames"][0], function["regions"][0][0]
        if function["count"]:
            executed.add(place)
        elif module(place[0]):
            # Functions of one file are named file.swift:name where they are private.
            found[place] = function["name"].rsplit(":", 1)[-1]
    return {place: name for place, name in sorted(found.items()) if place not in executed}


def readable(names):
    """Names as Swift's source has them."""
    done = subprocess.run([tool("swift-demangle"), "-simplified"], input="\n".join(names), capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def report(data):
    """The text of the report."""
    rows = ["module               lines  executed        %"]
    found = modules(data)
    total = [sum(row[0] for row in found.values()), sum(row[1] for row in found.values())]
    for name, (lines, executed) in [*found.items(), ("all", total)]:
        rows.append(f"{name:18} {lines:7}  {executed:8}  {executed / lines if lines else 1:7.1%}")
    places = unexecuted(data)
    rows += ["", f"{len(places)} functions that nothing executed:"]
    for (path, line), name in zip(places, readable(places.values())):
        rows.append(f"{pathlib.Path(path).relative_to(ROOT)}:{line}: {name}")
    return "\n".join(rows) + "\n"


def main():
    code, data = count(sys.argv[1:])
    text = report(data)
    (ROOT / "out").mkdir(exist_ok=True)
    (ROOT / "out/coverage.txt").write_text(text)
    table, _, rest = text.partition("\n\n")
    print(f"{table}\ncoverage: {rest.splitlines()[0].rstrip(':')}, see out/coverage.txt")
    return code


if __name__ == "__main__":
    sys.exit(main())
