# SPDX-License-Identifier: Apache-2.0
"""What MP4, Matroska and ASF say of the length of the sound and of the file, read without libav."""
import math
import struct

from statement import Facts, itunes

FIRST_BOXES = (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot")
PARENTS = (b"moov", b"trak", b"mdia", b"edts", b"minf", b"stbl")


def movie(data, _):
    """Facts of MP4 and MOV with one track of sound: its one edit (ISO/IEC 14496-12, 8.6.6), as far as its samples go (8.6.1.2),
    else iTunSMPB."""
    found = Facts()
    tracks, scale, in_fragments = [], 0, False
    for name, at, size in boxes(data, 0, len(data)):
        if at + size > len(data):
            found.cut = f"the box {name.decode('latin-1')} goes beyond the file"
        elif name == b"moov":
            for child, place, length in boxes(data, at, at + size):
                if child == b"mvhd":
                    scale = clock(data, place)[0]
                elif child == b"trak":
                    tracks.append(track(data, place, length))
                elif child == b"mvex":
                    # The samples of fragments stand in other tables.
                    in_fragments = True
    for one in tracks if in_fragments else ():
        one.pop("ticks", None)
    sounds = [one for one in tracks if one.get("kind") == b"soun"]
    if len(sounds) == 1 and scale:
        edited(found, sounds[0], scale, itunes(data))
    return found


def boxes(data, at, end):
    """Names, places and sizes of what boxes hold."""
    while at + 8 <= end:
        size, head = struct.unpack_from(">I", data, at)[0], 8
        if size == 1 and at + 16 <= end:
            size, head = struct.unpack_from(">Q", data, at + 8)[0], 16
        size = end - at if size == 0 else size
        if size < head:
            return
        yield data[at + 4:at + 8], at + head, size - head
        at += size


def clock(data, at):
    """Ticks in a second and duration of mvhd and mdhd."""
    return struct.unpack_from(">IQ" if data[at] == 1 else ">II", data, at + (20 if data[at] == 1 else 12))


def track(data, at, size):
    """Kind of media, ticks in a second and in all samples, and edits of a track: length in ticks of the movie, first tick of the
    media, rate."""
    found = {"edits": []}
    for name, place, length in boxes(data, at, min(at + size, len(data))):
        if name in PARENTS:
            # The first handler is the media's; QuickTime has one of the data, too.
            inner = track(data, place, length)
            found = inner | found | {"edits": found["edits"] + inner["edits"]}
        elif name == b"mdhd":
            found["rate"] = clock(data, place)[0]
        elif name == b"hdlr":
            found.setdefault("kind", data[place + 8:place + 12])
        elif name == b"stts":
            count = struct.unpack_from(">I", data, place + 4)[0]
            found["ticks"] = sum(number * ticks for number, ticks in struct.iter_unpack(">II", data[place + 8:place + 8 + 8 * count]))
        elif name == b"elst":
            form = ">Qqi" if data[place] == 1 else ">Iii"
            for entry in range(struct.unpack_from(">I", data, place + 4)[0]):
                found["edits"].append(struct.unpack_from(form, data, place + 8 + entry * struct.calcsize(form)))
    return found


def edited(found, sound, scale, tag):
    """Adds what the only edit states, where there is no edit list the tag, and without that all samples."""
    real = [edit for edit in sound["edits"] if edit[1] >= 0]
    found.rate = sound.get("rate")
    if len(real) == 1 and real[0][0] and real[0][2] == 1 << 16 and found.rate:
        length, found.start, _ = real[0]
        there = (sound.get("ticks") or math.inf) - found.start
        found.samples, found.source = min(length * found.rate // scale, there), "the edit list"
        found.tolerance = -(-found.rate // scale)
    elif tag and not sound["edits"]:
        found.start, found.samples, found.source = tag[0], tag[1], "iTunSMPB"
    elif not sound["edits"]:
        found.total, found.source = sound.get("ticks") or None, "the sample table"


def matroska(data, _):
    """Whether the segment goes beyond the file (RFC 8794, 6; RFC 9559, 5.1)."""
    at = 0
    while at + 5 <= len(data):
        name, head = element(data, at, keeps_mark=True)
        size, width = element(data, at + head, keeps_mark=False)
        is_open = size == (1 << 7 * width) - 1
        at += head + width
        if name == 0x18538067:
            return Facts(cut="the segment goes beyond the file" if not is_open and at + size > len(data) else None)
        at += size
    return Facts()


def element(data, at, keeps_mark):
    """A number whose leading zeros state its length."""
    width = 9 - data[at].bit_length()
    value = int.from_bytes(data[at:at + width], "big")
    return value if keeps_mark else value & (1 << 7 * width) - 1, width


def asf(data, _):
    """Whether the data packets that the header states go beyond the file (ASF specification, 3.2 and 5)."""
    at = data.find(bytes.fromhex("A1DCAB8C47A9CF118EE400C00C205365"))
    if at < 0:
        return Facts()
    packets, _, _, _, _, size = struct.unpack_from("<QQQQII", data, at + 56)
    head = struct.unpack_from("<Q", data, 16)[0]
    return Facts(cut="its packets go beyond the file" if head + 50 + packets * size > len(data) else None)


READERS = [(b"\x1a\x45\xdf\xa3", matroska), (bytes.fromhex("3026B2758E66CF11"), asf)]
