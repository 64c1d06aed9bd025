#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of the fuzzer of IAMF into Seeds/IAMF: short sequences of every branch of descriptors, parameter
blocks and temporal units, raw and as the content of an `iacb` box with samples behind it.

The first byte of a seed chooses options; FuzzIAMF.swift says which.
"""

import pathlib
import random

HERE = pathlib.Path(__file__).parent
FRAME = 16
RATE = 48000
ANY_LAYER = 7 << 1

# Substreams of a layer of its own: all of them, and the coupled ones, by loudspeaker_layout.
SINGLE = {0: (1, 0), 1: (1, 1), 2: (4, 2), 3: (5, 3), 4: (6, 4), 5: (5, 3), 6: (6, 4), 7: (7, 5), 8: (4, 2), 9: (1, 1)}
# The same by expanded_loudspeaker_layout.
EXPANDED = [
    (1, 0), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1), (2, 2), (2, 1), (9, 7), (1, 1), (1, 1), (1, 1), (3, 3),
    (16, 8), (2, 0), (2, 1), (10, 7), (2, 2), (1, 0), (3, 2)]
# Stacks of layers as layout, substreams and coupled ones.
STACKS = {
    "mono-stereo-5.1": [(0, 1, 0), (1, 1, 0), (2, 3, 1)],
    "stereo-3.1.2-5.1.2-7.1.4": [(1, 1, 1), (8, 3, 1), (3, 1, 1), (7, 2, 2)],
    "stereo-5.1.2-7.1.4": [(1, 1, 1), (3, 4, 2), (7, 2, 2)],
    "3.1.2-5.1.4": [(8, 4, 2), (4, 2, 2)],
    "5.1-7.1-7.1.2-7.1.4": [(2, 4, 2), (5, 1, 1), (6, 1, 1), (7, 1, 1)],
    "mono-stereo-7.1": [(0, 1, 0), (1, 1, 0), (5, 4, 2)],
    "unusable-upper": [(1, 1, 1), (2, 3, 1), (12, 1, 0)],
    "shrinking-upper": [(2, 4, 2), (1, 1, 1)],
}


def leb(value, size=1):
    """A number in base 128, of at least `size` bytes."""
    groups = []
    while value or len(groups) < size:
        groups.append(value & 127 | 128)
        value >>= 7
    groups[-1] &= 127
    return bytes(groups)


def s16(value):
    return (value & 0xFFFF).to_bytes(2, "big")


def text(*words):
    return b"".join(word.encode() + b"\0" for word in words)


def sized(content):
    return leb(len(content)) + content


def obu(kind, payload, redundant=False, trim=None, extension=None, flag=False):
    front = b""
    if trim:
        front += leb(trim[1]) + leb(trim[0])
    if extension is not None:
        front += sized(extension)
    flags = redundant << 2 | (trim is not None or flag) << 1 | (extension is not None)
    return bytes([kind << 3 | flags]) + sized(front + payload)


def header(primary=2, additional=2):
    return obu(31, b"iamf" + bytes([primary, additional]))


def lpcm(bits=16, little=True, frame=FRAME, rate=RATE, number=0):
    settings = bytes([little, bits]) + rate.to_bytes(4, "big")
    return obu(0, leb(number) + b"ipcm" + leb(frame) + s16(0) + settings)


def opus(frame=960):
    settings = bytes([1, 2]) + (312).to_bytes(2, "big") + RATE.to_bytes(4, "big") + s16(0) + b"\0"
    return obu(0, leb(0) + b"Opus" + leb(frame) + s16(-4) + settings)


def aac(explicit=False):
    fields = [(2, 5), (15, 4), (RATE, 24)] if explicit else [(2, 5), (3, 4)]
    word = "".join(format(value, f"0{count}b") for value, count in fields + [(2, 4), (0, 3)])
    word += "0" * (-len(word) % 8)
    config = int(word, 2).to_bytes(len(word) // 8, "big")
    settings = bytes([4, 0x80, 17 + len(config), 0x40, 0x15]) + bytes(11) + b"\5" + sized(config)
    return obu(0, leb(0) + b"mp4a" + leb(1024) + s16(-1) + settings)


def flac(frame=64):
    packed = RATE << 44 | 1 << 41 | 15 << 36
    info = frame.to_bytes(2, "big") * 2 + bytes(6) + packed.to_bytes(8, "big") + bytes(16)
    return obu(0, leb(0) + b"fLaC" + leb(frame) + s16(0) + b"\x80\0\0\x22" + info)


def timing(number, durations=None, rate=RATE):
    """A parameter definition: a duration with a constant or with listed ones, or blocks that say their own."""
    front = leb(number) + leb(rate)
    if durations is None:
        return front + b"\x80"
    duration, constant, listed = durations
    content = front + b"\0" + leb(duration) + leb(constant)
    return content if constant else content + leb(len(listed)) + b"".join(map(leb, listed))


def gain(number, level=0, durations=None, rate=RATE):
    return timing(number, durations, rate) + s16(level)


def demixing(number, mode=1, weight=3, frame=FRAME):
    return b"\1" + timing(number, (frame, frame, [])) + bytes([mode << 5, weight << 4])


def recon(number, frame=FRAME):
    return b"\2" + timing(number, (frame, frame, []))


def layer(layout, count, coupled, level=None, has_recon=False, expanded=None):
    content = bytes([layout << 4 | (level is not None) << 3 | has_recon << 2, count, coupled])
    if level is not None:
        content += b"\xfc" + s16(level)
    return content if expanded is None else content + bytes([expanded])


def element(number, substreams, config, parameters=(), kind=0, codec=0):
    return obu(1, leb(number) + bytes([kind << 5]) + leb(codec) + leb(len(substreams))
               + b"".join(map(leb, substreams)) + leb(len(parameters)) + b"".join(parameters) + config)


def layers(*parts):
    return bytes([len(parts) << 5]) + b"".join(parts)


def field(mapping, count):
    return leb(0) + bytes([len(mapping), count]) + bytes(mapping)


def projection(channels, count, coupled, seed=1):
    noise = random.Random(seed)
    matrix = b"".join(s16(noise.randrange(-32768, 32768)) for _ in range((count + coupled) * channels))
    return leb(1) + bytes([channels, count, coupled]) + matrix


def loudness(layout=0x80, extra=False):
    if not extra:
        return bytes([layout, 0]) + s16(-20 * 256) + s16(-3 * 256)
    return bytes([layout, 7]) + s16(-20 * 256) + s16(-3 * 256) + s16(-2 * 256) + b"\2\1" + s16(-5000) + b"\2" \
        + s16(-6000) + sized(b"more")


def sub_mix(elements, mode=1, labels=0, extension=b"", gains=gain, loudnesses=None):
    parts = b"".join(leb(number) + text(*["part"] * labels) + bytes([mode << 6]) + sized(extension)
                     + gains(90 + number) for number in elements)
    loudnesses = loudnesses or [loudness()]
    return leb(len(elements)) + parts + gains(89) + leb(len(loudnesses)) + b"".join(loudnesses)


def mix(number, *parts, languages=(), tail=b"", flag=False):
    names = text(*languages) + text(*("mix in " + name for name in languages))
    return obu(2, leb(number) + leb(len(languages)) + names + leb(len(parts)) + b"".join(parts) + tail, flag=flag)


def audio(substream, channels=1, frame=FRAME, size=2, trim=None, redundant=False, seed=1):
    noise = random.Random(substream * 100 + seed)
    data = noise.randbytes(frame * channels * size)
    if substream < 18:
        return obu(6 + substream, data, redundant, trim)
    return obu(5, leb(substream) + data, redundant, trim)


def block(number, *parts, own=None):
    """A parameter block; `own` are durations that it says itself."""
    front = b""
    if own:
        duration, constant, listed = own
        front = leb(duration) + leb(constant) + (b"" if constant else leb(len(listed)))
        if not constant:
            parts = [leb(length) + part for length, part in zip(listed, parts)]
    return obu(3, leb(number) + front + b"".join(parts))


def step(level):
    return leb(0) + s16(level)


def linear(start, end):
    return leb(1) + s16(start) + s16(end)


def bezier(start, end, control, time):
    return leb(2) + s16(start) + s16(end) + s16(control) + bytes([time])


def frames(channels, base=0, units=2, before=b"", **settings):
    """Temporal units with a frame of each substream."""
    return [before + b"".join(audio(base + index, count, seed=unit, **settings) for index, count in enumerate(channels))
            for unit in range(units)]


def counts(count, coupled):
    return [2] * coupled + [1] * (count - coupled)


def bed(layout):
    count, coupled = SINGLE[layout]
    front = header() + lpcm() + element(1, range(count), layers(layer(layout, count, coupled))) + mix(7, sub_mix([1]))
    return front, frames(counts(count, coupled))


def part_bed(number):
    count, coupled = EXPANDED[number]
    one = layer(15, count, coupled, expanded=number)
    front = header() + lpcm() + element(1, range(count), layers(one)) + mix(7, sub_mix([1]))
    return front, frames(counts(count, coupled))


def stack(parts, codec=None, has_recon=False, level=None):
    total = sum(count for _, count, _ in parts)
    frame = 960 if codec else FRAME
    content = layers(*(layer(*part, level=level, has_recon=has_recon and index > 0) for index, part in enumerate(parts)))
    parameters = [demixing(50, frame=frame)] + ([recon(51, frame)] if has_recon else [])
    front = header() + (codec or lpcm()) + element(1, range(total), content, parameters) + mix(7, sub_mix([1]))
    channels = [channel for _, count, coupled in parts for channel in counts(count, coupled)]
    units = []
    for unit, mode in enumerate([4, 5, 6, 3, 0, None, 2]):
        blocks = b"" if mode is None else block(50, bytes([mode << 5]))
        if has_recon and mode is not None:
            blocks += block(51, *(leb(0xFFF) + bytes(range(60, 72)) if mode % 2 else leb(0x18, 2) + b"\x40\xff"
                                  for _ in parts[1:]))
        units += frames(channels, units=1, before=blocks) if codec is None else [
            blocks + b"".join(obu(6 + index, bytes([unit, index])) for index in range(total))]
    return front, units


def moving(durations, blocks, rate=RATE, frame=FRAME):
    """Gains that move, of one element in mono."""
    gains = lambda number: gain(number, -300, durations, rate)
    front = header() + lpcm(frame=frame) + element(1, [0], layers(layer(0, 1, 0))) + mix(7, sub_mix([1], gains=gains))
    return front, [content + audio(0, frame=frame or FRAME, seed=unit) for unit, content in enumerate(blocks)]


def gains():
    half = FRAME // 2
    curves = [step(-512), linear(-2560, 1280), bezier(-2560, 1280, 25600, 64), bezier(0, -32768, 0, 255), bezier(9, 1, 5, 0)]
    own = [block(91, curve, own=(FRAME, FRAME, [])) + block(89, curve, own=(FRAME, FRAME, [])) for curve in curves]
    listed = [block(91, *curves[:3], own=(FRAME, 0, [3, 5, 8])), b"", block(91, *curves[:2], own=(FRAME, half, []))]
    long = [block(91, curves[1], own=(3 * FRAME + 5, 3 * FRAME + 5, [])), b"", b"", b"", block(91, step(0), own=(1, 1, []))]
    two = [block(91, step(-99), own=(half, half, [])) + block(91, linear(0, 512), own=(half, half, []))]
    bad = [block(91, leb(3) + s16(1), own=(FRAME, FRAME, [])), block(91, step(1), own=(0, 0, [])), block(77, step(1)),
           block(91, step(1), own=(2 ** 32 - 1, 1, []))]
    fixed = [block(91, *curves[:4]), block(91, step(1)), block(89, *curves[:4])]
    return {
        "gain-own": moving(None, own), "gain-listed": moving(None, listed), "gain-long": moving(None, long),
        "gain-two": moving(None, two), "gain-bad": moving(None, bad),
        "gain-constant": moving((FRAME, 5, []), fixed), "gain-fixed-list": moving((FRAME, 0, [1, 2, 3, 10]), fixed),
        "gain-slow-clock": moving(None, own, rate=3000), "gain-slowest-clock": moving(None, own, rate=1, frame=0),
        "gain-unfit-clock": moving(None, own, rate=44100),
        "gain-huge": moving(None, [block(91, bezier(0, 1, 2, 255), own=(2 ** 32 - 1, 2 ** 32 - 1, []))], rate=1, frame=0),
    }


def fields():
    def one(config, count, channels):
        front = header() + lpcm() + element(1, range(count), config, kind=1) + mix(7, sub_mix([1]))
        return front, frames(channels)
    return {
        "field-0": one(field([0], 1), 1, [1]), "field-1": one(field(range(4), 4), 4, [1] * 4),
        "field-mixed": one(field([0, 1, 255, 2, 255, 255, 255, 255, 0], 3), 3, [1] * 3),
        "field-4": one(field(range(25), 25), 25, [1] * 25),
        "field-14": one(field([index % 3 for index in range(225)], 3), 3, [1] * 3),
        "field-wrong": one(field(range(5), 5), 5, [1] * 5),
        "projection-1": one(projection(4, 3, 1), 3, [2, 1, 1]),
        "projection-2": one(projection(9, 2, 2), 2, [2, 2]),
        "projection-3": one(projection(16, 8, 8), 8, [2] * 8),
    }


def codecs():
    one = element(1, [0], layers(layer(1, 1, 1))) + mix(7, sub_mix([1]))
    coded = [obu(6, bytes([index] * 9)) for index in range(3)]
    plain = {f"lpcm-{bits}-{'little' if little else 'big'}":
             (header() + lpcm(bits, little) + one, frames([2], size=bits // 8))
             for bits in (16, 24, 32) for little in (False, True)}
    return plain | {
        "codec-opus": (header() + opus() + one, coded), "codec-aac": (header() + aac() + one, coded),
        "codec-aac-rate": (header() + aac(True) + one, coded), "codec-flac": (header() + flac() + one, coded),
        "codec-unknown": (header() + obu(0, leb(0) + b"xyz1" + leb(FRAME) + s16(0)) + one, coded),
        "lpcm-any-length": (header() + lpcm(frame=0) + one, [audio(0, 2, frame=count) for count in (5, 31, 1)]),
        "lpcm-long": (header() + lpcm(frame=2 ** 19) + one, frames([2])),
        "lpcm-high-rate": (header() + lpcm(rate=192000) + one, frames([2])),
    }


def mixes():
    two = element(1, [0], layers(layer(0, 1, 0))) + element(2, [40], layers(layer(1, 1, 1)))
    units = [audio(0) + audio(40, 2), audio(0, seed=3) + audio(40, 2, seed=3)]
    spoken = sub_mix([1, 2], labels=2, loudnesses=[loudness(), loudness(0x80 | 9 << 2, True), loudness(0xC0),
                                                   loudness(0x80 | 15 << 2), loudness(0x40)])
    tags = b"\2" + text("content_language", "fra", "encoder", "made")
    polar = leb(1) + leb(3) + timing(60) + bytes(3)
    optional = sized(bytes([1, 2, 3]))
    objects = element(3, [2], sized(b"\1"), kind=2)
    other = element(4, [3], layers(layer(0, 1, 0)), [leb(9) + sized(b"unknown")])
    front = header() + lpcm() + two
    return {
        "mix-several": (front + mix(7, sub_mix([1, 2])) + mix(8, sub_mix([2])) + mix(9, sub_mix([1, 3])), units),
        "mix-words": (front + mix(7, spoken, languages=("en-us", "fr"), tail=tags), units),
        "mix-stereo": (front + mix(7, sub_mix([1, 2], mode=0)), units),
        "mix-locked": (front + mix(7, sub_mix([2], mode=2)) + mix(8, sub_mix([1], mode=3)), units),
        "mix-two-parts": (header(3, 4) + lpcm() + two + mix(7, sub_mix([1]), sub_mix([2])), units),
        "mix-twice": (front + mix(7, sub_mix([1, 1])) + mix(7, sub_mix([1])), units),
        "mix-none": (header() + lpcm() + element(1, [0], layers(layer(0, 1, 0))), [audio(0)]),
        "mix-v2": (header(5, 5) + lpcm() + two + objects + other
                   + mix(7, sub_mix([1, 4], extension=polar), tail=b"\0" + optional, flag=True) + mix(8, sub_mix([3])),
                   [unit + audio(2) + audio(3) + obu(24, leb(2) + b"\1" + text("a", "b")) for unit in units]),
        "mix-meanings": (front + mix(7, sub_mix([1])) + mix(8, sub_mix([2], gains=lambda number: gain(number, rate=3000))),
                         units),
    }


def sequences():
    """Raw sequences: how units begin and end."""
    front = bed(1)[0]
    plain = [audio(0, 2, seed=seed) for seed in range(3)]
    delimited = b"".join(obu(4, b"") + frame for frame in plain)
    copies = obu(31, b"iamf\2\2", redundant=True) + obu(0, b"\0", redundant=True) + obu(2, b"\7", redundant=True)
    trims = [(FRAME, 0), (5, 0), (0, 3), (0, FRAME), (9, 9), (2 ** 32 - 1, 2 ** 32 - 1)]
    return {
        "delimited": front + delimited, "copies": front + plain[0] + copies + plain[1],
        "copies-first": front.replace(b"\xf8\x06", b"\xfc\x06") + plain[0],
        "redundant-frame": front + plain[0] + audio(0, 2, redundant=True) + plain[1],
        "stray": front + plain[0] + obu(0, b"\0") + plain[1],
        "two-sequences": (front + plain[0]) * 2, "other-rate": front + plain[0] + header() + lpcm(rate=44100) + front[21:],
        "trims": front + b"".join(audio(0, 2, trim=trim) for trim in trims),
        "extensions": front + obu(4, b"", extension=b"abc") + obu(6, plain[0][2:], trim=(1, 2), extension=b"") + plain[1],
        "reserved": front + obu(25, b"what") + plain[0] + obu(30, b"") + plain[1], "foreign": front + obu(23, b"abcd") + plain[0],
        "empty-frames": front + obu(6, b"") * 5 + plain[0], "short-frames": front + obu(6, b"abc") + obu(6, bytes(9)) + plain[0],
        "cut": front + plain[0] + plain[1][:20], "too-large": front + plain[0] + bytes([6 << 3]) + leb(2 ** 31) + plain[1],
        "long-numbers": front + bytes([6 << 3]) + leb(FRAME * 4, 8) + bytes(FRAME * 4) + plain[0],
        "profiles": header(200, 201) + front[8:], "no-header": front[8:], "wrong-code": front.replace(b"iamf", b"IAMF"),
    }


def boxed(front, units):
    """The content of an `iacb` box, then samples behind their sizes of two bytes."""
    return b"\1" + sized(front) + b"".join(len(unit).to_bytes(2, "big") + unit for unit in units)


def pairs():
    """Descriptors and temporal units of each seed that can stand in both containers."""
    made = {f"bed-{layout}": bed(layout) for layout in SINGLE}
    made |= {f"expanded-{number}": part_bed(number) for number in range(len(EXPANDED))}
    made |= {f"stack-{name}": stack(parts) for name, parts in STACKS.items()}
    made["stack-gains"] = stack(STACKS["stereo-5.1.2-7.1.4"], level=512)
    made["stack-opus"] = stack(STACKS["stereo-3.1.2-5.1.2-7.1.4"], opus(), True, -256)
    made["stack-aac"] = stack(STACKS["mono-stereo-7.1"], aac(), True)
    made["stack-recon-lpcm"] = stack(STACKS["3.1.2-5.1.4"], None, True)
    return made | gains() | fields() | codecs() | mixes()


def seeds():
    made = {}
    for index, (name, (front, units)) in enumerate(pairs().items()):
        made[name] = bytes([ANY_LAYER]) + front + b"".join(units)
        if index % 3 == 0:
            made[name + "-boxed"] = bytes([1 | index % 8 << 1]) + boxed(front, units)
    for name, content in sequences().items():
        made["sequence-" + name] = bytes([ANY_LAYER]) + content
    front, units = stack(STACKS["stereo-5.1.2-7.1.4"])
    for chosen in range(3):
        made[f"layer-{chosen}"] = bytes([chosen << 1]) + front + b"".join(units)
    return made


def main():
    folder = HERE / "Seeds/IAMF"
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.bin"):
        old.unlink()
    for name, content in seeds().items():
        assert len(content) < 4096, (name, len(content))
        (folder / f"{name}.bin").write_bytes(content)


if __name__ == "__main__":
    main()
