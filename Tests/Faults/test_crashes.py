# SPDX-License-Identifier: Apache-2.0
"""Kills pinna at hundreds of moments, replays the order of its writes, and judges what a crash leaves.

The first part kills a job after a time that the seed gives. Only whole outputs may lie under their names: those of an
undisturbed run, or the old ones. Then the command is run again and has to give the undisturbed run's bytes and to remove
everything that the killed one left.

The second part records the system calls of each job with strace and replays them on a disk that loses whatever wasn't
synced: no output may get its name before its content is synced, and its folder has to be synced afterwards.
"""
import os
import random
import re
import shutil
import subprocess
import time
import typing

import jobs
import ordering
import pytest

# Names that a killed process may leave; the next run recognises them.
LEFTOVER = re.compile(r"(^|/)(\.pinna-[0-9a-f]{8}-[a-z0-9]{8}(-old)?|\.unfinished-[a-z]{12}|pinna-[A-Za-z0-9.-]+)(/|$)")
KILLED = [job for job in jobs.ALL if job.name in ("wav", "flac", "mp4", "hls", "queue", "batch", "audition")]


def mark(path):
    """Reads where a process is; None when it is gone."""
    try:
        return os.readlink(path)
    except OSError:
        return None


def wait_for_workers(place):
    """Waits until no process works in the place: a killed batch's workers end with it. Answers whether they did."""
    work = os.path.join(place.root, "work")
    end = time.monotonic() + jobs.PATIENCE
    while time.monotonic() < end:
        numbers = [name for name in os.listdir("/proc") if name.isdigit()]
        if not any((mark(f"/proc/{number}/cwd") or "").startswith(work) for number in numbers):
            return True
        time.sleep(0.005)
    return False


def leftovers(before, after, job):
    """Paths that are neither the user's, nor an output, nor what the product keeps."""
    return [path for path in after
            if path not in before and not jobs.matches(path, job.outputs + list(job.private))
            and (not path.endswith("/") or path.startswith("tmp/") or LEFTOVER.search(path))]


def judge_killed(job, before, after):
    """Answers what is wrong with the files after the kill."""
    faults = []
    whole = {path: data for path, data in after.items() if jobs.matches(path, job.outputs) and data is not None}
    for path, data in whole.items():
        if data != job.reference.get(path) and data != before.get(path, b""):
            faults.append(f"{path} is half done")
    playlist = "work/show.m3u8"
    if playlist in whole and {p for p, d in job.reference.items() if d is not None} != set(whole):
        faults.append("the playlist is there before what it lists")
    for path in leftovers(before, after, job):
        if not LEFTOVER.search(path):
            faults.append(f"left behind under a strange name: {path}")
    faults += [f"{path} of the user's is gone" for path in before if path not in after]
    return faults


def judge_next(job, done, before, after):
    """Answers what is wrong after the next run."""
    faults = []
    if done.hung or done.code != 0:
        faults.append(f"the next run ends with {done.code}: {done.stderr.strip()[:200]}")
    if {path: data for path, data in after.items() if jobs.matches(path, job.outputs)} != job.reference:
        faults.append("the next run's output differs")
    faults += [f"the next run leaves {re.sub('-[A-Za-z0-9]*(?=/|$)', '-…', path)}"
               for path in leftovers(before, after, job)]
    return faults


class Moment(typing.NamedTuple):
    """A kill; its delay is a part of the time that a run takes."""

    number: int
    job: jobs.Job
    part: float

    def __str__(self):
        return f"{self.job}-{self.number}"


def pytest_generate_tests(metafunc):
    if "moment" in metafunc.fixturenames:
        chance = random.Random(metafunc.config.getoption("seed"))
        # A run under load takes longer than the one that was timed, and one may end before its moment.
        metafunc.parametrize("moment", [Moment(number, KILLED[number % len(KILLED)], chance.random() * 1.2)
                                        for number in range(metafunc.config.getoption("kills"))], ids=str)


