#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of the fuzzer of objects in E-AC-3 into Seeds/JOC: payloads of every branch of the syntax
(TS 103 420), and units whose containers (TS 102 366, annex H) are placed, damaged and cut in every way.

The first byte of a seed chooses options; FuzzJOC.swift says which.
"""

import json
import pathlib
import random

HERE = pathlib.Path(__file__).parent
BOOKS = json.loads((HERE / "../../Sources/JOC/Tables/Figures/huffman.json").read_text())["books"]
BAND_COUNTS = [1, 3, 5, 7, 9, 12, 15, 23]
CHANNELS = [5, 7, 7, 5, 7]
SYNC = b"\x0b\x77"
# 5.1 and 7.1 hold the channels of configurations 0, 1 and 3, 5.1.2 those of 0 and 2 to 4.
LAYOUTS = [0, 2, 1, 0, 1]
# The other readings of the standard: sparse as printed, steep as printed, no alignment.
PRINTED = 2


class Bits:
    """Bits, most significant first."""

    def __init__(self, *fields):
        self.text = ""
        self.add(*fields)

    def add(self, *fields):
        """Appends each (value, count), or the bits of another one."""
        for field in fields:
            if isinstance(field, Bits):
                self.text += field.text
            elif field[1] > 0:
                self.text += format(field[0], f"0{field[1]}b")
        return self

    def bytes(self):
        text = self.text + "0" * (-len(self.text) % 8)
        return bytes(int(text[place:place + 8], 2) for place in range(0, len(text), 8))


def variable(value, count):
    """variable_bits in groups of `count` bits."""
    groups = [value % (1 << count)]
    while value >> count:
        value = (value >> count) - 1
        groups.insert(0, value % (1 << count))
    return Bits(*((group << 1 | (place < len(groups) - 1), count + 1) for place, group in enumerate(groups)))


def escaped(value, count, groups):
    most = (1 << count) - 1
    return Bits((value, count)) if value < most else Bits((most, count), variable(value - most, groups))


def symbol(noise, book):
    """A codeword: mostly of a small difference, so that coefficients stay near 0, sometimes any."""
    entries = BOOKS[book]
    index = noise.choice([0, 0, 0, 1, len(entries) - 1, noise.randrange(len(entries))])
    length, code = entries[index]
    return code, length


# Coefficients


def header(bands, sparse, fine, steep, offsets):
    fields = Bits((1, 1), (BAND_COUNTS.index(bands), 3), (sparse, 1), (fine, 1), (steep, 1), (len(offsets) - 1, 1))
    return fields.add(*((offset - 1, 5) for offset in offsets)) if steep else fields


def coefficients(noise, objects, configuration=0, sequence=0, gain=(4, 0), extension=0):
    """A payload of objects, each None or (bands, sparse, fine, steep, offsets)."""
    bits = Bits((configuration, 3), (len(objects) - 1, 6), (extension, 3), (gain[0], 3), (gain[1], 5), (sequence, 10))
    for one in objects:
        bits.add(header(*one) if one else (0, 1))
    channels = (CHANNELS + [5] * 3)[configuration]
    for bands, sparse, fine, _, offsets in filter(None, objects):
        kind = "fine" if fine else "coarse"
        for _ in offsets:
            if sparse:
                bits.add((noise.randrange(8), 3))
                bits.add(*(symbol(noise, f"idx_{channels}ch") for _ in range(bands - 1)))
                bits.add(*(symbol(noise, f"vec_{kind}") for _ in range(bands)))
            else:
                bits.add(*(symbol(noise, f"mtx_{kind}") for _ in range(bands * channels)))
    return bits.bytes()


# Metadata of objects


def basic(gain=0, value=0, priority=None):
    bits = Bits((gain, 2)).add(*[(value, 6)] if gain == 2 else [])
    return bits.add((1, 1)) if priority is None else bits.add((0, 1), (priority, 5))


def rendering(is_first, x=31, y=0, z=0, step=None, distance=None, zone=0, elevation=1, size=(), screen=None, snap=0):
    """object_render_info with all of its parts; `distance` is -1 at infinity."""
    bits = Bits()
    if not is_first:
        bits.add((step is not None, 1))
    if step is not None:
        bits.add(*((part % 8, 3) for part in step))
    else:
        bits.add((x, 6), (y, 6), (z >= 0, 1), (abs(z), 4))
    bits.add((distance is not None, 1))
    if distance is not None:
        bits.add((1, 1)) if distance < 0 else bits.add((0, 1), (distance, 4))
    bits.add((zone, 3), (elevation, 1), ({0: 0, 1: 1, 3: 2}[len(size)], 2)).add(*((part, 5) for part in size))
    bits.add((0, 1)) if screen is None else bits.add((1, 1), (screen[0], 3), (screen[1], 2))
    return bits.add((snap, 1))


def moving(noise, blocks, is_bed=False):
    """The updates of an active object: the first one says all, others everything, nothing, or a part."""
    bits = Bits()
    for block in range(blocks):
        if noise.random() < 0.1:
            bits.add((1, 1), (0, 1))
            continue
        bits.add((0, 1))
        statuses = [1, 1] if block == 0 else [noise.randrange(4), noise.randrange(4)]
        if block > 0:
            bits.add((statuses[0], 2))
        full = basic(noise.randrange(4), noise.randrange(64), noise.choice([None, 9]))
        bits.add(full if statuses[0] == 1 else Bits((1, 2), (0, 2)) if statuses[0] == 3 else Bits())
        if not is_bed:
            if block > 0:
                bits.add((statuses[1], 2))
            full = rendering(
                block == 0, noise.randrange(64), noise.randrange(64), noise.randrange(-15, 16),
                (3, -4, 1) if block > 0 and noise.random() < 0.5 else None, noise.choice([None, None, -1, 7]),
                noise.randrange(8), noise.randrange(2), noise.choice([(), (9,), (31, 4, 0)]),
                noise.choice([None, (7, 2)]), noise.randrange(2))
            # The mixed update sends no more than the last flag, which no mask leaves out.
            bits.add(full if statuses[1] == 1 else Bits((0, 4), (1, 1)) if statuses[1] == 3 else Bits())
        bits.add((1, 1), (1, 4), (0xABCD, 16)) if noise.random() < 0.1 else bits.add((0, 1))
    return bits


def objects(noise, beds=1, dynamic=3, blocks=((0, (0, 2)),), offset=(0, 2), reserved=(1, 1)):
    """object_element; each block is a number of 32 samples and a ramp's fields."""
    bits = Bits(offset, (len(blocks) - 1, 3))
    for place, ramp in blocks:
        bits.add((place, 6), ramp)
    bits.add(reserved)
    for index in range(beds + dynamic):
        bits.add(moving(noise, len(blocks), index < beds))
    return bits


