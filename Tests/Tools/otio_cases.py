#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes timelines of OpenTimelineIO, and where OpenTimelineIO itself puts their clips.

Each case has the text of a timeline and, for each clip and gap of its track of sound in their order, the name (empty for
silence), the first sample and the end in the file with the handles that transitions take, and the same in the programme.
All are samples at 48 kHz; files count from their own first sample.
"""

import json
import random
import sys

import opentimelineio as otio
from opentimelineio.opentime import RationalTime, TimeRange

RATE = 48000


def samples(time):
    """Samples of a time; the cases are made so that they are whole."""
    value = time.value_rescaled_to(RATE)
    assert abs(value - round(value)) < 1e-6, time
    return round(value)


def time(noise, low, high):
    """A random time of low to high frames of 25 a second, at one of several rates."""
    frames = noise.randint(low, high)
    rate = noise.choice([25, 50, 1000, 48000])
    return RationalTime(frames * rate / 25, rate)


def clip(noise, name):
    """A clip with at least 20 frames of handles at both ends."""
    first = time(noise, 0, 90000) if noise.random() < 0.7 else RationalTime(0, 25)
    available = TimeRange(first, RationalTime(10000, 25))
    media = otio.schema.ExternalReference(f"media/{name}%20x.wav", available)
    start = first + time(noise, 20, 900)
    made = otio.schema.Clip(name, media, TimeRange(start, time(noise, 60, 3000)))
    made.enabled = noise.random() < 0.9
    if noise.random() < 0.5:
        at = start + time(noise, 0, 50)
        made.markers.append(otio.schema.Marker("m" + name, TimeRange(at, RationalTime(0, 25))))
    return made


def timeline(noise):
    """A timeline with one track of sound and one of pictures."""
    sound = otio.schema.Track("sound", kind=otio.schema.TrackKind.Audio)
    for index in range(noise.randint(1, 8)):
        if index and noise.random() < 0.5:
            join = otio.schema.Transition("t", otio.schema.TransitionTypes.SMPTE_Dissolve)
            join.in_offset, join.out_offset = time(noise, 0, 20), time(noise, 1, 20)
            sound.append(join)
        if noise.random() < 0.2:
            sound.append(otio.schema.Gap(duration=time(noise, 60, 500)))
        else:
            sound.append(clip(noise, f"c{index}"))
    pictures = otio.schema.Track("pictures", kind=otio.schema.TrackKind.Video)
    made = otio.schema.Timeline("made")
    made.tracks.extend([pictures, sound])
    return made, sound


def expected(sound):
    """What OpenTimelineIO says of each clip and gap."""
    # Every clip beside a transition comes in pieces, of which the outer ends hold.
    pieces = []
    for part in otio.algorithms.track_with_expanded_transitions(sound):
        pieces += part if isinstance(part, tuple) else [part]
    pieces = [piece for piece in pieces if not isinstance(piece, otio.schema.Transition)]
    rows = []
    for child in sound:
        if isinstance(child, otio.schema.Transition):
            continue
        before, behind = sound.handles_of_child(child)
        place = child.range_in_parent()
        row = {
            "start": samples(place.start_time) - (samples(before) if before else 0),
            "end": samples(place.end_time_exclusive()) + (samples(behind) if behind else 0),
        }
        isClip = isinstance(child, otio.schema.Clip) and child.enabled
        row["name"] = child.name if isClip else ""
        if isClip:
            media = samples(child.available_range().start_time)
            own = [piece for piece in pieces if piece.name.split("_")[0] == child.name]
            row["from"] = min(samples(piece.source_range.start_time) for piece in own) - media
            row["to"] = max(samples(piece.source_range.end_time_exclusive()) for piece in own) - media
            row["markers"] = [
                samples(marker.marked_range.start_time) - media - row["from"] for marker in child.markers]
        else:
            row["from"], row["to"], row["markers"] = 0, row["end"] - row["start"], []
        rows.append(row)
    return rows


def main():
    noise = random.Random(int(sys.argv[1]))
    cases = []
    for _ in range(int(sys.argv[2])):
        made, sound = timeline(noise)
        text = otio.adapters.write_to_string(made, "otio_json", indent=-1)
        cases.append({"timeline": text, "expected": expected(sound)})
    print(json.dumps(cases))


if __name__ == "__main__":
    main()
