# SPDX-License-Identifier: Apache-2.0
"""Differences between what Pinna and FFmpeg make of a file, and between either and what the file says of itself.

A difference is a kind and a sentence with its figures. Two laws of Pinna aren't differences: start-up samples of a codec that no
fact of the file states are trimmed (docs/explain/trimming.md), where FFmpeg keeps them; and a container that Pinna doesn't read
(docs/reference/formats.md) is refused."""
import collections
import re

import facts
import samples
from trial import LOSSLESS, TOLERANCE

Difference = collections.namedtuple("Difference", "kind figure")

# Degradations that say that sound is missing, damaged or moved.
ACCUSATIONS = {
    "truncated", "decode-errors", "concealed", "damaged-start", "timestamp-gap", "checksum-mismatch", "leading-frames-left-out"}
# Besides these, what may explain another length than the file's own statement.
EXPLAINED = ACCUSATIONS | {"trailing-data", "header-inconsistent", "size-unknown", "garbage-skipped", "format-change"}
# Sources of start-up samples that are Pinna's own knowledge of the codec.
OWN_SOURCES = {"codec-table", "decoder"}
# Codecs that Pinna decodes itself, and one that it brings to another rate than libavcodec does: FFmpeg can't judge their samples.
OWN_CODECS = re.compile(r"ac4|iamf|dsd_")
OTHER_RATE = re.compile(r"dsd_")
# Complaints of FFmpeg that are about the sound; others are about tags, pictures and what a demuxer looks for.
COMPLAINT = re.compile(r"Error while decoding|[Cc]orrupt|CRC|partial file|[Tt]runcat|[Ii]nvalid data|incomplete frame")


