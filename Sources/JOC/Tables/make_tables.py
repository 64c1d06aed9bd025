#!/usr/bin/env python3
"""Writes the numeric tables of the decoder of joint object coding beside itself, from the JSON files in Figures.

These hold the tables of ETSI TS 103 420; codebooks as a list of lengths and codewords.

Usage: python3 make_tables.py            write the Swift files
       python3 make_tables.py --check    write nothing; fail when a file isn't what would be written
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
IS_CHECK = sys.argv[1:] == ["--check"]
HEAD = "// swift-format-ignore-file\n// Written by make_tables.py; don't edit.\n\n"
BOOKS = {
    "mtx_coarse": "coarseCoefficients", "mtx_fine": "fineCoefficients", "vec_coarse": "coarseVectors",
    "vec_fine": "fineVectors", "idx_5ch": "fiveChannels", "idx_7ch": "sevenChannels",
}


def load(name):
    return json.loads((HERE / "Figures" / name).read_text())


def wrapped(values, indent):
    lines, line = [], ""
    for value in values:
        text = f"{value},"
        if line and len(line) + len(text) + 1 + indent > 100:
            lines.append(line)
            line = text
        else:
            line = f"{line} {text}" if line else text
    if line:
        lines.append(line)
    return "\n".join(" " * indent + line for line in lines)


def array(name, kind, values, note):
    return f"  /// {note}\n  static let {name}: [{kind}] = [\n{wrapped(values, 4)}\n  ]\n"


def write(name, note, body, imports=""):
    text = f"{HEAD}{imports}/// {note}\nenum {name} {{\n{body}}}\n"
    path = HERE / f"{name}+Table.swift"
    if not IS_CHECK:
        path.write_text(text)
    elif path.read_text() != text:
        sys.exit(f"{path}: isn't what {pathlib.Path(__file__).name} writes; run it")


def books():
    body = ""
    for book, entries in load("huffman.json")["books"].items():
        body += f"  /// {book}\n  static let {BOOKS[book]} = HuffmanCode(\n    offset: 0,\n    lengths: [\n"
        body += f"{wrapped([length for length, _ in entries], 6)}\n    ],\n    codewords: [\n"
        body += f"{wrapped([code for _, code in entries], 6)}\n    ])\n"
    write("JOCCodes", "Codebooks of TS 103 420, annex A.", body, "import Signal\n\n")


def bands():
    tables = load("bands.json")
    counts = tables["joc_num_bands"]
    body = array("counts", "Int", counts, "Numbers of parameter bands.")
    maps = sum((tables["subband_to_band"][str(count)] for count in counts), [])
    body += array("maps", "UInt8", maps, "Parameter band of each of 64 subbands, for each number of bands in turn.")
    write("BandTables", "Parameter bands.", body)


def objects():
    tables = load("oamd.json")
    body = array("sampleOffsets", "Int", tables["sample_offset_idx"], "Samples that sample_offset_idx stands for.")
    body += array("ramps", "Int", tables["ramp_duration_idx"], "Samples that ramp_duration_idx stands for.")
    counts = [count or 0 for count in tables["isf_object_count"]]
    body += array("spatialObjects", "Int", counts, "Objects of each intermediate spatial format; 0 where it is reserved.")
    body += array("distances", "Double", tables["distance_factor"], "Distances beyond the wall.")
    body += array("divergences", "Double", tables["divergence_table"], "Divergences of the short table.")
    codes = [code or 0 for code in tables["divergence_code"]]
    body += array("divergenceCodes", "Double", codes, "Divergences of the long table.")
    body += array("fineSteps", "Int", tables["ext_precision_steps"], "Fifths of a step.")
    body += array("depthFactors", "Double", tables["depth_factor"], "Screen depth factors.")
    body += array("trims", "Double", tables["trim_db"], "Trims in dB.")
    write("ObjectTables", "Tables of object audio metadata.", body)


def rotation():
    taps = load("quadrature_low_band.json")["taps"]
    body = array("taps", "Float", taps, "Taps of the correction in subband 0; the middle one belongs to the present slot.")
    write("RotationTables", "What undoes the shift of the surround channels by 90 degrees.", body)


books()
bands()
objects()
rotation()
