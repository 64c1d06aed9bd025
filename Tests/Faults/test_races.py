# SPDX-License-Identifier: Apache-2.0
"""Runs pinna, built with the thread sanitizer, on jobs that have several threads or processes, and shows the races found.

The jobs are those of the fault injection and some that render side by side, through pipes, and in a batch. Each one also
has to give the bytes of its other runs: two threads that race without the sanitizer's notice would show there.
"""
import hashlib
import os
import subprocess

import jobs
import pytest

MEDIA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "shared", "media")
# The exit code that the sanitizer would give by default is kept out: the job's own is compared.
OPTIONS = "exitcode=0:halt_on_error=0:second_deadlock_stack=1"
# The sanitizer reserves far more addresses than a worker of a batch may have, and writes where its sandbox forbids it.
ROOM = ["--job-memory", "1000000G", "--no-sandbox"]
SURROUND = ["-f", "lavfi", "-i", "sine=f=300:r=48000:d=4,aformat=channel_layouts=5.1", "-c:a", "pcm_s24le"]


def is_watched(pinna):
    """Whether the program was built with the sanitizer."""
    done = subprocess.run([pinna, "--version"], capture_output=True, check=False, text=True,
                          env={**os.environ, "TSAN_OPTIONS": "verbosity=1"})
    return "ThreadSanitizer" in done.stderr


def more_jobs():
    """Jobs that give the threads more to do than the short ones."""
    yield jobs.Job("also", ["render", "in.wav", "-o", "a.wav", "--also", "speakers:b.flac", "--also", "none:c.wav", "-q"],
                   {"surround.wav": "in.wav"}, ["work/a.wav", "work/b.flac", "work/c.wav"])
    yield jobs.Job("threads", ["render", "in.wav", "-o", "a.mp4", "--threads", "4", "--yaw", "30", "-q"],
                   {"surround.wav": "in.wav"}, ["work/a.mp4"])
    yield jobs.Job("workers", ["batch", "in", "-O", "out", "-j", "4", "-q"],
                   {"surround.wav": ["in/a.wav", "in/b.wav", "in/c.wav", "in/d.wav", "in/e.wav", "in/f.wav"]},
                   ["work/out/?.wav"], private=["work/out/.pinna/*"])
    for name, sample in (("ajoc", "sample_ac4_level4.mp4"), ("joc", "sample_eac3joc.mp4")):
        yield jobs.Job(name, ["render", os.path.join(MEDIA, sample), "-o", "a.wav", "--also", "speakers:b.wav", "-q"], {},
                       ["work/a.wav", "work/b.wav"])


JOBS = [*jobs.ALL, *more_jobs()]


def missing(job):
    """The path of the sample that the job reads and that isn't there, or None."""
    path = job.words[1]
    return path if os.path.isabs(path) and not os.path.exists(path) else None


def reports(folder):
    """Answers what the sanitizer wrote."""
    found = []
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
            found += [part for part in file.read().split("==================\n") if "WARNING" in part]
    return found


def watch(root):
    """A folder below `root` for what the sanitizer writes, and the environment that makes it write there."""
    logs = os.path.join(root, "logs")
    os.mkdir(logs)
    return logs, {"TSAN_OPTIONS": f"{OPTIONS}:log_path={logs}/log"}


def run(job, shop):
    """Runs a job; answers what the run did, the digests of its outputs and the races."""
    with shop.place(job) as place:
        logs, environment = watch(place.root)
        words = job.words + (ROOM if job.words[0] == "batch" else [])
        done = place.run([shop.pinna] + words, environment)
        outputs = {path: hashlib.sha256(data).hexdigest() for path, data in place.files().items()
                   if data is not None and jobs.matches(path, job.outputs)}
        return done, outputs, reports(logs)


def judge(name, figures, runs, failures, races):
    """Counts what was found, and fails with it."""
    figures[name].update(runs=runs, races=len(races), failures=len(failures))
    found = failures + [race[:6000] for race in races[:5]]
    jobs.fail_if(found, "\n".join([f"{name}: {len(races)} races, {len(failures)} failures", *found]))


@pytest.fixture(scope="session")
def watched(pytestconfig):
    """The workshop of a program that the sanitizer watches."""
    pinna = pytestconfig.getoption("pinna")
    if not is_watched(os.path.abspath(pinna)):
        pytest.exit(f"{pinna} wasn't built with the thread sanitizer; run make races", 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jobs, "PATIENCE", 10 * jobs.PATIENCE)
        # The jobs show the races of the program that makes an input, too.
        patch.setenv("TSAN_OPTIONS", OPTIONS + ":report_bugs=0")
        shop = jobs.workshop(pytestconfig)
        subprocess.run(["ffmpeg", "-v", "error", *SURROUND, os.path.join(shop.inputs, "surround.wav")], check=True)
        yield shop


@pytest.mark.parametrize("job", JOBS, ids=str)
def test_job(job, watched, figures):
    if missing(job):
        pytest.skip(f"{missing(job)} isn't there")
    results = [run(job, watched) for _ in range(2)]
    failures = [f"{job} ends with {done.code}, other bytes or none: {done.stderr.strip()}" for done, outputs, _ in results
                if done.code != job.code or done.hung or not outputs or outputs != results[0][1]]
    judge(job.name, figures, 2, failures, [race for *_, found in results for race in found])


def test_pipe(watched, figures):
    """Renders from one pipe into another."""
    with jobs.Place(os.path.join(watched.scratch, "pipe")) as place:
        logs, environment = watch(place.root)
        with open(os.path.join(watched.inputs, "surround.wav"), "rb") as source:
            done = subprocess.run([watched.pinna, "render", "-", "-o", "-", "-q"], stdin=source, capture_output=True,
                                  timeout=jobs.PATIENCE, env=place.environment(environment))
        is_right = done.returncode == 0 and len(done.stdout) >= 4 * 48000 * 6
        failures = [] if is_right else [f"pipe ends with {done.returncode} after {len(done.stdout)} bytes"]
        judge("pipe", figures, 1, failures, reports(logs))


def told(sums, config):
    """The sentence of `make trust`, and whether all jobs ran that can."""
    return (f"{sums['runs']} runs under the thread sanitizer, {sums['races']} races, {sums['failures']} failures",
            sums["runs"] == 2 * sum(not missing(job) for job in JOBS) + 1)
