#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Decodes a file with GStreamer's decodebin, as a player would show it.

Usage: gstreamer_reader.py FILE PREFIX [--from SECONDS]
Writes PREFIX.f32 (interleaved sound) and PREFIX.json: {"rate", "channels", "blocks": [[time, frames]],
"shown": [time], "light": [mean]}; times are running times in ns plus the place that was sought. Sound
outside of the segment is cut as an audio sink does. Run with the interpreter that has gi.
"""
import argparse
import json
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
from gi.repository import GLib, Gst, GstApp  # noqa: E402,F401

SECOND = 1_000_000_000


class Reader:
    """One pipeline; collects until the end of the stream."""

    def __init__(self, path, prefix, begin):
        self.begin = begin
        self.facts = {"rate": 0, "channels": 0, "blocks": [], "shown": [], "light": []}
        self.prefix = prefix
        self.pcm = open(prefix + ".f32", "wb")
        self.sinks = 0
        self.error = None
        self.collecting = begin == 0
        self.pipeline = Gst.Pipeline.new()
        source = Gst.ElementFactory.make("filesrc")
        source.set_property("location", path)
        decoder = Gst.ElementFactory.make("decodebin")
        for element in (source, decoder):
            self.pipeline.add(element)
        source.link(decoder)
        decoder.connect("pad-added", self.link)

    def link(self, _, pad):
        kind = pad.query_caps(None).get_structure(0).get_name().split("/")[0]
        caps = {"audio": "audioconvert ! audio/x-raw,format=F32LE,layout=interleaved",
                "video": "videoconvert ! video/x-raw,format=GRAY8"}.get(kind)
        if caps is None:
            return
        branch = Gst.parse_bin_from_description(
            f"queue max-size-time=0 max-size-bytes=0 max-size-buffers=200 ! {caps} ! "
            "appsink name=sink emit-signals=true sync=false max-buffers=50", True)
        sink = branch.get_by_name("sink")
        handler = self.heard if kind == "audio" else self.seen
        sink.connect("new-sample", self.take, handler)
        self.pipeline.add(branch)
        branch.sync_state_with_parent()
        pad.link(branch.get_static_pad("sink"))

    def take(self, sink, handler):
        sample = sink.emit("pull-sample")
        if sample is not None and self.collecting:
            handler(sample)
        return Gst.FlowReturn.OK

    def heard(self, sample):
        caps = sample.get_caps().get_structure(0)
        rate, channels = caps.get_value("rate"), caps.get_value("channels")
        self.facts["rate"], self.facts["channels"] = rate, channels
        buffer, segment = sample.get_buffer(), sample.get_segment()
        frame = 4 * channels
        count = buffer.get_size() // frame
        ticks = lambda time: (time * rate + SECOND // 2) // SECOND  # noqa: E731
        first = 0
        if segment.start != Gst.CLOCK_TIME_NONE and buffer.pts < segment.start:
            first = min(count, ticks(segment.start - buffer.pts))
        if segment.stop != Gst.CLOCK_TIME_NONE:
            count = min(count, max(0, ticks(max(0, segment.stop - buffer.pts))))
        if first >= count:
            return
        self.pcm.write(buffer.extract_dup(first * frame, (count - first) * frame))
        begin = max(buffer.pts, segment.start)
        self.facts["blocks"].append([self.running(segment, begin), count - first])

    def seen(self, sample):
        buffer, segment = sample.get_buffer(), sample.get_segment()
        inside, _, _ = segment.clip(Gst.Format.TIME, buffer.pts, buffer.pts + max(buffer.duration, 1))
        if not inside:
            return
        data = buffer.extract_dup(0, buffer.get_size())
        self.facts["shown"].append(self.running(segment, buffer.pts))
        self.facts["light"].append(sum(data) / len(data))

    def running(self, segment, time):
        return segment.to_running_time_full(Gst.Format.TIME, time)[1] + self.begin

    def wait(self, kinds):
        message = self.pipeline.get_bus().timed_pop_filtered(
            120 * SECOND, kinds | Gst.MessageType.ERROR)
        if message is None:
            raise RuntimeError("GStreamer didn't end within 120 s")
        if message.type == Gst.MessageType.ERROR:
            raise RuntimeError(message.parse_error()[0].message)

    def run(self):
        try:
            self.pipeline.set_state(Gst.State.PAUSED)
            self.wait(Gst.MessageType.ASYNC_DONE)
            if self.begin:
                self.pipeline.seek_simple(
                    Gst.Format.TIME, Gst.SeekFlags.FLUSH | Gst.SeekFlags.ACCURATE, self.begin)
                self.collecting = True
                self.wait(Gst.MessageType.ASYNC_DONE)
            self.pipeline.set_state(Gst.State.PLAYING)
            self.wait(Gst.MessageType.EOS)
        finally:
            self.pipeline.set_state(Gst.State.NULL)
            self.pcm.close()
        with open(self.prefix + ".json", "w", encoding="utf-8") as file:
            json.dump(self.facts, file)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("file")
    parser.add_argument("prefix")
    parser.add_argument("--from", dest="begin", type=float, default=0)
    options = parser.parse_args()
    Gst.init(None)
    try:
        Reader(options.file, options.prefix, round(options.begin * SECOND)).run()
    except RuntimeError as error:
        sys.exit(f"gstreamer: {error}")


if __name__ == "__main__":
    main()
