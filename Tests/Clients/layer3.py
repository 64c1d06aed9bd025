# SPDX-License-Identifier: Apache-2.0
"""Frames of MPEG Layer III and LAME's tag, read from the bytes of a file."""
import dataclasses
import pathlib

KILOBITS = {True: (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
            False: (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160)}
RATES = (44_100, 48_000, 32_000)
# Bytes of LAME's part of the tag in front of the check sum of the tag itself.
LAME_PART = 34


@dataclasses.dataclass
class Frame:
    """A frame, by its header and its side information."""
    place: int
    size: int
    rate: int
    samples: int  # of a channel
    side: int  # bytes of side information
    main: int  # bytes by which its main data begin earlier


def _frame(data, place):
    """The frame that begins at `place`; ValueError where none does."""
    head = data[place:place + 4]
    if len(head) < 4 or head[0] != 255 or head[1] & 0xE6 != 0xE2:
        raise ValueError(f"no frame at byte {place}")
    is_first, is_mono = head[1] & 0x18 == 0x18, head[3] >> 6 == 3
    rate = RATES[head[2] >> 2 & 3] >> (0 if is_first else 1 if head[1] & 0x18 == 0x10 else 2)
    samples = 1152 if is_first else 576
    size = samples // 8 * 1000 * KILOBITS[is_first][head[2] >> 4] // rate + (head[2] >> 1 & 1)
    side = (17 if is_mono else 32) if is_first else (9 if is_mono else 17)
    begin = place + 4 + (0 if head[1] & 1 else 2)
    main = int.from_bytes(data[begin:begin + 2], "big") >> 7 if is_first else data[begin]
    if place + size > len(data):
        raise ValueError(f"the frame at byte {place} is cut")
    return Frame(place, size, rate, samples, side, main)


def read(path):
    """The bytes of a file and its frames, that of the tag in front; ValueError where something else lies between."""
    data = pathlib.Path(path).read_bytes()
    place = 0
    while data[place:place + 3] == b"ID3":
        first, second, third, fourth = data[place + 6:place + 10]
        place += 10 + (first << 21 | second << 14 | third << 7 | fourth)
    frames = []
    while place < len(data):
        frames.append(_frame(data, place))
        place += frames[-1].size
    return data, frames


def _sum(data):
    """CRC-16 as LAME's tag has it: the polynomial of ANSI, its lowest bit first, from 0."""
    value = 0
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0xA001 if value & 1 else 0)
    return value


def _number(data, place, size):
    return int.from_bytes(data[place:place + size], "big")


def tag_faults(path, samples):
    """Fields of LAME's tag that say something else than the file, which is to have so many samples."""
    data, (tag, *frames) = read(path)
    begin = tag.place + 4 + tag.side
    if data[begin:begin + 4] not in (b"Xing", b"Info") or _number(data, begin + 4, 4) != 15:
        return ["no tag with four fields"]
    lame = begin + 8 + 4 + 4 + 100 + 4
    delay, padding = _number(data, lame + 21, 3) >> 12, _number(data, lame + 21, 3) & 4095
    length = len(data) - tag.place
    facts = {
        "name of the encoder": (data[lame:lame + 4], b"LAME"),
        "frames": (_number(data, begin + 8, 4), len(frames)),
        "bytes": (_number(data, begin + 12, 4), length),
        "length": (len(frames) * frames[0].samples - delay - padding, samples),
        "bytes of sound": (_number(data, lame + 28, 4), length),
        "check sum of the sound": (_number(data, lame + 32, 2), _sum(data[tag.place + tag.size:])),
        "check sum of the tag": (_number(data, lame + LAME_PART, 2), _sum(data[tag.place:lame + LAME_PART])),
    }
    return [f"{name} {stated}, not {due}" for name, (stated, due) in facts.items() if stated != due]
