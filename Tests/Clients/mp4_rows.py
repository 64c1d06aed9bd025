# SPDX-License-Identifier: Apache-2.0
"""MP4 in one piece: players, tag editors, seeking over HTTP, and more than 4 GiB."""
import json
import os
import pathlib
import shutil
import subprocess

import cases
import figures
import numpy
import pytest
import sources
from cases import EXACT
from figures import signed
from readers import TagLib
from server import Server
from sources import FRAMES, RATE

# Bytes that a player asks for first.
FRONT = 64_000
LONG_TITLE = "Pinna " * 833 + "–x"
SONG = 180  # seconds
PRIMING = 1024  # samples that libavcodec's encoder of AAC begins with
LATE = 170  # seconds at which a player enters the song
LARGE_RATE, LARGE_CHANNELS, LARGE_SECONDS = 192_000, 8, 940


def play(table, player, codec, path, original):
    """Music in a player that reads with libavformat: lossless codecs exact, AAC with the padding of its last packet."""
    sound = player.read(path).sound
    text, equal = cases.offsets(sound, original)
    case = codec + cases.WHOLE
    if codec == "aac":
        table.add(player.name, case, text, "0 / any", text.startswith("0 /"))
    else:
        table.add(player.name, case, f"{text}, {'same bits' if equal else 'other bits'}", f"{EXACT}, same bits",
                  text == EXACT and equal)


def atoms(table, case, path, title=""):
    """AtomicParsley prints tags and the tree of boxes."""
    done = [subprocess.run(["AtomicParsley", path, option], capture_output=True) for option in ("-t", "-T")]
    codes = " and ".join(str(run.returncode) for run in done)
    if title:
        codes += ", title" if f"contains: {title}" in done[0].stdout.decode(errors="replace") else ", another title"
    goal = "0 and 0" + (", title" if title else "")
    table.add("AtomicParsley", f"{case}, tags and tree", f"ends with {codes}", f"ends with {goal}", codes == goal)


