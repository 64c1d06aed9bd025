# SPDX-License-Identifier: Apache-2.0
"""Files with 64 channels: what has no layout is refused in one sentence, and what has one is rendered in bounded memory."""
import array
import os
import struct

import measured

RATE = 48000
# Most MiB that a minute may take beyond what two seconds take.
GROWTH = 32


def make(path, channels, seconds):
    """A WAV file of 16 bits that names no layout."""
    frames = RATE // 10
    block = array.array(
        "h", [((n * 7919 + c * 104729) % 30011 - 15000) * (c + 1) // channels for n in range(frames) for c in range(channels)])
    size = seconds * 10 * frames * channels * 2
    form = struct.pack("<HHIIHHHHI", 0xFFFE, channels, RATE, RATE * channels * 2, channels * 2, 16, 22, 16, 0)
    form += bytes.fromhex("0100000000001000800000aa00389b71")
    with open(path, "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", 20 + len(form) + size) + b"WAVEfmt " + struct.pack("<I", len(form)) + form)
        file.write(b"data" + struct.pack("<I", size))
        for _ in range(seconds * 10):
            file.write(block.tobytes())


def cases(table, pinna, folder):
    """Refusals, and 64 channels as a sound field of order 7."""
    out = os.path.join(folder, "out.wav")
    for channels, word in ((64, "ambix7"), (65, "knows none with so many")):
        path = os.path.join(folder, f"c{channels}.wav")
        make(path, channels, 2)
        for options in (["--endpoint", "none"], []):
            run = measured.run([pinna, "render", path, "-o", out, *options], folder, "render")
            told = measured.told(run)
            is_right = run.code == 5 and word in told and told.count("\n") == 0 and not os.path.exists(out)
            what = "left as they are" if options else "for headphones"
            table.add(f"{channels} channels without a layout, {what}", f"exit {run.code}: {told[told.find('has '):]}",
                      "exit 5, one sentence", is_right)
    rss = {}
    for seconds in (2, 60):
        path = os.path.join(folder, f"field{seconds}.wav")
        make(path, 64, seconds)
        run = measured.run([pinna, "render", path, "-o", out, "-y", "-q", "--layout-in", "ambix7"], folder, "render")
        rss[seconds] = run.rss
        if run.code != 0:
            table.add("64 channels of a sound field", measured.told(run), "exit 0", False)
            return
        table.note(f"64 channels, {seconds} s: {run.cpu:.1f} s CPU, {run.rss:.0f} MiB")
    table.add("64 channels of a sound field: memory", f"{rss[60]:.0f} MiB; two seconds {rss[2]:.0f} MiB",
              f"{GROWTH} MiB more at most", rss[60] <= rss[2] + GROWTH)
