#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes KEMAR+Table.swift: the measurements behind the built-in HRTF set.

Source: W. G. Gardner and K. D. Martin, "HRTF Measurements of a KEMAR Dummy-Head Microphone",
MIT Media Lab Perceptual Computing Technical Report 280, 1994; free to use when the authors are
cited. Taken from libmysofa's default.sofa (the set with the normal pinna, 44.1 kHz, 512 taps),
whose samples are exact multiples of 2^-15 and whose right half mirrors its left half exactly.

Kept: azimuths 0...180 degrees, taps 16...335 (before: silence; after: the rig's low-frequency
ringing and the room), the last 48 taps faded. One line of base64 per direction: azimuth and
elevation as Float32, then 320 Int16 of the left ear and 320 of the right, little-endian.

Usage: python3 make-kemar.py [default.sofa]   (needs h5py and numpy)
"""

import base64
import pathlib
import sys

import h5py
import numpy

FIRST, TAPS, FADE = 16, 320, 48

HEAD = '''// swift-format-ignore-file
// Written by Resources/make-kemar.py; don't edit.

/// Measurements of the built-in set: Gardner & Martin, "HRTF Measurements of a KEMAR Dummy-Head
/// Microphone", MIT Media Lab, 1994 (free to use when the authors are cited).
enum KEMARTable {
  /// Samples per second of the responses.
  static let sampleRate = %d
  /// Taps per ear.
  static let taps = %d
  /// Directions of the left half sphere; the right half is its mirror.
  static let directions = %d
  /// Per line, in base64 and little-endian: azimuth and elevation (Float32, degrees), then the
  /// left and the right ear's taps (Int16, full scale 32768).
  static let lines: StaticString = """
'''


def line(direction, pair, fade):
    angles = numpy.array(direction[:2], "<f4").tobytes()
    taps = numpy.round(pair[:, FIRST : FIRST + TAPS] * 32768 * fade).astype("<i2").tobytes()
    return base64.b64encode(angles + taps).decode()


def main():
    source = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/libmysofa/default.sofa"
    with h5py.File(source) as sofa:
        positions = sofa["SourcePosition"][:]
        responses = sofa["Data.IR"][:]
        rate = int(sofa["Data.SamplingRate"][0])
    ramp = 0.5 + 0.5 * numpy.cos(numpy.pi * (numpy.arange(FADE) + 1) / (FADE + 1))
    fade = numpy.concatenate([numpy.ones(TAPS - FADE), ramp])
    kept = [i for i, place in enumerate(positions) if place[0] <= 180.001]
    lines = [line(positions[i], responses[i], fade) for i in kept]
    target = pathlib.Path(__file__).resolve().parent.parent / "KEMAR+Table.swift"
    body = HEAD % (rate, TAPS, len(lines)) + "\n".join(lines) + '\n"""\n}\n'
    target.write_text(body)


main()
