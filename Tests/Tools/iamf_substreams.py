# SPDX-License-Identifier: Apache-2.0
"""Decodes every substream of an IAMF file with PyAV's FFmpeg, which needs nothing of Pinna.

Usage: iamf_substreams.py FILE OUTDIR

Writes OUTDIR/N.f32 for substream N, interleaved 32-bit floats of the presented samples, and prints a line with the number of
channels of each.
"""
import sys

import av
import numpy as np

SCALE = {"s16": 2.0**-15, "s32": 2.0**-31, "flt": 1.0}


def main(path, folder):
    with av.open(path) as container:
        found = [[] for _ in container.streams]
        for packet in container.demux():
            for frame in packet.decode():
                samples = frame.to_ndarray()
                kind = frame.format.name
                if kind.endswith("p"):
                    samples, kind = samples.T.reshape(1, -1), kind[:-1]
                found[packet.stream_index].append(samples.reshape(-1) * SCALE[kind])
        for stream in container.streams:
            pieces = found[stream.index]
            samples = np.concatenate(pieces) if pieces else np.zeros(0)
            samples.astype("<f4").tofile(f"{folder}/{stream.index}.f32")
            print(stream.codec_context.channels)


main(*sys.argv[1:])
