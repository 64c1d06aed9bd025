# SPDX-License-Identifier: Apache-2.0
"""The command lines that are compared."""
import json
import os
import re

from processes import run

SOFA = "/usr/share/libmysofa/default.sofa"
TARGET = -16.0
# What a written file is coded as.
WAV = ("-c:a", "pcm_s24le")
FLAC = ("-c:a", "flac", "-sample_fmt", "s32", "-bits_per_raw_sample", "24")


def integrated(text):
    """The integrated loudness of ebur128's summary, LUFS."""
    return float(re.findall(r"I:\s+(-?[\d.]+) LUFS", text)[-1])


class Peer:
    """ffmpeg command lines."""

    def __init__(self, ffmpeg, folder):
        self.base = [ffmpeg, "-nostdin", "-nostats", "-hide_banner", "-y", "-threads", "1",
                     "-filter_threads", "1"]
        self.out = os.path.join(folder, "peer")

    def filtered(self, source, filters, *output):
        """Runs one filter chain; without output options the result is thrown away."""
        return run([*self.base, "-i", source, "-af", ",".join(filters),
                    *(output or ("-f", "null", "-"))])

    def coded(self, coding):
        """Output options for a file of this coding."""
        return [*coding, self.out + (".flac" if "flac" in coding else ".wav")]

    def loudnorm(self, source, spatial, coding=WAV):
        """loudnorm in two passes."""
        target = f"loudnorm=I={TARGET}:TP=-1"
        first, text = self.filtered(source, [*spatial, target + ":print_format=json"])
        found = json.loads(text[text.rindex("{"):text.rindex("}") + 1])
        second, _ = self.filtered(source, [
            *spatial,
            f"{target}:linear=true:measured_I={found['input_i']}:measured_TP={found['input_tp']}"
            f":measured_LRA={found['input_lra']}:measured_thresh={found['input_thresh']}"
            f":offset={found['target_offset']}",
        ], "-ar", "48000", *self.coded(coding))
        return first.then(second)

    def limiter(self, source, spatial, coding=WAV, meter="ebur128=peak=true"):
        """ebur128, then volume and alimiter."""
        first, text = self.filtered(source, [*spatial, meter])
        second, _ = self.filtered(source, [
            *spatial, f"volume={TARGET - integrated(text):.1f}dB",
            "alimiter=limit=0.891251:level=false",
        ], *self.coded(coding))
        return first.then(second)

    def cheaper(self, source, spatial, coding=WAV):
        """The chain that costs less in a probing run, as a job, and its name."""
        jobs = [("ebur128, volume, alimiter", lambda: self.limiter(source, spatial, coding)),
                ("loudnorm twice", lambda: self.loudnorm(source, spatial, coding))]
        return min(jobs, key=lambda job: job[1]().cpu)

    def measure(self, source):
        """Measures with ebur128."""
        return self.filtered(source, ["ebur128=peak=true"])[0]

    def sofalizer(self, source):
        """The faster sofalizer setting for this source."""
        base = f"sofalizer=sofa={SOFA}:type=freq"
        return min([base, base + ":framesize=4096"],
                   key=lambda setting: self.filtered(source, [setting])[0].cpu)


class Ours:
    """pinna command lines."""

    def __init__(self, pinna, folder):
        self.pinna = pinna
        self.out = os.path.join(folder, "ours")

    def render(self, source, *options, ending="wav"):
        """Renders to a file of this kind."""
        return run([self.pinna, "render", source, "-o", f"{self.out}.{ending}", "-y", "--quiet",
                    *options])[0]

    def measure(self, source):
        """Measures."""
        return run([self.pinna, "measure", source, "--json"])[0]
