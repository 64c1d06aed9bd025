# SPDX-License-Identifier: Apache-2.0
"""What a file says of itself, read without libav: how many samples it holds, where they begin, their MD5, checksums of its parts,
and whether its end is missing. Only statements that mean the sound count, no durations of a container."""
import array
import dataclasses
import hashlib
import struct
import zlib

import movies
from statement import Facts, itunes

REVERSED = bytes(int(f"{value:08b}"[::-1], 2) for value in range(256))
# The version field of a frame of MPEG-1 (ISO/IEC 11172-3, 2.4.2.3); others are of the lower rates of 13818-3.
MPEG1 = 3
# Bit rates of layer III in kbit/s by index, of MPEG-1 and of the lower rates, and sample rates of MPEG-1.
FIRST_BITS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
LOW_BITS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
RATES = [44100, 48000, 32000]


def stated(path):
    """Facts of a file; all absent where its format has none that are looked for."""
    with open(path, "rb") as file:
        data = file.read()
    start = tag_length(data)
    reader = next((reader for magic, reader in READERS + movies.READERS if data.startswith(magic, start)), mp3)
    reader = movies.movie if data[4:8] in movies.FIRST_BOXES else reader
    try:
        return reader(data, start)
    except (IndexError, struct.error):
        # A header that ends early states nothing.
        return Facts()


def tag_length(data):
    """Length of the ID3v2 tags in front (ID3v2.4.0, 3.1)."""
    start = 0
    while data[start:start + 3] == b"ID3" and len(data) >= start + 10:
        size = 0
        for byte in data[start + 6:start + 10]:
            size = size << 7 | byte & 0x7F
        start += 10 + size + (10 if data[start + 5] & 0x10 else 0)
    return start


def stream_info(block):
    """Facts of STREAMINFO (RFC 9639, 8.2)."""
    word = int.from_bytes(block[10:18], "big")
    samples, bits, md5 = word & (1 << 36) - 1, (word >> 36 & 31) + 1, block[18:34]
    return Facts(samples or None, "STREAMINFO", 0, md5=md5 if any(md5) else None, bits=bits, form="signed")


def flac(data, start):
    return stream_info(data[start + 8:start + 42]) if len(data) >= start + 42 else Facts()


def ogg_pages(data):
    """Serial number, flags, granule position, what ends of packets in it, and whether the checksum is right (RFC 3533, 6)."""
    at = data.find(b"OggS")
    while at >= 0 and at + 27 <= len(data):
        lacing = data[at + 27:at + 27 + data[at + 26]]
        end = at + 27 + len(lacing) + sum(lacing)
        if end > len(data):
            return
        page = data[at:at + 22] + bytes(4) + data[at + 26:end]
        granule, serial = struct.unpack_from("<qI", data, at + 6)
        is_right = ogg_crc(page) == struct.unpack_from("<I", data, at + 22)[0]
        yield serial, data[at + 5], granule, laced(data, at + 27 + len(lacing), lacing), is_right
        at = data.find(b"OggS", end if is_right else at + 4)


def laced(data, at, lacing):
    """The packets that end in a page."""
    packets, size = [], 0
    for length in lacing:
        size += length
        if length < 255:
            packets.append(data[at:at + size])
            at, size = at + size, 0
    return packets


def opus_samples(packet):
    """Samples of an Opus packet at 48 kHz, by its first bytes (RFC 6716, 3.1 and 3.2)."""
    config, code = packet[0] >> 3, packet[0] & 3
    frame = (480, 960, 1920, 2880)[config & 3] if config < 12 else (480, 960)[config & 1] if config < 16 else 120 << (config & 3)
    return frame * (packet[1] & 63 if code == 3 else min(code, 1) + 1)


def ogg_crc(data):
    """CRC-32 with the generator 0x04C11DB7, most significant bit first, from 0. zlib's takes bits in the other order."""
    mirrored = zlib.crc32(data.translate(REVERSED), 0xFFFFFFFF) ^ 0xFFFFFFFF
    return int(f"{mirrored:032b}"[::-1], 2)


