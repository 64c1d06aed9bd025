#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what pinna batch adds to rendering, and what a second core brings.

Usage: batch.py [--quick] [--check] [--json FILE] [--pinna PATH]
Needs Python 3 only and a release build. Goals stand in goals.json. Exit 0 also when one is missed; with --check exit 1, as
bench.py does; anything else means that a command failed.

Scaling: 64 stereo files of 20 s (5 s with --quick), 48 kHz, 24-bit WAV to headphones WAV.
    throughput of -j 2 divided by that of -j 1, both by wall time, outputs on the same disk
Overhead: 64 stereo files of 1 s.
    batch    pinna batch FOLDER -O OUT -j 1 -q
    render   pinna render FILES... -o OUT/ -q -j 1, the same renders in one process
    wall overhead per file = (wall of batch - wall of render) / 64
    CPU overhead per file  = the same of user + system time of all processes
    The batch hashes inputs and outputs and stores a result for each file; render does neither.
Resume: the second batch over the same files, which only hashes: wall per file.
Runs are interleaved, each is done three times, the best counts. The load of the machine before is
printed: above 0.5 wall times say little, CPU times still do.
"""
import argparse
import array
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import wave

import goals

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FILES = 64
REPEATS = 3


def make(folder, seconds):
    """Writes FILES stereo programmes of chords and noise, each of its own."""
    os.makedirs(folder)
    for number in range(FILES):
        noise = random.Random(number)
        samples = array.array("h")
        for index in range(int(48000 * seconds)):
            swell = 0.6 + 0.4 * math.sin(index * 1e-4)
            tone = 3000 * swell * math.sin(index * (0.02 + 0.001 * number))
            samples.append(int(tone + noise.gauss(0, 400)))
            samples.append(int(0.8 * tone + noise.gauss(0, 400)))
        with wave.open(os.path.join(folder, f"{number:02}.wav"), "wb") as file:
            file.setparams((2, 2, 48000, 0, "NONE", ""))
            file.writeframes(samples.tobytes())


def run(command):
    """Runs a command; answers wall and CPU seconds, its children's included."""
    before = os.times()
    start = time.monotonic()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    wall = time.monotonic() - start
    after = os.times()
    if done.returncode != 0:
        sys.exit(f"exit {done.returncode}: {' '.join(command)}\n{done.stderr[-2000:]}")
    cpu = (after.children_user - before.children_user
           + after.children_system - before.children_system)
    return wall, cpu


def best(pinna, jobs, scratch):
    """The least wall and CPU time of each of `jobs` (name: command), interleaved."""
    found = {}
    for _ in range(REPEATS):
        for name, command in jobs.items():
            if not name.startswith("again"):
                shutil.rmtree(scratch, ignore_errors=True)
                os.makedirs(scratch)
            wall, cpu = run([pinna, *command])
            old = found.get(name, (math.inf, math.inf))
            found[name] = (min(old[0], wall), min(old[1], cpu))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--json")
    parser.add_argument("--pinna", default=os.path.join(ROOT, ".build/release/pinna"))
    options = parser.parse_args()
    os.environ["PINNA_CACHE"] = "off"
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="pinna-bench-") as folder:
        short, long = os.path.join(folder, "short"), os.path.join(folder, "long")
        make(short, 1)
        make(long, 5 if options.quick else 20)
        out = os.path.join(folder, "out")
        shorts = sorted(os.path.join(short, name) for name in os.listdir(short))
        scaling = best(options.pinna, {
            "one": ["batch", long, "-O", out, "-j", "1", "-q"],
            "two": ["batch", long, "-O", out, "-j", "2", "-q"]}, out)
        overhead = best(options.pinna, {
            "render": ["render", *shorts, "-o", out + "/", "-q"],
            "batch": ["batch", short, "-O", out, "-j", "1", "-q"],
            "again": ["batch", short, "-O", out, "-j", "1", "-q"]}, out)
    factor = scaling["one"][0] / scaling["two"][0]
    growth = scaling["two"][1] / scaling["one"][1]
    wall, cpu = ((overhead["batch"][index] - overhead["render"][index]) / FILES
                 for index in range(2))
    again = overhead["again"][0] / FILES
    rows = [
        ("throughput, -j 2 to -j 1", f"{factor:.2f}x", factor, "batch/throughput of two workers, of one"),
        ("CPU time, -j 2 to -j 1", f"{growth:.2f}x", None, None),
        ("overhead of a 1-second file, wall", f"{wall * 1000:.1f} ms", wall, "batch/overhead of a 1-second file, s"),
        ("overhead of a 1-second file, CPU", f"{cpu * 1000:.1f} ms", None, None),
        ("a file that is done already, wall", f"{again * 1000:.1f} ms", None, None),
    ]
    print(f"pinna batch, {FILES} files, load before {load:.1f} on {os.cpu_count()} cores")
    is_open = False
    for name, shown, figure, goal in rows:
        verdict, passes = goals.judge(figure, goals.GOALS[goal]) if goal else ("", True)
        is_open |= not passes
        print(f"  {name:36} {shown:>9}  {goals.text(goals.GOALS[goal]) if goal else '':10} {verdict}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"load": load, "scaling": factor, "cpuGrowth": growth,
                       "overheadWallSeconds": wall, "overheadCPUSeconds": cpu,
                       "cachedWallSeconds": again}, file, indent=2, sort_keys=True)
    return 1 if options.check and is_open else 0


if __name__ == "__main__":
    sys.exit(main())
