#!/usr/bin/env python3
"""Makes one system call fail in each of thousands of runs of pinna, and judges what becomes of it.

faults.c is preloaded into ten short jobs. A point is a job, a kind of call, a number n and an error: the n-th call of that
kind fails with that error. After each point the exit code has to be one that the documentation gives for it, standard error
has to hold exactly one sentence, no other file may be left, and every output has to be absent, the old one, or the one of a
run without a fault, byte by byte. Then the same command is run undisturbed in the same folder and has to give that output.
"""
import argparse
import collections
import concurrent.futures
import errno
import mmap
import os
import random
import struct
import subprocess
import sys
import time

import jobs

HERE = os.path.dirname(os.path.abspath(__file__))
HALF = 0  # half of what was asked for, without an error

# Kinds in the order of faults.c, each with its errors.
KINDS = {
    "open": [errno.EMFILE, errno.EIO],
    "create": [errno.ENOSPC, errno.EIO, errno.EMFILE],
    "read": [errno.EIO, errno.EINTR, HALF],
    "write": [errno.ENOSPC, errno.EIO, errno.EINTR, HALF],
    "sync": [errno.EIO, errno.ENOSPC],
    "rename": [errno.EIO, errno.ENOSPC],
    "link": [errno.EIO, errno.EPERM],
    "unlink": [errno.EIO],
    "folder": [errno.ENOSPC, errno.EIO],
    "map": [errno.ENOMEM],
    "spawn": [errno.EAGAIN, errno.ENOMEM],
    "pipe": [errno.EMFILE],
    "poll": [errno.EINTR, errno.ENOMEM],
    "truncate": [errno.EIO, errno.ENOSPC],
    "status": [errno.EIO, errno.EACCES],
    "lock": [errno.ENOLCK, errno.EINTR],
    "duplicate": [errno.EMFILE],
    "memory": [errno.ENOMEM],
}
NAMES = list(KINDS)
# Shared objects whose requests for memory are refused. Swift's runtime and Foundation abort without memory.
BLOCKS = ["libav", "libswresample", "libsndfile", "libmysofa", "libhdf5", "libz.", "libopus", "libFLAC"]
# What libav does without memory isn't in Pinna's hands: what the program called, what was found, and why. These points are
# counted apart.
DECLARED = [
    ("avformat_find_stream_info", {"an output isn't the proved one", "exit code 5",
                                   "it says that it is done, but outputs are missing or differ",
                                   "the next run's output differs"},
     "libavformat takes a lack of memory for the end of what it looks at, and drops a packet"),
    ("avformat_write_header", {"an output isn't the proved one",
                               "it says that it is done, but outputs are missing or differ"},
     "libavformat leaves out the tags of a header that it has no memory for, and tells nobody"),
    ("avcodec_open2", {"it ends by signal 11", "left behind"},
     "libavcodec closes an encoder that it couldn't open half"),
    ("avcodec_alloc_context3", {"it ends by signal 6", "left behind"},
     "libavcodec ends the program by an assertion"),
]
STATE = struct.Struct("=32II256s")
# Exit codes that tell the user what the system said; the others blame something else.
TRY_AGAIN = {errno.ENOSPC, errno.EMFILE, errno.ENOMEM, errno.EAGAIN, errno.ENOLCK}

# What the sentence begins with, where an item of several has failed, and the lines that stand beside it.
SENTENCES = {"batch": ("FAILED  ", "pinna: "), "golden": ("FAILED  ", "ERROR  ", "pinna: ")}
BESIDES = {"batch": "batch: ", "golden": ("recorded  ", "golden")}


class Point:
    """One call of one job that is made to fail."""

    def __init__(self, job, kind, number, error, scope="job"):
        self.job, self.kind, self.number, self.error, self.scope = job, kind, number, error, scope

    def __str__(self):
        word = errno.errorcode.get(self.error, "half")
        return f"{self.job.name}:{self.kind}:{self.number}:{word}" + (":any" if self.scope != "job" else "")


