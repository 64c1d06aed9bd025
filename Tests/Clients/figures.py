# SPDX-License-Identifier: Apache-2.0
"""Figures of what a reader made of a file."""
import dataclasses

import numpy


@dataclasses.dataclass
class Decoded:
    """What a reader showed: sound and pictures with presentation times in seconds."""
    sound: numpy.ndarray = None  # frames x channels, -1…1
    rate: int = 48_000
    blocks: list = dataclasses.field(default_factory=list)  # (presentation time, frames) of the sound
    shown: list = dataclasses.field(default_factory=list)  # presentation times of pictures, sorted
    light: list = dataclasses.field(default_factory=list)  # their mean brightness, 0…255

    @property
    def start(self):
        """Presentation time of the first frame of sound."""
        return self.blocks[0][0]

    def time(self, frame):
        """Presentation time of a frame of sound, from that of the block it came in."""
        first = 0
        for time, count in self.blocks:
            if frame < first + count:
                break
            first += count
        return time + (frame - first) / self.rate

    def frame(self, time):
        """The frame of sound at a presentation time, as if no block were out of its place."""
        return round((time - self.start) * self.rate)

    @property
    def flashes(self):
        """Presentation times of the white pictures."""
        return [time for time, light in zip(self.shown, self.light) if light > 128]


def signed(value):
    """An integer with its sign, and 0 without one."""
    return f"{value:+d}".replace("-", "−") if value else "0"


def find(sound, wanted):
    """Where `wanted` begins in `sound` by the highest normalised correlation; None if nothing is alike.

    Both are one channel."""
    wanted = numpy.asarray(wanted, dtype=numpy.float64)
    sound = numpy.asarray(sound, dtype=numpy.float64)
    length = len(wanted)
    if len(sound) < length:
        return None
    size = 1 << (len(sound) + length).bit_length()
    spectrum = numpy.fft.rfft(sound, size) * numpy.conj(numpy.fft.rfft(wanted, size))
    product = numpy.fft.irfft(spectrum, size)[:len(sound) - length + 1]
    power = numpy.concatenate(([0.0], numpy.cumsum(sound * sound)))
    power = power[length:] - power[:-length]
    correlation = product / numpy.sqrt(numpy.maximum(power * (wanted @ wanted), 1e-9))
    best = int(numpy.argmax(correlation))
    return best if correlation[best] > 0.5 else None


def lag(sound, original, place, length=2048, reach=3000):
    """Samples by which `original[place:place + length]` lies later in `sound`, within ±reach."""
    begin = max(0, place - reach)
    found = find(sound[begin:place + reach + length], original[place:place + length])
    return None if found is None else begin + found - place


def same_lag(sound, original, places):
    """The lag all bursts have in common, or None with a burst that is elsewhere."""
    lags = {lag(sound, original, place) for place in places}
    return lags.pop() if len(lags) == 1 else None


def differing(sound, original, offset):
    """How many frames of `sound`, which begins `offset` late, aren't bit for bit those of `original`."""
    ours = sound[max(0, offset):]
    theirs = original[max(0, -offset):]
    count = min(len(ours), len(theirs))
    return int(numpy.any(ours[:count] != theirs[:count], axis=1).sum())
