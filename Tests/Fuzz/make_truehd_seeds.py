#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of the fuzzer of TrueHD into Seeds/TrueHD: the first units of synthetic streams, which use every tool of the
format, and the units around a seam. The streams lie beside the checkout (shared/truehd/streams); without them, the seeds stay.
"""

import pathlib

HERE = pathlib.Path(__file__).resolve().parent
KILOBITS = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640]
# Stream, first unit, units.
CUTS = [
    ("01_books", 0, 10), ("03_iir", 0, 6), ("04_matrix_31ea", 0, 4), ("06_nested_71", 0, 3), ("08_map_58", 0, 3),
    ("12_rate_96k", 0, 2), ("13_rate_176k", 0, 1), ("15_shifts_steps", 0, 4), ("16_guards_blocks", 0, 4), ("17_protected", 0, 4),
    ("18_no_crc", 0, 4), ("20_end_drc", 16, 14), ("22_atmos_nested", 0, 3), ("24_wide_31ec", 0, 2), ("26_map_ext2", 0, 2),
    ("27_oamd_syntax", 0, 8), ("29_seam_double", 32, 16), ("31_cbi", 0, 2), ("33_fbb_16bit", 0, 12), ("52_core_raw", 0, 6),
]


def units(data):
    """First and last byte of each unit; frames of AC-3 at 48 kHz stay with the unit behind them."""
    place, found = 0, []
    while place + 8 <= len(data):
        start = place
        while data[place:place + 2] == b"\x0b\x77":
            place += 4 * KILOBITS[(data[place + 4] & 63) >> 1]
        place += 2 * (int.from_bytes(data[place:place + 2], "big") & 0xFFF)
        found.append((start, place))
    return found


def main():
    folders = [HERE / ("../" * up) / "shared/truehd/streams" for up in (3, 4)]
    folder = next((folder for folder in folders if folder.is_dir()), None)
    if not folder:
        print("shared/truehd/streams is missing; the seeds of TrueHD stay as they are")
        return
    for name, first, count in CUTS:
        data = next(folder.glob(f"{name}.*[dp]")).read_bytes()
        parts = units(data)[first:first + count]
        (HERE / "Seeds/TrueHD" / f"{name}.bin").write_bytes(data[parts[0][0]:parts[-1][1]])


if __name__ == "__main__":
    main()
