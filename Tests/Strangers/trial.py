# SPDX-License-Identifier: Apache-2.0
"""What Pinna and FFmpeg make of one file."""
import json
import os
import re
import shutil

import probing
from samples import Sound

# Codecs that libavcodec decodes to integers which are the coded ones.
LOSSLESS = re.compile(r"pcm_(?!(alaw|mulaw|vidc))|flac$|alac$|wavpack$|tta$|ape$|truehd$|mlp$|mp4als$|wmalossless$|shorten$|tak$")
# What a decoder may compute otherwise in one build than in another: half a step of 16 bits.
TOLERANCE = 2 ** -16


class Trial:
    """The runs of both programs on a file, in a scratch folder of its own."""

    def __init__(self, pinna, path, scratch, seconds):
        self.pinna, self.path, self.scratch, self.seconds = pinna, path, scratch, seconds
        self.opened = []
        shutil.rmtree(scratch, ignore_errors=True)
        for name in ("out", "tmp", "work", "home", "other"):
            os.makedirs(os.path.join(scratch, name))
        self.beside = os.listdir(os.path.dirname(path))
        self.environment = dict(os.environ, TMPDIR=scratch + "/tmp", XDG_CACHE_HOME=scratch + "/home", HOME=scratch + "/home")

    def run(self, *command):
        return probing.run(list(command), self.scratch + "/work", self.seconds, environment=self.environment)

    def probe(self):
        """Pinna's `probe`, with what it printed as `answer`."""
        run = self.run(self.pinna, "probe", self.path, "--json", "--offline")
        run.answer = parsed(run.stdout)
        return run

    def render(self):
        """Pinna's decode, untouched, with its report as `answer`. Objects are left to their bed, as FFmpeg leaves them."""
        out, report = self.scratch + "/out/pinna.wav", self.scratch + "/out/report.json"
        run = self.run(
            self.pinna, "render", self.path, "-e", "none", "-l", "off", "-b", "32f", "-o", out, "--report", report, "-q",
            "--progress", "none", "--offline", "--objects", "bed")
        with open(report) if os.path.exists(report) else open(os.devnull) as file:
            run.answer = parsed(file.read())
        run.sound = self.sound(out)
        return run

    def ffprobe(self, stream):
        """Format and stream as FFmpeg names them."""
        run = self.run(
            "ffprobe", "-v", "quiet", "-of", "json", "-show_entries", "format=format_name:stream=codec_name,profile",
            "-select_streams", f"{stream}", self.path)
        told = parsed(run.stdout)
        streams = told.get("streams") or [{}]
        return told.get("format", {}).get("format_name", ""), streams[0].get("codec_name", "")

    def ffmpeg(self, stream, name, *options):
        """FFmpeg's decode; what it complains of is in `stderr`."""
        out = f"{self.scratch}/other/{name}.wav"
        run = self.run(
            "ffmpeg", "-nostdin", "-v", "error", "-flags", "+bitexact", *options, "-i", "file:" + self.path, "-map", f"0:{stream}",
            "-c:a", "pcm_f32le", "-rf64", "auto", "-bitexact", out)
        run.sound = self.sound(out)
        return run

    def untrimmed(self, stream, form, *settings):
        """FFmpeg's decode with all that is in the packets, without what edit lists and marks leave out."""
        options = ["-ignore_editlist", "1"] if "mov" in form.split(",") else []
        return self.ffmpeg(stream, "untrimmed", "-flags2", "+skip_manual", *options, *settings)

    def sound(self, path):
        """The samples of an output; `None` where there are none."""
        if not os.path.exists(path) or os.path.getsize(path) < 44:
            return None
        self.opened.append(Sound(path))
        return self.opened[-1] if self.opened[-1].frames else None

    def left(self):
        """What Pinna leaves besides its output and its report: where it writes, where it runs, and beside the file."""
        known = ("out/pinna.wav", "out/report.json")
        made = [name for name in probing.listing(self.scratch) if name not in known and not name.startswith("other/")]
        return made + sorted(set(os.listdir(os.path.dirname(self.path))) - set(self.beside))

    def has_output(self):
        return os.path.lexists(self.scratch + "/out/pinna.wav")

    def close(self):
        for sound in self.opened:
            sound.close()
        shutil.rmtree(self.scratch, ignore_errors=True)


def parsed(text):
    try:
        return json.loads(text)
    except ValueError:
        return {}


def formats(page):
    """The containers that Pinna reads, by the page of formats."""
    lines = page.read_text().splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("Containers, by libavformat's names"))
    return set(re.findall(r"`(\w+)`", next(line for line in lines[start + 1:] if line)))
