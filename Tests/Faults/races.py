#!/usr/bin/env python3
"""Runs pinna, built with the thread sanitizer, on jobs that have several threads or processes, and shows the races found.

The jobs are those of the fault injection and some that render side by side, through pipes, and in a batch. Each one also
has to give the bytes of its other runs: two threads that race without the sanitizer's notice would show there.
"""
import argparse
import hashlib
import os
import subprocess
import sys

import jobs

MEDIA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "shared", "media")
# The exit code that the sanitizer would give by default is kept out: the job's own is compared.
OPTIONS = "exitcode=0:halt_on_error=0:second_deadlock_stack=1"
# The sanitizer reserves far more addresses than a worker of a batch may have, and writes where its sandbox forbids it.
ROOM = ["--job-memory", "1000000G", "--no-sandbox"]


def is_watched(pinna):
    """Whether the program was built with the sanitizer."""
    done = subprocess.run([pinna, "--version"], capture_output=True, check=False, text=True,
                          env={**os.environ, "TSAN_OPTIONS": "verbosity=1"})
    return "ThreadSanitizer" in done.stderr


def more_jobs():
    """Jobs that give the threads more to do than the short ones."""
    surround = ["-f", "lavfi", "-i", "sine=f=300:r=48000:d=4,aformat=channel_layouts=5.1", "-c:a", "pcm_s24le"]
    found = [
        jobs.Job("also", ["render", "in.wav", "-o", "a.wav", "--also", "speakers:b.flac", "--also", "none:c.wav", "-q"],
                 {"surround.wav": "in.wav"}, ["work/a.wav", "work/b.flac", "work/c.wav"]),
        jobs.Job("threads", ["render", "in.wav", "-o", "a.mp4", "--threads", "4", "--yaw", "30", "-q"],
                 {"surround.wav": "in.wav"}, ["work/a.mp4"]),
        jobs.Job("workers", ["batch", "in", "-O", "out", "-j", "4", "-q"],
                 {"surround.wav": ["in/a.wav", "in/b.wav", "in/c.wav", "in/d.wav", "in/e.wav", "in/f.wav"]},
                 ["work/out/?.wav"], private=["work/out/.pinna/*"]),
    ]
    for name, sample in (("ajoc", "sample_ac4_level4.mp4"), ("joc", "sample_eac3joc.mp4")):
        path = os.path.join(MEDIA, sample)
        if os.path.exists(path):
            found.append(jobs.Job(name, ["render", path, "-o", "a.wav", "--also", "speakers:b.wav", "-q"], {},
                                  ["work/a.wav", "work/b.wav"]))
        else:
            print(f"races: {name} skipped, {path} isn't there")
    return surround, found


def reports(folder):
    """What the sanitizer wrote."""
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


def run(job, pinna, inputs, root):
    """Runs a job; answers what the run did, the digests of its outputs and the races."""
    place = jobs.prepare(job, inputs, root)
    logs, environment = watch(root)
    words = job.words + (ROOM if job.words[0] == "batch" else [])
    done = place.run([pinna] + words, environment)
    outputs = {path: hashlib.sha256(data).hexdigest() for path, data in place.files().items()
               if data is not None and jobs.matches(path, job.outputs)}
    found = reports(logs)
    place.remove()
    return done, outputs, found


def pipe(pinna, inputs, root):
    """Renders from one pipe into another."""
    place = jobs.Place(root)
    logs, environment = watch(root)
    with open(os.path.join(inputs, "surround.wav"), "rb") as source:
        done = subprocess.run([pinna, "render", "-", "-o", "-", "-q"], stdin=source, capture_output=True, check=False,
                              timeout=jobs.PATIENCE, env=place.environment(environment))
    found = reports(logs)
    place.remove()
    return done.returncode, done.stdout, found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    jobs.add_arguments(parser)
    given = parser.parse_args()
    given.pinna = os.path.abspath(given.pinna)
    if not is_watched(given.pinna):
        sys.exit(f"races: {given.pinna} wasn't built with the thread sanitizer; run make races")
    races, failures, runs = [], [], 0
    with jobs.scratch("races", given) as (folder, chosen):
        inputs = os.path.join(folder, "inputs")
        jobs.PATIENCE *= 10
        # The jobs show the races of the program that makes an input, too.
        os.environ["TSAN_OPTIONS"] = OPTIONS + ":report_bugs=0"
        jobs.make_inputs(inputs, given.pinna)
        surround, more = more_jobs()
        subprocess.run(["ffmpeg", "-v", "error", *surround, os.path.join(inputs, "surround.wav")], check=True)
        names = given.only.split(",") if given.only else []
        chosen += [job for job in more if not names or job.name in names]
        for job in chosen:
            results = [run(job, given.pinna, inputs, os.path.join(folder, f"{job.name}-{number}"))
                       for number in range(2)]
            runs += 2
            for done, outputs, found in results:
                races += [(job.name, report) for report in found]
                if done.code != job.code or done.hung or not outputs or outputs != results[0][1]:
                    failures.append(f"{job.name}: ends with {done.code}, other bytes or none: {done.stderr.strip()}")
            print(f"{job.name}: {sum(len(found) for _, _, found in results)} races", flush=True)
        if not names or "pipe" in names:
            code, sound, found = pipe(given.pinna, inputs, os.path.join(folder, "pipe"))
            runs += 1
            races += [("pipe", report) for report in found]
            if code != 0 or len(sound) < 4 * 48000 * 6:
                failures.append(f"pipe: ends with {code} after {len(sound)} bytes")
            print(f"pipe: {len(found)} races", flush=True)
    for name, report in races[:5]:
        print(f"--- {name}\n{report[:6000]}")
    for failure in failures:
        print(failure)
    jobs.tell("races", f"{runs} runs under the thread sanitizer, {len(races)} races, {len(failures)} failures",
              not given.only)
    sys.exit(1 if races or failures else 0)


if __name__ == "__main__":
    main()