def element(number, content, size=None, alternate=False):
    """oa_element_md; `size` is a size that isn't the element's."""
    content = Bits((3, 4) if alternate else (0, 0), (0, 1), content)
    length = len(content.bytes()) if size is None else size
    content.text += "0" * (-len(content.text) % 8)
    return Bits((number, 4), variable(length - 1, 4), content)


def metadata(assignment, count, elements, alternate=False, version=(0, 2)):
    count = Bits((count - 1, 5)) if count <= 31 else Bits((31, 5), (count - 32, 7))
    number = Bits((len(elements), 4)) if len(elements) < 15 else Bits((15, 4), (len(elements) - 15, 5))
    return Bits(version, count, assignment, (alternate, 1), number, *elements).bytes()


DYNAMIC = Bits((1, 1), (1, 1))


def plain(noise, dynamic=3):
    """An LFE and dynamic objects, each with one update."""
    return metadata(DYNAMIC, 1 + dynamic, [element(1, objects(noise, 1, dynamic))])


# Seeds


def pieces(payloads, layout=0, options=0):
    """A seed of payloads in pairs, metadata first."""
    seed = bytes([1 | options | layout << 4])
    for first, second in payloads:
        seed += SYNC + len(first).to_bytes(2, "big") + first + second
    return seed


