# SPDX-License-Identifier: Apache-2.0
"""Sound and films whose every sample and picture can be found again."""
import dataclasses
import functools
import pathlib
import subprocess
import wave

import numpy

RATE = 48_000
# The signal of Tests/TestSupport/Programmes/ImpulseSignal.swift: a length that no codec frame divides, noise
# bursts of 2048 samples at these places, and an impulse 100 samples after each.
FRAMES = 480_123
BURSTS = (4_000, 60_123, 240_001, 420_777)
BURST = 2048


def run(*command, codes=(0,)):
    """Runs a program; its standard output. RuntimeError has what it said, if it ended with none of `codes`."""
    done = subprocess.run([str(part) for part in command], capture_output=True)
    if done.returncode not in codes:
        said = done.stderr.decode(errors="replace")
        raise RuntimeError(f"{' '.join(map(str, command))}\nended with {done.returncode}: {said}")
    return done.stdout


def ffmpeg(*arguments):
    return run("ffmpeg", "-nostdin", "-v", "error", "-y", *arguments)


def _noise(random, count, peak):
    """White noise without its highest octave, so that lossy codecs keep the shape."""
    noise = random.uniform(-peak, peak, count + 3)
    for _ in range(3):
        noise = (noise[1:] + noise[:-1]) / 2
    return noise


def bursts(frames, places, channels=2, impulses=True, ground=0.01):
    """Sound of 16 bits, frames x channels: noise of amplitude `ground` with bursts at `places`."""
    planes = []
    for channel in range(channels):
        random = numpy.random.RandomState(channel + 1)
        plane = _noise(random, frames, ground) if ground else numpy.zeros(frames)
        for place in places:
            plane[place:place + BURST] += _noise(random, BURST, 0.7)
            if impulses:
                plane[place + BURST + 100] = 0.9
        planes.append(numpy.rint(plane * 32767).astype(numpy.int16))
    return numpy.stack(planes, axis=1)


def tone(frames, rate=RATE, frequency=1000, amplitude=0.1):
    """A sine of 16 bits on two channels."""
    wave_form = amplitude * numpy.sin(2 * numpy.pi * frequency / rate * numpy.arange(frames))
    return numpy.rint(wave_form[:, None] * [32767, 32767]).astype(numpy.int16)


def _pluck(random, pitch, time):
    """A note of many harmonics, of which the high ones fade first."""
    harmonics = numpy.arange(1, int(14_000 / pitch))[:, None]
    waves = numpy.sin(2 * numpy.pi * (pitch * harmonics * time + random.uniform(0, 1, harmonics.shape)))
    return (waves / harmonics ** 0.8 * numpy.exp(-time * (3 + harmonics / 3))).sum(axis=0)


