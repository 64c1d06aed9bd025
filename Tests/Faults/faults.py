# SPDX-License-Identifier: Apache-2.0
"""Points at which a call fails, runs in which faults.c makes it fail, and their judgement."""
import errno
import os
import re
import struct
import subprocess
import tempfile

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
BLOCKS = ["libav", "libswresample", "libsndfile", "libhdf5", "libz.", "libopus", "libFLAC"]
# libav's ways without memory aren't in Pinna's hands: what the program called, what was found, and why. These points are
# counted apart.
DECLARED = [
    ("avformat_find_stream_info", {"an output isn't the proved one", "exit code 5",
                                   "it says that it is done, but outputs are missing or differ",
                                   "the next run's output differs"},
     "libavformat takes a lack of memory for the end of what it looks at, and drops a packet"),
    ("avcodec_open2", {"it ends by signal 11", "left behind"},
     "libavcodec closes an encoder that it couldn't open half"),
    ("avcodec_alloc_context3", {"it ends by signal 6", "left behind"},
     "libavcodec ends the program by an assertion"),
]
STATE = struct.Struct("=32II256s")
# Exit codes that tell the user what the system said; the others blame something else.
TRY_AGAIN = {errno.ENOSPC, errno.EMFILE, errno.ENOMEM, errno.EAGAIN, errno.ENOLCK}

# Beginnings of the sentence, where an item of several has failed, and of the lines that stand beside it.
SENTENCES = {"batch": ("FAILED  ", "pinna: "), "golden": ("FAILED  ", "ERROR  ", "pinna: ")}
BESIDES = {"batch": "batch: ", "golden": ("recorded  ", "golden")}


class Point:
    """One call of one job that is made to fail."""

    def __init__(self, job, kind, number, error, scope="job"):
        self.job, self.kind, self.number, self.error, self.scope = job, kind, number, error, scope

    def __str__(self):
        word = errno.errorcode.get(self.error, "half")
        return f"{self.job.name}:{self.kind}:{self.number}:{word}" + (":any" if self.scope != "job" else "")


class Harness:
    """Runs points and judges them."""

    def __init__(self, shop):
        self.shop, self.library = shop, build(shop.scratch)
        self.tried = set()

    def run(self, place, job, kind=-1, number=0, error=0, scope="job"):
        """Runs the job with the library; answers the run, how often each kind was called, and which call failed."""
        with tempfile.NamedTemporaryFile(dir=self.shop.scratch, buffering=0) as state:
            state.write(bytes(STATE.size))
            done = place.run([self.shop.pinna] + job.words, {
                "LD_PRELOAD": self.library, "FAULTS_STATE": state.name, "FAULTS_KIND": str(kind),
                "FAULTS_NUMBER": str(number), "FAULTS_ERROR": str(error),
                "FAULTS_ROOT": place.root + "/" if scope == "job" else "", "FAULTS_BLOCKS": ":".join(BLOCKS)})
            state.seek(0)
            values = STATE.unpack(state.read())
        call = values[33].split(b"\0")[0].decode("utf-8", "replace")
        return done, dict(zip(NAMES, values)), call if values[32] else None

    def counts(self, job, scope):
        """How many calls of each kind the undisturbed job makes."""
        with self.shop.place(job) as place:
            return self.run(place, job, scope=scope)[1]

    def try_point(self, point):
        """Answers what is wrong at this point, which call failed, and what the run was like."""
        job = point.job
        self.tried.add(job)
        with self.shop.place(job) as place:
            before = place.files()
            done, _, call = self.run(place, job, NAMES.index(point.kind), point.number, point.error, point.scope)
            faults = judge(point, done, call, before, place.files())
            again = place.run([self.shop.pinna] + job.again)
            faults += judge_again(job, again, before, place.files())
            return faults, call and call.replace(place.root, ""), done


def judge(point, done, call, before, after):
    """Answers what is wrong with a run in which a call failed."""
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
        # Files that can't be removed stay, until another run removes them.
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
    """Answers what is wrong with the exit code and the message."""
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
    # `golden record` refuses a command that failed with 2; its sentence has the command's own code, which counts.
    refused = point.job.name == "golden" and re.search(r"fails with exit (\d+) .*nothing was recorded", done.stderr)
    code = int(refused.group(1)) if refused and done.code == 2 else done.code
    if code not in expected_codes(point, call):
        faults.append(f"exit code {code}")
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
    # An output that can't be read back isn't proved. libav may call damaged what it had no memory for.
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
    """Answers what is wrong after the undisturbed run of the same command."""
    faults = []
    # A golden that is recorded already isn't recorded again.
    is_kept = job.name == "golden" and "is recorded already" in done.stderr
    if done.hung or done.code not in (0, job.code) and not is_kept:
        faults.append(f"the next run ends with {done.code}: {done.stderr.strip()[:200]}")
    if {path: data for path, data in after.items() if jobs.matches(path, job.outputs)} != job.reference:
        faults.append("the next run's output differs")
    for path in after:
        if path in before or path.endswith("/") or jobs.matches(path, job.outputs + list(job.private)):
            continue
        # Abandoned folders go when the next one is made. A golden that is recorded already needs none.
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


def named(text):
    """The points of a list such as wav:write:3:ENOSPC."""
    points = []
    for line in text.split():
        name, kind, number, word, *scope = line.split(":")
        job = next(job for job in jobs.ALL if job.name == name)
        points.append(Point(job, kind, int(number), 0 if word == "half" else getattr(errno, word),
                            "any" if scope else "job"))
    return points


def build(scratch):
    library = os.path.join(scratch, "libfaults.so")
    subprocess.run(["cc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-nonnull-compare", "-shared", "-fPIC",
                    "-o", library, os.path.join(HERE, "faults.c"), "-ldl"], check=True)
    return library
