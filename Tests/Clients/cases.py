# SPDX-License-Identifier: Apache-2.0
"""Sound in each codec, what each reader makes of it, and the goals."""
import hashlib
import pathlib

import figures
import pytest
import sources
from figures import signed
from readers import av
from sources import BURSTS, FRAMES, RATE

CODECS = {"flac": "flac", "alac": "alac", "aac": "mp4a.40.2", "opus": "opus"}  # RFC 6381 names
EXACT = "0 / 0"
WHOLE = " in one piece"
WHOLE_CODECS = ("flac", "alac", "aac")


class Workshop:
    """Where files are made: `pinna` renders into `folder`."""

    def __init__(self, pinna, folder):
        self.pinna = pinna
        self.folder = pathlib.Path(folder)

    def render(self, source, name, *options):
        path = self.folder / name
        sources.run(self.pinna, "render", source, "-e", "none", "-l", "off", *options, "-y", "-q",
                    "-o", path)
        return str(path)


def offsets(sound, original, bursts=BURSTS):
    """Start offset / length − N, and whether every sample is that of the original."""
    start = figures.same_lag(sound[:, 0], original[:, 0], bursts)
    length = signed(len(sound) - len(original))
    if start is None:
        return f"? / {length}", False
    equal = not figures.differing(sound, original, start)
    return f"{signed(start)} / {length}", equal and start == 0


def _add_audio(table, client, codec, sound, original, form=""):
    """One row: lossless codecs are to be exact in every reader, AAC where the reader can. `form` is said of
    files in one piece, whose edit list ffmpeg follows."""
    text, equal = offsets(sound, original)
    case = codec + form
    if codec in ("flac", "alac", "pcm"):
        table.add(client, case, f"{text}, {'same bits' if equal else 'other bits'}",
                  f"{EXACT}, same bits", text == EXACT and equal)
    elif codec == "aac" and client in ("GStreamer", "Chromium decodeAudioData"):
        table.add(client, case, text, EXACT, text == EXACT)
    elif codec == "aac" and (client == "PyAV" or client == "ffmpeg" and form):
        table.add(client, case, text, "0 / any", text.startswith("0 /"))
    else:
        table.add(client, case, text)


def read(table, reader, codec, path, original, form=""):
    """The impulse signal in a codec."""
    try:
        decoded = reader.read(path)
    except RuntimeError as error:
        table.add(reader.name, codec + form, str(error), "decodes", False)
        return
    _add_audio(table, reader.name, codec, decoded.sound, original, form)
    if codec == "aac" and reader.name == "ffmpeg" and not form:
        # libavformat 5.1 doesn't cut start-up samples, but gives them negative times.
        lag = figures.same_lag(decoded.sound[:, 0], original[:, 0], BURSTS)
        shown = None if lag is None else round(decoded.time(0) * RATE) + lag
        table.add(reader.name, "aac, by presentation time", str(shown), "0", shown == 0)


def browse_whole(table, workshop, chromium, codec, path, original):
    """The impulse signal in one piece in Chromium: decoded, and the length that a player shows."""
    jobs = [{"kind": kind, "url": "/" + pathlib.Path(path).name, "channels": 2} for kind in ("decode", "length")]
    decoded, length = chromium.run(workshop.folder, jobs)
    _add_audio(table, "Chromium decodeAudioData", codec, decoded["sound"], original, WHOLE)
    shown = round(length["duration"] * RATE) - FRAMES
    table.add("Chromium audio", f"{codec}{WHOLE}, length", signed(shown), "0", shown == 0)


def tag(table, codec, path):
    """The length that mutagen shows: that of the sound, or of its whole packets and what `mvhd` adds to AAC."""
    mp4 = pytest.importorskip("mutagen.mp4")
    more = round(mp4.MP4(path).info.length * RATE) - FRAMES
    goal = "0 … 3072" if codec == "aac" else "0"
    table.add("mutagen", f"{codec}{WHOLE}, length", signed(more), goal, 0 <= more <= (3072 if codec == "aac" else 0))


def browse(table, workshop, chromium, codec, path, original):
    """The impulse signal in Chromium: decoded as a whole, and by Media Source Extensions."""
    jobs = [{"kind": kind, "url": "/" + pathlib.Path(path).name, "channels": 2,
             "type": f'audio/mp4; codecs="{CODECS[codec]}"'} for kind in ("decode", "mse")]
    for job, result in zip(jobs, chromium.run(workshop.folder, jobs)):
        client = "Chromium " + {"decode": "decodeAudioData", "mse": "MSE"}[job["kind"]]
        error = result.get("error") or result.get("unsupported")
        if error:
            table.add(client, codec, error, "decodes", False)
        elif job["kind"] == "decode":
            _add_audio(table, client, codec, result["sound"], original)
        else:
            for moment in ("buffered", "ended"):
                _add_buffered(table, client, codec, moment, result)
            declared = round(result["declared"] * RATE) - FRAMES
            table.add(client, f"{codec}, duration before the end", signed(declared))


def _add_buffered(table, client, codec, moment, result):
    """`buffered` in samples against what was rendered, before or after endOfStream."""
    case = f"{codec}, {'buffered' if moment == 'buffered' else 'buffered after the end'}"
    ranges = result[moment]
    if len(ranges) != 1:
        table.add(client, case, f"{len(ranges)} ranges", "1 range", False)
        return
    first, last = (round(time * RATE) for time in ranges[0])
    table.add(client, case, f"{signed(first)} / {signed(last - FRAMES)}", f"{EXACT} ±1",
              abs(first) <= 1 and abs(last - FRAMES) <= 1)


def passthrough(table, source, path):
    """E-AC-3 with objects, copied to `path`: the same codec and the same dec3."""
    probed = sources.run("ffprobe", "-v", "error", "-select_streams", "a", "-show_entries",
                         "stream=codec_name", "-of", "csv=p=0", path).decode().strip(", \n")
    table.add("ffprobe", "E-AC-3 JOC copied", probed, "eac3", probed == "eac3")
    ours, theirs = _dec3(path), _dec3(source)
    table.add("bytes", "E-AC-3 JOC copied, dec3", ours.hex(" "), "the source's",
              bool(ours) and ours == theirs)


def packets(table, source, path):
    """Every packet is that of the source."""
    name, after = coded_packets(path)
    _, before = coded_packets(source)
    same = sum(one == other for one, other in zip(after, before))
    table.add("PyAV", "E-AC-3 JOC copied", f"{name}, {same} of {len(before)} packets alike",
              f"eac3, {len(before)} of {len(before)}",
              name == "eac3" and after == before and len(before) > 0)


def _dec3(path):
    data = pathlib.Path(path).read_bytes()
    place = data.find(b"dec3")
    size = int.from_bytes(data[place - 4:place], "big") if place > 4 else 0
    return data[place + 4:place - 4 + size]


def coded_packets(path):
    """The codec of the sound, and a digest of each packet."""
    with av.open(str(path)) as container:
        stream = container.streams.audio[0]
        return stream.codec_context.name, [
            hashlib.sha256(bytes(packet)).hexdigest() for packet in container.demux(stream)
            if packet.size]
