#!/usr/bin/env python3
"""Gives pinna very much of something, and prints a table: case, figure, goal, ok.

Cases are a batch of many items (batch), a programme of many hours (programme), many channels (channels), many chapters
and subtitles (carriage), and a queue of many items of one sample (joins). Times are CPU seconds, so that other work on the machine changes little. The exit code is 1 when a
goal is missed.
"""
import argparse
import os
import shutil
import sys
import tempfile

import batch
import carriage
import channels
import joins
import programme
import table


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pinna", required=True, help="the program")
    parser.add_argument("--items", type=int, default=100_000, help="items of the batch (100000)")
    parser.add_argument("--hours", type=int, default=12, help="length of the long programme (12)")
    parser.add_argument("--only", nargs="*", help="cases: batch programme channels carriage joins")
    parser.add_argument("--folder", help="where to work; it needs 20 GB (default: the temporary folder)")
    options = parser.parse_args()
    pinna = os.path.abspath(options.pinna)
    rows = table.Table()
    cases = {
        "channels": lambda folder: channels.cases(rows, pinna, folder),
        "carriage": lambda folder: carriage.cases(rows, pinna, folder),
        "joins": lambda folder: joins.cases(rows, pinna, folder),
        "programme": lambda folder: programme.cases(rows, pinna, folder, options.hours),
        "batch": lambda folder: batch.cases(rows, pinna, folder, options.items),
    }
    for name in options.only or []:
        if name not in cases:
            parser.error(f"{name}: is no case; there are {', '.join(cases)}")
    for name, case in cases.items():
        if options.only and name not in options.only:
            continue
        folder = tempfile.mkdtemp(prefix="pinna-scale-", dir=options.folder)
        try:
            case(folder)
        finally:
            shutil.rmtree(folder)
    print(rows.text(), end="")
    return 1 if rows.failed else 0


if __name__ == "__main__":
    sys.exit(main())
