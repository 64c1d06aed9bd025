#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of the loudspeaker renderer beside itself, from the JSON files in Figures.

These hold the layouts of ITU-R BS.2051, and the figures of ITU-R BS.2127 that follow from them: panning regions,
zone groups, rules for channels, decoders. The tables are texts, because long array literals compile slowly.

Usage: python3 make_tables.py            write the Swift files
       python3 make_tables.py --check    write nothing; fail when a file isn't what would be written
"""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3] / ".ci"))
from swift_tables import enumeration, load, save  # noqa: E402

FIGURES = HERE / "Figures"


def number(value):
    text = f"{value:.9f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def words(values):
    return " ".join(number(value) for value in values)


def write(name, note, texts):
    body = ""
    for constant, about, lines in texts:
        body += f"  /// {about}\n  static let {constant} = \"\"\"\n"
        body += "".join(f"    {line}\n" for line in lines) + "    \"\"\"\n"
    save(HERE / f"{name}+Table.swift", enumeration(name, note, body))


def panning(entry):
    """Virtual loudspeakers and regions in the order of trial."""
    lines = []
    for speaker in entry.get("speakers", []):
        if speaker["name"] == "virtual":
            lines.append(f"virtual {words([speaker['azimuth'], speaker['elevation'], speaker['goes_to']])}")
        else:
            assert speaker["index"] == speaker["goes_to"]
    for region in entry.get("regions", []):
        if region["kind"] == "Triplet":
            lines.append(f"triplet {words(region['channels'])}")
        elif region["kind"] == "QuadRegion":
            lines.append(f"quad {words(region['ring_order'])}")
        else:
            ring = region["ring_order"]
            assert abs(region["centre_gain"] - len(ring) ** -0.5) < 1e-8
            lines.append(f"ring {words(region['centre'])} {words(ring)}")
    return lines


def layouts():
    regions, objects = load(FIGURES, "point_source_regions.json"), load(FIGURES, "object_tables.json")
    lines = []
    for name, speakers in load(FIGURES, "layouts.json").items():
        table = objects[name]
        mains = [speaker["name"] for speaker in speakers if not speaker["lfe"]]
        assert mains == table["channels"]
        lines.append(f"layout {name}")
        for speaker in speakers:
            lines.append(
                f"{'lfe' if speaker['lfe'] else 'main'} {speaker['name']} "
                f"{words([speaker['azimuth'], speaker['elevation']])} {words(speaker['allocentric'])} "
                f"{table['decorrelator_seed'][speaker['name']]}")
        lines.append(f"ranks {words(table['lock_priority'])}")
        for groups in table["zone_groups"]:
            lines.append("zones " + " ".join(",".join(str(member) for member in group) for group in groups))
        lines += panning(regions[name])
    return lines


def rules():
    source = load(FIGURES, "direct_speakers_rules.json")
    packs = [f"{pack.upper()} {layout}" for pack, layout in source["itu_packs"].items()]
    aliases = [f"{alias} {label}" for alias, label in source["label_aliases"].items()]
    lines = []
    for rule in source["rules"]:
        sides = [",".join(rule[key] or ["*"]) for key in ("input_layouts", "output_layouts")]
        gains = " ".join(f"{label} {number(gain)}" for label, gain in rule["gains"])
        lines.append(f"{rule['label']} {sides[0]} {sides[1]} {gains}")
    return packs, aliases, lines


def decoders():
    lines = []
    for name, entry in load(FIGURES, "hoa_decoders.json").items():
        for order, rows in entry["orders"].items():
            lines.append(f"decoder {name} {order}")
            lines += [" ".join(str(round(gain * 1e9)) for gain in row) for row in rows]
    return lines


def main():
    packs, aliases, lines = rules()
    write("LayoutFigures", "Layouts of ITU-R BS.2051-3 and what ITU-R BS.2127-1 derives from them.", [
        ("text", "A line each for the name, loudspeakers, ranks, zone groups, virtual loudspeakers and regions.", layouts())])
    write("ChannelRules", "The rules for channels made for loudspeakers (ITU-R BS.2127-1, 8).", [
        ("packs", "Common packs and their layouts.", packs),
        ("aliases", "Other names of labels.", aliases),
        ("rules", "Label, layouts of the channel, layouts of the output (`*` for any), labels with gains.", lines)])
    write("SceneDecoders", "Decoders of orders 0 to 5 (ITU-R BS.2127-1, 9), ACN order, SN3D normalised.", [
        ("text", "After each layout and order a line of gains times 10^9 for each loudspeaker that isn't an LFE.", decoders())])


if __name__ == "__main__":
    main()
