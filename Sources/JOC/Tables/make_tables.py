#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the numeric tables of the decoder of joint object coding beside itself, from the JSON files in Figures.

These hold the tables of ETSI TS 103 420; codebooks as a list of lengths and codewords.

Usage: python3 make_tables.py            write the Swift files
       python3 make_tables.py --check    write nothing; fail when a file isn't what would be written
"""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / ".ci"))
from swift_tables import array, codebook, enumeration, load, save  # noqa: E402

FIGURES = HERE / "Figures"
BOOKS = {
    "mtx_coarse": "coarseCoefficients", "mtx_fine": "fineCoefficients", "vec_coarse": "coarseVectors",
    "vec_fine": "fineVectors", "idx_5ch": "fiveChannels", "idx_7ch": "sevenChannels",
}


def write(name, note, body, imports=""):
    save(HERE / f"{name}+Table.swift", enumeration(name, note, body, imports))


def books():
    body = ""
    for book, entries in load(FIGURES, "huffman.json")["books"].items():
        lengths, codewords = zip(*entries)
        body += codebook(BOOKS[book], book, 0, lengths, codewords)
    write("JOCCodes", "Codebooks of TS 103 420, annex A.", body, "import Signal\n\n")


def bands():
    tables = load(FIGURES, "bands.json")
    counts = tables["joc_num_bands"]
    body = array("counts", "Int", counts, "Numbers of parameter bands.")
    maps = sum((tables["subband_to_band"][str(count)] for count in counts), [])
    body += array("maps", "UInt8", maps, "Parameter band of each of 64 subbands, for each number of bands in turn.")
    write("BandTables", "Parameter bands.", body)


def rotation():
    taps = load(FIGURES, "quadrature_low_band.json")["taps"]
    body = array("taps", "Float", taps, "Taps of the correction in subband 0; the middle one belongs to the present slot.")
    write("RotationTables", "The filters that undo the shift of the surround channels by 90 degrees.", body)


def main():
    books()
    bands()
    rotation()


if __name__ == "__main__":
    main()
