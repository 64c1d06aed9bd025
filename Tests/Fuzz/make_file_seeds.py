#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of targets that read binary files into Seeds, and words for libFuzzer into Dictionaries.

All of them are made here, byte by byte; nothing of anybody's programme is in them.
"""

import pathlib
import struct
import zlib

HERE = pathlib.Path(__file__).parent


def write(target, seeds):
    folder = HERE / "Seeds" / target
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in seeds.items():
        (folder / name).write_bytes(data)


def dictionary(target, words):
    folder = HERE / "Dictionaries"
    folder.mkdir(exist_ok=True)
    (folder / f"{target}.dict").write_text(
        "".join('"' + "".join(f"\\x{byte:02X}" for byte in word) + '"\n' for word in words))


def u32(*numbers):
    return struct.pack(f">{len(numbers)}I", *numbers)


def u16(*numbers):
    return struct.pack(f">{len(numbers)}H", *numbers)


def box(kind, *parts):
    body = b"".join(parts)
    return u32(len(body) + 8) + kind + body


def full(kind, version, flags, *parts):
    return box(kind, bytes([version]) + flags.to_bytes(3, "big"), *parts)


# Sample entries

def sound(kind, *boxes, channels=2, version=0, extra=b""):
    return box(kind, bytes(6), u16(1, version), bytes(6), u16(channels, 16, 0, 0), u32(48000 << 16), extra, *boxes)


def picture(kind, *boxes):
    return box(kind, bytes(6), u16(1), bytes(16), u16(640, 360), u32(72 << 16, 72 << 16, 0), u16(1), bytes(32), u16(24, 0xFFFF),
               *boxes)


SPS = bytes([0x67, 0x64, 0x00, 0x1F, 0xAC])
AVC = box(b"avcC", bytes([1, 0x64, 0, 0x1F, 0xFF, 0xE1]), u16(len(SPS)), SPS, bytes([1]), u16(2), b"\x68\xEE")
HEVC = box(b"hvcC", bytes([1, 1]), bytes(19), bytes([0xFF, 2]), bytes([32]), u16(1, 3), b"\x40\x01\x0C", bytes([33]), u16(1, 2),
           b"\x42\x01")
ENTRIES = {
    "aac": sound(b"mp4a", full(b"esds", 0, 0, bytes([3, 25, 0, 1, 0, 4, 17, 0x40, 0x15]), bytes(11), bytes([5, 2, 0x11, 0x90, 6, 1, 2]))),
    "opus": sound(b"Opus", box(b"dOps", bytes([0, 2]), u16(312), u32(48000), bytes(3))),
    "flac": sound(b"fLaC", full(b"dfLa", 0, 0, b"\x80\0\0\x22" + bytes(34))),
    "eac3": sound(b"ec-3", box(b"dec3", bytes([0x0C, 0, 0x20, 0x0F, 0, 1, 16])), channels=6),
    "ac4": sound(b"ac-4", box(b"dac4", bytes(12))),
    "pcm": sound(b"ipcm", full(b"pcmC", 0, 0, bytes([1, 24])), full(b"chnl", 0, 0, bytes([1, 0, 0, 1]), bytes(8))),
    "iamf": sound(b"iamf", box(b"iacb", bytes([1, 4, 1, 2, 3, 4]))),
    "encrypted": sound(b"enca", box(b"sinf", box(b"frma", b"ec-3"), full(b"schm", 0, 0, b"cenc", u32(65536)))),
    "quicktime": sound(b"lpcm", full(b"chan", 0, 0, u32(106 << 16 | 2, 0, 0)), version=1, extra=bytes(16)),
    "avc": picture(b"avc1", AVC, box(b"colr", b"nclx", u16(1, 1, 1), b"\0")),
    "hevc": picture(b"hvc1", HEVC),
}


def track(number, entry, handler, edits, fragmented, long):
    times = struct.pack(">QQ", 0, 0) if long else u32(0, 0)
    header = full(b"tkhd", int(long), 7, times, u32(number, 0), struct.pack(">Q" if long else ">I", 48000), bytes(16), bytes(36),
                  u32(640 << 16, 360 << 16))
    if long:
        listed = b"".join(struct.pack(">QqI", *edit) for edit in edits)
    else:
        listed = b"".join(struct.pack(">IiI", *edit) for edit in edits)
    media = full(b"mdhd", int(long), 0, times, u32(48000), struct.pack(">Q" if long else ">I", 48000), u16(0x55C4, 0))
    tables = [full(b"stsd", 0, 0, u32(1), entry), full(b"stts", 0, 0, u32(0) if fragmented else u32(1, 47, 1024)),
              full(b"stsc", 0, 0, u32(0)), full(b"stsz", 0, 0, u32(0, 0)), full(b"stco", 0, 0, u32(0)),
              full(b"sgpd", 1, 0, b"roll", u32(2, 1), struct.pack(">h", -1))]
    return box(b"trak", header, box(b"edts", full(b"elst", int(long), 0, u32(len(edits)), listed)),
               box(b"mdia", media, full(b"hdlr", 0, 0, u32(0), handler, bytes(12), b"h\0"),
                   box(b"minf", box(b"dinf", full(b"dref", 0, 0, u32(1), full(b"url ", 0, 1))), box(b"stbl", *tables))))


def item(kind, name, text):
    data = box(b"data", u32(1, 0), text)
    if kind != b"----":
        return box(kind, data)
    return box(kind, full(b"mean", 0, 0, b"com.apple.iTunes"), full(b"name", 0, 0, name), data)


def movie(tracks, fragmented, long=False):
    times = struct.pack(">QQ", 0, 0) if long else u32(0, 0)
    header = full(b"mvhd", int(long), 0, times, u32(48000), struct.pack(">Q" if long else ">I", 48000), u32(0x10000), u16(0x100, 0),
                  bytes(8), bytes(36), bytes(24), u32(3))
    extends = box(b"mvex", full(b"mehd", int(long), 0, struct.pack(">Q" if long else ">I", 48000)),
                  full(b"trex", 0, 0, u32(1, 1, 1024, 8, 0x02000000)))
    tags = box(b"udta", full(b"meta", 0, 0, full(b"hdlr", 0, 0, u32(0), b"mdirappl", bytes(9)), box(
        b"ilst", item(b"\xa9nam", b"", b"Title"), item(
            b"----", b"iTunSMPB", b" 00000000 00000840 00000000 000000000000BB80 00000000"))))
    return box(b"moov", header, *tracks, *([extends] if fragmented else []), tags)


def fragment(number, start, sizes, compact=False):
    def made(offset):
        if compact:
            run = full(b"trun", 0, 0x001, u32(len(sizes), offset))
            head = full(b"tfhd", 0, 0x020038, u32(1, 1024, sizes[0], 0x02000000))
        else:
            samples = b"".join(u32(1024, size, 0x02000000, 0) for size in sizes)
            run = full(b"trun", 0, 0xF01, u32(len(sizes), offset), samples)
            head = full(b"tfhd", 0, 0x020000, u32(1))
        group = full(b"sbgp", 0, 0, b"roll", u32(1, len(sizes), 1))
        return box(b"moof", full(b"mfhd", 0, 0, u32(number)), box(
            b"traf", head, full(b"tfdt", 1, 0, struct.pack(">Q", start)), run, group))
    head = made(len(made(0)) + 8)
    return head + box(b"mdat", bytes(sum(sizes)))


def movies():
    brand = box(b"ftyp", b"iso5", u32(512), b"iso6mp41")
    seeds = {}
    for name, entry in ENTRIES.items():
        handler = b"vide" if name in ("avc", "hevc") else b"soun"
        plain = track(1, entry, handler, [(1000, -1, 0x10000), (48000, 2112, 0x10000)], False, False)
        seeds[f"plain-{name}.mp4"] = brand + movie([plain], False) + box(b"mdat", bytes(8))
    for name in ("aac", "opus", "avc"):
        handler = b"vide" if name == "avc" else b"soun"
        parts = [track(1, ENTRIES[name], handler, [(48000, 0, 0x10000)], True, True)]
        body = brand + movie(parts, True, True)
        place = len(body)
        body += fragment(1, 0, [5, 6, 7]) + fragment(2, 3072, [8, 8, 8, 8], compact=True)
        index = full(b"tfra", 1, 0, u32(1, 0, 1), struct.pack(">QQ", 0, place), bytes([1, 1, 1]))
        index_size = 8 + len(index) + 16
        seeds[f"fragments-{name}.mp4"] = body + box(b"mfra", index, full(b"mfro", 0, 0, u32(index_size)))
    seeds["large-sizes.mp4"] = u32(1) + b"free" + struct.pack(">Q", 24) + bytes(8) + movie([], True) + u32(0) + b"mdat" + bytes(4)
    write("MP4", seeds)
    kinds = ("ftyp moov mvhd trak tkhd edts elst mdia mdhd hdlr minf stbl stsd stts mvex mehd trex moof mfhd traf tfhd tfdt trun sbgp "
             "sgpd mdat mfra tfra mfro udta meta ilst mp4a Opus fLaC ec-3 ac-3 ac-4 ipcm fpcm pcmC iamf iacb enca sinf frma chnl chan "
             "dec3 dac3 dac4 dOps dfLa esds avc1 avcC hvc1 hvcC roll soun vide free sidx").split()
    dictionary("MP4", [kind.encode() for kind in kinds] + [u32(1), u32(0), u32(0xFFFFFFFF), struct.pack(">Q", (1 << 63) - 1)])
    packets = {"avc": b"\0\0\0\1" + SPS + b"\0\0\1\x68\xEE\0\0\1\x06\x89\x18" + bytes(range(1, 25)) + b"\x80\0\0\1\x65\x88",
               "hevc": b"\0\0\0\1\x40\x01\x0C\0\0\1\x4E\x01\x90\x04\x03\xE8\0\0\3\1\x80\0\0\1\x26\x01"}
    pictures = {}
    for number, (name, packet) in enumerate(packets.items()):
        entry = ENTRIES[name]
        pictures[f"{name}-codes.bin"] = bytes([number]) + u16(len(entry)) + entry + packet
        unit = packet.split(b"\0\0\1")[-2]
        pictures[f"{name}-lengths.bin"] = bytes([number]) + u16(len(entry)) + entry + u32(len(unit)) + unit
    pictures["av1.bin"] = bytes([2]) + u16(len(ENTRIES["avc"])) + ENTRIES["avc"] + b"\x12\x00\x0A\x01\x00"
    write("Pictures", pictures)


def chunk(name, payload):
    return name + struct.pack("<I", len(payload)) + payload + bytes(len(payload) % 2)


def wave(chunks, form=b"RIFF", size=None):
    body = b"WAVE" + b"".join(chunks)
    return form + struct.pack("<I", len(body) if size is None else size) + body


def waves():
    plain = struct.pack("<HHIIHH", 1, 2, 48000, 192000, 4, 16)
    wide = struct.pack("<HHIIHHHHI", 0xFFFE, 6, 48000, 48000 * 24, 24, 32, 22, 32, 0x3F) + struct.pack("<H", 3) + bytes(14)
    label = chunk(b"labl", struct.pack("<I", 1) + b"Mark\0")
    cue = chunk(b"cue ", struct.pack("<I", 2) + b"".join(struct.pack("<II4sIII", n, 0, b"data", 0, 0, n * 2) for n in (1, 2)))
    write("WAV", {
        "plain.wav": wave([chunk(b"fmt ", plain), chunk(b"data", bytes(range(40)))]),
        "float.wav": wave([chunk(b"JUNK", bytes(28)), chunk(b"fmt ", wide), chunk(b"data", bytes(48))]),
        "markers.wav": wave([chunk(b"fmt ", plain), chunk(b"data", bytes(16)), cue, chunk(b"LIST", b"adtl" + label)]),
        "long.wav": wave([chunk(b"ds64", struct.pack("<QQQI", 130, 16, 4, 0)), chunk(b"fmt ", plain),
                          b"data\xff\xff\xff\xff" + bytes(16)], b"RF64", 0xFFFFFFFF),
        "broadcast.wav": wave([chunk(b"bext", b"d" * 602), chunk(b"fmt ", plain), chunk(b"data", bytes(8))], b"BW64"),
        "open.wav": wave([chunk(b"fmt ", plain), b"data\xff\xff\xff\xff" + bytes(8)], size=0),
        "followed.wav": wave([chunk(b"LIST", b"INFOINAM" + struct.pack("<I", 900) + b"x" * 8), chunk(b"fmt ", plain),
                              chunk(b"data", bytes(8))]) + wave([]),
        "seven.wav": wave([chunk(b"fmt ", struct.pack("<HHIIHH", 1, 14, 48000, 48000 * 42, 42, 24)), chunk(b"data", bytes(84))]),
    })
    dictionary("WAV", [b"RIFF", b"RF64", b"BW64", b"WAVE", b"fmt ", b"data", b"ds64", b"LIST", b"INFO", b"adtl", b"labl", b"cue ",
                       b"bext", b"levl", b"\xff\xff\xff\xff", b"\xfe\xff", b"\xff\xff\xff\xff\xff\xff\xff\x7f"])


def page(flags, granule, serial, number, packets):
    sizes = b"".join(bytes([255] * (len(packet) // 255) + [len(packet) % 255]) for packet in packets)
    head = struct.pack("<4sBBqIII", b"OggS", 0, flags, granule, serial, number, 0) + bytes([len(sizes)]) + sizes
    body = head + b"".join(packets)
    total = 0
    for byte in body:
        total ^= byte << 24
        for _ in range(8):
            total = total << 1 ^ (0x04C11DB7 if total & 0x80000000 else 0)
            total &= 0xFFFFFFFF
    return body[:22] + struct.pack("<I", total) + body[26:]


def streams():
    opus = b"OpusHead" + struct.pack("<BBHIhB", 1, 2, 312, 48000, 0, 0)
    vorbis = b"\1vorbis" + struct.pack("<IBIIIIBB", 0, 2, 48000, 0, 0, 0, 0xB8, 1)
    first = [page(2, 0, 7, 0, [opus]), page(0, 0, 7, 1, [b"OpusTags"]), page(0, 960, 7, 2, [bytes(3), bytes(300)]),
             page(4, 1920, 7, 3, [bytes(5)])]
    second = [page(2, 0, 9, 0, [vorbis]), page(4, 64, 9, 1, [b"x"])]
    write("Ogg", {
        "whole.ogg": b"".join(first), "chain.ogg": b"".join(first + second), "missing.ogg": b"".join(first[:1] + first[2:]),
        "damaged.ogg": b"".join(first).replace(b"OpusTags", b"OpusTagz"), "cut.ogg": b"".join(first)[:-3],
        "stray.ogg": b"abcOgg" + b"".join(first) + b"OggS", "flac.ogg": page(2, 0, 1, 0, [b"\x7fFLAC\1\0"]) + page(4, 9, 1, 5, [b""]),
    })
    dictionary("Ogg", [b"OggS", b"OggS\0\2", b"OpusHead", b"\1vorbis", b"\x7fFLAC", b"\xff" * 8])


def frames():
    def frame(name, ends, length, bits=0x90):
        side = bytes(32)
        encoder = b"LAME3.100" + bytes(12) + ends.to_bytes(3, "big") + bytes(4) + u32(length) + u16(0, 0)
        body = bytes([0xFF, 0xFB, bits, 0]) + side + name + u32(15) + u32(100) + u32(length) + bytes(100) + u32(50) + encoder
        return body + bytes(417 - len(body))
    plain = bytes([0xFF, 0xFB, 0x90, 0]) + bytes(413)
    ends = 576 << 12 | 1000
    tag = b"ID3\4\0\x10" + bytes([0, 0, 0, 20]) + bytes(20) + b"3DI\4\0\x10" + bytes([0, 0, 0, 20])
    write("MP3", {
        "xing.mp3": frame(b"Xing", ends, 417 * 4) + plain * 3, "info.mp3": tag + frame(b"Info", ends, 417 * 3) + plain * 2,
        "cut.mp3": frame(b"Info", ends, 100000) + plain, "junk.mp3": b"\0" * 100 + plain * 5,
        "libav.mp3": frame(b"Info", ends, 417 * 2).replace(b"LAME3.100", b"Lavc59.37") + plain, "tags.mp3": b"ID3\3\0\0" + bytes(4) * 20,
        "low.mp3": bytes([0xFF, 0xF3, 0x40, 0xC0]) + bytes(9) + b"Info" + bytes(120) + plain,
    })
    dictionary("MP3", [b"ID3\4\0\0", b"3DI", b"Xing", b"Info", b"LAME3.", b"Lavf", b"Lavc", b"\xff\xfb\x90", b"\xff\xf3\x40", b"\xff\xe3"])


class Bits:
    def __init__(self):
        self.text = ""

    def add(self, value, count):
        self.text += format(value, f"0{count}b")
        return self

    def bytes(self, size):
        text = self.text + "0" * (size * 8 - len(self.text))
        return bytes(int(text[place:place + 8], 2) for place in range(0, len(text), 8))


def dolby():
    def enhanced(kind=0, stream=0, size=64, rate=0, blocks=3, mode=7, lfe=1, tail=()):
        bits = Bits().add(0x0B77, 16).add(kind, 2).add(stream, 3).add(size // 2 - 1, 11).add(rate, 2).add(blocks, 2)
        bits.add(mode, 3).add(lfe, 1).add(16, 5).add(27, 5).add(0, 1)
        if mode == 0:
            bits.add(27, 5).add(0, 1)
        for value, count in tail:
            bits.add(value, count)
        return bits.bytes(size)

    def plain(code=0, rate=0, bsid=8, mode=7):
        size = 2 * (32 * 96000 // [48000, 44100, 32000][rate])
        return Bits().add(0x0B77, 16).add(0, 16).add(rate, 2).add(code, 6).add(bsid, 5).add(0, 3).add(mode, 3).add(0, 4).add(
            1, 1).add(27, 5).bytes(size)

    objects = [(0, 1), (0, 1), (1, 1), (1, 6), (0, 7), (1, 1), (16, 8)]
    mixing = [(1, 1), (1, 2), (4, 3), (4, 3), (4, 3), (4, 3), (1, 1), (7, 5), (0, 1), (0, 1), (3, 2), (0, 5), (0, 1), (1, 1), (2, 3)]
    write("Dolby", {
        "ac3.ac3": plain() * 3, "ac3-441.ac3": plain(code=1, rate=1) * 2, "half.ac3": plain(bsid=9) * 2,
        "eac3.ec3": enhanced(tail=objects) * 2, "dependent.ec3": (enhanced() + enhanced(kind=1, tail=[(1, 1), (0xA021, 16)])) * 2,
        "mixing.ec3": enhanced(tail=mixing) * 2, "short.ec3": enhanced(blocks=0, mode=0, lfe=0) * 8,
        "several.ec3": (enhanced() + enhanced(stream=1, mode=2, lfe=0)) * 2, "low.ec3": enhanced(rate=3, blocks=1) * 2,
        "cut.ec3": enhanced()[:-1], "stray.ec3": enhanced() + b"x" + enhanced(),
    })
    dictionary("Dolby", [b"\x0b\x77", b"\x0b\x77\x00\x1f", b"\x58\x38"])


def headers():
    sheet = bytes(128) + struct.pack(">Q", 88200) + bytes([0x80]) + bytes(258)
    tracks = [(0, 1, [(0, 0), (588 * 10, 1)]), (588 * 300, 2, [(0, 1)])]
    body = sheet + bytes([len(tracks) + 1])
    for start, number, points in tracks:
        body += struct.pack(">QB12s", start, number, b"ABCDE1234567") + bytes(14) + bytes([len(points)])
        body += b"".join(struct.pack(">QB", offset, index) + bytes(3) for offset, index in points)
    body += struct.pack(">QB", 588 * 900, 170) + bytes(12 + 14 + 1)
    info = u16(4096, 4096) + bytes(6) + bytes([0x0A, 0xC4, 0x42, 0xF0]) + u32(480000) + bytes(16)
    write("FLAC", {
        "sheet.flac": b"fLaC" + b"\0" + len(info).to_bytes(3, "big") + info + b"\x85" + len(body).to_bytes(3, "big") + body,
        "info.bin": info, "matroska.mkv": b"\x1aE\xdf\xa3\x84\1\2\3\4\x18S\x80g\x01\0\0\0\0\0\x10\0",
        "unknown.mkv": b"\x1aE\xdf\xa3\x80\x18S\x80g\x01" + b"\xff" * 7,
    })


def gapless():
    def made(container, codec, flags, rate, scales, rest, text=b" 00000000 00000840 0000037C 000000000000BB80"):
        return bytes([container, codec, flags, rate]) + struct.pack(">QQ", *scales) + rest + text
    edits = struct.pack(">qqqq", 1000, -1, 48000, 2112)
    first = struct.pack(">q", 0) + b"\0"
    write("Gapless", {
        "edits.bin": made(5, 0, 0x20, 2, (1000, 48000), edits + first), "tag.bin": made(5, 0, 0, 1, (1000, 44100), first),
        "table.bin": made(5, 3, 1, 2, (1000, 48000), struct.pack(">q", 49152) + first, b""),
        "opus.bin": made(4, 5, 2, 2, (1, 1), b"\x01\x38\0", b""), "delay.bin": made(8, 5, 4, 2, (1, 1), struct.pack(">q", 312) + first),
        "page.bin": made(4, 4, 8, 2, (1, 1), struct.pack(">q", 48000) + b"\x30" + first, b""),
    })
    dictionary("Gapless", [b" 00000000", b" 00000840", b" 7FFFFFFF", b" FFFFFFFFFFFF", b" -1", b"\x7f" + b"\xff" * 7, b"\xff" * 8])


def records():
    def header(frames, head=0, channels=2, rate=48000):
        size = 112 + frames * 4 * channels + 8 * ((frames + 32767) // 32768)
        return b"\0" + struct.pack(">q", size) + struct.pack("<IIIIQQ", 1, channels, rate, 32768, head, frames)
    write("Records", {
        "header.bin": header(100000, 4800), "empty.bin": header(0), "long.bin": header(1 << 39), "wrong.bin": header(10, 11),
        "digests.bin": b"\1" + (struct.pack("<7q", *range(1, 8)) + b"0a" * 32) * 2, "none.bin": b"\1",
    })
    floats = struct.pack("<16f", *[0.0, 1.0, 0.5, -0.25] * 4)
    room = struct.pack("<4I", 1, 48000, 4, 2) + struct.pack("<4d", 30, 0, -30, 0) + struct.pack("<4q", 0, 3, 3, 0) + floats
    big = struct.pack(">f", 0.5)
    flat = b"\1\1" + b"".join(big if place % 9 == 3 else bytes(4) for place in range(14 * 32))
    hdf = b"\3\x89HDF\r\n\x1a\n\0\0\0\0\0\x08\x08\0" + bytes(24) + struct.pack("<Q", 96) + bytes(48)
    write("HRTF", {
        "room.bin": b"\0" + room, "channels.bin": flat, "seven.bin": b"\1\x10" + big * 7 * 16,
        "numbers.bin": b"\2\4\4\x1b" + bytes(range(1, 200)) * 12, "hdf5.bin": hdf, "hdf5-new.bin": hdf.replace(b"\x1a\n\0", b"\x1a\n\2"),
    })


def element(identifier, *parts):
    body = b"".join(parts)
    return bytes.fromhex(identifier) + b"\x01" + len(body).to_bytes(7, "big") + body


def number(identifier, value):
    return element(identifier, value.to_bytes(8, "big"))


def matroska():
    def atom(start, end, *more):
        name = element("80", element("85", b"One"))
        return element("b6", number("73c4", start + 1), number("91", start), number("92", end), name, *more)

    def made(*edition, info=b"", seeks=()):
        facts = element("1549a966", number("2ad7b1", 1000000), element("4489", struct.pack(">d", 8000.0)), info)
        chapters = element("1043a770", element("45b9", *edition))
        seek = element("114d9b74", *[element("4dbb", element("53ab", bytes.fromhex("1043a770")), number("53ac", place)) for place in seeks])
        return element("1a45dfa3", element("4282", b"matroska")) + element("18538067", seek, facts, chapters)

    second = 10 ** 9
    nested = atom(second, 2 * second, atom(second, 2 * second))
    write("Matroska", {
        "plain.mkv": made(atom(0, 4 * second), atom(4 * second, 8 * second)),
        "nested.mkv": made(atom(0, 4 * second, nested), seeks=(0, 40, 1 << 62)),
        "ordered.mkv": made(number("45dd", 1), atom(4 * second, 8 * second), atom(0, 4 * second)),
        "linked.mkv": made(number("45dd", 1), atom(0, 8 * second, element("6e67", bytes(16))), info=element("3eb923", bytes(16))),
    })


def ebml():
    def text(identifier, value):
        return element(identifier, value.encode())

    def entry(index, kind, codec, *more):
        return element("ae", number("d7", index), number("73c5", index), number("83", kind), text("86", codec), *more)

    def block(index, time, flags, *data):
        return bytes([0x80 | index]) + time.to_bytes(2, "big", signed=True) + bytes([flags]) + b"".join(data)

    def made(tracks, *clusters, kind="matroska", more=()):
        info = element("1549a966", number("2ad7b1", 1000000), text("4d80", "a"), text("5741", "b"),
                       element("4489", struct.pack(">d", 60.0)))
        return element("1a45dfa3", text("4282", kind)) + element(
            "18538067", info, element("1654ae6b", *tracks), *more, *[element("1f43b675", *cluster) for cluster in clusters])

    sound = element("e1", element("b5", struct.pack(">d", 48000.0)), number("9f", 2))
    stripped = element("6d80", element("6240", number("5031", 0), number("5032", 1), element(
        "5034", number("4254", 3), element("4255", b"ab"))))
    opus = entry(1, 2, "A_OPUS", sound, number("56aa", 6500000), number("23e383", 20000000), stripped)
    texts = entry(2, 17, "S_TEXT/UTF8", text("22b59d", "de-AT"))
    pictures = entry(3, 1, "V_VP9", element("e0", number("b0", 16), number("ba", 16), element("55b0", number("55bb", 9))))
    first = (number("e7", 0), element("a3", block(1, 0, 0x80, b"one")),
             element("a0", element("a1", block(2, 5, 0, b"text")), number("9b", 20)),
             element("a0", element("a1", block(3, 40, 0, b"p")), element("fb", b"\xd8"), element("75a2", b"\x10")))
    laced = (number("e7", 0), element("a3", block(1, 0, 0x82, b"\1\3", b"aaab")),
             element("a3", block(1, 20, 0x84, b"\1", b"aabb")), element("a3", block(1, 40, 0x86, b"\2\x82\xc0", b"aabbcc")))
    tags = element("1254c367", element("7373", element("63c0", number("68ca", 50)), element(
        "67c8", text("45a3", "TITLE"), text("4487", "x"), element("67c8", text("45a3", "SORT_WITH"), text("4487", "y")))))
    files = element("1941a469", element("61a7", text("466e", "a.ttf"), text("4660", "font/ttf"), element("465c", b"font"),
                                        number("46ae", 1)))
    cues = element("1c53bb6b", element("bb", number("b3", 0), element("b7", number("f7", 1), number("f1", 9))))
    write("EBML", {
        "whole.mkv": made([opus, texts, pictures], first, more=(tags, files, cues)),
        "laced.mka": made([entry(1, 2, "A_MPEG/L3", sound)], laced), "web.webm": made([pictures], first[:1], kind="webm"),
    })


def tags():
    """Files whose tags get loudness: in their place, to the end, into Void, with checksums, and without any size."""
    def text(identifier, value):
        return element(identifier, value.encode())

    def sealed(identifier, *parts):
        body = b"".join(parts)
        return element(identifier, element("bf", struct.pack("<I", zlib.crc32(body))), body)

    def opened(identifier, *parts):
        return bytes.fromhex(identifier) + b"\x01" + b"\xff" * 7 + b"".join(parts)

    def entry(index):
        return element("ae", number("d7", index), number("73c5", 70 + index), number("83", 2), text("86", "A_OPUS"))

    def tag(name, value, *target):
        return element("7373", element("63c0", *target), element("67c8", text("45a3", name), text("4487", value)))

    def void(length):
        return element("ec", bytes(length))

    info, cluster = element("1549a966", number("2ad7b1", 1000000)), (number("e7", 0), element("a3", b"\x81\0\0\x80one"))
    tracks, title = element("1654ae6b", entry(1), entry(2)), tag("TITLE", "x")
    gain = tag("REPLAYGAIN_TRACK_GAIN", "9.00 dB", number("63c5", 71))

    def seek(place, master=element):
        return master("114d9b74", element("4dbb", element("53ab", bytes.fromhex("1254c367")), number("53ac", place)))

    def made(*parts, segment=element):
        return element("1a45dfa3", text("4282", "matroska")) + segment("18538067", *parts)

    front = len(seek(0)) + 60 + 9 + len(info) + len(tracks)
    write("Tags", {
        "room.mka": made(seek(front), void(60), info, tracks, element("1254c367", title, gain), void(300), element("1f43b675", *cluster)),
        "full.mka": made(seek(front), void(60), info, tracks, element("1254c367", title), element("1f43b675", *cluster)),
        "sealed.mka": made(seek(front + 13, sealed), void(60), info, tracks, sealed("1254c367", title), element("1f43b675", *cluster)),
        "end.mka": made(info, void(40), tracks, element("1f43b675", *cluster), element("1254c367", title)),
        "live.mka": made(info, tracks, opened("1f43b675", *cluster), segment=opened),
    })


def transport():
    def checksum(data):
        total = 0xFFFFFFFF
        for byte in data:
            total ^= byte << 24
            for _ in range(8):
                total = (total << 1 ^ (0x04C11DB7 if total & 1 << 31 else 0)) & 0xFFFFFFFF
        return u32(total)

    def section(table, number, body, version=0):
        head = bytes([table]) + u16(0xB000 | len(body) + 9, number) + bytes([0xC1 | version << 1, 0, 0])
        return head + body + checksum(head + body)

    def packet(pid, content, start=True):
        head = b"\x47" + u16((0x4000 if start else 0) | pid) + b"\x10" + (b"\0" if start else b"")
        return head + content + b"\xff" * (188 - len(head) - len(content))

    def stream(*maps):
        parts = []
        for version, pids in enumerate(maps):
            streams = b"".join(bytes([kind]) + u16(0xE000 | pid, 0xF000) for kind, pid in pids)
            parts.append(packet(0, section(0, 1, u16(1, 0xE000 | 0x1000))))
            parts.append(packet(0x1000, section(2, 1, u16(0xE000 | pids[0][1], 0xF000) + streams, version)))
            parts += [packet(pids[0][1], bytes(100), False)] * 4
        return b"".join(parts)

    one, other = [(3, 0x100), (3, 0x101)], [(3, 0x200), (3, 0x201)]
    write("Transport", {
        "plain.ts": stream(one), "moved.ts": stream(one, other), "back.ts": stream(one, other, one),
        "other.ts": stream(one, [(0x81, 0x300)]), "mpegh.ts": stream([(0x2D, 0x100)]),
        "disc.m2ts": b"".join(b"\0\0\0\0" + stream(one)[place:place + 188] for place in range(0, 6 * 188, 188)),
    })


def undecoded():
    write("Undecoded", {
        "x.dts": b"\x7f\xfe\x80\x01" + bytes(32) + u32(0x41A29547, 1, 2, 3, 0x02000850, 0),
        "imax.dts": u32(0x64582025, 0x41A29547, 7, 0xF14000D1),
    })


movies()
waves()
streams()
frames()
dolby()
headers()
gapless()
records()
matroska()
ebml()
tags()
transport()
undecoded()