def ogg(data, _):
    """Facts of an Ogg file with one stream of sound and no links; of others only broken pages and a missing end."""
    heads, sound, ended, broken, has_links, count = {}, {}, set(), 0, False, 0
    for serial, flags, granule, packets, is_right in ogg_pages(data):
        count += 1
        broken += not is_right
        if not is_right:
            continue
        if flags & 2:
            has_links = has_links or bool(sound)
            heads[serial] = packets[0] if packets else b""
        elif granule > 0:
            sound.setdefault(serial, []).append((granule, packets))
        if flags & 4:
            ended.add(serial)
    cut = "no end flag" if set(heads) - ended else None
    told = f"{broken} of {count} Ogg pages" if broken else None
    found = Facts()
    if not has_links and len(heads) == 1 and sound:
        (head,), (pages,) = heads.values(), sound.values()
        last = max(granule for granule, _ in pages)
        if head.startswith(b"\x7fFLAC"):
            found = stream_info(head[17:51])
        elif head.startswith(b"OpusHead"):
            # The stream begins where its first page does, which may be later than 0 (RFC 7845, 4.3).
            first = pages[0][0] - sum(map(opus_samples, pages[0][1])) if len(pages) > 1 else 0
            skip = struct.unpack_from("<H", head, 10)[0]
            found = Facts(last - first - skip, "the last page", skip)
        elif head.startswith(b"\x01vorbis"):
            found = Facts(last, "the last page")
    return dataclasses.replace(found, broken=told, cut=cut)


def chunks(data, at, order):
    """Names, places and sizes of the chunks of RIFF and AIFF."""
    while at + 8 <= len(data):
        size = struct.unpack_from(order + "I", data, at + 4)[0]
        yield data[at:at + 4], at + 8, size
        at += 8 + size + size % 2


