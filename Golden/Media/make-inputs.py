#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make-inputs.py FOLDER: makes the inputs of the goldens.

One synthesised programme per layout (tones that swell, filtered noise, a few hits; every channel its
own pitch), written as WAV by this script and encoded by ffmpeg with bit-exact flags. The same tool
versions give the same bytes.
"""

import math
import pathlib
import random
import struct
import subprocess
import sys

import scenes

RATE = 48000
MASKS = {1: 0x4, 2: 0x3, 6: 0x3F, 8: 0x63F}
SECONDS = {1: 4, 2: 6, 6: 4, 8: 3}


def plane(channel: int, seconds: int, level: float) -> list[float]:
    noise = random.Random(1000 + channel)
    pitch = 180.0 * (1 + 0.37 * channel)
    smooth, samples = 0.0, []
    for index in range(seconds * RATE):
        time = index / RATE
        swell = 0.55 + 0.45 * math.sin(2 * math.pi * 0.7 * time + channel)
        tone = math.sin(2 * math.pi * pitch * time) + 0.4 * math.sin(2 * math.pi * pitch * 5.1 * time)
        smooth += 0.3 * (noise.uniform(-1, 1) - smooth)
        hit = 4 * math.sin(2 * math.pi * 3000 * time) if index % (2 * RATE) < 40 else 0
        samples.append(level * (swell * tone + 0.5 * smooth + hit))
    return samples


def write_wav(path: pathlib.Path, channels: int, level: float = 0.1) -> None:
    """24-bit WAVE_FORMAT_EXTENSIBLE."""
    planes = [plane(channel, SECONDS[channels], level) for channel in range(channels)]
    body = bytearray()
    for frame in zip(*planes):
        for value in frame:
            body += struct.pack("<i", int(round(value * 0x7FFFFF)))[:3]
    guid = bytes.fromhex("0100000000001000800000aa00389b71")
    head = struct.pack("<HHIIHH", 0xFFFE, channels, RATE, RATE * channels * 3, channels * 3, 24)
    head += struct.pack("<HHI", 22, 24, MASKS[channels]) + guid
    chunks = b"WAVEfmt " + struct.pack("<I", len(head)) + head + b"data" + struct.pack("<I", len(body))
    path.write_bytes(b"RIFF" + struct.pack("<I", len(chunks) + len(body)) + chunks + bytes(body))


def ffmpeg(*arguments: str) -> None:
    quiet = ["ffmpeg", "-nostdin", "-v", "error", "-y"]
    subprocess.run(quiet + list(arguments), check=True)


ENCODED = {
    "stereo.flac": ("stereo.wav", "-c:a flac"),
    "stereo-alac.m4a": ("stereo.wav", "-c:a alac -sample_fmt s32p"),
    "stereo-aac.m4a": ("stereo.wav", "-c:a aac -b:a 192k"),
    "stereo.mp3": ("stereo.wav", "-c:a libmp3lame -b:a 192k"),
    "stereo.opus": ("stereo.wav", "-c:a libopus -b:a 128k"),
    "stereo-vorbis.ogg": ("stereo.wav", "-c:a libvorbis -q:a 5"),
    "stereo-pcm.mkv": ("stereo.wav", "-c:a pcm_s24le"),
    "surround-ac3.mkv": ("surround.wav", "-c:a ac3 -b:a 448k"),
    "surround-ac3.ts": ("surround.wav", "-c:a ac3 -b:a 448k -f mpegts"),
    "surround-eac3.mp4": ("surround.wav", "-c:a eac3 -b:a 384k"),
    "surround.flac": ("surround.wav", "-c:a flac"),
}


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, channels in [("mono", 1), ("stereo", 2), ("surround", 6), ("seven", 8)]:
        write_wav(folder / f"{name}.wav", channels)
    write_wav(folder / "quiet.wav", 2, 0.01)
    scenes.write_scene(folder / "scene.wav", [plane(channel, 3, 0.05) for channel in range(5)])
    scenes.write_field(folder / "field.wav", plane(0, 3, 0.1))
    for name, (source, options) in ENCODED.items():
        exact = ["-fflags", "+bitexact", "-flags", "+bitexact", "-map_metadata", "-1"]
        ffmpeg("-i", str(folder / source), *options.split(), *exact, str(folder / name))
    (folder / "text.wav").write_text("This isn't a media file.\n")
    channel_walk = pathlib.Path(__file__).with_name("channel-walk.mkv")
    (folder / channel_walk.name).write_bytes(channel_walk.read_bytes())


main()
