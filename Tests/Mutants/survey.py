#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts defects of one expression each at random places into the sources, and says which of them a test notices.

All defects go into one build of a copy of the committed sources. Each suite runs once to see by which defects it comes.
Then each defect runs against those suites, those of its own module first, until one fails. A defect that survives is
printed: it needs a test, or changes nothing that anybody could see.

With --kept, the defects are those of the patches in Kept instead of random ones, and the exit code is 1 when one survives that
Kept/noticed.txt says was noticed once.
"""
import argparse
import datetime
import json
import os
import random
import re
import subprocess
import sys
import time

import patches
import places

KEPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Kept")
ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
ERROR = re.compile(r"/Sources/(\S+?):(\d+):\d+: error: ")
# Swift Testing may colour the sign, and names a test by its sentence where it has one.
FAILED = re.compile(r"✘(?:\x1b\[[0-9;]*m)? Test (?:(\w+)\(|\"(.*?)\" (?:recorded|failed))")


class Survey:
    """A copy of the sources in a folder of its own, and what became known about it."""

    def __init__(self, folder, name, choose):
        """`choose` gives the places of the defects by number, and the texts of all files, for a folder of sources."""
        self.tree, self.folder = os.path.join(folder, "tree"), folder
        self.reach, self.results, self.unfit = {}, {}, []
        self.chosen, self.texts = choose(os.path.join(self.tree, "Sources"))
        self.state = os.path.join(folder, f"survey-{name}.json")
        if os.path.exists(self.state):
            with open(self.state, encoding="utf-8") as file:
                kept = json.load(file)
            if kept["commit"] == self.commit():
                self.reach, self.results, self.unfit = kept["reach"], kept["results"], kept["unfit"]

    def commit(self):
        return run(["git", "rev-parse", "HEAD"], self.tree).stdout.strip()

    def keep(self):
        """Keeps what is known, so that a survey that was interrupted can go on."""
        with open(self.state + ".new", "w", encoding="utf-8") as file:
            json.dump({"commit": self.commit(), "reach": self.reach, "results": self.results, "unfit": self.unfit}, file)
        os.rename(self.state + ".new", self.state)

    def fit(self):
        return {number: place for number, place in self.chosen.items() if number not in self.unfit}

    def write(self):
        """Writes the sources with all defects; files that don't change aren't touched, so that they aren't built again."""
        for path, text in places.written(self.texts, self.fit()).items():
            path = os.path.join(self.tree, "Sources", path)
            if not os.path.exists(path) or open(path, encoding="utf-8").read() != text:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)

    def build(self, words):
        """Builds; defects that don't compile are left out, until the rest does."""
        while True:
            self.write()
            done = run(["swift", "build"] + words, self.tree)
            if done.returncode == 0:
                return
            wrong = {self.nearest(*match.groups()) for match in ERROR.finditer(done.stdout + done.stderr)} - {None}
            if not wrong:
                sys.exit(f"mutants: the build fails:\n{(done.stdout + done.stderr)[-4000:]}")
            self.unfit += sorted(wrong)
            self.keep()

    def nearest(self, path, line):
        """The number of the defect that an error of the compiler is about."""
        close = [(abs(place.line + 1 - int(line)), number) for number, place in self.fit().items() if place.path == path]
        return min(close)[1] if close else None

    def tests(self, suites, environment, patience):
        """Runs suites one after the other; answers whether they passed, the tests that failed, and the seconds."""
        words = [os.path.join(self.tree, ".build/release/pinnaPackageTests.xctest"), "--testing-library", "swift-testing",
                 "--no-parallel"]
        for suite in suites:
            words += ["--filter", "^" + re.escape(suite) + "/"]
        start = time.monotonic()
        process = subprocess.Popen(words, cwd=self.tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   errors="replace", start_new_session=True,
                                   env={**os.environ, **environment, "SWIFT_BACKTRACE": "enable=no"})
        try:
            output, _ = process.communicate(timeout=patience)
            is_passed, failed = process.returncode == 0, sorted({name or words for name, words in FAILED.findall(output)})
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.communicate()
            is_passed, failed = False, ["hangs"]
        return is_passed, failed or ["ends by a trap"], time.monotonic() - start

    def suites(self):
        words = [".build/release/pinnaPackageTests.xctest", "--testing-library", "swift-testing", "--list-tests"]
        return sorted({line.split("/")[0] for line in run(words, self.tree).stdout.split("\n") if "/" in line})

    def look(self):
        """Notes by which defects each suite comes, and how long it takes."""
        for suite in self.suites():
            if suite in self.reach:
                continue
            record = os.path.join(self.folder, "reached")
            open(record, "w", encoding="utf-8").close()
            is_passed, failed, seconds = self.tests([suite], {"PINNA_REACHED": record}, 900)
            with open(record, encoding="utf-8") as file:
                numbers = sorted({int(word) for word in file.read().split() if word.isdigit()})
            self.reach[suite] = {"numbers": numbers if is_passed else [], "seconds": seconds}
            if not is_passed:
                print(f"mutants: {suite} fails without a defect and is left out: {', '.join(failed)}", flush=True)
            self.keep()

    def order(self, number):
        """The suites that come by a defect: its own module's first, those of a similar name before others, then short ones."""
        module, name = self.chosen[number].path.split("/")[0], os.path.basename(self.chosen[number].path)
        own = "CommandTests" if module == "PinnaCLI" else module + "Tests"
        words = re.findall("[A-Z][a-z0-9]+", name)

        def key(suite):
            target, name = suite.split(".", 1)
            return target != own, -sum(word in name for word in words), self.reach[suite]["seconds"]
        return sorted((suite for suite, known in self.reach.items() if number in known["numbers"]), key=key)

    def judge(self, number):
        """Runs a defect against suites until one fails."""
        suites = self.order(number)
        if not suites:
            return {"verdict": "no test comes by", "tests": []}
        group, seconds = [], 0
        for index, suite in enumerate(suites):
            group.append(suite)
            seconds += self.reach[suite]["seconds"]
            # Short suites of one target share a process.
            if seconds < 5 and index + 1 < len(suites) and suites[index + 1].split(".")[0] == suite.split(".")[0]:
                continue
            is_passed, failed, _ = self.tests(group, {"PINNA_MUTANT": str(number)}, max(60, 5 * seconds + 30))
            if not is_passed:
                return {"verdict": "noticed", "tests": [f"{group[0].split('.')[0]}: {name}" for name in failed[:3]]}
            group, seconds = [], 0
        return {"verdict": "survived", "tests": []}


