#!/usr/bin/env python3
"""Kills pinna at hundreds of moments, replays the order of its writes, and judges what a crash leaves.

The first part kills a job after a time that the seed gives. Then only whole outputs may lie under their names: those of an
undisturbed run, or the old ones. The same command is run again and has to give the undisturbed run's bytes and to remove
everything that the killed one left.

The second part records the system calls of each job with strace and replays them on a disk that loses whatever wasn't
synced: no output may get its name before its content is synced, and its folder has to be synced afterwards.
"""
import argparse
import collections
import concurrent.futures
import os
import random
import re
import shutil
import subprocess
import sys
import time

import jobs
import ordering

# What a killed process may leave: the next run recognises these names.
LEFTOVER = re.compile(r"(^|/)(\.pinna-[0-9a-f]{8}-[a-z0-9]{8}(-old)?|\.unfinished-[a-z]{12}|pinna-[A-Za-z0-9.-]+)(/|$)")
KILLED = ("wav", "flac", "mp4", "hls", "queue", "batch", "audition")


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
    """What is wrong with the files after the kill."""
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
    """What is wrong after the next run."""
    faults = []
    if done.hung or done.code != 0:
        faults.append(f"the next run ends with {done.code}: {done.stderr.strip()[:200]}")
    if {path: data for path, data in after.items() if jobs.matches(path, job.outputs)} != job.reference:
        faults.append("the next run's output differs")
    faults += [f"the next run leaves {re.sub('-[A-Za-z0-9]*(?=/|$)', '-…', path)}"
               for path in leftovers(before, after, job)]
    return faults


class Killing:
    """Kills jobs and judges what is left."""

    def __init__(self, pinna, inputs, scratch):
        self.pinna, self.inputs, self.scratch = pinna, inputs, scratch
        self.seconds = {}

    def learn(self, job):
        """The reference, and how long a run takes."""
        trouble = jobs.learn(job, self.pinna, self.inputs, os.path.join(self.scratch, "learn"))
        place = jobs.prepare(job, self.inputs, os.path.join(self.scratch, "time"))
        started = time.monotonic()
        place.run([self.pinna] + job.words)
        self.seconds[job.name] = time.monotonic() - started
        place.remove()
        return trouble

    def kill(self, job, delay, serial):
        """One round. Answers what is wrong, whether the kill found a running process, and how many leftovers there were."""
        place = jobs.prepare(job, self.inputs, os.path.join(self.scratch, f"kill-{serial}"))
        try:
            before = place.files()
            child = place.start([self.pinna] + job.words)
            try:
                child.wait(timeout=delay)
            except subprocess.TimeoutExpired:
                # Its own process only: those that it started have to notice.
                child.kill()
            child.communicate()
            faults = [] if wait_for_workers(place) else ["a worker outlives its batch"]
            after = place.files()
            left = len(leftovers(before, after, job))
            faults += judge_killed(job, before, after)
            done = place.run([self.pinna] + job.again)
            return faults + judge_next(job, done, before, place.files()), child.returncode == -9, left
        finally:
            place.remove()


def kill_all(killing, chosen, given):
    """Kills the jobs in turn until enough of them were killed while they ran."""
    chance = random.Random(given.seed)
    tasks, found = [], []
    killed, left, rounds = collections.Counter(), collections.Counter(), collections.Counter()
    for number in range(given.kills):
        job = chosen[number % len(chosen)]
        # A run under load takes longer than the one that was timed, and one may end before its moment.
        tasks.append((job, chance.random() * 1.2 * killing.seconds[job.name]))
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        futures = [pool.submit(killing.kill, job, delay, serial) for serial, (job, delay) in enumerate(tasks)]
        for (job, delay), future in zip(tasks, futures):
            faults, was_killed, count = future.result()
            rounds[job.name] += 1
            killed[job.name] += was_killed
            left[job.name] += count
            found += [f"{job.name} killed after {delay * 1000:.1f} ms: {fault}" for fault in faults]
    print(f"{'job':10} {'moments':>8} {'killed':>7} {'leftovers':>10}")
    for job in chosen:
        print(f"{job.name:10} {rounds[job.name]:8} {killed[job.name]:7} {left[job.name]:10}")
    return found, sum(rounds.values()), sum(killed.values())


def promised(job, root):
    """Names that promise whole content: outputs, and what the product keeps, but not its cache, whose files carry a digest."""
    def ask(path):
        short = os.path.relpath(path, root)
        return jobs.matches(short, job.outputs + [private for private in job.private if "cache/" not in private]) \
            and not LEFTOVER.search(short) and not short.endswith("/lock")
    return ask


def record(job, pinna, inputs, scratch):
    """Runs the job under strace and replays it; answers the disk's state."""
    place = jobs.prepare(job, inputs, os.path.join(scratch, f"record-{job.name}"))
    trace = place.root + ".trace"
    work = os.path.join(place.root, "work")
    done = place.run(["strace", "-f", "-y", "-qq", "-s", "0", "-o", trace, "-e", "trace=" + ordering.CALLS, "--",
                      pinna] + job.words)
    disk = ordering.replay(trace, place.root, work, promised(job, place.root))
    if done.code != job.code:
        disk.faults.append(f"under strace it ends with {done.code}: {done.stderr.strip()[:200]}")
    if not disk.named:
        disk.faults.append("no name of an output was seen in the recording")
    place.remove()
    return disk


def record_all(chosen, killing, scratch):
    """Records and replays every job."""
    found = []
    print(f"{'job':10} {'writes':>7} {'syncs':>6} {'names':>6}")
    for job in chosen:
        disk = record(job, killing.pinna, killing.inputs, scratch)
        print(f"{job.name:10} {disk.counts['writes']:7} {disk.counts['syncs']:6} {disk.counts['names']:6}")
        found += [f"{job.name}: {fault}" for fault in dict.fromkeys(disk.faults)]
    return found


def can_trace():
    return shutil.which("strace") and subprocess.run(["strace", "-f", "-o", "/dev/null", "true"],
                                                     capture_output=True).returncode == 0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    jobs.add_arguments(parser)
    parser.add_argument("--kills", type=int, default=500)
    return parser.parse_args()


def main():
    given = arguments()
    with jobs.scratch("crashes", given) as (scratch, chosen):
        killing = Killing(os.path.abspath(given.pinna), os.path.join(scratch, "inputs"), scratch)
        jobs.make_inputs(killing.inputs, killing.pinna)
        found = [f"{job.name}: {trouble}" for job in chosen for trouble in [killing.learn(job)] if trouble]
        moments = killed = 0
        if given.kills and not found:
            found, moments, killed = kill_all(killing, [job for job in chosen if job.name in KILLED], given)
        if can_trace():
            found += record_all(chosen, killing, scratch)
        else:
            print("crashes: strace can't be used, so the order of writes isn't checked")
    for fault, count in collections.Counter(re.sub(r"after [\d.]+ ms", "at some moment", fault) for fault in found).items():
        print(f"FAILED {count}× {fault}")
    jobs.tell("crashes", f"{moments} moments, {killed} of them killed a running job, {len(chosen)} recorded jobs, "
              f"{len(found)} failures", is_whole=given.kills >= 500 and not given.only and bool(can_trace()))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
