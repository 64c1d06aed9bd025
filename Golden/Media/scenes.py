# SPDX-License-Identifier: Apache-2.0
"""Writes WAV files with audio definition metadata (ITU-R BS.2076): objects that move, and a sound field."""

import math
import pathlib
import struct

RATE = 48000


def time(samples: int) -> str:
    """A time to the sample, e.g. 00:00:01.4801S48000."""
    seconds, rest = divmod(samples, RATE)
    return f"00:00:{seconds:02d}.{rest}S{RATE}"


def position(place: dict) -> str:
    return "".join(f'<position coordinate="{name}">{value}</position>' for name, value in place.items())


def block(number: int, start: int, length: int, place: dict, rest: str = "") -> str:
    kind = "<cartesian>1</cartesian>" if "X" in place else ""
    return (
        f'<audioBlockFormat audioBlockFormatID="AB_0003100{number}_{start + 1:08x}" rtime="{time(start)}"'
        f' duration="{time(length)}">{kind}{position(place)}{rest}</audioBlockFormat>'
    )


def element(name: str, number: str, title: str, body: str, attributes: str = "") -> str:
    return f'<{name} {name}ID="{number}" {name}Name="{title}"{attributes}>{body}</{name}>'


def document(objects: list[tuple[str, str, list[str], str]], channels: str) -> bytes:
    """axml of objects (name, pack, track UIDs, attributes) and the formats that they need."""
    references = "".join(
        f"<audioObjectIDRef>AO_{1001 + index}</audioObjectIDRef>" for index in range(len(objects))
    )
    body = element(
        "audioProgramme", "APR_1001", "Golden",
        "<audioContentIDRef>ACO_1001</audioContentIDRef>",
    ) + element("audioContent", "ACO_1001", "All", references)
    for index, (name, pack, tracks, attributes) in enumerate(objects):
        inside = f"<audioPackFormatIDRef>{pack}</audioPackFormatIDRef>" + "".join(
            f"<audioTrackUIDRef>{track}</audioTrackUIDRef>" for track in tracks
        )
        body += element("audioObject", f"AO_{1001 + index}", name, inside, attributes)
    return (
        "<ebuCoreMain><coreMetadata><format>"
        f'<audioFormatExtended version="ITU-R_BS.2076-2">{body}{channels}</audioFormatExtended>'
        "</format></coreMetadata></ebuCoreMain>"
    ).encode()


def chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def write(path: pathlib.Path, planes: list, rows: list, axml: bytes) -> None:
    """24-bit PCM; rows are (track UID, channel format, pack) of each plane in turn."""
    count = len(planes)
    table = struct.pack("<HH", count, count)
    for number, row in enumerate(rows):
        table += struct.pack("<H12s14s11sx", number + 1, *[text.encode() for text in row])
    data = bytearray()
    for frame in zip(*planes):
        for value in frame:
            data += struct.pack("<i", int(round(value * 0x7FFFFF)))[:3]
    head = struct.pack("<HHIIHH", 1, count, RATE, RATE * count * 3, count * 3, 24)
    body = b"WAVE" + chunk(b"fmt ", head) + chunk(b"chna", table) + chunk(b"axml", axml)
    body += chunk(b"data", bytes(data))
    path.write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)


def write_scene(path: pathlib.Path, planes: list) -> None:
    """A stereo bed, an object that walks round, one that jumps in a room, a wide and diffuse late one."""
    length = len(planes[0])
    step = length // 24
    walk = "".join(
        block(1, index * step, step, {"azimuth": (index * 15 + 180) % 360 - 180, "elevation": 10})
        for index in range(24)
    )
    corners = [(-1, 1, 0), (1, 1, 1), (1, -1, 0), (-1, -1, 1)]
    jumps = "".join(
        block(
            2, index * length // 4, length // 4, dict(zip("XYZ", corner)),
            "<jumpPosition>1</jumpPosition>",
        )
        for index, corner in enumerate(corners)
    )
    wide = block(
        3, 0, length // 2, {"azimuth": 0, "elevation": 40},
        "<width>90</width><height>30</height><diffuse>0.5</diffuse><gain>0.8</gain>",
    )
    channels = ""
    for number, (name, blocks) in enumerate([("Walker", walk), ("Jumper", jumps), ("Cloud", wide)], 1):
        pack = f"<audioChannelFormatIDRef>AC_0003100{number}</audioChannelFormatIDRef>"
        kind = ' typeLabel="0003" typeDefinition="Objects"'
        channels += element("audioPackFormat", f"AP_0003100{number}", name, pack, kind)
        channels += element("audioChannelFormat", f"AC_0003100{number}", name, blocks, kind)
    tracks = [f"ATU_0000000{number}" for number in range(1, 6)]
    late = f' start="{time(length // 2)}" duration="{time(length // 2)}"'
    objects = [
        ("Bed", "AP_00010002", tracks[:2], ""), ("Walker", "AP_00031001", [tracks[2]], ""),
        ("Jumper", "AP_00031002", [tracks[3]], ""), ("Cloud", "AP_00031003", [tracks[4]], late),
    ]
    formats = ["AC_00010001", "AC_00010002", "AC_00031001", "AC_00031002", "AC_00031003"]
    packs = ["AP_00010002"] * 2 + ["AP_00031001", "AP_00031002", "AP_00031003"]
    write(path, planes, list(zip(tracks, formats, packs)), document(objects, channels))


def write_field(path: pathlib.Path, plane: list) -> None:
    """A sound field of the first order: one source that goes once round."""
    planes: list = [[], [], [], []]
    for index, value in enumerate(plane):
        angle = 2 * math.pi * index / len(plane)
        harmonics = [1, math.sin(angle), 0, math.cos(angle)]
        for channel in range(4):
            planes[channel].append(value * harmonics[channel])
    tracks = [f"ATU_0000000{number}" for number in range(1, 5)]
    rows = [(track, f"AC_0004000{number}", "AP_00040001") for number, track in enumerate(tracks, 1)]
    write(path, planes, rows, document([("Field", "AP_00040001", tracks, "")], ""))
