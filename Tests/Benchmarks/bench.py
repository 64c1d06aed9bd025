#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the cost of pinna with that of ffmpeg on the same jobs.

Usage: bench.py [--quick] [--long] [--only CASE]... [--check] [--verbose] [--json FILE] [--chart FILE] [--pinna PATH]...
Needs Python 3 only (IAMF also PyAV and numpy, or it is skipped), a release build (swift build -c release), ffmpeg with
libmysofa and its default.sofa; for floors also a C compiler, SpatialBench and AC4Bench (make bench builds them).

goals.json beside this file has the goals. Where one is out of reach, it has the figure that is accepted instead, and the reason. A
`floor` there closes a row: a job that takes so many times its floor at most meets its goal, whatever its peer does. floors.py says
what a floor is, --verbose prints its parts. Exit 0 also when a goal is missed; with --check exit 1 when a figure is more than 10 %
worse than its goal, or than what is accepted; anything else means that a command failed.

CPU is user + system time of whole processes and RSS the peak of ru_maxrss, both from wait4(2). Ours, the peers' runs and the parts
of the floor are interleaved in five rounds (--quick: three, with one minute of audio instead of ten); the medians count.
(hyperfine runs its commands one after the other, so that a busy minute hits one of them, and 1.15 has no RSS.) ffmpeg runs with
-threads 1 -filter_threads 1, its cheapest way. CPU is given for 10 minutes of audio whatever the length, with the start of the
process as often as the length goes into them. The audio is synthesised: modulated chords, syllables and percussion.

In the commands IN is the input, OUT the file that is written, S the filter
    sofalizer=sofa=/usr/share/libmysofa/default.sofa:type=freq
at its default framesize or with framesize=4096, whichever is faster in a probing run, and
    ffmpeg FILTER   stands for
    ffmpeg -nostdin -nostats -hide_banner -y -threads 1 -filter_threads 1 -i IN -af FILTER
    loudnorm twice  ffmpeg S,loudnorm=I=-16:TP=-1:print_format=json -f null -
                    ffmpeg S,loudnorm=I=-16:TP=-1:linear=true:measured_I=..:measured_TP=..:measured_LRA=..
                           :measured_thresh=..:offset=.. -ar 48000 -c:a pcm_s24le OUT
    alimiter        ffmpeg S,ebur128=peak=true -f null -
                    ffmpeg S,volume=..dB,alimiter=limit=0.891251:level=false -c:a pcm_s24le OUT
Ours is pinna render IN -o OUT -y --quiet, for stereo sources with --endpoint none and beside chains without S, and
pinna measure IN --json beside ffmpeg ebur128=peak=true -f null -. The cases and what they do stand in cases.py.
"""
import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
import tempfile

import chart
import goals
from cases import CASES, Bench
from processes import note
from programmes import Programmes
from programs import Ours, Peer

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def row(name, ours, peer, figure, floor=None):
    """One line of the results."""
    goal = goals.GOALS.get(name)
    if goal is None:
        sys.exit(f"{name} has no goal in goals.json; add one")
    below = floor and {"cpu": floor.cpu, "ratio": ours / floor.cpu, "parts": floor.parts}
    verdict, passes = goals.judge(figure, goal, below and below["ratio"])
    return {"case": name, "ours": ours, "peer": peer, "ratio": figure, "goal": goal, "floor": below, "verdict": verdict,
            "passes": passes}


def table(rows):
    """The rows as aligned text."""
    lines = [("case", "ours", "peer", "ratio", "goal", "floor", "of floor", "verdict")]
    for found in rows:
        floor = found["floor"]
        lines.append((
            found["case"], f"{found['ours']:.3f}",
            "" if found["peer"] is None else f"{found['peer']:.3f}", f"{found['ratio']:.3f}",
            goals.text(found["goal"]), f"{floor['cpu']:.3f}" if floor else "", f"{floor['ratio']:.2f}" if floor else "",
            found["verdict"]))
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "\n".join("  ".join(
        cell.ljust(width) if index in (0, 4, 7) else cell.rjust(width)
        for index, (cell, width) in enumerate(zip(line, widths))).rstrip() for line in lines)


def parts(rows):
    """The parts of each floor as text, a line for each job."""
    lines = {}
    for found in rows:
        if floor := found["floor"]:
            terms = " + ".join(f"{name} {cost:.3g}" for name, cost in floor["parts"].items())
            lines.setdefault(f"floor {floor['cpu']:.3f} = {terms}", found["case"])
    return "\n".join(f"{case}: {text}" for text, case in lines.items())


def first_line(command):
    """The first line that a command prints."""
    return subprocess.check_output(command, text=True).splitlines()[0]


def machine(options):
    """What the figures were measured on and with."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        models = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    return {
        "date": datetime.date.today().isoformat(),
        "processor": models[0] if models else platform.machine(), "cores": os.cpu_count(),
        "system": platform.platform(), "load": os.getloadavg()[0],
        "pinna": first_line([options.pinna, "--version"]),
        "ffmpeg": first_line([options.ffmpeg, "-version"]), "python": platform.python_version()}


