#!/usr/bin/env python3
"""Compares the cost of pinna with that of ffmpeg on the same jobs.

Usage: bench.py [--quick] [--long] [--only CASE]... [--check] [--json FILE] [--pinna PATH] [--ffmpeg PATH]
Needs Python 3 only (IAMF also PyAV and numpy, or it is skipped), a release build (swift build -c release), ffmpeg with
libmysofa and its default.sofa. goals.json beside this file has the goals. Where one is out of reach, it has the figure that is
accepted instead, and the reason. Exit 0 also when a goal is missed; with --check exit 1 when a figure is more than 10 % worse
than its goal, or than what is accepted; anything else means that a command failed.

CPU is user + system time of whole processes and RSS the peak of ru_maxrss, both from wait4(2). Ours and the
peers' runs are interleaved in five rounds (--quick: three, with one minute of audio instead of ten); the medians
count. (hyperfine runs its commands one after the other, so that a busy minute hits one of them, and 1.15 has no RSS.) ffmpeg runs with -threads 1 -filter_threads 1, its cheapest way. CPU is given for 10 minutes of audio
whatever the length. The audio is synthesised: modulated chords, syllables and percussion.

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
import json
import os
import platform
import subprocess
import sys
import tempfile

import goals
from cases import CASES, Bench
from processes import note
from programmes import Programmes
from programs import Ours, Peer

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def row(name, ours, peer, figure):
    """One line of the results."""
    goal = goals.GOALS.get(name)
    if goal is None:
        sys.exit(f"{name} has no goal in goals.json; add one")
    verdict, passes = goals.judge(figure, goal)
    return {"case": name, "ours": ours, "peer": peer, "ratio": figure, "goal": goal, "verdict": verdict, "passes": passes}


def table(rows):
    """The rows as aligned text."""
    lines = [("case", "ours", "peer", "ratio", "goal", "verdict")]
    for found in rows:
        lines.append((
            found["case"], f"{found['ours']:.3f}",
            "" if found["peer"] is None else f"{found['peer']:.3f}", f"{found['ratio']:.3f}",
            goals.text(found["goal"]), found["verdict"]))
    widths = [max(len(line[index]) for line in lines) for index in range(6)]
    return "\n".join("  ".join(
        cell.ljust(width) if index in (0, 4, 5) else cell.rjust(width)
        for index, (cell, width) in enumerate(zip(line, widths))).rstrip() for line in lines)


def first_line(command):
    """The first line that a command prints."""
    return subprocess.check_output(command, text=True).splitlines()[0]


def machine(options):
    """What the figures were measured on and with."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        models = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    return {
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
    parser.add_argument("--json", metavar="FILE", help="also write the rows as JSON")
    parser.add_argument("--pinna", default=os.path.join(ROOT, ".build/release/pinna"))
    parser.add_argument("--stage", default=os.path.join(ROOT, ".build/release/SpatialBench"))
    parser.add_argument("--ffmpeg", default="ffmpeg")
    parser.add_argument("--media", default=os.path.join(ROOT, "../shared/media"),
                        help="folder with AC-4 samples")
    parser.add_argument("--iamf", default=os.path.join(ROOT, "../shared/iamf/oracle"),
                        help="folder of the maker of synthetic IAMF")
    parser.add_argument("--python", default=os.path.join(ROOT, ".build/test-venv/bin/python"),
                        help="a Python with numpy and PyAV, for IAMF")
    return parser.parse_args()


def main():
    options = arguments()
    if not os.access(options.pinna, os.X_OK):
        sys.exit(f"{options.pinna} is missing; build it with: swift build -c release")
    facts = machine(options)
    seconds, rounds = (60, 3) if options.quick else (600, 5)
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
    print(table(rows))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"machine": facts, "rounds": rounds, "seconds": seconds, "rows": rows}, file,
                      indent=2)
            file.write("\n")
    open_rows = [found["case"] for found in rows if not found["passes"]]
    if options.check and open_rows:
        note(f"bench: worse than goals.json allows: {'; '.join(open_rows)}")
    return 1 if options.check and open_rows else 0


if __name__ == "__main__":
    sys.exit(main())
