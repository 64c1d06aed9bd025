#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of the ADM fuzzer into Seeds/ADM: small files with every kind of channel and chunk."""

import gzip
import pathlib
import struct

HERE = pathlib.Path(__file__).parent / "Seeds/ADM"
POLAR = ('<position coordinate="azimuth">30</position><position coordinate="elevation">0</position>'
         '<jumpPosition interpolationLength="0.005">1</jumpPosition>')
CUBE = ('<cartesian>1</cartesian><position coordinate="X">-1</position><position coordinate="Y">1</position>'
        '<zoneExclusion><zone minX="-1" maxX="1" minY="0" maxY="1" minZ="-1" maxZ="0"/></zoneExclusion>')
SPEAKER = ('<speakerLabel>M+030</speakerLabel><position coordinate="azimuth" bound="min">20</position>'
           '<position coordinate="azimuth">30</position><position coordinate="elevation">0</position>')
FIELD = "<order>1</order><degree>-1</degree><normalization>SN3D</normalization>"


def chunk(name, payload):
    return name + struct.pack("<I", len(payload)) + payload + b"\0" * (len(payload) % 2)


def wave(chunks, form=b"RIFF"):
    body = b"WAVE" + b"".join(chunks)
    return form + struct.pack("<I", len(body)) + body


def document(kind, block):
    times = 'rtime="00:00:00.00000" duration="00:00:00.01000"' if kind == "3" else ""
    return f"""<?xml version="1.0"?>
<ebuCoreMain><format><audioFormatExtended version="ITU-R_BS.2076-2">
<audioProgramme audioProgrammeID="APR_1001" audioProgrammeName="a"><audioContentIDRef>ACO_1001</audioContentIDRef>
</audioProgramme><audioContent audioContentID="ACO_1001"><audioObjectIDRef>AO_1001</audioObjectIDRef>
<dialogue dialogueContentKind="1">1</dialogue></audioContent>
<audioObject audioObjectID="AO_1001" start="00:00:00.0" duration="00:00:00.02000" importance="5">
<audioPackFormatIDRef>AP_000{kind}1001</audioPackFormatIDRef><audioTrackUIDRef>ATU_00000001</audioTrackUIDRef>
<gain gainUnit="dB">-6</gain><positionOffset coordinate="azimuth">5</positionOffset></audioObject>
<audioPackFormat audioPackFormatID="AP_000{kind}1001" typeLabel="000{kind}">
<audioChannelFormatIDRef>AC_000{kind}1001</audioChannelFormatIDRef></audioPackFormat>
<audioChannelFormat audioChannelFormatID="AC_000{kind}1001" typeLabel="000{kind}">
<audioBlockFormat {times}>{block}</audioBlockFormat></audioChannelFormat>
<audioStreamFormat audioStreamFormatID="AS_000{kind}1001" formatLabel="0001"><audioChannelFormatIDRef>AC_000{kind}1001
</audioChannelFormatIDRef><audioTrackFormatIDRef>AT_000{kind}1001_01</audioTrackFormatIDRef></audioStreamFormat>
</audioFormatExtended></format></ebuCoreMain>""".encode()


def table(kind, track="AT_000{}1001_01"):
    row = struct.pack("<H", 1) + b"ATU_00000001" + track.format(kind).encode().ljust(14, b"\0")
    return struct.pack("<HH", 1, 1) + row + f"AP_000{kind}1001".encode().ljust(11, b"\0") + b"\0"


def main():
    HERE.mkdir(exist_ok=True)
    form = chunk(b"fmt ", struct.pack("<HHIIHH", 1, 1, 48000, 96000, 2, 16))
    data = chunk(b"data", bytes(96))
    for name, kind, block in (
            ("polar", "3", POLAR), ("cube", "3", CUBE), ("speaker", "1", SPEAKER), ("field", "4", FIELD)):
        text = document(kind, block)
        parts = [form, chunk(b"chna", table(kind)), chunk(b"axml", text), data]
        (HERE / f"{name}.wav").write_bytes(wave(parts))
    packed = struct.pack("<H", 1) + gzip.compress(document("3", POLAR), mtime=0)
    sizes = chunk(b"ds64", struct.pack("<QQQI", 0, 96, 0, 0))
    parts = [sizes, form, chunk(b"bxml", packed), chunk(b"chna", table("3")),
             b"data" + b"\xff" * 4 + bytes(96)]
    (HERE / "packed.wav").write_bytes(wave(parts, b"BW64"))
    plain = struct.pack("<HH", 1, 1) + struct.pack("<H", 1) + b"ATU_00000001" + b"AT_00010003_01" + b"AP_00010001\0"
    (HERE / "table.wav").write_bytes(wave([form, chunk(b"chna", plain), data]))


if __name__ == "__main__":
    main()