def length_in_taglib(table, case, path):
    seconds = TagLib().facts(path)[0]
    table.add("TagLib", f"{case}, length", f"{seconds} s", f"{FRAMES // RATE} s", seconds == FRAMES // RATE)


def length_in_mediainfo(table, case, path):
    """The length of the sound in whole milliseconds."""
    tracks = json.loads(sources.run("mediainfo", "--Output=JSON", path))["media"]["track"]
    found = next(track for track in tracks if track["@type"] == "Audio")
    milliseconds = round(float(found["Duration"]) * 1000)
    due = round(FRAMES / RATE * 1000)
    table.add("mediainfo", f"{case}, length", f"{found['Format']}, {milliseconds} ms", f"{due} ms",
              milliseconds == due)


def retitle(table, workshop, reader, case, path):
    """A title that doesn't fit into the room that is left: the file stays right and sounds the same."""
    mp4 = pytest.importorskip("mutagen.mp4")
    changed = shutil.copy(path, workshop.folder / f"retitled-{pathlib.Path(path).name}")
    file = mp4.MP4(changed)
    file["\xa9nam"] = LONG_TITLE
    file.save()
    moved = media(changed) - media(path)
    done = subprocess.run([workshop.pinna, "validate", changed], capture_output=True, text=True)
    table.add("pinna validate", f"{case}, title of {len(LONG_TITLE)} characters",
              f"{'clean' if done.returncode == 0 else done.stdout.strip()[-200:]}, media {signed(moved)} bytes", "clean",
              done.returncode == 0)
    before, after = reader.read(path).sound, reader.read(changed).sound
    equal = before.shape == after.shape and not figures.differing(before, after, 0)
    table.add(reader.name, f"{case}, title of {len(LONG_TITLE)} characters", "same bits" if equal else "other bits",
              "same bits", equal and len(before) > 0)


def boxes(path):
    """Types, begins and ends of the boxes of a file."""
    found = []
    with open(path, "rb") as file:
        size, place = os.fstat(file.fileno()).st_size, 0
        while place < size:
            file.seek(place)
            head = file.read(16)
            length = int.from_bytes(head[:4], "big")
            length = int.from_bytes(head[8:16], "big") if length == 1 else length or size - place
            found.append((head[4:8].decode(), place, place + length))
            place += length
    return found


def media(path):
    """The byte at which the samples begin."""
    return next(begin for kind, begin, _ in boxes(path) if kind == "mdat")


def front(table, case, path):
    """The boxes that a player needs before it can seek."""
    end = next(end for kind, _, end in boxes(path) if kind == "moov")
    table.add("bytes", f"{case}, end of moov", f"{end}", f"≤ {FRONT}", end <= FRONT)


def enter(table, case, path, most):
    """Requests that ffmpeg makes to enter a song late over HTTP."""
    path = pathlib.Path(path)
    server = Server(path.parent)
    try:
        sound = sources.ffmpeg("-ss", LATE, "-i", f"{server.address}/{path.name}", "-f", "f32le", "-")
    finally:
        server.shutdown()
        server.server_close()
    frames = len(sound) // 8
    count = len(server.asked)
    met = count <= most and abs(frames - (SONG - LATE) * RATE) <= 2048
    table.add("ffmpeg", f"{case}, entered at {LATE} s over HTTP", f"{count} requests, {frames} samples",
              f"≤ {most} requests, {(SONG - LATE) * RATE} samples ±2048", met)


def forms(table, reader, codec, whole, fragments):
    """Both forms of MP4 sound the same."""
    one, other = reader.read(whole).sound, reader.read(fragments).sound
    equal = one.shape == other.shape and not figures.differing(one, other, 0)
    table.add(reader.name, f"{codec}, in one piece and in fragments", "same bits" if equal else
              f"other bits, {signed(len(one) - len(other))} samples", "same bits", equal and len(one) > 0)


def packets(table, codec, whole, fragments):
    """Both forms of MP4 have the same packets."""
    (_, one), (_, other) = cases.coded_packets(whole), cases.coded_packets(fragments)
    table.add("PyAV", f"packets of {codec}, in one piece and in fragments", f"{len(one)} and {len(other)}"
              + (", alike" if one == other else ", unlike"), "alike", one == other and len(one) > 0)


def last_packet(table, reader, film, path, case):
    """The sound of a film has all of its samples, and late sound the encoder's start-up samples in the time before it."""
    count = len(reader.read(path).sound)
    early = min(PRIMING, max(0, round(film.lag * RATE)))
    table.add(reader.name, f"{case}, length", signed(count - film.length), signed(early), count == film.length + early)


def large(table, workshop):
    """PCM beyond 4 GiB, with a burst in its last second: `co64`, a clean file, and the burst when sought."""
    burst = sources.bursts(LARGE_RATE, (LARGE_RATE // 2,), LARGE_CHANNELS)
    end, path = workshop.folder / "burst.wav", workshop.folder / "large.mp4"
    sources.write_wav(end, burst, LARGE_RATE)
    case = "pcm of more than 4 GiB"
    try:
        sources.run(workshop.pinna, "render", "--join", f"silence:{LARGE_SECONDS}s:7.1:{LARGE_RATE}", end, "-e", "none",
                    "-l", "off", "-c:a", "pcm", "-y", "-q", "-o", path)
        size = path.stat().st_size
        with open(path, "rb") as file:
            wide = b"co64" in file.read(1 << 20)
        table.add("bytes", case, f"{size} bytes, {'co64' if wide else 'no co64'}", "co64", wide and size > 1 << 32)
        done = subprocess.run([workshop.pinna, "validate", path], capture_output=True, text=True)
        table.add("pinna validate", case, "clean" if done.returncode == 0 else done.stdout[-200:], "clean", done.returncode == 0)
        data = sources.ffmpeg("-ss", LARGE_SECONDS, "-i", path, "-f", "s16le", "-")
        sound = numpy.frombuffer(data, "<i2").reshape(-1, LARGE_CHANNELS)
        equal = numpy.array_equal(sound, burst)
        table.add("ffmpeg", f"{case}, sought at its end", f"{len(sound)} samples, {'same bits' if equal else 'other bits'}",
                  f"{LARGE_RATE} samples, same bits", equal)
    finally:
        path.unlink(missing_ok=True)