def coefficient_seeds(noise):
    for configuration in range(5):
        for sparse in (0, 1):
            payloads = []
            for turn in range(4):
                rows = []
                for index in range(3):
                    offsets = [noise.randrange(1, 33) for _ in range(1 + (turn // 2 + index) % 2)]
                    rows.append((noise.choice(BAND_COUNTS), sparse, index // 2, turn % 2, offsets))
                if turn == 2:
                    rows[1] = None
                payloads.append((plain(noise), coefficients(noise, rows, configuration, turn, (turn * 2, 9 * turn))))
            name = f"{'sparse' if sparse else 'dense'}-{configuration}"
            yield name, pieces(payloads, LAYOUTS[configuration])
            yield f"{name}-printed", pieces(payloads, LAYOUTS[configuration], PRINTED | configuration % 3 << 2)
    for fine in (0, 1):
        rows = [
            (bands, index % 2, fine, index // 2 % 2, [3, 20][:1 + index // 4])
            for index, bands in enumerate(BAND_COUNTS)]
        yield f"bands-{fine}", pieces([(plain(noise, 8), coefficients(noise, rows, 0, turn)) for turn in range(2)])
    row = (3, 0, 1, 0, [1])
    good = (plain(noise, 1), coefficients(noise, [row]))
    sequence = [(plain(noise, 1), coefficients(noise, [row], 0, number)) for number in (5, 6, 9, 0, 0, 1023, 1)]
    yield "sequence", pieces(sequence)
    yield "absent", pieces([good, (plain(noise, 2), coefficients(noise, [None, None])), good])
    yield "reserved", pieces([
        good, (plain(noise, 1), coefficients(noise, [row], 5)),
        (plain(noise, 1), coefficients(noise, [row], extension=2)),
        (plain(noise, 1), coefficients(noise, [None] * 20))])
    yield "cut", pieces([good, (good[0], good[1][:-2]), (good[0][:-3], good[1]), (b"", good[1]), (good[0], b"")])
    # A programme of five channels, then one that mixes seven.
    yield "reconfigured", pieces(
        [(plain(noise, 1), coefficients(noise, [row], number, number)) for number in (0, 2, 3, 4, 1)], 1)


def assignments():
    """(name, program_assignment, bed channels, dynamic objects)"""
    bed, alone = Bits((0, 1), (1, 1)), Bits((1, 1))
    yield "standard", Bits((0, 1), (5, 4), (1, 1), (0, 1), bed, (0b1111, 10), (1, 5)), 6, 2
    yield "wide", Bits((0, 1), (1, 4), (0, 1), (0, 1), bed, (0x1FF, 10)), 16, 0
    yield "listed", Bits((0, 1), (5, 4), (0, 1), (0, 1), (0, 1), (0, 1), (0x4C07, 17), (0, 5)), 6, 1
    yield "several", Bits((0, 1), (5, 4), (0, 1), (1, 1), (1, 3), alone, bed, (1, 10), bed, (2, 10), (0, 5)), 4, 1
    yield "lfe", Bits((0, 1), (5, 4), (0, 1), (0, 1), alone, (2, 5)), 1, 3
    yield "lfe-alone", Bits((1, 1), (1, 1)), 1, 0
    yield "second-lfe", Bits((0, 1), (1, 4), (0, 1), (0, 1), bed, (0x201, 10)), 3, 0
    yield "no-bed", Bits((1, 1), (0, 1)), 0, 4
    yield "spatial", Bits((0, 1), (6, 4), (1, 3), (0, 5)), 8, 1
    yield "reserved", Bits((0, 1), (12, 4), (31, 5), (2, 7), (1, 4), (0xBEEF, 16)), 0, 34
    yield "unlike", Bits((0, 1), (4, 4), (7, 5)), 0, 3


def metadata_seeds(noise):
    for name, assignment, beds, dynamic in assignments():
        mixed = beds + dynamic - (name in ("standard", "wide", "several", "lfe", "lfe-alone"))
        rows = [(1, 0, 1, 0, [1])] * max(1, min(mixed, 60))
        first = metadata(assignment, beds + dynamic, [element(1, objects(noise, beds, dynamic))])
        yield f"assignment-{name}", pieces([(first, coefficients(noise, rows, 0, turn)) for turn in range(2)])
    second = coefficients(noise, [(1, 0, 1, 0, [1])] * 3)
    ramps = [Bits((0, 2)), Bits((1, 2)), Bits((2, 2)), Bits((7, 3), (15, 4)), Bits((6, 3), (2047, 11))]
    offsets = [Bits((0, 2)), Bits((1, 2), (2, 2)), Bits((2, 2), (31, 5)), Bits((3, 2))]
    payloads = []
    for turn in range(8):
        blocks = [(noise.randrange(64), noise.choice(ramps)) for _ in range(turn + 1)]
        reserved = (1, 1) if turn % 2 else (21, 6)
        content = objects(noise, 1, 3, blocks, offsets[turn % 3], reserved)
        payloads.append((metadata(DYNAMIC, 4, [element(1, content)]), second))
    yield "blocks", pieces(payloads)
    yield "offsets", pieces(
        [(metadata(DYNAMIC, 4, [element(1, objects(noise, offset=offset))]), second) for offset in offsets])
    bed = Bits((0, 1), (1, 4), (0, 1), (0, 1), (0, 1), (1, 1), (0b11, 10))
    faded = objects(noise, 3, 0, [(1, ramps[1]), (40, ramps[4])])
    yield "bed-gains", pieces([(metadata(bed, 3, [element(1, faded)]), second)] * 3)
    yield "elements", pieces([(payload, second) for payload in element_payloads(noise)][:8])
    yield "elements-damaged", pieces([(payload, second) for payload in element_payloads(noise)][8:])


def trims(noise, mode, warp=0):
    """trim_element"""
    bits = Bits((warp, 2), (0, 2), (mode, 2))
    if mode == 2:
        # For nine layouts: the default, none, and seven sets of values.
        bits.add((1, 1), (1, 2))
        for sent in (0, 1, 2, 4, 8, 16, 31):
            bits.add((0, 2), (sent, 5)).add(*((noise.randrange(16), 4) for _ in range((sent & 7).bit_count())))
            bits.add(*((noise.randrange(32), 5) for _ in range((sent >> 3).bit_count())))
    return bits.add((1, 1), (0b0110, 4)) if mode else bits.add((0, 1))


def extension():
    """Divergence in every mode, and positions in fifths beyond the walls, for three active objects of one update."""
    bits = Bits((1, 1), (1, 1), (0, 2), (3, 2), (1, 1), (2, 2), (40, 6), (1, 1), (1, 2))
    return bits.add((1, 1), (1, 1), (7, 3), (1, 2), (3, 2), (1, 2), (1, 1), (2, 3), (2, 2), (0, 1))


def element_payloads(noise):
    still = Bits((0, 2), (0, 3), (0, 6), (0, 2), (1, 1), (0, 1), basic(), (0, 1))
    for index in range(3):
        still.add((0, 1), basic(2, 5), rendering(True, 62, 20, 15), (0, 1))
    first = element(1, still)

    def payload(*elements, **options):
        return metadata(DYNAMIC, 4, elements, **options)

    yield payload(first, element(2, trims(noise, 0)))
    yield payload(first, element(2, trims(noise, 1)), element(5, extension()))
    yield payload(element(2, trims(noise, 2)), first, element(5, extension()))
    yield payload(first, element(2, trims(noise, 2, 3)), element(3, Bits((7, 30))))
    yield payload(element(1, still, alternate=True), element(1, still, alternate=True), alternate=True)
    yield payload(*[element(9, Bits((1, 8)))] * 16, first)
    yield payload(element(5, extension()), first)
    yield payload(first, element(1, still))
    # A size that is too small, in the last element and before, one that is too large, and one without end.
    yield payload(element(1, still, 4))
    yield payload(element(1, still, 4), element(2, trims(noise, 0)))
    yield payload(element(1, still, 300))
    yield payload(Bits((1, 4), (0xFFFFFFFFFF, 40)), first)
    yield payload(first, version=(0b11010, 5))
    yield payload()
    reserved = Bits((0, 2), (0, 3), (0, 6), (0, 2), (1, 1), (0, 1), basic(), (0, 1))
    for _ in range(3):
        place = Bits((0, 12), (1, 1), (0, 4), (0, 1))
        reserved.add((0, 1), basic(), place, (0, 3), (1, 1), (3, 2), (0, 2), (0, 1))
    yield payload(element(1, reserved))


# Containers


def payload(number, content, offset=None, duration=None, group=None, codec=False, aligned=None, size=None):
    """A payload; without `aligned` it may be left out where it is unknown."""
    bits = escaped(number, 5, 5)
    bits.add((0, 1)) if offset is None else bits.add((1, 1), (offset, 11), (0, 1))
    bits.add((0, 1)) if duration is None else bits.add((1, 1), variable(duration, 11))
    bits.add((0, 1)) if group is None else bits.add((1, 1), variable(group, 2))
    bits.add((1, 1), (0, 8)) if codec else bits.add((0, 1))
    if aligned is None:
        bits.add((1, 1))
    else:
        bits.add((0, 1))
        if offset is None:
            bits.add((aligned, 1), (0, 2 if aligned else 0))
        bits.add((5, 7 if offset is not None or aligned else 0))
    bits.add(variable(len(content) if size is None else size, 8))
    return bits.add(*((byte, 8) for byte in content))


def container(payloads, version=0, key=1, protection=(2, 1), length=None):
    body = Bits(escaped(version, 2, 2), escaped(key, 3, 3), *payloads, (0, 5))
    sizes = [0, 8, 32, 128]
    body.add((protection[0], 2), (protection[1], 2), (0, sizes[protection[0]]), (0, sizes[protection[1]]))
    content = body.bytes()
    return Bits((0x5838, 16), (len(content) if length is None else length, 16), *((byte, 8) for byte in content))


def unit(*contents, phase=4):
    return SYNC + Bits((0x04FF, 16), (0, phase), *contents, (1, 9)).bytes()


def container_seeds(noise):
    row = (1, 0, 1, 0, [1])
    first, second = plain(noise, 2), coefficients(noise, [row, row])
    both = [payload(11, first), payload(14, second)]
    sound = unit(container(both))
    yield "phases", b"\0" + b"".join(unit(container(both), phase=phase) for phase in range(8))
    yield "fields", b"\0" + b"".join([
        unit(container([payload(11, first, 1000, 3000, 2), payload(14, second, aligned=1)])),
        unit(container([
            payload(14, second, group=9, codec=True), payload(2, b"abc"), payload(11, first, 7, aligned=0)])),
        unit(container([payload(40, b"", aligned=0)] + both, key=9, protection=(3, 3))),
        unit(container(both, protection=(0, 0))), unit(container(both, protection=(1, 2)))])
    yield "several", b"\0" + b"".join([
        unit(container(both), container(both)), unit(container(both), container(both[:1])),
        unit(container(both[1:]), container(both)), unit(container([payload(2, b"abc")])), unit(container(both[:1]))])
    yield "damaged", b"\0" + b"".join([
        sound, unit(container(both, version=3)), unit(container([payload(3, b"")] * 33 + both)),
        unit(container(both, length=2)), unit(container(both, length=60000)), sound[:-12],
        unit(container([payload(11, first), payload(14, second, size=5000)])),
        unit(Bits((0x5838, 16), (30, 16), (0, 5), (31, 5), (0xFF, 8), *[(0xFF, 8)] * 28))])
    hidden = payload(2, Bits((0x5838, 16), (4, 16), (0x5838, 19)).bytes())
    crowd = Bits(*[(0x5838, 16)] * 70)
    yield "hidden", b"\0" + unit(container([hidden] + both), phase=3) + unit(crowd, container(both))
    yield "lost", b"\0" + sound + SYNC + SYNC + unit(Bits((0, 90))) + sound


def main():
    folder = HERE / "Seeds/JOC"
    folder.mkdir(exist_ok=True)
    noise = random.Random(103420)
    for kind in (coefficient_seeds, metadata_seeds, container_seeds):
        for name, seed in kind(noise):
            (folder / f"{name}.bin").write_bytes(seed)


if __name__ == "__main__":
    main()