def run(words, folder):
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, errors="replace", check=False)


def pick(found, seed, count):
    """Random places, at most one in a line, in the shares of the kinds."""
    numbers, chosen, taken = random.Random(seed), [], set()
    for kind, share in places.SHARES.items():
        some = [place for place in found if place.kind == kind]
        for place in numbers.sample(some, min(len(some), max(1, share * count // 100))):
            if (place.path, place.line) not in taken:
                taken.add((place.path, place.line))
                chosen.append(place)
    return chosen


def drawn(sources, seed, count):
    """Random defects."""
    found, texts = places.find(sources)
    return dict(enumerate(pick(found, seed, count))), texts


def kept(sources):
    """The defects of the patches; those whose line is gone are named."""
    chosen, texts, gone = patches.kept(KEPT, sources)
    for number in gone:
        print(f"{number}: its line is there no more; write the patch anew, or remove it with the reason", flush=True)
    return chosen, texts


def judge_kept(survey):
    """The exit code: 1 when a defect that was noticed once isn't any more, or when the list of those is only written now."""
    path = os.path.join(KEPT, "noticed.txt")
    if not os.path.exists(path):
        with open(path, "w", encoding="utf-8") as file:
            for number, known in survey.results.items():
                if known["verdict"] == "noticed":
                    file.write(f"{number}: {', '.join(known['tests'])}\n")
        print(f"mutants: wrote {path}; later runs are judged by it")
        return 1
    with open(path, encoding="utf-8") as file:
        before = [line.split(":")[0] for line in file if line[0].isdigit()]
    lost = [number for number in before if survey.results.get(number, {"verdict": "not there"})["verdict"] != "noticed"]
    print(f"mutants: {len(before) - len(lost)} of {len(before)} that were noticed before are noticed"
          + (f"; not noticed any more: {', '.join(lost)}" if lost else ""))
    return 1 if lost else 0


def copy(folder):
    """Puts the committed sources into a folder beside which the shared one is found."""
    os.makedirs(folder, exist_ok=True)
    tree = os.path.join(folder, "tree")
    if not os.path.exists(tree):
        subprocess.run(["git", "clone", "-q", ROOT, tree], check=True)
        os.symlink(os.path.join(ROOT, "..", "shared"), os.path.join(folder, "shared"))
        # `make setup-test` puts the packages of Python there that tests need.
        os.makedirs(os.path.join(tree, ".build"), exist_ok=True)
        os.symlink(os.path.join(ROOT, ".build", "test-venv"), os.path.join(tree, ".build", "test-venv"))
    for words in (["fetch", "-q", "origin"], ["reset", "-q", "--hard", "FETCH_HEAD"], ["clean", "-qfd", "Sources", "Tests"]):
        subprocess.run(["git", *words], cwd=tree, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1, help="of the choice of places")
    parser.add_argument("--count", type=int, default=200, help="how many defects")
    parser.add_argument("--folder", default=os.path.join(ROOT, ".build-mutants"), help="for the copy and its build")
    parser.add_argument("--kept", action="store_true", help="the patches in Kept instead of random defects")
    given = parser.parse_args()
    copy(given.folder)
    survey = Survey(given.folder, "kept", kept) if given.kept else Survey(
        given.folder, f"{given.seed}-{given.count}", lambda sources: drawn(sources, given.seed, given.count))
    # Without optimisation, errors in one module don't keep the compiler from the next one.
    survey.build(["--product", "pinna", "--scratch-path", os.path.join(given.folder, "check")])
    flags = subprocess.run(["make", "-s", "--no-print-directory", "-C", ROOT, "flags"], check=True, capture_output=True, text=True).stdout.split()
    survey.build(flags + ["--build-tests"])
    survey.look()
    for number, place in survey.fit().items():
        if str(number) not in survey.results:
            survey.results[str(number)] = survey.judge(number)
            survey.keep()
        known = survey.results[str(number)]
        print(f"{number}: {place}: {known['verdict']} {', '.join(known['tests'])}", flush=True)
    verdicts = [known["verdict"] for known in survey.results.values()]
    sentence = (f"{verdicts.count('noticed')} of {len(verdicts)} defects were noticed, {verdicts.count('no test comes by')} "
                f"lie where no test comes by ({'kept ones' if given.kept else f'seed {given.seed}'}, {len(survey.unfit)} didn't compile)")
    print(f"mutants: {sentence}")
    os.makedirs(os.path.join(ROOT, "out", "trust"), exist_ok=True)
    with open(os.path.join(ROOT, "out", "trust", "mutants"), "w", encoding="utf-8") as file:
        file.write(f"{datetime.date.today()}: {sentence}\n")
    if given.kept:
        sys.exit(judge_kept(survey))


if __name__ == "__main__":
    main()
