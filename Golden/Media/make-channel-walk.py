#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes channel-walk.mkv: a 5.1 programme in which every channel says its own name.

Needs Python 3, ffmpeg and espeak-ng (Debian: apt-get install ffmpeg espeak-ng).
Usage: make-channel-walk.py [OUTPUT]     default: channel-walk.mkv beside this script

Everything is synthesised: the voices by espeak-ng, the rest here, with a seeded noise source.
The same versions of the tools give the same bytes at every run.

Timeline in seconds; every row of WALK is alone in its channel:
   0.2 left   1.3 centre   2.4 right   3.5 right surround   5.1 left surround
   6.5 centre: "low frequency effects"   8.3 LFE: four pulses of 40 to 60 Hz
   9.9 music in all six channels: a pad, a walk of plucked strings, a kick, two accents
"""
import array
import math
import os
import random
import subprocess
import sys
import tempfile
import wave

RATE = 48_000
SECONDS = 15.0
FRAMES = int(RATE * SECONDS)
LEFT, RIGHT, CENTRE, LFE, LEFT_SURROUND, RIGHT_SURROUND = range(6)
MUSIC_START = 9.9
MUSIC_END = 14.8

# start in seconds, channel, text, espeak-ng voice
WALK = [
    (0.2, LEFT, "left", "en-gb"),
    (1.3, CENTRE, "centre", "en-gb"),
    (2.4, RIGHT, "right", "en-gb"),
    (3.5, RIGHT_SURROUND, "right surround", "en-us+f3"),
    (5.1, LEFT_SURROUND, "left surround", "en-us+f3"),
    (6.5, CENTRE, "low frequency effects", "en-gb"),
]
VOICE_RMS = 0.100  # of full scale, over the voiced part
VOICE_CREST = 2.2  # ceiling of the voices' peaks as a multiple of VOICE_RMS
LFE_PULSES = [(8.3, 40), (8.7, 47), (9.1, 53), (9.5, 60)]  # start in seconds, Hz
# Low, slow chord of the pad: two notes in Hz for each full-range channel.
PAD = {
    LEFT: (146.83, 293.66),
    RIGHT: (220.0, 329.63),
    CENTRE: (146.83, 220.0),
    LEFT_SURROUND: (369.99, 440.0),
    RIGHT_SURROUND: (329.63, 493.88),
}
# Walk of plucked strings around the listener: channel and note in Hz, one every 0.3 s.
PLUCKS = [
    (LEFT, 293.66), (CENTRE, 369.99), (RIGHT, 440.0), (RIGHT_SURROUND, 587.33),
    (LEFT_SURROUND, 493.88), (LEFT, 440.0), (CENTRE, 369.99), (RIGHT, 329.63),
    (RIGHT_SURROUND, 293.66), (LEFT_SURROUND, 440.0), (LEFT, 587.33), (CENTRE, 493.88),
    (RIGHT, 440.0), (CENTRE, 293.66),
]
ACCENTS = [11.1, 13.5]  # seconds; short chords in the front, the loudest moments


def run(*command):
    """Runs a command, quietly; raises when it fails."""
    return subprocess.run(command, check=True, capture_output=True).stdout


def mix(channel, start, samples, gain=1.0):
    """Adds samples to a channel from a time in seconds; what lies beyond the end is dropped."""
    first = round(start * RATE)
    for index, value in enumerate(samples[: FRAMES - first], first):
        channel[index] += gain * value


def fade(samples, seconds):
    """Fades both ends with a raised cosine."""
    count = min(round(seconds * RATE), len(samples) // 2)
    for index in range(count):
        factor = 0.5 - 0.5 * math.cos(math.pi * index / count)
        samples[index] *= factor
        samples[-1 - index] *= factor
    return samples


def speak(text, voice, folder):
    """Speaks a text: 48 kHz mono, silence cut off, at VOICE_RMS, peaks rounded softly."""
    path = os.path.join(folder, "voice.wav")
    run("espeak-ng", "-v", voice, "-s", "150", "-w", path, text)
    raw = run("ffmpeg", "-v", "error", "-bitexact", "-i", path, "-af",
              f"highpass=f=70,aresample={RATE}", "-f", "f32le", "-ac", "1", "-")
    samples = array.array("f", raw)
    loud = [index for index, value in enumerate(samples) if abs(value) > 0.01]
    samples = samples[loud[0]: loud[-1] + 1]
    rms = math.sqrt(sum(value * value for value in samples) / len(samples))
    ceiling = VOICE_CREST * VOICE_RMS
    return fade([ceiling * math.tanh(value / rms / VOICE_CREST) for value in samples], 0.005)


def pulse(frequency, seconds, level):
    """A tone that starts softly and dies away; level is its peak."""
    count = round(seconds * RATE)
    step = 2 * math.pi * frequency / RATE
    tone = [level * math.exp(-4.0 * index / count) * math.sin(step * index)
            for index in range(count)]
    return fade(tone, 0.02)


def pluck(frequency, seconds, noise):
    """A plucked string after Karplus and Strong; its first period is noise of peak 1."""
    period = round(RATE / frequency)
    string = [noise.uniform(-1, 1) for _ in range(period)]
    samples = []
    for index in range(round(seconds * RATE)):
        at = index % period
        samples.append(string[at])
        string[at] = 0.498 * (string[at] + string[(at + 1) % period])
    return fade(samples, 0.002)


def pad(notes, phase):
    """A soft chord that swells twice over the music's length; peak about 1."""
    count = round((MUSIC_END - MUSIC_START) * RATE)
    steps = [2 * math.pi * note / RATE for note in notes]
    swell = 2 * math.pi * 2 / count
    samples = []
    for index in range(count):
        level = 0.55 - 0.45 * math.cos(swell * index + phase)
        tone = sum(math.sin(step * index) + 0.3 * math.sin(2.003 * step * index)
                   for step in steps)
        samples.append(0.38 * level * tone)
    return fade(samples, 0.4)


