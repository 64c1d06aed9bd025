#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a long IAMF file, or decodes all of its substreams and throws them away.

    iamf_programme.py write TOOLS OUT SECONDS
    iamf_programme.py decode FILE

The file holds a bed of 7.1.4 and a sound field of third order, both in Opus at 48 kb/s for each channel: 23 substreams
with 28 channels, ten seconds over and over. TOOLS is the folder of make_synthetic.py. Needs numpy and PyAV with
FFmpeg 7 or later.
"""
import sys

import av

PERIOD = 10  # seconds


def write(tools, out, seconds):
    """Writes the file; its units are the same in each period."""
    sys.path.insert(0, tools)
    sys.dont_write_bytecode = True
    import make_synthetic as make
    import numpy as np
    codec = make.opus()
    length = PERIOD * make.FS
    signals = make.signals(np.random.default_rng(1), length, 28, 0.04)
    pairs = [(index, signals[2 * index:2 * index + 2]) for index in range(5)]
    monos = [(index - 5, signals[index:index + 1]) for index in range(10, 28)]
    packets = {index: codec.packets(samples)[:length // codec.frame] for index, samples in pairs + monos}
    scene = make.leb(0) + bytes([16, 16, *range(16)])
    gain = make.mix_gain(1, -3)
    descriptors = (
        make.header(2, 2) + codec.config(0)
        + make.element(1, 0, 0, list(range(7)), [], bytes([1 << 5]) + make.layer(7, 7, 5))
        + make.element(2, 1, 0, list(range(7, 23)), [], scene)
        + make.mix(1, [{"id": 1, "gain": gain}, {"id": 2, "gain": gain}], make.mix_gain(2, 0), [make.layout(0)]))

    def unit(number, trim):
        return b"".join(make.frame_obu(index, part[number], trim) for index, part in packets.items())

    count = length // codec.frame
    period = [unit(number, (0, 0)) for number in range(count)]
    first = unit(0, (codec.delay, 0))
    with open(out, "wb") as file:
        file.write(descriptors + first + b"".join(period[1:]))
        for _ in range(seconds // PERIOD - 1):
            file.write(b"".join(period))


def decode(path):
    """Decodes all substreams."""
    with av.open(path) as container:
        for packet in container.demux():
            for _ in packet.decode():
                pass


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        decode(sys.argv[2])
