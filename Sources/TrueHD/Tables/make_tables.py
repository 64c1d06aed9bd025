#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of the TrueHD decoder beside itself, from the JSON files in Figures.

huffman.json has the codes of residuals by value, noise.json the dither of matrices by the top of its seed, channels.json the
names of channels by bit or by arrangement.

Usage: python3 make_tables.py            write the Swift files
       python3 make_tables.py --check    write nothing; fail when a file isn't what would be written
"""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / ".ci"))
from swift_tables import array, enumeration, load, save  # noqa: E402

FIGURES = HERE / "Figures"
SPEAKERS = {
    "L": "frontLeft", "R": "frontRight", "C": "frontCenter", "LFE": "lowFrequency", "Ls": "sideLeft", "Rs": "sideRight",
    "Tfl": "topFrontLeft", "Tfr": "topFrontRight", "Lc": "frontLeftOfCenter", "Rc": "frontRightOfCenter", "Lb": "backLeft",
    "Rb": "backRight", "Cb": "backCenter", "Tc": "topCenter", "Lw": "wideLeft", "Rw": "wideRight", "Tfc": "topFrontCenter",
    "LFE2": "lowFrequency2", "Tsl": "topSideLeft", "Tsr": "topSideRight", "Tbl": "topBackLeft", "Tbr": "topBackRight",
    # Direct surrounds have no name among loudspeakers.
    "Lsd": None, "Rsd": None,
}
BITS = 9


def write(name, note, body, imports=""):
    save(HERE / f"{name}+Table.swift", enumeration(name, note, body, imports))


def entries(codes):
    """For each nine bits that data may begin with: 16 times the value, plus the length; 0 where no code fits."""
    table = [0] * (1 << BITS)
    for value, code in codes:
        spare = BITS - len(code)
        first = int(code, 2) << spare
        table[first:first + (1 << spare)] = [16 * value + len(code)] * (1 << spare)
    return table


def books():
    body = ""
    for book, codes in load(FIGURES, "huffman.json")["books"].items():
        note = f"Book {book}: for each nine bits, 16 times the value, plus the length of its code; 0 where there is none."
        body += array(f"book{book}", "Int16", entries(codes), note)
    write("ResidualBooks", "Codes of residuals.", body)


def noise():
    values = load(FIGURES, "noise.json")["noise"]
    body = array("values", "Int8", values, "Dither by the top eight bits of the 23-bit seed.")
    write("NoiseTable", "Dither of matrices.", body)


def groups(name, lists, note):
    lines = "".join(f"    [{', '.join(speaker(label) for label in labels)}],\n" for labels in lists)
    return f"  /// {note}\n  static let {name}: [[Speaker?]] = [\n{lines}  ]\n"


def speaker(label):
    return f".{SPEAKERS[label]}" if SPEAKERS[label] else "nil"


def channels():
    tables = load(FIGURES, "channels.json")
    body = groups("six", tables["six"], "Channels of each bit of the assignment of presentation 1, bit 0 first.")
    body += groups("eight", tables["eight"], "Channels of each bit of the assignment of presentation 2.")
    body += groups("eightRestricted", tables["eight_restricted"], "Channels of each bit of it where the stream's flags restrict them.")
    body += groups("bed", tables["bed"], "Channels of each bit of the bed of presentation 3.")
    arrangements = tables["fbb"]
    assert list(arrangements) == [str(index) for index in range(len(arrangements))]
    body += groups("arrangements", arrangements.values(), "Channels of each arrangement of MLP.")
    write("ChannelGroups", "Loudspeakers by the bits that name them.", body, "import AudioCore\n\n")


def main():
    books()
    noise()
    channels()


if __name__ == "__main__":
    main()
