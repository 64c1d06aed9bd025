# SPDX-License-Identifier: Apache-2.0
"""The cost of queues: an edit with a cache, and the tracks of a cue sheet."""
import os
import shutil

from processes import interleaved, run

ITEMS = 20


def parts(bench, source, kind, rate):
    """Twenty FLAC files of this rate that make the programme, and one more; `kind` tells their names apart."""
    length = bench.programmes.seconds / ITEMS
    names = []
    for index in range(ITEMS + 1):
        start = length * (index % ITEMS)

        def make(path, start=start):
            run([bench.options.ffmpeg, "-nostdin", "-v", "error", "-y", "-ss", str(start), "-t", str(length),
                 "-i", source, "-ar", rate, "-c:a", "flac", path])

        names.append(os.path.basename(bench.programmes.path(f"{kind}{index}.flac", make)))
    return names


def write(bench, name, files, gain=None):
    """A queue file of these files."""
    path = os.path.join(bench.folder, name)
    with open(path, "w", encoding="utf-8") as text:
        text.write("schema: pinna.queue/1\n")
        if gain is not None:
            text.write(f"gain: {gain} dB\n")
        text.write("items:\n" + "".join(f"  - file: {file}\n" for file in files))
    return path


def edit(bench, files, name):
    """One of twenty items replaced: its render with the cache, as a part of a full render without."""
    edited = files[:ITEMS - 1] + [files[ITEMS]]
    cache = os.path.join(bench.folder, "cache")
    old, new = write(bench, "old.yaml", files[:ITEMS]), write(bench, "new.yaml", edited)

    def incremental():
        shutil.rmtree(cache, ignore_errors=True)
        bench.ours.render(old, "--cache", cache)
        return bench.ours.render(new, "--cache", cache)

    again, whole = interleaved(bench.rounds, incremental, lambda: bench.ours.render(new))
    yield (f"edit of one {name} item in twenty, of a full render", again.cpu * bench.scale,
           whole.cpu * bench.scale, again.cpu / whole.cpu)


def cue(bench):
    """The tracks of a cue sheet against the same file as a whole."""
    source = bench.programmes.stereo("flac", "-c:a", "flac")
    seconds = bench.programmes.seconds
    sheet = os.path.join(bench.folder, "album.cue")
    with open(sheet, "w", encoding="utf-8") as text:
        text.write(f'FILE "{os.path.basename(source)}" WAVE\n')
        for index in range(ITEMS):
            start = round(index * seconds * 75 / ITEMS)
            text.write(f"  TRACK {index + 1:02} AUDIO\n"
                       f"    INDEX 01 {start // 4500:02}:{start // 75 % 60:02}:{start % 75:02}\n")
    tracks = os.path.join(bench.folder, "tracks") + "/"
    os.makedirs(tracks, exist_ok=True)
    command = [bench.options.pinna, "render", sheet, "-o", tracks, "-y", "--quiet"]
    mine, whole = interleaved(
        bench.rounds, lambda: run(command)[0], lambda: bench.ours.render(source))
    yield ("20 tracks of one file, of a render of the file", mine.cpu * bench.scale,
           whole.cpu * bench.scale, mine.cpu / whole.cpu)


def queues(bench):
    """All of them."""
    yield from edit(bench, parts(bench, bench.programmes.stereo(), "stereo", "44100"), "stereo")
    yield from edit(bench, parts(bench, bench.programmes.surround(), "surround", "48000"), "5.1")
    yield from cue(bench)
