#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gives each tracked file a time that follows from its content, for caches of builds.

    .ci/content_times.py

SwiftPM builds again what has another time or size than before. A checkout gives all files the time of day, so that a cached
build would be worth nothing; with these times, only files with another content count as changed.
"""
import os
import pathlib
import subprocess
import sys

# 28 bits of the content's digest, as seconds after September 2001.
FIRST, DIGITS = 1_000_000_000, 7


def times(folder):
    """Each tracked file's time, from what git knows it by. Files that were changed since keep theirs."""
    def git(*words):
        return subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True, text=True).stdout.split("\0")
    changed = set(git("diff", "-z", "--name-only"))
    rows = (row.split("\t", 1) for row in git("ls-files", "-z", "--stage") if row)
    return {name: FIRST + int(facts.split()[1][:DIGITS], 16) for facts, name in rows if name not in changed}


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    found = times(root)
    for name, time in found.items():
        os.utime(root / name, (time, time), follow_symlinks=False)
    print(f"content_times: {len(found)} files")
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())