def music(seconds):
    """Loud, dense music of 16 bits: plucked chords, a drum and cymbals, driven into saturation."""
    random = numpy.random.RandomState(7)
    beat = RATE // 4
    time = numpy.arange(2 * beat) / RATE
    roots, steps = (55, 73.4, 65.4, 82.4), (2, 2.38, 3, 4, 4.76, 6)
    notes = [[_pluck(random, root * step, time) for step in steps] for root in roots]
    sound = numpy.zeros((seconds * RATE + beat, 2))
    for turn in range(seconds * 4):
        part = sound[turn * beat:turn * beat + len(time)]
        chord = random.choice(len(steps), 3, replace=False)
        for step, sides in zip(chord, ((1, 0.3), (0.7, 0.7), (0.3, 1))):
            part += notes[turn // 8 % 4][step][:, None] * sides
        cymbal = random.normal(0, 0.6, (len(time), 2)) * numpy.exp(-time * 40)[:, None]
        drum = 2 * numpy.sin(300 * (1 - numpy.exp(-time * 12)) + 50) * numpy.exp(-time * 10) * (turn % 2 == 0)
        part += cymbal + drum[:, None]
    return numpy.rint(numpy.tanh(sound[:seconds * RATE] * 0.25) * 0.9 * 32767).astype(numpy.int16)


def write_wav(path, sound, rate=RATE):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(sound.shape[1])
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(sound.astype("<i2").tobytes())


@dataclasses.dataclass
class Film:
    """A film with a white picture and a burst of noise every `every` pictures.

    Picture n is shown at n · ticks / timescale s after the start of the pictures, the burst that
    belongs to it is heard `lag` s later."""
    name: str
    path: str
    sound: numpy.ndarray  # one repetition
    timescale: int = 25
    ticks: int = 1
    every: int = 20
    count: int = 125  # pictures of one repetition
    repeats: int = 1
    late: int = 0  # samples by which the sound begins after the pictures
    is_open: bool = False  # whether its groups of pictures are open
    start: float = 0.0  # when the first picture is shown, s

    @property
    def stem(self):
        return pathlib.Path(self.path).stem

    @property
    def lag(self):
        return self.late / RATE

    @property
    def picture(self):
        """Duration of a picture in seconds."""
        return self.ticks / self.timescale

    @property
    def pictures(self):
        return self.count * self.repeats

    @property
    def length(self):
        """Samples of sound."""
        return len(self.sound) * self.repeats

    @property
    def flashes(self):
        """Numbers of white pictures."""
        first = range(self.every, self.count, self.every)
        return [turn * self.count + picture for turn in range(self.repeats) for picture in first]

    def place(self, flash):
        """The sample within one repetition at which the burst of a flash begins."""
        return flash % self.count * self.ticks * RATE // self.timescale

    def beep(self, flash):
        """The first channel of a flash's burst."""
        place = self.place(flash)
        return self.sound[place:place + BURST, 0].astype(numpy.float64) / 32768


class Studio:
    """Makes the films into a folder, each once."""

    def __init__(self, folder):
        self.folder = folder
        self.film = functools.cache(lambda name: FILMS[name](self, name))

    def _elements(self, film, size, codec):
        """The pictures and the sound of one repetition, each in a file of its own."""
        places = [film.place(flash) for flash in film.flashes if flash < film.count]
        film.sound = bursts(film.count * film.ticks * RATE // film.timescale, places,
                            channels=2 if film.repeats == 1 else 1, impulses=False,
                            ground=0.01 if film.repeats == 1 else 0)
        sound = self.folder / f"{film.name}.wav"
        pictures = self.folder / f"{film.name}-pictures.mp4"
        write_wav(sound, film.sound)
        rate = f"{film.timescale}/{film.ticks}"
        ffmpeg("-f", "lavfi", "-i", f"color=black:s={size}:r={rate},"
               f"geq=lum='if(eq(mod(N,{film.every}),0)*gt(N,0),235,16)':cb=128:cr=128",
               "-frames:v", film.count, "-c:v", "libx264", "-preset", "fast", "-pix_fmt", "yuv420p",
               *codec, "-video_track_timescale", film.timescale * (1 if film.ticks > 1 else 512),
               pictures)
        return pictures, sound

    def aligned(self, name, codec=("-bf", "0", "-g", "25"), late=0, is_open=False):
        film = Film(name, str(self.folder / f"{name.replace(' ', '-')}.mov"), None, late=late,
                    is_open=is_open)
        pictures, sound = self._elements(film, "64x36", codec)
        shift = ["-itsoffset", f"{late / RATE:.9f}"] if late else []
        ffmpeg("-i", pictures, *shift, "-i", sound, "-map", "0:v", "-map", "1:a", "-c:v", "copy",
               "-c:a", "pcm_s16le", "-movie_timescale", RATE, film.path)
        return film

    def transport_stream(self, name):
        """AC-3 has 256 start-up samples, by which its packets begin before the pictures. The muxer puts the
        first packet to be decoded at 1.4 s; the first picture is shown two later, at 1.48 s."""
        film = Film(name, str(self.folder / "film.ts"), None, start=1.48)
        pictures, sound = self._elements(film, "64x36", ("-bf", "2", "-g", "25"))
        ffmpeg("-i", pictures, "-i", sound, "-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a",
               "ac3", "-b:a", "448k", film.path)
        return film

    def three_hours(self, name):
        """23.976 pictures a second; 1440 of them are 2 882 880 samples, repeated 180 times."""
        film = Film(name, str(self.folder / "long.mp4"), None, timescale=24_000,
                    ticks=1001, every=240, count=1440, repeats=180)
        pictures, sound = self._elements(film, "32x18", ("-bf", "0", "-g", "240"))
        once = self.folder / "once.mp4"
        ffmpeg("-i", pictures, "-i", sound, "-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a",
               "flac", "-frame_size", 2880, "-strict", "-2", "-movie_timescale", RATE,
               "-video_track_timescale", 24_000, once)
        ffmpeg("-stream_loop", film.repeats - 1, "-i", once, "-map", "0", "-c", "copy", "-strict",
               "-2", "-movie_timescale", RATE, "-video_track_timescale", 24_000, film.path)
        return film


FILMS = {
    "aligned": Studio.aligned,
    "sound 499.333 ms late": functools.partial(Studio.aligned, late=23_968),
    "MPEG-TS from 1.47 s": Studio.transport_stream,
    "open GOP, 3 B-frames": functools.partial(
        Studio.aligned, codec=("-bf", "3", "-g", "25", "-x264-params", "open-gop=1:b-pyramid=normal"), is_open=True),
    "3 h of 23.976": Studio.three_hours,
}
