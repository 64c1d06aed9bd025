# SPDX-License-Identifier: Apache-2.0
"""Readers that decode files outside of a browser, and programs that read tags.

Each has `version` (None where it isn't installed). ffmpeg, PyAV and GStreamer have `read(path, begin)`, which gives a
`Decoded` of what is presented from `begin` seconds on; players have `read(path, …)` for all of one file, or of several
one behind the other."""
import fractions
import json
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile

import numpy

from figures import Decoded

try:
    import av
except ImportError:
    av = None

HERE = pathlib.Path(__file__).resolve().parent


def _pictures(decoded, pairs):
    pairs.sort()
    decoded.shown = [time for time, _ in pairs]
    decoded.light = [light for _, light in pairs]
    return decoded


class FFmpeg:
    """The ffmpeg program; times come from its own filters that print what passes."""
    name = "ffmpeg"

    def __init__(self):
        self.version = None
        if shutil.which("ffmpeg"):
            text = subprocess.run(["ffmpeg", "-version"], capture_output=True, text=True).stdout
            self.version = text.split()[2].split("-")[0]

    def read(self, path, begin=0.0):
        streams = json.loads(subprocess.run(
            ["ffprobe", "-v", "error", "-show_streams", "-of", "json", path], capture_output=True,
            check=True).stdout)["streams"]
        kinds = {stream["codec_type"]: stream for stream in streams}
        stream = kinds["audio"]
        rate, channels = int(stream["sample_rate"]), stream["channels"]
        data, text = self._decode(path, begin, ["-map", "0:a:0", "-af", "ashowinfo", "-f", "f32le"])
        blocks = [(int(pts) / rate, int(count)) for pts, count in re.findall(
            r"ashowinfo.* pts:(\S+) .*nb_samples:(\d+)", text)]
        sound = numpy.frombuffer(data, "<f4").reshape(-1, channels)
        decoded = Decoded(sound, rate, blocks)
        if "video" in kinds:
            size = int(kinds["video"]["width"]) * int(kinds["video"]["height"])
            data, text = self._decode(path, begin, [
                "-map", "0:v:0", "-vf", "format=gray,showinfo", "-vsync", "passthrough", "-f",
                "rawvideo"])
            base = fractions.Fraction(re.search(r"config in time_base: (\S+),", text)[1])
            times = [float(int(pts) * base) for pts in re.findall(r" pts: *(\d+) ", text)]
            light = numpy.frombuffer(data, numpy.uint8).reshape(-1, size).mean(axis=1)
            _pictures(decoded, list(zip(times, light.tolist())))
        return decoded

    @staticmethod
    def _decode(path, begin, output):
        seek = ["-ss", str(begin)] if begin else []
        done = subprocess.run(
            ["ffmpeg", "-nostdin", "-nostats", "-v", "info", "-copyts", *seek, "-i", path, *output,
             "-"], capture_output=True, check=True)
        return done.stdout, done.stderr.decode(errors="replace")


class PyAV:
    """FFmpeg's libraries of a current version, through PyAV."""
    name = "PyAV"

    def __init__(self):
        self.version = None
        if av:
            library = ".".join(map(str, av.library_versions["libavformat"]))
            self.version = f"{av.__version__} (libavformat {library})"

    def read(self, path, begin=0.0):
        pairs, blocks, planes = [], [], []
        with av.open(path) as container:
            streams = [container.streams.audio[0], *container.streams.video[:1]]
            rate = streams[0].rate
            if begin:
                container.seek(int(begin * av.time_base))
            for frame in container.decode(streams):
                time = float(frame.pts * frame.time_base)
                if begin and time < begin:
                    continue
                if isinstance(frame, av.VideoFrame):
                    pairs.append((time, float(frame.to_ndarray(format="gray").mean())))
                else:
                    blocks.append((time, frame.samples))
                    planes.append(self._floats(frame))
        return _pictures(Decoded(numpy.concatenate(planes), rate, blocks), pairs)

    @staticmethod
    def _floats(frame):
        """Frames x channels; exact for up to 24 bits."""
        data = frame.to_ndarray()
        if data.dtype.kind == "i":
            data = data.astype(numpy.float64) / -float(numpy.iinfo(data.dtype).min)
        data = data.astype(numpy.float32)
        return data.T if frame.format.is_planar else data.reshape(frame.samples, -1)