def kill(shop, moment):
    """One round. Answers what is wrong, whether the kill found a running process, and how many leftovers there were."""
    job = moment.job
    if shop.learn(job):
        pytest.skip(f"{job} fails undisturbed")
    with shop.place(job) as place:
        before = place.files()
        child = place.start([shop.pinna] + job.words)
        try:
            child.wait(timeout=moment.part * job.seconds)
        except subprocess.TimeoutExpired:
            # Its own process only: those that it started have to notice.
            child.kill()
        child.communicate()
        faults = [] if wait_for_workers(place) else ["a worker outlives its batch"]
        after = place.files()
        left = len(leftovers(before, after, job))
        faults += judge_killed(job, before, after)
        done = place.run([shop.pinna] + job.again)
        return faults + judge_next(job, done, before, place.files()), child.returncode == -9, left


def promised(job, root):
    """Names that promise whole content: outputs, and what the product keeps, but not its cache, whose files carry a digest."""
    def ask(path):
        short = os.path.relpath(path, root)
        return jobs.matches(short, job.outputs + [private for private in job.private if "cache/" not in private]) \
            and not LEFTOVER.search(short) and not short.endswith("/lock")
    return ask


def record(job, shop):
    """Runs the job under strace and replays it; answers the disk's state."""
    with shop.place(job) as place:
        trace = place.root + ".trace"
        work = os.path.join(place.root, "work")
        done = place.run(["strace", "-f", "-y", "-qq", "-s", "0", "-o", trace, "-e", "trace=" + ordering.CALLS, "--",
                          shop.pinna] + job.words)
        disk = ordering.replay(trace, place.root, work, promised(job, place.root))
    if done.code != job.code:
        disk.faults.append(f"under strace it ends with {done.code}: {done.stderr.strip()[:200]}")
    if not disk.named:
        disk.faults.append("no name of an output was seen in the recording")
    return disk


@pytest.fixture(scope="session")
def rounds(ahead, shop):
    """Kills. Their jobs are timed while nothing else runs."""
    for job in KILLED:
        shop.learn(job)
    return ahead("moment", lambda moment: kill(shop, moment))


@pytest.fixture(scope="session")
def strace():
    trial = ["strace", "-f", "-o", "/dev/null", "true"]
    if not shutil.which("strace") or subprocess.run(trial, capture_output=True).returncode != 0:
        pytest.skip("strace can't be used, so the order of writes isn't checked")


@pytest.mark.parametrize("job", jobs.ALL, ids=str)
def test_undisturbed(job, shop):
    trouble = shop.learn(job)
    jobs.fail_if(trouble, f"{job}: {trouble}")


def test_kill(moment, rounds, figures):
    job = moment.job
    faults, was_killed, left = rounds[moment].result()
    figures[job.name].update(moments=1, killed=was_killed, leftovers=left, failures=len(faults))
    jobs.fail_if(faults, f"{job} killed after {moment.part * job.seconds * 1000:.1f} ms: {'; '.join(faults)}")


@pytest.mark.usefixtures("strace")
@pytest.mark.parametrize("job", jobs.ALL, ids=str)
def test_order_of_writes(job, shop, figures):
    disk = record(job, shop)
    faults = list(dict.fromkeys(disk.faults))
    figures[job.name].update(disk.counts, recorded=1, failures=len(faults))
    jobs.fail_if(faults, f"{job}: {'; '.join(faults)}")


def told(sums, config):
    """The sentence of `make trust`, and whether all moments were tried and all jobs recorded."""
    is_whole = sums["moments"] == max(500, config.getoption("kills")) and sums["recorded"] == len(jobs.ALL)
    return (f"{sums['moments']} moments, {sums['killed']} of them killed a running job, {sums['recorded']} recorded jobs, "
            f"{sums['failures']} failures"), is_whole