def walk(channels, folder):
    """Each channel says its name, then the LFE pulses."""
    for start, channel, text, voice in WALK:
        mix(channels[channel], start, speak(text, voice, folder))
    for start, frequency in LFE_PULSES:
        mix(channels[LFE], start, pulse(frequency, 0.35, 0.11))


def music(channels):
    """The music bed in all channels."""
    noise = random.Random(20260)
    for index, (channel, notes) in enumerate(PAD.items()):
        mix(channels[channel], MUSIC_START, pad(notes, 0.4 * index), 0.045)
    for index, (channel, note) in enumerate(PLUCKS):
        mix(channels[channel], MUSIC_START + 0.3 + 0.3 * index, pluck(note, 0.9, noise), 0.10)
    for beat in range(8):
        start = MUSIC_START + 0.3 + 0.6 * beat
        mix(channels[LFE], start, pulse(48, 0.4, 0.04))
        for channel in (LEFT, RIGHT):
            mix(channels[channel], start, pulse(96, 0.15, 0.07))
    for start in ACCENTS:
        for channel, note in ((LEFT, 587.33), (RIGHT, 587.33), (CENTRE, 880.0)):
            mix(channels[channel], start, pluck(note, 1.2, noise), 0.31)


def encode(channels, folder, output):
    """Writes E-AC-3 in Matroska without anything that changes from run to run."""
    source = os.path.join(folder, "mix.wav")
    frames = array.array("h", bytes(2 * 6 * FRAMES))
    for index, channel in enumerate(channels):
        frames[index::6] = array.array("h", [round(32767 * value) for value in channel])
    if sys.byteorder == "big":
        frames.byteswap()
    with wave.open(source, "wb") as file:
        file.setparams((6, 2, RATE, 0, "NONE", ""))
        file.writeframes(frames.tobytes())
    order = "|".join(f"c{index}=c{index}" for index in range(6))
    # Coupling would share the upper bands between channels: off, so that silence stays silent.
    # The voices end at 11 kHz, and left alone the encoder cuts at 7 kHz for this bit rate.
    run("ffmpeg", "-v", "error", "-y", "-fflags", "+bitexact", "-i", source,
        "-af", f"pan=5.1(side)|{order}", "-map_metadata", "-1", "-c:a", "eac3", "-b:a", "208k",
        "-channel_coupling", "0", "-cutoff", "12000", "-dialnorm", "-24",
        "-flags:a", "+bitexact", "-fflags", "+bitexact", "-metadata", "title=Channel walk",
        "-metadata:s:a:0", "title=5.1 channel walk", "-metadata:s:a:0", "language=eng",
        "-disposition:a:0", "default", "-f", "matroska", output)


def main():
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "channel-walk.mkv")
    output = sys.argv[1] if len(sys.argv) > 1 else beside
    channels = [array.array("d", bytes(8 * FRAMES)) for _ in range(6)]
    with tempfile.TemporaryDirectory() as folder:
        walk(channels, folder)
        music(channels)
        encode(channels, folder, output)


if __name__ == "__main__":
    main()