class Comparison:
    """All that was found out about one file."""

    def __init__(self, trial, formats):
        self.trial, self.formats = trial, formats
        self.found = []
        self.probe, self.render = trial.probe(), trial.render()
        inputs = self.render.answer.get("inputs") or [{}]
        self.input, self.timeline = inputs[0], inputs[0].get("timeline") or {}
        self.stream = self.input.get("stream", "a:0?")
        self.form, codec = trial.ffprobe(inputs[0].get("stream", "a:0"))
        self.facts = facts.stated(trial.path)
        self.codec = "dsd_" * self.facts.is_direct + (codec or self.input.get("codec", ""))
        self.decode = trial.ffmpeg(self.stream, "ffmpeg", *self.settings())
        self.first = self.timeline.get("priming", {}).get("samples", 0)
        self.codes = {item["code"] for item in self.render.answer.get("degradations", [])}
        self.complaint = next((line for line in self.decode.stderr.splitlines() if COMPLAINT.search(line)), None)
        self.note = ""

    def settings(self):
        """Settings of FFmpeg's decoder by which it does what Pinna does: dynamic range control is off."""
        return ["-drc_scale", "0"] if self.codec in ("ac3", "eac3") else []

    def add(self, kind, figure):
        self.found.append(Difference(kind, figure))

    def judge(self):
        """Adds all differences."""
        for name, run in (("probe", self.probe), ("render", self.render)):
            self.check_run(name, run)
        self.check_probe()
        if self.render.code == 0:
            self.check_accepted()
        elif self.render.code > 0:
            self.check_refused()
        for name in self.trial.left():
            self.add("leftover", name)
        if self.render.code and self.trial.has_output():
            self.add("leftover", "an output though the render failed")
        return self.found

    def check_run(self, name, run):
        if run.timed_out:
            return self.add("time", f"{name} takes more than {self.trial.seconds} s")
        if run.code < 0:
            return self.add("signal", f"{name} ends by signal {-run.code}")
        if run.code == 0:
            return None
        if run.code not in (3, 4, 5):
            self.add("exit", f"{name} ends with {run.code}")
        lines = run.stderr.strip().splitlines()
        if len(lines) != 1 or not lines[0].startswith("pinna: "):
            self.add("sentence", f"{name} prints {len(lines)} lines instead of one sentence")
        elif "whitelist" in lines[0]:
            self.add("sentence", f"{name} quotes libav's whitelist")
        return None

    def check_probe(self):
        """`probe` must promise what `render` keeps. It decodes little, so damage and what only the end says are no promise."""
        if self.probe.code or self.render.code:
            if self.probe.code not in (0, self.render.code) and self.probe.code > 0:
                self.add("probe", f"probe ends with {self.probe.code}, render with {self.render.code}")
            return
        track = self.probe.answer.get("track") or {}
        told, came = track.get("samples"), self.timeline.get("samplesOut")
        if told is not None and told != came and not self.codes & EXPLAINED:
            self.add("probe", f"probe promises {told:,} samples, render gives {came:,}")

    def check_refused(self):
        """A refusal is right where FFmpeg has no sound either, sees the damage too, or where Pinna doesn't read the container."""
        error = self.render.answer.get("error", {}).get("kind", "none")
        sound = self.decode.sound
        if not sound:
            self.note = "both refuse"
        elif not set(self.form.split(",")) & self.formats and self.render.code == 3:
            self.note = "container isn't read"
        elif self.render.code == 4 and self.complaint:
            self.note = "both report damage"
        else:
            self.add("refused", f"{error}, FFmpeg decodes {sound.frames:,} samples{' and complains' if self.complaint else ''}")

    def check_accepted(self):
        sound, other = self.render.sound, self.decode.sound
        if not sound:
            return self.add("samples", "exit 0 without samples")
        self.check_facts(sound)
        if OWN_CODECS.search(self.codec):
            self.note = "FFmpeg can't judge this codec"
        elif not other:
            self.add("accepted", f"Pinna gives {sound.frames:,} samples, FFmpeg none")
        elif (sound.rate, sound.channels) != (other.rate, other.channels):
            self.add("format", f"{sound.rate} Hz, {sound.channels} channels, FFmpeg {other.rate} Hz, {other.channels}")
        else:
            self.check_samples(sound, other)
            self.check_words()
        return None

    def check_words(self):
        """Damage is reported where FFmpeg or the file itself shows some, and only there."""
        are_filled = any(one.kind == "gaps" for one in self.found)
        accused = sorted(self.codes & ACCUSATIONS - ({"timestamp-gap"} if are_filled else set()))
        confirmed = self.complaint or self.facts.broken or "truncated" in accused and self.is_short()
        if accused and not confirmed:
            self.add("accused", f"{', '.join(accused)}, where FFmpeg has no complaint")
        if self.complaint and not self.codes:
            self.add("untold", f"FFmpeg complains, Pinna doesn't: {plain(self.complaint)}")

    def is_short(self):
        """Whether the file's own sizes or counts show that its end is missing. A page of Ogg may count from later than 0."""
        stated = self.facts
        is_missing = stated.samples and stated.source != "the last page" and stated.samples > self.render.sound.frames
        return stated.cut or is_missing

    def check_facts(self, sound):
        """Against what the file says of itself, unless Pinna reports what makes it another length."""
        stated = self.facts
        if self.codes & EXPLAINED or OTHER_RATE.search(self.codec):
            return
        if self.knows_length(sound) is False:
            count = self.counted(stated.samples if stated.total is None else stated.total, sound)
            count -= 0 if stated.total is None else self.first
            self.add("length", f"{sound.frames:,} samples, {stated.source} states {count:,}")
        if self.knows_start(sound) is False and "start-up-uncertain" not in self.codes:
            self.add("start", f"{self.first:,} samples are left out, {stated.source} states {stated.start:,}")
        if stated.broken:
            self.add("checksum", f"{stated.broken} have a wrong checksum, and nothing is reported")
        if stated.md5 and stated.bits <= 24 and facts.digest(sound, stated.bits, stated.form) != stated.md5:
            self.add("checksum", f"the samples don't have the MD5 that {stated.source} states")

    def knows_length(self, sound):
        """Whether the length is the one that the file states; `None` where it states none."""
        stated = self.facts
        if stated.total is not None:
            return abs(self.counted(stated.total, sound) - self.first - sound.frames) <= self.margin(sound)
        if stated.samples is None:
            return None
        # Start-up samples that an edit list keeps may be trimmed, which is told (docs/explain/trimming.md).
        kept = self.first - (stated.start or 0) if "start-up-uncertain" in self.codes else 0
        return abs(self.counted(stated.samples, sound) - kept - sound.frames) <= stated.tolerance + self.margin(sound)

    def knows_start(self, sound):
        """The same for the samples that are left out in front."""
        start = self.facts.start
        return None if start is None else abs(self.counted(start, sound) - self.first) <= self.margin(sound)

    def counted(self, ticks, sound):
        """Ticks of the file as samples."""
        return round(ticks * sound.rate / (self.facts.rate or sound.rate))

    def margin(self, sound):
        """What another clock than that of the samples can't state: a tick of each packet, whose rounding may add up."""
        return 0 if self.facts.rate in (None, sound.rate) else sound.frames // 1000 + 1

    def check_samples(self, sound, other):
        """Against FFmpeg's decode, and where that is another stretch, against all that FFmpeg decodes."""
        tolerance = 0 if LOSSLESS.match(self.codec) else TOLERANCE
        direct = samples.deviation(sound, samples.pieces(other, 0, other.frames), tolerance)
        if not direct:
            return
        whole = self.trial.untrimmed(self.stream, self.form, *self.settings()).sound
        first = self.first
        gaps = [(gap["kind"], gap["position"], gap["samples"]) for gap in self.timeline.get("gaps", [])]
        if not whole or whole.channels != sound.channels:
            return self.add("samples", told(direct, sound))
        if "garbage-skipped" in self.codes and not gaps:
            # FFmpeg may find a frame in what Pinna skips.
            first = samples.place(sound, whole, [first]) or first
        wanted = samples.expected(whole, first, sound.frames, gaps)
        if deviation := samples.deviation(sound, wanted, tolerance):
            self.add("samples", told(deviation, sound) + " of all that FFmpeg decodes")
        for kind in ("gap", "overlap"):
            sizes = [size for name, _, size in gaps if name == kind]
            if sizes:
                self.add("gaps", f"{len(sizes)} of kind {kind}, {sum(sizes):,} samples in all")
        shift = sum({"gap": -size, "overlap": size}.get(kind, 0) for kind, _, size in gaps)
        self.check_ends(sound, other, whole, first, shift)

    def check_ends(self, sound, other, whole, first, shift):
        """`first` is the first sample that Pinna keeps of all; `shift` is by how many more than it gives it has read."""
        place = samples.place(other, whole, [first, 0, whole.frames - other.frames])
        if place is None:
            return self.add("ends", "FFmpeg's decode is no stretch of all that it decodes")
        source = self.timeline.get("priming", {}).get("source")
        # A file that states the same as Pinna has answered.
        if first != place and not self.knows_start(sound) and not (place == self.own_start(first) and source in OWN_SOURCES):
            self.add("start", f"Pinna leaves out {first:,} ({source}), FFmpeg {place:,}")
        end, theirs = first + sound.frames + shift, place + other.frames
        if end != theirs and not self.knows_length(sound):
            source = self.timeline.get("paddingSource")
            self.add("end", f"Pinna ends {end - theirs:+,} samples from FFmpeg's end ({source}), at {end:,} of {whole.frames:,}")
        return None


    def own_start(self, first):
        """FFmpeg's start where no fact of the file tells Pinna's: 0, or two frames of Windows Media Audio, where Pinna leaves out one."""
        return 2 * first if self.codec in ("wmav1", "wmav2") else 0


def told(deviation, sound):
    """A deviation in words."""
    count = f"{'at least ' if deviation.isLeast else ''}{deviation.count:,}"
    return f"{count} of {sound.frames * sound.channels:,} values differ, from sample {deviation.first:,} on, by up to {deviation.worst:.2g}"


def plain(line):
    """A complaint without addresses, which vary."""
    return re.sub(r"\[([\w,]+) @ 0x[0-9a-f]+\] ", r"\1: ", line)[:120]
