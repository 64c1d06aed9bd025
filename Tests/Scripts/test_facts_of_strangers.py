# SPDX-License-Identifier: Apache-2.0
"""What `make strangers` reads of a file without libav, from files made here byte by byte."""
import hashlib
import struct

import facts
import pytest

INTEGERS = [0, 1, -1, 32767, -32768, 256]


def chunk(name, body, order="<"):
    return name + struct.pack(order + "I", len(body)) + body + b"\0" * (len(body) % 2)


def riff(tag, align, data, fact=None):
    form = struct.pack("<HHIIHH", tag, 1, 8000, 8000 * align, align, 16)
    counted = chunk(b"fact", struct.pack("<I", fact)) if fact else b""
    return chunk(b"RIFF", b"WAVE" + chunk(b"fmt ", form) + counted + chunk(b"data", data))


def page(serial, flags, granule, body, checksum=None, begun=b""):
    """A page of Ogg with one packet, and one that is `begun`, whose checksum is computed bit by bit."""
    head = b"OggS\0" + bytes([flags]) + struct.pack("<qII", granule, serial, 0)
    lacing = [len(body)] + ([255] if begun else [])
    made = head + bytes(4) + bytes([len(lacing), *lacing]) + body + begun
    crc = 0
    for byte in made:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ (0x04C11DB7 if crc >> 31 else 0)) & 0xFFFFFFFF
    return head + struct.pack("<I", crc if checksum is None else checksum) + made[26:]


def stream_info(samples, bits, md5):
    return bytes(10) + (8000 << 44 | 0 << 41 | (bits - 1) << 36 | samples).to_bytes(8, "big") + md5


def flac(samples, bits, md5, front=b""):
    return front + b"fLaC" + b"\x80\0\0\x22" + stream_info(samples, bits, md5)


def opus(skip):
    return b"OpusHead\1\1" + struct.pack("<HIhB", skip, 48000, 0, 0)


def lame(name, delay, padding, frames):
    body = b"Info" + struct.pack(">II", 1, frames) + name.ljust(9, b"\0") + bytes(12)
    return (b"\xff\xfb\x90\x00" + bytes(32) + body + (delay << 12 | padding).to_bytes(3, "big")).ljust(417, b"\0")


def wavpack(samples, md5):
    blocks = b"\x66\x08" + md5
    return b"wvpk" + struct.pack("<IHBBIIIII", 24 + len(blocks), 0x410, 0, 0, samples, 0, samples, 1, 0) + blocks


def caf(valid):
    described = struct.pack(">d4s5I", 8000, b"aac ", 0, 0, 1024, 1, 0)
    table = struct.pack(">qqii", 2, valid, 2112, 36)
    return b"caff\0\1\0\0" + b"desc" + struct.pack(">q", len(described)) + described + b"pakt" + struct.pack(">q", len(table)) + table


MD5 = bytes(range(16))
ID3 = b"ID3\4\0\0\0\0\0\x0a" + bytes(10)


@pytest.mark.parametrize("content, samples, md5", [
    (riff(1, 2, bytes(200)), 100, None),
    (riff(0x11, 256, bytes(512), fact=900), 900, None),
    # Of a coding in frames the chunk means nothing that is defined.
    (riff(0x55, 1, bytes(512), fact=900), None, None),
    # A header that claims more than there is states nothing.
    (riff(1, 2, bytes(200))[:-10], None, None),
    (flac(96_768, 24, MD5), 96_768, MD5), (flac(96_768, 24, MD5, ID3), 96_768, MD5), (flac(0, 24, bytes(16)), None, None),
    (flac(96_768, 24, MD5)[:20], None, None),
    (page(1, 2, 0, opus(312)) + page(1, 4, 960, b"x"), 648, None),
    # Two packets of 20 ms end at 2,000, so that the stream begins at 80.
    (page(1, 2, 0, opus(312)) + page(1, 0, 2000, b"\x99x") + page(1, 4, 2960, b"x"), 2960 - 80 - 312, None),
    (page(1, 2, 0, opus(312)) + page(1, 0, 2000, b"\x9b\x02") + page(1, 4, 2960, b"x"), 2960 - 80 - 312, None),
    # Of two packets of 20 ms the second goes on in the next page.
    (page(1, 2, 0, opus(312)) + page(1, 0, 960, b"\x98x", begun=b"\x98" * 255) + page(1, 5, 1920, b"x"), 1608, None),
    (page(1, 2, 0, b"\1vorbis") + page(1, 0, 700, b"x") + page(1, 4, 1000, b"x"), 1000, None),
    # The second link of a chain has an account of its own.
    (page(1, 2, 0, opus(312)) + page(1, 4, 960, b"x") + page(2, 2, 0, opus(312)) + page(2, 4, 960, b"x"), None, None),
    (page(1, 2, 0, b"\x7fFLAC\1\0\0\1fLaC\x80\0\0\x22" + stream_info(500, 16, MD5)) + page(1, 4, 500, b"x"), 500, MD5),
    (lame(b"LAME3.100", 576, 1000, 10), 10 * 1152 - 1576, None),
    # Padding shorter than the decoder's delay isn't in the frames.
    (lame(b"LAME3.100", 576, 0, 10), 10 * 1152 - 576 - 529, None), (lame(b"", 576, 1000, 10), None, None),
    (wavpack(4321, MD5), 4321, MD5), (caf(1500), 1500, None),
    (b".snd" + struct.pack(">5I", 24, 400, 3, 8000, 2) + bytes(400), 100, None),
    (chunk(b"FORM", b"AIFF" + chunk(b"COMM", struct.pack(">hIh10s", 1, 77, 16, bytes(10)), ">"), ">"), 77, None),
    (b"TTA1" + struct.pack("<HHHII", 1, 2, 16, 44100, 1234) + bytes(4), 1234, None),
    (b"", None, None), (b"no sound at all", None, None),
])
def test_a_file_states_its_samples(tmp_path, content, samples, md5):
    path = tmp_path / "file"
    path.write_bytes(content)
    found = facts.stated(path)
    assert (found.samples, found.md5, found.broken) == (samples, md5, None)


