# SPDX-License-Identifier: Apache-2.0
"""Digests of the media data in a file, without what its container says about them."""
import hashlib
import struct


def chunks(data, start=12):
    """Name, first and last byte of the chunks of a RIFF, RF64 or BW64 file."""
    while start + 8 <= len(data):
        name, size = data[start:start + 4], struct.unpack_from("<I", data, start + 4)[0]
        end = min(start + 8 + size, len(data))
        yield name.decode("latin-1"), start + 8, end
        start = end + size % 2


def boxes(data, start=0, end=None):
    """Type, first and last byte of the boxes of an ISO base media file."""
    end = len(data) if end is None else end
    while start + 8 <= end:
        size, kind = struct.unpack_from(">I4s", data, start)
        head = 8
        if size == 1:
            size, head = struct.unpack_from(">Q", data, start + 8)[0], 16
        stop = end if size == 0 else min(start + size, end)
        if stop < start + head:
            return
        yield kind.decode("latin-1"), start + head, stop
        start = stop


def leb128(data, place):
    """A number of variable length, and the place after it."""
    value = shift = 0
    while place < len(data):
        byte = data[place]
        place += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            break
    return value, place


def units(data):
    """Type, first and last byte of the units (OBU) of an IAMF file."""
    place = 0
    while place < len(data):
        kind = data[place] >> 3
        size, start = leb128(data, place + 1)
        place = min(start + size, len(data))
        yield kind, start, place


def pages(data):
    """Position, first and last byte of the pages of an Ogg file."""
    place = 0
    while data[place:place + 4] == b"OggS" and place + 27 <= len(data):
        count = data[place + 26]
        start = place + 27 + count
        end = min(start + sum(data[place + 27:start]), len(data))
        yield struct.unpack_from("<q", data, place + 6)[0], start, end
        place = end


# RFC 9639, 8.1.
FLAC_BLOCKS = {0: "STREAMINFO", 1: "PADDING", 2: "APPLICATION", 3: "SEEKTABLE", 4: "VORBIS_COMMENT", 5: "CUESHEET", 6: "PICTURE"}


def flac_blocks(data):
    """Type, first and last byte of the blocks of metadata of a FLAC file, and of the frames after them."""
    place, last = 4, False
    while not last and place + 4 <= len(data):
        last, kind = data[place] >= 0x80, data[place] & 0x7F
        start = place + 4
        place = start + int.from_bytes(data[place + 1:start], "big")
        yield FLAC_BLOCKS.get(kind, f"block {kind}"), start, min(place, len(data))
    yield "frames", place, len(data)


# IAMF 1.1, 3.2: types 5 to 23 are audio frames.
FRAME_UNITS = range(5, 24)


def media(name, data):
    """The ranges of the media data; None of a file that isn't known to hold any."""
    if data[:4] in (b"RIFF", b"RF64", b"BW64"):
        return [(start, end) for kind, start, end in chunks(data) if kind in ("fmt ", "data")]
    if data[:4] == b"fLaC":
        return [(start, end) for kind, start, end in flac_blocks(data) if kind == "frames"]
    if data[:4] == b"OggS":
        return [(start, end) for position, start, end in pages(data) if position != 0]
    if name.endswith(".iamf"):
        return [(start, end) for kind, start, end in units(data) if kind in FRAME_UNITS]
    if data[4:8] in (b"ftyp", b"styp", b"moof", b"sidx", b"prft"):
        return [(start, end) for kind, start, end in boxes(data) if kind == "mdat"]
    return None


def digest(name, data):
    """SHA-256 of the media data; None of other files."""
    ranges = media(name, data)
    if ranges is None:
        return None
    found = hashlib.sha256()
    for start, end in ranges:
        found.update(data[start:end])
    return found.hexdigest()


def parts(data):
    """Digests of the parts of a container by their place: chunks, blocks of metadata, or boxes two levels deep. Empty of other containers."""
    found = {}
    if data[:4] in (b"RIFF", b"RF64", b"BW64"):
        rows = chunks(data)
    elif data[:4] == b"fLaC":
        rows = flac_blocks(data)
    elif data[4:8] in (b"ftyp", b"styp"):
        rows = inner_boxes(data)
    else:
        return found
    for kind, start, end in rows:
        number = sum(key.split(" ")[0] == kind for key in found)
        found[kind if number == 0 else f"{kind} {number + 1}"] = hashlib.sha256(data[start:end]).hexdigest()
    return found


def inner_boxes(data):
    for kind, start, end in boxes(data):
        inside = list(boxes(data, start, end)) if kind in ("moov", "moof") else []
        if inside:
            yield from ((f"{kind}/{inner}", first, last) for inner, first, last in inside)
        else:
            yield kind, start, end