class Tally:
    """What the library counted and what it made fail."""

    def __init__(self, path):
        with open(path, "wb") as file:
            file.write(bytes(STATE.size))
        self.path = path

    def read(self):
        with open(self.path, "rb") as file:
            values = STATE.unpack(file.read())
        return dict(zip(NAMES, values)), values[32], values[33].split(b"\0")[0].decode("utf-8", "replace")


class Harness:
    """Runs points and judges them."""

    def __init__(self, pinna, library, scratch):
        self.pinna, self.library, self.scratch = pinna, library, scratch
        self.inputs = os.path.join(scratch, "inputs")
        self.serial = 0

    def environment(self, place, tally, kind=-1, number=0, error=0, scope="job"):
        return {"LD_PRELOAD": self.library, "FAULTS_STATE": tally.path, "FAULTS_KIND": str(kind),
                "FAULTS_NUMBER": str(number), "FAULTS_ERROR": str(error),
                "FAULTS_ROOT": place.root + "/" if scope == "job" else "", "FAULTS_BLOCKS": ":".join(BLOCKS)}

    def counts(self, job, scope):
        """How many calls of each kind the undisturbed job makes."""
        place = jobs.prepare(job, self.inputs, os.path.join(self.scratch, f"count-{job.name}-{scope}"))
        tally = Tally(place.root + ".state")
        place.run([self.pinna] + job.words, self.environment(place, tally, scope=scope))
        place.remove()
        return tally.read()[0]

    def try_point(self, point, serial):
        """Answers what is wrong at this point, which call failed, and what the run was like."""
        place = jobs.prepare(point.job, self.inputs, os.path.join(self.scratch, f"run-{serial}"))
        tally = Tally(place.root + ".state")
        try:
            before = place.files()
            environment = self.environment(place, tally, NAMES.index(point.kind), point.number, point.error, point.scope)
            done = place.run([self.pinna] + point.job.words, environment)
            _, fired, call = tally.read()
            faults = judge(point, done, call, before, place.files())
            again = place.run([self.pinna] + point.job.again)
            faults += judge_again(point.job, again, before, place.files())
            return faults, call.replace(place.root, "") if fired else None, done
        finally:
            place.remove()
            os.unlink(tally.path)


def judge(point, done, call, before, after):
    """What is wrong with a run in which a call failed."""
    job = point.job
    faults = judge_end(point, done, call)
    whole = {path: data for path, data in after.items() if jobs.matches(path, job.outputs)}
    for path, data in whole.items():
        if data != job.reference.get(path) and data != before.get(path, b""):
            faults.append("an output isn't the proved one")
    if done.code == 0 or (done.code == job.code and is_recorded(done)):
        if whole != job.reference:
            faults.append("it says that it is done, but outputs are missing or differ")
    for path in after:
        if path in before or jobs.matches(path, job.outputs) or path.endswith("/") and "tmp/" not in path[:4]:
            continue
        # What can't be removed stays, until another run removes it.
        if not jobs.matches(path, job.private) and point.kind != "unlink":
            faults.append(f"left behind: {os.path.dirname(path)}/…{os.path.basename(path)[-7:-4]}")
    for path in before:
        if path not in after:
            faults.append("a file of the user's is gone")
    return sorted(set(faults))


def is_recorded(done):
    """Whether `golden record` says that it has recorded, which ends with the same code as a failure."""
    return any(line.startswith("recorded  ") for line in (done.stdout + done.stderr).splitlines())