def test_a_page_with_a_wrong_checksum_is_counted(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(page(1, 2, 0, opus(312)) + page(1, 0, 960, b"x", checksum=1) + page(1, 4, 1920, b"x"))
    found = facts.stated(path)
    assert (found.samples, found.broken) == (1608, "1 of 3 Ogg pages")


@pytest.mark.parametrize("bits, form, layout", [
    (16, "signed", lambda value: struct.pack("<h", value)),
    (12, "signed", lambda value: struct.pack("<h", value >> 4)),
    (24, "signed", lambda value: struct.pack("<i", value << 8)[:3]),
    (8, "signed", lambda value: struct.pack("<b", value >> 8)),
    (8, "unsigned8", lambda value: struct.pack("<B", (value >> 8) + 128)),
])
def test_the_digest_is_that_of_the_integers(bits, form, layout, sound):
    scale = 1 << min(bits, 16) - 1
    values = [(value >> 16 - min(bits, 16)) / scale for value in INTEGERS]
    assert facts.digest(sound(values), bits, form) == hashlib.md5(b"".join(map(layout, INTEGERS))).digest()


def box(name, *inner):
    body = b"".join(inner)
    return struct.pack(">I4s", 8 + len(body), name) + body


def movie(edits, tag=b"", extra=b"", frames=99):
    """MP4 with one track of sound at 44,100 ticks a second, in a movie of 600."""
    rows = [struct.pack(">Iii", *edit) for edit in edits]
    listed = [box(b"edts", box(b"elst", struct.pack(">II", 0, len(edits)), *rows))] if edits else []
    media = box(b"mdia", box(b"mdhd", struct.pack(">5I", 0, 0, 0, 44100, 99)), box(b"hdlr", struct.pack(">II4s", 0, 0, b"soun")),
                box(b"minf", box(b"stbl", box(b"stts", struct.pack(">6I", 0, 2, frames, 1024, 1, 24)))))
    head = box(b"mvhd", struct.pack(">5I", 0, 0, 0, 600, 99))
    return box(b"ftyp", b"M4A ") + box(b"moov", head, box(b"trak", *listed, media), tag) + extra


TAG = b"iTunSMPB\0\0\0\x84data\0\0\0\1\0\0\0\0 00000000 00000840 0000037C 000000000000AC44 00000000"
ONE = 1 << 16


@pytest.mark.parametrize("content, samples, start, tolerance, cut", [
    (movie([(600, 1024, ONE)]), 44_100, 1024, 74, None),
    (movie([(600, 1024, ONE)], frames=40), 40 * 1024 + 24 - 1024, 1024, 74, None),
    # An empty edit delays the sound; edits at another speed, and several, are no plain stretch.
    (movie([(60, -1, ONE), (600, 1024, ONE)]), 44_100, 1024, 74, None), (movie([(600, 0, 2 * ONE)]), None, None, 0, None),
    (movie([(600, 0, ONE), (600, 0, ONE)]), None, None, 0, None),
    (movie([], TAG), 44_100, 2112, 0, None), (movie([(600, 1024, ONE)], TAG), 44_100, 1024, 74, None),
    (movie([], extra=struct.pack(">I4s", 5000, b"mdat")), None, None, 0, "the box mdat goes beyond the file"),
    (b"ID3\4\0\0\0\0\0\x78" + TAG.ljust(120, b"\0") + b"\xff\xfb\x90\x00" + bytes(413), 44_100, 2112 + 529, 0, None),
    (b"\x1a\x45\xdf\xa3\x80\x18\x53\x80\x67\x84" + bytes(4), None, None, 0, None),
    (b"\x1a\x45\xdf\xa3\x80\x18\x53\x80\x67\x85" + bytes(4), None, None, 0, "the segment goes beyond the file"),
    (b"\x1a\x45\xdf\xa3\x80\x18\x53\x80\x67\xff" + bytes(4), None, None, 0, None),
    (riff(1, 2, bytes(200))[:-10], None, None, 0, "the data chunk goes beyond the file"),
    (page(1, 2, 0, opus(312)) + page(1, 0, 960, b"x"), 648, 312, 0, "no end flag"),
])
def test_a_file_states_where_its_sound_begins_and_that_it_is_cut(tmp_path, content, samples, start, tolerance, cut):
    path = tmp_path / "file"
    path.write_bytes(content)
    found = facts.stated(path)
    assert (found.samples, found.start, found.tolerance, found.cut) == (samples, start, tolerance, cut)


def test_a_movie_without_edits_states_all_samples(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(movie([]))
    assert (facts.stated(path).total, facts.stated(path).rate) == (99 * 1024 + 24, 44_100)
    path.write_bytes(movie([], tag=box(b"mvex")))
    assert facts.stated(path).total is None
