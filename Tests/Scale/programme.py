# SPDX-License-Identifier: Apache-2.0
"""A programme of many hours: memory stays what it is for ten minutes, and a click in its last second keeps its place."""
import array
import json
import math
import os
import struct
import subprocess

import measured

RATE = 48000
CHANNELS = 2
# The click lies this many samples before the end.
BEFORE_END = 24001
# Most MiB that a long programme may take beyond what ten minutes take. Its curves of loudness have ten values a second.
GROWTH = 64
SHORT = 600


def make(path, seconds):
    """A sparse WAV file (RF64 beyond 4 GiB) of 16 bits: silence but for five seconds of a tone and the click."""
    count = seconds * RATE
    size = count * CHANNELS * 2
    form = struct.pack("<HHIIHH", 1, CHANNELS, RATE, RATE * CHANNELS * 2, CHANNELS * 2, 16)
    if size + 100 < 1 << 32:
        head = b"RIFF" + struct.pack("<I", 36 + size) + b"WAVE"
        head += b"fmt " + struct.pack("<I", 16) + form + b"data" + struct.pack("<I", size)
    else:
        head = b"RF64\xff\xff\xff\xffWAVEds64" + struct.pack("<IQQQI", 28, 72 + size, size, count, 0)
        head += b"fmt " + struct.pack("<I", 16) + form + b"data\xff\xff\xff\xff"
    with open(path, "wb") as file:
        file.write(head)
        tone = array.array("h")
        for n in range(5 * RATE):
            tone.extend([round(3000 * math.sin(2 * math.pi * 1000 * n / RATE))] * CHANNELS)
        file.seek(len(head) + 60 * RATE * CHANNELS * 2)
        file.write(tone.tobytes())
        file.seek(len(head) + (count - BEFORE_END) * CHANNELS * 2)
        file.write(struct.pack("<2h", 16000, 16000))
        file.truncate(len(head) + size)


def loudest(path, seconds):
    """The place of the loudest sample in the last second, counted from the start, by ffmpeg; and the count of samples."""
    skipped = (seconds - 1) * RATE
    raw = subprocess.run(
        ["ffmpeg", "-v", "error", "-ss", str(seconds - 1), "-i", path, "-f", "s32le", "-"], capture_output=True, check=True)
    samples = array.array("i")
    samples.frombytes(raw.stdout)
    peak = max(range(len(samples)), key=lambda n: abs(samples[n]))
    return skipped + peak // CHANNELS, skipped + len(samples) // CHANNELS


def cases(table, pinna, folder, hours):
    """Renders and measures ten minutes and `hours` hours."""
    places = {}
    for seconds in (SHORT, hours * 3600):
        source = os.path.join(folder, f"programme-{seconds}.wav")
        make(source, seconds)
        places[seconds] = source
    length = f"{hours} h"
    for name, ending, options in (
        ("none to WAV", "wav", ["--endpoint", "none"]),
        ("none to FLAC", "flac", ["--endpoint", "none"]),
        ("binaural to WAV", "wav", []),
        ("binaural to FLAC", "flac", []),
    ):
        rss, shift = {}, {}
        for seconds, source in places.items():
            out = os.path.join(folder, "out." + ending)
            run = measured.run(
                [pinna, "render", source, "-o", out, "-y", "-q", *options], folder, "render")
            if run.code != 0:
                table.add(f"{length} {name}", f"exit code {run.code}: {measured.told(run)}", "0", False)
                break
            rss[seconds] = run.rss
            place, count = loudest(out, seconds)
            shift[seconds] = (place - (seconds * RATE - BEFORE_END), count - seconds * RATE)
            table.note(f"{name}, {seconds} s: {run.cpu:.0f} s CPU, {run.rss:.0f} MiB, shift {shift[seconds]}")
            os.remove(out)
        else:
            compare(table, f"{length} {name}", rss, shift, hours, isExact="none" in name)
    rss = {}
    for seconds, source in places.items():
        run = measured.run([pinna, "measure", source, "--json"], folder, "measure")
        rss[seconds] = run.rss
        with open(run.out) as file:
            report = json.load(file)
        table.note(f"measure, {seconds} s: {run.cpu:.0f} s CPU, {run.rss:.0f} MiB")
    growth(table, f"{length} measure", rss, hours)
    for source in places.values():
        os.remove(source)


def compare(table, name, rss, shift, hours, isExact):
    """Adds the rows of one render: memory, and whether click and end are where they belong."""
    growth(table, name, rss, hours)
    short, long = shift[SHORT], shift[hours * 3600]
    # Filters of ears spread a click, so that its loudest sample may lie beside it, but at the same distance.
    isRight = long == ((0, 0) if isExact else short) and long[1] == 0
    table.add(
        f"{name}: click in the last second", f"{long[0]:+d} samples; end {long[1]:+d}",
        "0" if isExact else f"{short[0]:+d}, as in ten minutes", isRight)


def growth(table, name, rss, hours):
    """Adds the row about memory."""
    short, long = rss[SHORT], rss[hours * 3600]
    table.add(
        f"{name}: memory", f"{long:.0f} MiB; ten minutes {short:.0f} MiB", f"{GROWTH} MiB more at most",
        long <= short + GROWTH)