def arguments():
    parser = argparse.ArgumentParser(description="cost of pinna against ffmpeg")
    parser.add_argument("--quick", action="store_true",
                        help="1 minute of audio, three rounds and no 3-hour case")
    parser.add_argument("--long", action="store_true",
                        help="12 hours too, which take 30 GB of disk")
    parser.add_argument("--only", action="append", choices=CASES, metavar="CASE",
                        help=f"only this case, may be repeated: {', '.join(CASES)}")
    parser.add_argument("--check", action="store_true",
                        help="exit 1 when a figure is more than 10 %% worse than its goal or what is accepted")
    parser.add_argument("--verbose", action="store_true", help="print the parts of each floor too")
    parser.add_argument("--json", metavar="FILE", help="also write the rows as JSON, with the parts of each floor")
    parser.add_argument("--chart", metavar="FILE", help="also draw binaural and stereo jobs as SVG")
    parser.add_argument("--pinna", default=os.path.join(ROOT, ".build/release/pinna"))
    parser.add_argument("--stage", default=os.path.join(ROOT, ".build/release/SpatialBench"),
                        help="the program of the stages alone; AC4Bench is looked for beside it")
    parser.add_argument("--ffmpeg", default="ffmpeg")
    parser.add_argument("--media", default=os.path.join(ROOT, "../shared/media"),
                        help="folder with AC-4 samples")
    parser.add_argument("--truehd", default=os.path.join(ROOT, "../shared/truehd"),
                        help="folder with streams of TrueHD; TrueHDBench is looked for beside SpatialBench")
    parser.add_argument("--iamf", default=os.path.join(ROOT, "../shared/iamf/oracle"),
                        help="folder of the maker of synthetic IAMF")
    parser.add_argument("--python", default=os.path.join(ROOT, ".build/test-venv/bin/python"),
                        help="a Python with numpy and PyAV, for IAMF")
    return parser.parse_args()


def write(path, text):
    """Writes a text file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def measure(options, rounds, seconds):
    """The rows of all cases that are asked for."""
    rows = []
    scratch = os.environ.get("TMPDIR", "/var/tmp")
    with tempfile.TemporaryDirectory(prefix="pinna-bench-", dir=scratch) as folder:
        peer = Peer(options.ffmpeg, folder)
        bench = Bench(Ours(options.pinna, folder), peer, Programmes(peer, folder, seconds), rounds,
                      options, folder)
        for name in options.only or CASES:
            note(f"{name} ...")
            rows += [row(f"{name}/{what}", *figures)
                     for what, *figures in CASES[name](bench)]
    return rows


def main():
    options = arguments()
    if not os.access(options.pinna, os.X_OK):
        sys.exit(f"{options.pinna} is missing; build it with: swift build -c release")
    if options.chart and not set(options.only or CASES) & set(chart.JOBS):
        sys.exit(f"--chart: run at least one of {', '.join(chart.JOBS)}")
    facts = machine(options)
    seconds, rounds = (60, 3) if options.quick else (600, 5)
    rows = measure(options, rounds, seconds)
    print(table(rows))
    if options.verbose:
        print(parts(rows))
    result = {"machine": facts, "rounds": rounds, "seconds": seconds, "rows": rows}
    if options.json:
        write(options.json, json.dumps(result, indent=2) + "\n")
    if options.chart:
        write(options.chart, chart.picture(result))
    open_rows = [found["case"] for found in rows if not found["passes"]]
    if options.check and open_rows:
        note(f"bench: worse than goals.json allows: {'; '.join(open_rows)}")
    return 1 if options.check and open_rows else 0


if __name__ == "__main__":
    sys.exit(main())
