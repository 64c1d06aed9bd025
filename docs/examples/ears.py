# SPDX-License-Identifier: Apache-2.0
"""Prints how the noise of walk.py reaches both ears in a stereo file of 24 bits, for seven moments of its walk.

The delay is the place of the cross-correlation's maximum below 1.5 kHz, the level the ratio of the powers, both over 0.1 s.
"""
import math, struct, sys

file, at, data = open(sys.argv[1], "rb").read(), 12, b""
while not data:
    name, size = struct.unpack_from("<4sI", file, at)
    if name == b"fmt ":
        rate = struct.unpack_from("<I", file, at + 12)[0]
    data = file[at + 8:at + 8 + size] if name == b"data" else b""
    at += 8 + size + size % 2
left, right = ([int.from_bytes(data[at:at + 3], "little", signed=True) for at in range(first, len(data), 6)] for first in (0, 3))

def low(sound):
    """Below 1.5 kHz: a windowed sinc of 129 taps."""
    taps = [(math.sin(math.pi * n / 16) / (math.pi * n) if n else 1 / 16) * (1 + math.cos(math.pi * n / 65)) for n in range(-64, 65)]
    return [sum(map(float.__mul__, taps, map(float, sound[at:at + 129]))) for at in range(len(sound) - 128)]

def delay(one, other, most=60):
    """Samples that the other is later, between samples by a parabola."""
    sums = [sum(map(float.__mul__, one[most:-most], other[most + lag:len(other) - most + lag])) for lag in range(-most, most + 1)]
    top = max(range(1, 2 * most), key=sums.__getitem__)
    before, here, after = sums[top - 1:top + 2]
    return top - most + (before - after) / (2 * (before - 2 * here + after))

print("time    azimuth  delay at the right ear  left ear louder by")
for time in (0.5, 2.5, 4.5, 5.5, 7.5, 9.5, 11.5):
    first, last = round((time - 0.05) * rate), round((time + 0.05) * rate)
    late = delay(low(left[first - 124:last + 124]), low(right[first - 124:last + 124])) / rate * 1e6
    louder = 10 * math.log10(sum(x * x for x in left[first:last]) / sum(x * x for x in right[first:last]))
    azimuth = (360 * time / 12 + 180) % 360 - 180
    print(f"{time:4.1f} s  {azimuth:5.0f}°  {late:18.0f} µs  {louder:15.1f} dB")
