#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the chapters of a file as GStreamer's discoverer sees them.

Usage: gstreamer_toc.py FILE
Prints JSON: {"duration": ns, "chapters": [[start in ns, title or null]] or null}. Run with the interpreter that
has gi.
"""
import json
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstPbutils", "1.0")
from gi.repository import Gst, GstPbutils  # noqa: E402


def _entries(entries):
    """The chapters and tracks below editions, in their order."""
    for entry in entries:
        if entry.get_entry_type() == Gst.TocEntryType.EDITION:
            yield from _entries(entry.get_sub_entries())
            continue
        tags = entry.get_tags()
        yield [entry.get_start_stop_times()[1], tags.get_string("title")[1] if tags else None]


def main():
    Gst.init(None)
    discoverer = GstPbutils.Discoverer.new(30 * Gst.SECOND)
    info = discoverer.discover_uri(Gst.filename_to_uri(sys.argv[1]))
    toc = info.get_toc()
    chapters = list(_entries(toc.get_entries())) if toc else None
    json.dump({"duration": info.get_duration(), "chapters": chapters}, sys.stdout)


if __name__ == "__main__":
    main()
