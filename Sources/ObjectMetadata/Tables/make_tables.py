#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the numeric tables of object audio metadata beside itself, from the JSON file in Figures, which holds those of
ETSI TS 103 420; TS 103 190-2 has the same.

Usage: python3 make_tables.py            write the Swift file
       python3 make_tables.py --check    write nothing; fail when the file isn't what would be written
"""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / ".ci"))
from swift_tables import array, enumeration, load, save  # noqa: E402

ACCESS = "package "


def main():
    tables = load(HERE / "Figures", "oamd.json")
    body = array("sampleOffsets", "Int", tables["sample_offset_idx"], "Samples that sample_offset_idx stands for.", ACCESS)
    body += array("ramps", "Int", tables["ramp_duration_idx"], "Samples that ramp_duration_idx stands for.", ACCESS)
    counts = [count or 0 for count in tables["isf_object_count"]]
    body += array("spatialObjects", "Int", counts, "Objects of each intermediate spatial format; 0 where it is reserved.", ACCESS)
    body += array("distances", "Double", tables["distance_factor"], "Distances beyond the wall.", ACCESS)
    body += array("divergences", "Double", tables["divergence_table"], "Divergences of the short table.", ACCESS)
    codes = [code or 0 for code in tables["divergence_code"]]
    body += array("divergenceCodes", "Double", codes, "Divergences of the long table.", ACCESS)
    body += array("fineSteps", "Int", tables["ext_precision_steps"], "Fifths of a step.", ACCESS)
    body += array("depthFactors", "Double", tables["depth_factor"], "Screen depth factors.", ACCESS)
    body += array("trims", "Double", tables["trim_db"], "Trims in dB.", ACCESS)
    text = enumeration("ObjectTables", "Tables of object audio metadata.", body, access=ACCESS)
    save(HERE / "ObjectTables+Table.swift", text)


if __name__ == "__main__":
    main()
