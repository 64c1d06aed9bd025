#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes CommonDefinitions+Table.swift beside itself from common_definitions.json: the packs and channels of
ITU-R BS.2094-1.

Usage: python3 make_tables.py            write the Swift file
       python3 make_tables.py --check    write nothing; fail when the file isn't what would be written
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / ".ci"))
from swift_tables import load, save  # noqa: E402


def text(value):
    return json.dumps(value, ensure_ascii=False)


def optional(value):
    return "nil" if value is None else str(value)


def texts(values):
    return "[" + ", ".join(text(value) for value in values or []) + "]"


def edge(value):
    """The horizontal edge of the screen, the first of a pair."""
    return "nil" if value is None else "." + value[0]


def main():
    source = load(HERE, "common_definitions.json")
    # Streams and tracks follow by rule; the code relies on there being no exception.
    assert not source["streams_not_by_rule"] and not source["tracks_not_by_rule"]
    lines = ["extension CommonDefinitions {", "  /// The packs.", "  static let packRows: [PackRow] = ["]
    for name, pack in source["packs"].items():
        lines.append(
            f"    PackRow({text(name)}, {text(pack['name'])}, {texts(pack.get('channels'))}, {texts(pack.get('packs'))}),")
    lines += ["  ]", "", "  /// The channels.", "  static let channelRows: [ChannelRow] = ["]
    for name, channel in source["channels"].items():
        values = ", ".join(
            optional(channel.get(key)) for key in ("azimuth", "elevation", "distance", "lowPass", "order", "degree"))
        normalization = channel.get("normalization")
        lines.append(
            f"    ChannelRow({text(name)}, {text(channel['name'])}, {texts(channel.get('labels'))}, {values}, "
            f"{'nil' if normalization is None else text(normalization)}, {edge(channel.get('screenEdgeLock'))}),")
    lines += ["  ]", "}", ""]
    save(HERE / "CommonDefinitions+Table.swift", "\n".join(lines))


if __name__ == "__main__":
    main()