class GStreamer:
    """decodebin in a process of its own, run by the interpreter of Debian's python3-gi."""
    name = "GStreamer"
    python = "/usr/bin/python3"

    def __init__(self):
        probe = ("import gi; gi.require_version('Gst', '1.0'); gi.require_version('GstApp', '1.0');"
                 "from gi.repository import Gst, GstApp; Gst.init(None); print(Gst.version_string())")
        try:
            done = subprocess.run([self.python, "-c", probe], capture_output=True, text=True)
        except OSError:
            done = None
        self.version = done.stdout.split()[1] if done and done.returncode == 0 else None

    def read(self, path, begin=0.0):
        with tempfile.TemporaryDirectory() as folder:
            prefix = f"{folder}/decoded"
            done = subprocess.run(
                [self.python, HERE / "gstreamer_reader.py", path, prefix, "--from", str(begin)],
                capture_output=True, text=True)
            if done.returncode:
                raise RuntimeError(done.stderr.strip().splitlines()[-1])
            facts = json.loads(pathlib.Path(prefix + ".json").read_text())
            sound = numpy.fromfile(prefix + ".f32", "<f4").reshape(-1, max(1, facts["channels"]))
        blocks = [(time / 1e9, count) for time, count in facts["blocks"]]
        pairs = [(time / 1e9, light) for time, light in zip(facts["shown"], facts["light"])]
        return _pictures(Decoded(sound, facts["rate"], blocks), pairs)


def _wave(path):
    """Sound and rate of a WAV file of integers or floats."""
    data = pathlib.Path(path).read_bytes()
    place = 12
    while data[place:place + 4] != b"data":
        if place >= len(data):
            raise RuntimeError("writes a WAV file without samples")
        size = int.from_bytes(data[place + 4:place + 8], "little")
        if data[place:place + 4] == b"fmt ":
            code, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", data, place + 8)
            # A format that is extended has its code in front of a GUID.
            code = struct.unpack_from("<H", data, place + 32)[0] if code == 0xFFFE else code
        place += 8 + size + size % 2
    size = min(int.from_bytes(data[place + 4:place + 8], "little"), len(data) - place - 8)
    kind = "<f4" if code == 3 else f"<i{bits // 8}"
    sound = numpy.frombuffer(data, kind, size // (bits // 8 * channels) * channels, place + 8).reshape(-1, channels)
    return (sound if code == 3 else (sound / 2.0 ** (bits - 1)).astype(numpy.float32)), rate


class Player:
    """A program that writes all it plays into a WAV file."""

    def __init__(self, name, program, *command):
        """`command` has FILES and OUT."""
        self.name, self.command = name, (program, *command)
        self.version = None
        if shutil.which(program):
            done = subprocess.run([program, "--version"], capture_output=True, text=True)
            found = re.match(r"\w+ (?:\w+ version )?(\d+(?:\.\d+)+)", done.stdout)
            self.version = found[1] if found else "of unknown version"
            # A build of libsndfile that doesn't read MP3 doesn't list it either.
            if program == "sndfile-convert" and " mp3 " not in done.stdout:
                self.version = None

    def read(self, *paths):
        with tempfile.TemporaryDirectory() as folder:
            out = f"{folder}/played.wav"
            places = {"FILES": paths, "OUT": [out], "--ao-pcm-file=OUT": [f"--ao-pcm-file={out}"]}
            command = [part for word in self.command for part in places.get(word, [word])]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode or not pathlib.Path(out).exists():
                raise RuntimeError(f"ends with {done.returncode}: {(done.stderr or done.stdout).strip()[-200:]}")
            sound, rate = _wave(out)
        return Decoded(sound, rate, [(0.0, len(sound))])


# Players of files with one sound, by the names in the table.
PLAYERS = {
    "mpg123": ("mpg123", "-q", "-e", "f32", "-w", "OUT", "FILES"),
    "mpg123 to 16 bits": ("mpg123", "-q", "-w", "OUT", "FILES"),
    "lame": ("lame", "--quiet", "--decode", "FILES", "OUT"),
    "mpv": ("mpv", "--no-config", "--no-video", "--really-quiet", "--untimed", "--gapless-audio=yes", "--ao=pcm",
            "--ao-pcm-waveheader=yes", "--audio-format=float", "--ao-pcm-file=OUT", "FILES"),
    "libsndfile": ("sndfile-convert", "-float32", "FILES", "OUT"),
}


class Mutagen:
    """A library that reads and changes tags."""
    name = "mutagen"

    def __init__(self):
        try:
            import mutagen
            self.version = mutagen.version_string
        except ImportError:
            self.version = None


class TagLib:
    """A library that many players read tags and lengths with; run by the interpreter of Debian's python3-taglib."""
    name = "TagLib"
    python = "/usr/bin/python3"

    def __init__(self):
        try:
            done = subprocess.run([self.python, "-c", "import taglib; print(taglib.version)"], capture_output=True, text=True)
        except OSError:
            done = None
        self.version = f"(pytaglib {done.stdout.strip()})" if done and done.returncode == 0 else None

    def facts(self, path):
        """The length in whole seconds, and the tags as lists of texts."""
        script = "import json, sys, taglib; file = taglib.File(sys.argv[1]); print(json.dumps([file.length, file.tags]))"
        return json.loads(subprocess.run(
            [self.python, "-c", script, path], capture_output=True, check=True, text=True).stdout)


def readers():
    return [FFmpeg(), PyAV(), GStreamer()]


def players():
    return [Player(name, *command) for name, command in PLAYERS.items()]


def taggers():
    return [Mutagen(), TagLib()]