def judge_end(point, done, call):
    """What is wrong with the exit code and the message."""
    faults = []
    lines = done.stderr.strip().splitlines()
    if done.hung:
        return ["it hangs"]
    if done.code < 0:
        return [f"it ends by signal {-done.code}"]
    if done.code == 0:
        if lines and not all(line.startswith("pinna: ") for line in lines):
            faults.append("done, but not only sentences on stderr")
        return faults
    if done.code not in expected_codes(point, call):
        faults.append(f"exit code {done.code}")
    said = [line for line in lines if line.startswith(SENTENCES.get(point.job.name, "pinna: "))]
    if len(said) != 1:
        faults.append(f"{len(said)} sentences on stderr")
    if len(lines) > len(said) and not all(line.startswith(BESIDES.get(point.job.name, "\n")) for line in lines
                                          if line not in said):
        faults.append("more than a sentence on stderr")
    if any(word in done.stderr for word in ("Fatal error", "Crash", "dumped", "Stack")):
        faults.append("a crash on stderr")
    return faults


def is_declared(point, call, faults):
    """Whether all that is wrong is what libav is known to do."""
    return point.kind == "memory" and any(
        (call or "").endswith(entrance) and all(fault.split(":")[0] in known for fault in faults)
        for entrance, known, _ in DECLARED)


def expected_codes(point, call):
    """Exit codes that name the cause, in the words of docs/reference/exit-codes.md."""
    codes = {75} if point.error in TRY_AGAIN else {3, 6}
    # What can't be read back isn't proved. libav may call damaged what it had no memory for.
    if "/.pinna-" in (call or "") and point.error not in TRY_AGAIN:
        codes.add(7)
    if point.kind == "memory":
        codes |= {3, 4, 7}
    if point.job.name == "batch":
        codes.add(10)
    if point.job.name == "golden":
        codes.add(7)
    return codes


def judge_again(job, done, before, after):
    """What is wrong after the undisturbed run of the same command."""
    faults = []
    # What is recorded already isn't recorded again.
    is_kept = job.name == "golden" and "is recorded already" in done.stderr
    if done.hung or done.code not in (0, job.code) and not is_kept:
        faults.append(f"the next run ends with {done.code}: {done.stderr.strip()[:200]}")
    if {path: data for path, data in after.items() if jobs.matches(path, job.outputs)} != job.reference:
        faults.append("the next run's output differs")
    for path in after:
        if path in before or path.endswith("/") or jobs.matches(path, job.outputs + list(job.private)):
            continue
        # Abandoned folders go when the next one is made. What is recorded already needs none.
        if is_kept and "/pinna-scratch-" in path:
            continue
        faults.append(f"the next run leaves {os.path.dirname(path)}/…{os.path.basename(path)[-7:-4]}")
    return sorted(set(faults))


