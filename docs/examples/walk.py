# SPDX-License-Identifier: Apache-2.0
"""Writes walk.wav: 12 seconds of noise, an ADM object that walks round the head to the left in 120 blocks."""
import random, struct

rate, seconds, steps = 48000, 12, 120
random.seed(1)
sound = [random.uniform(-0.2, 0.2) for _ in range(rate * seconds)]

def time(s):
    return "00:00:%08.5f" % s

blocks = "".join(
    f'<audioBlockFormat audioBlockFormatID="AB_00031001_{n + 1:08x}"'
    f' rtime="{time(n * seconds / steps)}" duration="{time(seconds / steps)}">'
    f'<position coordinate="azimuth">{(360 * n / steps + 180) % 360 - 180}</position>'
    '<position coordinate="elevation">0</position></audioBlockFormat>'
    for n in range(steps))
axml = f'''<ebuCoreMain><coreMetadata><format><audioFormatExtended version="ITU-R_BS.2076-2">
<audioProgramme audioProgrammeID="APR_1001" audioProgrammeName="Walk">
<audioContentIDRef>ACO_1001</audioContentIDRef></audioProgramme>
<audioContent audioContentID="ACO_1001" audioContentName="Voice">
<audioObjectIDRef>AO_1001</audioObjectIDRef></audioContent>
<audioObject audioObjectID="AO_1001" audioObjectName="Walker">
<audioPackFormatIDRef>AP_00031001</audioPackFormatIDRef>
<audioTrackUIDRef>ATU_00000001</audioTrackUIDRef></audioObject>
<audioPackFormat audioPackFormatID="AP_00031001" audioPackFormatName="Walker" typeLabel="0003">
<audioChannelFormatIDRef>AC_00031001</audioChannelFormatIDRef></audioPackFormat>
<audioChannelFormat audioChannelFormatID="AC_00031001" audioChannelFormatName="Walker"
 typeLabel="0003">{blocks}</audioChannelFormat>
</audioFormatExtended></format></coreMetadata></ebuCoreMain>'''.encode()

def chunk(name, data):
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)

row = struct.pack("<HHH12s14s11sx", 1, 1, 1, b"ATU_00000001", b"AC_00031001", b"AP_00031001")
body = b"WAVE" + chunk(b"fmt ", struct.pack("<HHIIHH", 1, 1, rate, rate * 3, 3, 24))
body += chunk(b"chna", row) + chunk(b"axml", axml)
body += chunk(b"data", b"".join(int(s * 8388607).to_bytes(3, "little", signed=True) for s in sound))
open("walk.wav", "wb").write(b"RIFF" + struct.pack("<I", len(body)) + body)
