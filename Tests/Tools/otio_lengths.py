#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads timelines from a JSON list on standard input and writes a list of their lengths in seconds.

OpenTimelineIO can't convert times without rounding, so that lengths are sums of Doubles here.
"""

import json
import sys

import opentimelineio as otio


def main():
    """Opens every timeline as OpenTimelineIO does, and asks it for the length of its track of sound."""
    lengths = []
    for text in json.load(sys.stdin):
        timeline = otio.adapters.read_from_string(text, "otio_json")
        (track,) = timeline.audio_tracks()
        lengths.append(track.duration().to_seconds())
        # This fails where a transition isn't one that OpenTimelineIO understands.
        otio.algorithms.track_with_expanded_transitions(track)
    json.dump(lengths, sys.stdout)


if __name__ == "__main__":
    main()
