"""Readers that decode files outside of a browser: ffmpeg, PyAV and GStreamer.

Each has `version` (None where it isn't installed) and `read(path, begin)`, which gives a `Decoded`
of what is presented from `begin` seconds on."""
import fractions
import json
import pathlib
import re
import shutil
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


def readers():
    return [FFmpeg(), PyAV(), GStreamer()]
