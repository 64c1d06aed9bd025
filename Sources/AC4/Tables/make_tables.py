#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the numeric tables of the AC-4 decoder beside itself, from the JSON files in Annexes.

These hold the tables of ETSI TS 103 190-1, Annexes A to D, and of TS 103 190-2, Annex A; codebooks as a list of lengths
and one of codewords.

Usage: python3 make_tables.py            write the Swift files
       python3 make_tables.py --check    write nothing; fail when a file isn't what would be written
"""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / ".ci"))
from swift_tables import array, codebook, enumeration, load, save  # noqa: E402


def write(name, note, body, folder=".", imports=""):
    save(HERE / folder / f"{name}+Table.swift", enumeration(name, note, body, imports))


def swift_name(book):
    parts = book.replace("_HCB", "").lower().split("_")
    return parts[0] + "".join(part.capitalize() for part in parts[1:])


def huffman(folder):
    body = ""
    for book, entry in sorted(load(folder, "huffman.json").items()):
        body += codebook(swift_name(book), book, entry["cb_off"], entry["len"], entry["code"])
    write("Codebooks", "Codebooks of TS 103 190-1, Annex A.", body, imports="import Signal\n\n")


def object_books(folder):
    body = ""
    for book, entry in sorted(load(folder, "huffman2.json").items()):
        if book.startswith(("AJOC_", "AJCC_")):
            body += codebook(swift_name(book), book, entry["cb_off"], entry["len"], entry["code"])
    write("ObjectCodebooks", "Codebooks of TS 103 190-2, Annex A.1.", body, imports="import Signal\n\n")


def objects(folder):
    tables = load(folder, "ajoc.json")
    counts = tables["num_bands_by_code"]
    body = array("bandCounts", "Int", counts, "Numbers of parameter bands, by code.")
    maps = sum((tables["sb_to_pb"][str(count)] for count in counts), [])
    body += array("maps", "UInt8", maps, "Parameter band of each of 64 subbands, for each number of bands in turn.")
    for kind, sizes in tables["nquant"].items():
        body += array(f"{kind}Levels", "Int", [sizes["fine"], sizes["coarse"]], f"Levels of {kind} values, fine and coarse.")
    steps = tables["step"]
    body += array("steps", "Float", [steps["fine"], steps["coarse"]], "Steps between levels, fine and coarse.")
    body += array("decorrelators", "Int", tables["decorrelator_cycle"], "Filters of the decorrelators in turn.")
    write("AJOCTables", "Tables of joint object coding (TS 103 190-2, 5.7.3).", body)


def bands(folder):
    tables = load(folder, "sfb.json")
    body = ""
    for length, borders in tables["sfb_offset"]["48"].items():
        body += array(f"borders{length}", "Int", borders, f"Borders for transforms of {length} lines.")
    write("BandBorders", "Scale factor bands at 44.1 and 48 kHz (TS 103 190-1, Annex B).", body)


def filters(folder):
    window = load(folder, "qmf_window.json")["QWIN"]
    body = array("prototype", "Double", window, "`QWIN`, 640 taps (Annex D.3).")
    write("QMFWindow", "Prototype of the 64-band filter bank.", body, "../../Signal/Subbands")
    noise = load(folder, "aspx.json")["ASPX_NOISE"]
    body = array("real", "Float", [pair[0] for pair in noise], "Real parts (D.2).")
    body += array("imaginary", "Float", [pair[1] for pair in noise], "Imaginary parts.")
    write("ASPXNoise", "The 512 noise values of A-SPX.", body)
    fill = load(folder, "snf_noise.json")["RANDOM_NOISE_TABLE"]
    body = array("values", "Float", fill, "256 values of about unit power over two.")
    write("FillNoise", "Random values of the spectral noise fill.", body)


def coupling(folder):
    tables = load(folder, "acpl.json")
    body = ""
    for count in tables["num_param_bands"]:
        body += array(
            f"bands{count}", "UInt8", tables["sb_to_pb"][str(count)],
            f"Parameter band of each subband with {count} of them (Table 197).")
    for size in ("fine", "coarse"):
        name = size.capitalize()
        body += array(f"alpha{name}", "Float", tables[f"alpha_{size}"], "alpha of each index.")
        body += array(
            f"column{name}", "Int", tables[f"ibeta_{size}"], "Column of beta for each index of alpha.")
        rows = tables[f"beta_{size}[beta_q][ibeta]"]
        body += array(
            f"beta{name}", "Float", sum(rows, []), f"beta, {len(rows[0])} columns for each index.")
    filters = tables["decorrelator"]
    for region in range(3):
        rows = filters[f"a_k{region}"]
        body += array(
            f"filters{region}", "Float", sum(rows, []),
            f"Coefficients of D0, D1 and D2 in region {region}, {len(rows[0])} each.")
    write("ACPLTables", "Tables of advanced coupling (TS 103 190-1, 5.7.7).", body)


def main():
    folder = HERE / "Annexes"
    huffman(folder)
    object_books(folder)
    objects(folder)
    bands(folder)
    filters(folder)
    coupling(folder)


if __name__ == "__main__":
    main()
