# SPDX-License-Identifier: Apache-2.0
"""WAV files of 32-bit floats, and where two of them differ. Equal stretches are compared as bytes, so that long files cost little."""
import array
import collections
import mmap
import struct

# Values compared at once; only blocks that aren't the same bytes are looked at value by value.
BLOCK = 4096
# Once so many values have been looked at one by one, the count of those that differ is a lower bound.
MOST = 20_000_000
WINDOW = 64

# worst: largest deviation; first: first frame that differs; isLeast: whether there may be more.
Deviation = collections.namedtuple("Deviation", "count first worst isLeast")


class Sound:
    """Frames of a WAV file with 32-bit floats."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        at, data, wide = 12, (0, 0), None
        while at + 8 <= len(self.map):
            name, size = self.map[at:at + 4], struct.unpack_from("<I", self.map, at + 4)[0]
            if name == b"ds64":
                wide = struct.unpack_from("<Q", self.map, at + 16)[0]
            elif name == b"fmt ":
                self.channels, self.rate = struct.unpack_from("<HI", self.map, at + 10)
            elif name == b"data":
                size = wide if wide and size == 0xFFFFFFFF else size
                data = at + 8, min(size, len(self.map) - at - 8)
            at += 8 + size + size % 2
        self.width = 4 * self.channels
        self.start = data[0]
        self.frames = data[1] // self.width

    def part(self, first, frames):
        """The bytes of some frames, fewer where the file ends."""
        first = max(first, 0)
        return self.map[self.start + first * self.width:self.start + min(first + frames, self.frames) * self.width]

    def find(self, wanted, after=0):
        """The first frame from `after` on that begins with these bytes."""
        at = self.start + after * self.width
        end = self.start + self.frames * self.width
        while (at := self.map.find(wanted, at, end)) >= 0:
            if (at - self.start) % self.width == 0:
                return (at - self.start) // self.width
            at += 1
        return None

    def close(self):
        self.map.close()


def expected(whole, first, frames, gaps):
    """Pieces that `frames` frames consist of: bytes that follow one another, of `whole` from `first` on, with silence in gaps
    and without what overlaps. `gaps` are (kind, position in the result, samples)."""
    made, at = 0, first
    for kind, position, samples in sorted(gaps, key=lambda gap: gap[1]):
        if kind not in ("gap", "overlap"):
            continue
        yield from pieces(whole, at, position - made)
        at += position - made
        made = position
        if kind == "gap":
            yield bytes(min(samples, frames - made) * whole.width)
            made += samples
        else:
            at += samples
    yield from pieces(whole, at, frames - made)


def pieces(whole, first, frames):
    """Frames in blocks, so that no long stretch lies in memory."""
    for at in range(first, first + frames, 1 << 16):
        yield whole.part(at, min(1 << 16, first + frames - at))


def deviation(sound, wanted, tolerance):
    """How `sound` deviates from the bytes `wanted`, which come in pieces; `None` where it doesn't. A frame that only one of both
    has differs."""
    found = [0, None, 0.0]
    at = looked = 0
    for piece in wanted:
        own = sound.part(at, len(piece) // sound.width)
        if own != piece:
            looked += compare(found, own, piece, at * sound.channels, tolerance)
        at += len(piece) // sound.width
        if looked > MOST:
            break
    if looked <= MOST and at != sound.frames:
        note(found, min(at, sound.frames) * sound.channels, abs(at - sound.frames) * sound.channels, float("inf"))
    return Deviation(found[0], found[1] // sound.channels, found[2], looked > MOST) if found[0] else None


def compare(found, own, piece, at, tolerance):
    """Adds the values that differ of those that both have; returns how many were looked at."""
    first, second = array.array("f", own), array.array("f", piece)
    looked = 0
    for start in range(0, min(len(first), len(second)), BLOCK):
        left, right = first[start:start + BLOCK], second[start:start + BLOCK]
        if left == right:
            continue
        looked += len(left)
        for index, (one, other) in enumerate(zip(left, right)):
            # Values that are no numbers on both sides are equal here.
            if not abs(one - other) <= tolerance and (one == one or other == other):
                note(found, at + start + index, 1, abs(one - other) if one == one and other == other else float("inf"))
    return looked


def note(found, value, count, by):
    found[0] += count
    found[1] = value if found[1] is None else found[1]
    found[2] = max(found[2], by)


def place(part, whole, guesses):
    """The frame of `whole` that `part` begins at, bit for bit and to its end; `None` where it is no stretch of it."""
    loud = next((at for at in range(0, part.frames, WINDOW) if any(part.part(at, WINDOW))), None)
    tried = list(guesses)
    if loud is not None:
        window, after = part.part(loud, WINDOW), 0
        for _ in range(8):
            after = whole.find(window, after)
            if after is None:
                break
            tried.append(after - loud)
            after += 1
    for first in tried:
        if 0 <= first <= whole.frames - part.frames and all(
                part.part(at - first, 1 << 16) == whole.part(at, min(1 << 16, first + part.frames - at))
                for at in range(first, first + part.frames, 1 << 16)):
            return first
    return None