def riff(data, start):
    """Facts of WAV: whole blocks of PCM, else what `fact` states."""
    found = Facts()
    align = tag = 0
    counted = None
    for name, at, size in chunks(data, start + 12, "<"):
        if name == b"fmt " and size >= 16:
            tag, align = struct.unpack_from("<H", data, at)[0], struct.unpack_from("<H", data, at + 12)[0]
            tag = struct.unpack_from("<H", data, at + 24)[0] if tag == 0xFFFE and size >= 40 else tag
        elif name == b"fact" and size >= 4 and data.startswith(b"RIFF", start):
            counted = struct.unpack_from("<I", data, at)[0]
        elif name == b"data" and at + size > len(data):
            # Writers of streams leave the size at its greatest value.
            return Facts(cut="the data chunk goes beyond the file" if size < 0xFFFFFF00 else None)
        elif name == b"data" and align:
            if tag in (1, 3, 6, 7):
                return Facts(size // align, "the data chunk", 0)
            # Of MP3, AC-3 and others in WAV the chunk counts what the encoder was given, or nothing that is defined.
            found = Facts(counted, "fact") if counted and tag in (2, 0x11, 0x20, 0x31) else found
    return found


def aiff(data, start):
    """Facts of AIFF and AIFF-C: numSampleFrames, which counts packets where sound is compressed in packets."""
    found = Facts()
    for name, at, size in chunks(data, start + 12, ">"):
        if name == b"COMM" and size >= 18:
            coding = data[at + 18:at + 22] if data.startswith(b"AIFC", start + 8) else b"NONE"
            if coding.lower() in (b"none", b"sowt", b"twos", b"fl32", b"fl64", b"in24", b"in32", b"ulaw", b"alaw"):
                found.samples, found.source = struct.unpack_from(">I", data, at + 2)[0], "COMM"
        elif name == b"SSND" and at + size > len(data):
            found.cut = "the sound chunk goes beyond the file"
    return found


def caf(data, start):
    """Facts of CAF: mNumberValidFrames of the packet table, or whole packets of a constant size."""
    at, packet, samples = start + 8, 0, None
    while at + 12 <= len(data):
        name, size = data[at:at + 4], struct.unpack_from(">q", data, at + 4)[0]
        size = len(data) - at - 12 if size == -1 else size
        if name == b"desc":
            packet, frames = struct.unpack_from(">II", data, at + 12 + 16)
            packet = packet if frames == 1 else 0
        elif name == b"pakt" and size >= 24 and struct.unpack_from(">q", data, at + 20)[0]:
            return Facts(struct.unpack_from(">q", data, at + 20)[0], "pakt", struct.unpack_from(">i", data, at + 28)[0])
        elif name == b"data" and packet and at + 12 + size <= len(data):
            samples = (size - 4) // packet
        at += 12 + size
    return Facts(samples, "the data chunk") if samples else Facts()


def au(data, start):
    """Facts of AU with plain samples."""
    head, size, coding, _, channels = struct.unpack_from(">5I", data, start + 4) if len(data) >= start + 24 else (0,) * 5
    width = {1: 1, 2: 1, 3: 2, 4: 3, 5: 4, 6: 4, 7: 8, 27: 1}.get(coding)
    is_known = width and channels and size != 0xFFFFFFFF and start + head + size <= len(data)
    return Facts(size // (width * channels), "the header") if is_known else Facts()


def wavpack(data, start):
    """Facts of WavPack (version 4): the total of the first block, and the MD5 that a later one may hold."""
    total, md5, bits, form, at = None, None, None, "signed", start
    while data.startswith(b"wvpk", at) and at + 32 <= len(data):
        size, _, low, _, _, _, flags = struct.unpack_from("<IHxxIIIII", data, at + 4)
        if at == start:
            total = None if low == 0xFFFFFFFF else low + (data[at + 11] << 32)
            bits = 8 * ((flags & 3) + 1)
            if flags & 0x80000000:
                # The total counts bytes of DSD.
                return Facts(is_direct=True)
            # Samples that are floats or hybrid without their correction aren't those of the digest.
            form = None if flags & 0x88 else "unsigned8" if bits == 8 else "signed"
        md5 = wavpack_md5(data, at + 32, at + 8 + size) or md5
        at += 8 + size
    return Facts(total, "the first block", 0, md5=md5 if form else None, bits=bits, form=form)


def wavpack_md5(data, at, end):
    """The MD5 among the sub-blocks, whose lengths are in words."""
    while at + 2 <= end:
        name = data[at]
        size, head = (data[at + 1], 2) if not name & 0x80 else (int.from_bytes(data[at + 1:at + 4], "little"), 4)
        if name & 0x3F == 0x26 and size == 8:
            return data[at + head:at + head + 16]
        at += head + 2 * size
    return None


def tta(data, start):
    return Facts(struct.unpack_from("<I", data, start + 14)[0], "the header") if len(data) >= start + 22 else Facts()


def ape(data, start):
    """Facts of Monkey's Audio from version 3.98 on, whose header follows a descriptor."""
    if len(data) < start + 76 or struct.unpack_from("<H", data, start + 4)[0] < 3980:
        return Facts()
    at = start + struct.unpack_from("<I", data, start + 8)[0]
    frame, last, frames = struct.unpack_from("<III", data, at + 4) if at + 16 <= len(data) else (0, 0, 0)
    return Facts(frame * (frames - 1) + last, "the header") if frames else Facts()


def mp3(data, start):
    """Facts of MP3 with an encoder's own frame: frames, delay and padding (the Xing and LAME tags, 529 samples of the decoder).
    Without these, what iTunes states counts, whose numbers mean the encoder's delay as LAME's do."""
    head = data[start:start + 4]
    found = Facts(cut=cut_frame(data, start))
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE6 != 0xE2:
        return found
    version, is_mono = head[1] >> 3 & 3, head[3] >> 6 == 3
    frame = 1152 if version == MPEG1 else 576
    at = start + 4 + ((17 if is_mono else 32) if version == MPEG1 else (9 if is_mono else 17))
    if data[at:at + 4] in (b"Xing", b"Info") and len(data) >= at + 144:
        flags = struct.unpack_from(">I", data, at + 4)[0]
        own = at + 8 + 4 * (flags & 1) + 4 * (flags >> 1 & 1) + 100 * (flags >> 2 & 1) + 4 * (flags >> 3 & 1)
        size = struct.unpack_from(">I", data, at + 8 + 4 * (flags & 1))[0] if flags & 2 else 0
        if start + size > len(data):
            found.cut = "the Xing tag states more bytes than the file has"
        if flags & 1 and data[own:own + 4] in (b"LAME", b"Lavf", b"Lavc"):
            frames, gap = struct.unpack_from(">I", data, at + 8)[0], int.from_bytes(data[own + 21:own + 24], "big")
            # What padding is shorter than the decoder's delay isn't in any frame.
            samples = frames * frame - (gap >> 12) - max(gap & 0xFFF, 529)
            return Facts(samples, "the LAME tag", (gap >> 12) + 529, cut=found.cut)
    if data[start + 36:start + 40] == b"VBRI" and start + struct.unpack_from(">I", data, start + 46)[0] > len(data):
        found.cut = "the VBRI tag states more bytes than the file has"
    if tag := itunes(data[:start]):
        found.start, found.samples, found.source = tag[0] + 529, tag[1], "iTunSMPB"
    return found


def frame_size(data, at):
    """Bytes of the frame of layer III at this place, by its header (ISO/IEC 11172-3, 2.4.2.3); 0 where none begins."""
    if at + 4 > len(data) or data[at] != 0xFF or data[at + 1] & 0xE6 != 0xE2:
        return 0
    version, rate, index = data[at + 1] >> 3 & 3, data[at + 2] >> 2 & 3, data[at + 2] >> 4
    if version == 1 or rate == 3 or index in (0, 15):
        return 0
    bits = (FIRST_BITS[index] * 144_000) if version == MPEG1 else (LOW_BITS[index] * 72_000)
    return bits // (RATES[rate] // {3: 1, 2: 2, 0: 4}[version]) + (data[at + 2] >> 1 & 1)


def sound_end(data):
    """Where the tags at the end begin (ID3v1; APE, whose footer counts itself and says whether there is a header)."""
    end = len(data) - (128 if data[-128:-125] == b"TAG" else 0)
    foot = data[end - 32:end]
    if foot[:8] == b"APETAGEX":
        size, flags = struct.unpack_from("<I", foot, 12)[0], struct.unpack_from("<I", foot, 20)[0]
        end -= size + (32 if flags >> 31 else 0)
    return end


def cut_frame(data, at):
    """Why the end is missing, where the last frame of layer III goes beyond the sound. Junk may lie in front of four frames."""
    def follows(place, count=4):
        for _ in range(count):
            size = frame_size(data, place)
            if not size:
                return False
            place += size
        return True

    at = next((place for place in range(at, min(len(data), at + (1 << 16))) if data[place] == 0xFF and follows(place)), at)
    while size := frame_size(data, at):
        at += size
    return "the last frame goes beyond the sound" if at > sound_end(data) else None


READERS = [
    (b"fLaC", flac), (b"OggS", ogg), (b"RIFF", riff), (b"RF64", riff), (b"FORM", aiff), (b"caff", caf), (b".snd", au), (b"wvpk", wavpack),
    (b"TTA1", tta), (b"MAC ", ape)]


def digest(sound, bits, form):
    """MD5 of samples as integers of whole bytes, the lowest first; of 8 bits in WavPack they are unsigned."""
    size, scale = (bits + 7) // 8, float(1 << bits - 1)
    made = hashlib.md5()
    for at in range(0, sound.frames, 1 << 16):
        values = array.array("f", sound.part(at, 1 << 16))
        whole = array.array("i", [int(value * scale) for value in values]).tobytes()
        part = bytearray(len(values) * size)
        for byte in range(size):
            part[byte::size] = whole[byte::4]
        made.update(bytes(byte ^ 0x80 for byte in part) if form == "unsigned8" else part)
    return made.digest()
