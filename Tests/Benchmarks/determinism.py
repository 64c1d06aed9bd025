#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The samples of several jobs for block sizes, memory sizes, runs and code paths, as a table of hashes.

    determinism.py --pinna .build/release/pinna [--media Golden/Media]

Every row must have one hash for all block sizes, spool sizes and runs; that of --deterministic is the one
that other processors have too, with the same library versions. Exit code 1 when a row has more than one.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

CASES = [
    ("5.1 E-AC-3 to headphones", "channel-walk.mkv", ["-e", "headphones"], "wav"),
    ("5.1 E-AC-3 to loudspeakers", "channel-walk.mkv", ["-e", "speakers"], "wav"),
    ("5.1 E-AC-3, no endpoint", "channel-walk.mkv", ["-e", "none"], "wav"),
    ("the same, level untouched", "channel-walk.mkv", ["-e", "none", "-l", "off"], "wav"),
    ("headphones in a room", "channel-walk.mkv", ["--room", "small"], "wav"),
    ("44.1 kHz, 16 bits, dither", "channel-walk.mkv",
     ["-r", "44100", "-b", "16", "--dither", "tpdf"], "wav"),
    ("FLAC file", "channel-walk.mkv", ["-e", "headphones"], "flac"),
    ("AAC in MP4", "channel-walk.mkv", ["-e", "headphones", "-c:a", "aac"], "mp4"),
]
WAYS = [[], [], ["--block-size", "1"], ["--block-size", "480"], ["--block-size", "65536"],
        ["--max-memory", "1K"], ["--threads", "1"]]


def digest(pinna, source, options, path):
    run = subprocess.run([pinna, "render", source, "-o", path, "-y", "-q", "--json", *options],
                         capture_output=True, check=True)
    return json.loads(run.stdout)["outputs"][0]["pcmSHA256"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pinna", default=".build/release/pinna")
    parser.add_argument("--media", default="Golden/Media")
    arguments = parser.parse_args()
    failed = False
    print("| job | this processor | `--deterministic` | hashes over "
          f"{len(WAYS)} block sizes, spools and runs |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, source, options, ending in CASES:
            media = pathlib.Path(arguments.media) / source
            path = pathlib.Path(folder) / f"out.{ending}"
            found = {way: {digest(arguments.pinna, media, [*options, *more, *extra], path)
                           for extra in WAYS}
                     for way, more in (("native", []), ("portable", ["--deterministic"]))}
            native, portable = (sorted(found[way]) for way in ("native", "portable"))
            failed |= len(native) != 1 or len(portable) != 1
            print(f"| {name} | `{native[0][:16]}` | `{portable[0][:16]}` | "
                  f"{len(native)} and {len(portable)} |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