def points_of(job, counts, scope, most):
    """Every n of every kind with every error; of more than `most` calls of a kind, evenly many."""
    points = []
    for kind, errors in KINDS.items():
        count = counts[kind]
        numbers = range(1, count + 1)
        if count > most:
            numbers = sorted({1 + i * (count - 1) // (most - 1) for i in range(most)})
        points += [Point(job, kind, number, error, scope) for number in numbers for error in errors]
    return points


def named(text, all_jobs):
    """The points of a list such as wav:write:3:ENOSPC."""
    points = []
    for line in text.split():
        name, kind, number, word, *scope = line.split(":")
        job = next(job for job in all_jobs if job.name == name)
        points.append(Point(job, kind, int(number), 0 if word == "half" else getattr(errno, word),
                            "any" if scope else "job"))
    return points


def choose(harness, chosen, arguments):
    """All points that are asked for, in an order that the seed gives."""
    points = []
    for job in chosen:
        points += points_of(job, harness.counts(job, "job"), "job", arguments.most)
        if arguments.anywhere:
            points += points_of(job, harness.counts(job, "any"), "any", arguments.anywhere)
    random.Random(arguments.seed).shuffle(points)
    return points[:max(1, round(len(points) * arguments.share))]


def run_all(harness, points, arguments):
    """Tries the points side by side; answers the counts and the failures."""
    found = []
    tried, occurred, survived, declared = (collections.Counter() for _ in range(4))
    started = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        futures = {pool.submit(harness.try_point, point, serial): point for serial, point in enumerate(points)}
        for number, future in enumerate(concurrent.futures.as_completed(futures)):
            point = futures[future]
            faults, call, done = future.result()
            tried[point.kind] += 1
            occurred[point.kind] += call is not None
            survived[point.kind] += call is not None and done.code == point.job.code
            if faults and is_declared(point, call, faults):
                declared[point.kind] += 1
            elif faults:
                found.append((point, faults, done, call))
                print(f"FAILED {point} in {call}: {'; '.join(faults)}; exit {done.code}; {done.stderr.strip()[:200]!r}",
                      flush=True)
            if arguments.verbose or number % 500 == 499:
                print(f"{number + 1} of {len(points)} points, {len(found)} failures, "
                      f"{time.monotonic() - started:.0f} s", flush=True)
    return found, tried, occurred, survived, declared


def show(found, tried, occurred, survived, declared):
    """Prints the counts by kind, and the failures by what they have in common."""
    print(f"{'kind':10} {'points':>7} {'occurred':>9} {'survived':>9} {'declared':>9} {'failures':>9}")
    failures = collections.Counter(point.kind for point, *_ in found)
    for kind in [kind for kind in NAMES if tried[kind]]:
        print(f"{kind:10} {tried[kind]:7} {occurred[kind]:9} {survived[kind]:9} {declared[kind]:9} {failures[kind]:9}")
    groups = collections.defaultdict(list)
    for point, faults, done, call in found:
        key = (point.job.name, point.kind, errno.errorcode.get(point.error, "half"), "; ".join(faults))
        groups[key].append((point, done, call))
    for key, members in sorted(groups.items(), key=lambda item: -len(item[1])):
        point, done, call = members[0]
        print(f"FAILED {len(members)}× {' '.join(key[:3])}: {key[3]}")
        print(f"   first: {point} in {call}; exit {done.code}; {done.stderr.strip()[:300]!r}")
        print(f"   all: {' '.join(str(member[0]) for member in members[:12])}")


def build(scratch):
    library = os.path.join(scratch, "libfaults.so")
    subprocess.run(["cc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-nonnull-compare", "-shared", "-fPIC",
                    "-o", library, os.path.join(HERE, "faults.c"), "-ldl"], check=True)
    return library


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    jobs.add_arguments(parser)
    parser.add_argument("--share", type=float, default=1.0, help="part of all points, chosen by the seed")
    parser.add_argument("--most", type=int, default=120, help="calls of one kind that are tried in one job")
    parser.add_argument("--anywhere", type=int, default=0, help="as --most, for calls about any file at all")
    parser.add_argument("--kinds", default="", help="kinds of calls, with commas between them")
    parser.add_argument("--points", help="a file with points such as wav:write:3:ENOSPC, tried besides")
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args()


def main():
    given = arguments()
    with jobs.scratch("faults", given) as (scratch, chosen):
        harness = Harness(os.path.abspath(given.pinna), build(scratch), scratch)
        jobs.make_inputs(harness.inputs, harness.pinna)
        for job in chosen:
            trouble = jobs.learn(job, harness.pinna, harness.inputs, os.path.join(scratch, "learn"))
            if trouble:
                print(f"faults: {job.name}: {trouble}")
                return 1
        points = choose(harness, chosen, given) if given.share > 0 else []
        points = [point for point in points if not given.kinds or point.kind in given.kinds.split(",")]
        if given.points:
            with open(given.points) as file:
                points = named(file.read(), chosen) + points
        result = run_all(harness, points, given)
    show(*result)
    jobs.tell("faults", f"{len(points)} points in {len(chosen)} jobs, {sum(result[2].values())} faults occurred, "
              f"{sum(result[4].values())} declared, {len(result[0])} failures",
              is_whole=given.share >= 1 and not given.only and not given.kinds)
    return 1 if result[0] else 0


if __name__ == "__main__":
    sys.exit(main())
