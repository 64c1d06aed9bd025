# SPDX-License-Identifier: Apache-2.0
"""Loudness tags of many files: read by mutagen and ffprobe, with the figures that rsgain's rules give.

libebur128, which rsgain measures with, is the oracle: on the samples that ffmpeg decodes, and on all files of a folder for albums.
With --large there are 1,000 files.
"""
import ctypes
import ctypes.util
import json
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import time

import numpy
import pytest
import sources

FORMATS = {
    "flac": ("-c:a", "flac"), "mp3": ("-c:a", "libmp3lame", "-b:a", "128k"), "m4a": ("-c:a", "aac", "-b:a", "96k"),
    "opus": ("-c:a", "libopus", "-b:a", "64k"), "wav": ("-c:a", "pcm_s16le"), "mka": ("-c:a", "flac")}
LOSSLESS = ("flac", "wav", "mka")
SOUNDS = 4  # different ones of each format
ALBUM = 12  # files of a folder, two of each format
FEW, MANY = 60, 1000
KILLS, KILLED_FILES = 20, 24
REFERENCE, OPUS_REFERENCE = -18, -23
# Ways in which mkvmerge lays out films.
FILMS = ((), ("--clusters-in-meta-seek",), ("--disable-track-statistics-tags",), ("--engage", "no_simpleblocks"))
TITLES = ("One", "Zwei – 二", "x" * 700)


class Loudness:
    """libebur128: integrated loudness in the mode that rsgain takes, and sample peaks."""

    MODE = 1 << 0 | 1 << 2 | 1 << 4  # momentary and integrated, and peaks of samples

    def __init__(self):
        name = ctypes.util.find_library("ebur128")
        if not name:
            pytest.skip("libebur128: not installed; make setup-test")
        self.library = ctypes.CDLL(name)
        self.library.ebur128_init.restype = ctypes.c_void_p

    def state(self, samples):
        state = ctypes.c_void_p(self.library.ebur128_init(samples.shape[1], ctypes.c_ulong(sources.RATE), self.MODE))
        data = numpy.ascontiguousarray(samples, numpy.float32)
        assert not self.library.ebur128_add_frames_float(
            state, data.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(len(data)))
        return state

    def integrated(self, states):
        result, pointers = ctypes.c_double(), (ctypes.c_void_p * len(states))(*[state.value for state in states])
        assert not self.library.ebur128_loudness_global_multiple(
            pointers, ctypes.c_size_t(len(states)), ctypes.byref(result))
        return result.value


class Sound:
    """A file without tags, with what is known of its sound."""

    def __init__(self, meter, folder, ending, number):
        self.ending, self.path = ending, folder / f"{number}.{ending}"
        level = 0.02 * 3 ** (number % SOUNDS)
        sources.ffmpeg("-f", "lavfi", "-i", f"anoisesrc=d={0.5 + number / 10}:r={sources.RATE}:c=pink:a={level}:seed={number}",
                       "-ac", 2, *FORMATS[ending], self.path)
        raw = sources.run("ffmpeg", "-v", "error", "-i", self.path, "-f", "f32le", "-")
        samples = numpy.frombuffer(raw, numpy.float32).reshape(-1, 2)
        self.state, self.peak = meter.state(samples), float(abs(samples).max())
        self.loudness, self.packets = meter.integrated([self.state]), packets(self.path)


def packets(path):
    return sources.run("ffmpeg", "-v", "error", "-i", path, "-map", "0:a", "-c", "copy", "-f", "streamhash", "-")


def copy(sound, path, number):
    """A copy with a title of its own."""
    title = f"{TITLES[number % len(TITLES)]} {number}"
    if sound.ending != "mka":
        shutil.copyfile(sound.path, path)
        mutagen = pytest.importorskip("mutagen")
        file = mutagen.File(path, easy=sound.ending in ("mp3", "m4a"))
        if sound.ending == "wav":
            file.add_tags()
            file.tags.add(mutagen.id3.TIT2(text=[title]))
        else:
            file["title"] = title
        file.save()
    elif number // len(FORMATS) % 2 and shutil.which("mkvmerge"):
        sources.run("mkvmerge", "-q", "-o", path, "--title", title, sound.path)
    else:
        sources.ffmpeg("-i", sound.path, "-c", "copy", "-metadata", f"title={title}", path)
    return title


def tags(path):
    """Names in capitals with their texts, as mutagen reads them; ffprobe reads Matroska."""
    if path.suffix == ".mka":
        facts = json.loads(sources.run("ffprobe", "-v", "error", "-show_format", "-show_streams", "-of", "json", path))
        parts = [facts["format"], *facts["streams"]]
        return {name.upper(): value for part in parts for name, value in part.get("tags", {}).items()}
    found = {}
    for name, value in pytest.importorskip("mutagen").File(path).items():
        text = value if isinstance(value, str) else getattr(value, "text", value)[0]
        text = text.decode() if isinstance(text, bytes) else str(text)
        name = name.removeprefix("TXXX:").removeprefix("----:com.apple.iTunes:").upper()
        found[{"TIT2": "TITLE", "\xa9NAM": "TITLE"}.get(name, name)] = text
    return found


def fault(sound, album, title, found):
    """What of the tags isn't by rsgain's rules; nothing where all is."""
    if found.get("TITLE") != title:
        return f"title {found.get('TITLE')!r}"
    # Decoders may differ in the last bits, and so does the second digit at half of it.
    near = 0.0051 if sound.ending in LOSSLESS else 0.02
    if sound.ending == "opus":
        wanted = {"R128_TRACK_GAIN": sound.loudness, "R128_ALBUM_GAIN": album[0]}
        for name, loudness in wanted.items():
            if not re.fullmatch(r"-?\d+", found.get(name, "")) or abs(int(found[name]) / 256 - OPUS_REFERENCE + loudness) > near:
                return f"{name} {found.get(name)}, not {256 * (OPUS_REFERENCE - loudness):.0f}"
    else:
        wanted = {"TRACK": (sound.loudness, sound.peak), "ALBUM": album}
        for scope, (loudness, peak) in wanted.items():
            gain, highest = (found.get(f"REPLAYGAIN_{scope}_{kind}", "") for kind in ("GAIN", "PEAK"))
            if not re.fullmatch(r"-?\d+\.\d\d dB", gain) or abs(float(gain[:-3]) - REFERENCE + loudness) > near:
                return f"{scope} gain {gain}, not {REFERENCE - loudness:.2f} dB"
            if not re.fullmatch(r"\d+\.\d{6}", highest) or abs(float(highest) - peak) > 0.000_002:
                return f"{scope} peak {highest}, not {peak:.6f}"
        wanted = [f"REPLAYGAIN_{scope}_{kind}" for scope in ("TRACK", "ALBUM") for kind in ("GAIN", "PEAK")]
    extra = [name for name in found if name.startswith(("REPLAYGAIN", "R128")) and name not in wanted]
    return f"also {extra}" if extra else None


class Library:
    """Folders of copies, each with its sound and title."""

    def __init__(self, folder, count):
        self.meter, self.root, self.files = Loudness(), folder / "library", {}
        made = folder / "sounds"
        made.mkdir()
        sounds = {ending: [Sound(self.meter, made, ending, number) for number in range(SOUNDS)] for ending in FORMATS}
        endings = list(FORMATS)
        for number in range(count):
            album, place = divmod(number, ALBUM)
            ending = endings[place % len(endings)]
            sound = sounds[ending][(album + place // len(endings)) % SOUNDS]
            path = self.root / f"{album:03}" / f"{place:02}.{ending}"
            path.parent.mkdir(parents=True, exist_ok=True)
            self.files[path] = sound, copy(sound, path, number)

    def album(self, folder):
        """Loudness and peak of a folder."""
        found = [sound for path, (sound, _) in self.files.items() if path.parent == folder]
        return self.meter.integrated([sound.state for sound in found]), max(sound.peak for sound in found)

    def faults(self):
        albums = {folder: self.album(folder) for folder in sorted({path.parent for path in self.files})}
        for path, (sound, title) in self.files.items():
            if what := fault(sound, albums[path.parent], title, tags(path)):
                yield f"{path.parent.name}/{path.name}: {what}"
            elif packets(path) != sound.packets:
                yield f"{path.parent.name}/{path.name}: other packets"

    def leftovers(self):
        return [path for path in self.root.rglob("*") if path.is_file() and path not in self.files]

    def folders(self):
        return sorted({path.parent for path in self.files})


def run(workshop, folders, *options):
    """States that `pinna tag` reports, with the number of files of each."""
    reports = json.loads(sources.run(workshop.pinna, "tag", "--album", "--json", *options, *folders))
    states = [report["state"] for report in reports]
    return {state: states.count(state) for state in sorted(set(states))}


@pytest.fixture(scope="module")
def library(pytestconfig, tmp_path_factory, installed):
    installed("ffmpeg")
    return Library(tmp_path_factory.mktemp("tags"), MANY if pytestconfig.getoption("large") else FEW)


def cpu():
    """Seconds that programs have taken which have ended."""
    use = resource.getrusage(resource.RUSAGE_CHILDREN)
    return use.ru_utime + use.ru_stime


def test_many_files(table, workshop, library):
    count = len(library.files)
    start, before = time.monotonic(), cpu()
    states = run(workshop, library.folders())
    seconds, spent = time.monotonic() - start, cpu() - before
    case = f"{count} files of six formats in {len(library.folders())} albums"
    table.add("pinna tag", case, str(states), f"{count} tagged", states == {"tagged": count})
    table.add("pinna tag", f"{case}, time", f"{seconds:.1f} s, {spent:.1f} s of CPU")
    faults = list(library.faults())
    table.add("mutagen, ffprobe", case, "; ".join(faults[:3]) or "right", "right", not faults)
    before = {path: path.stat() for path in library.files}
    states = run(workshop, library.folders())
    same = all((now := path.stat()).st_mtime_ns == old.st_mtime_ns and now.st_ino == old.st_ino for path, old in before.items())
    table.add("pinna tag", f"{case}, again", f"{states}, {'untouched' if same else 'touched'}", f"{count} unchanged, untouched",
              same and states == {"unchanged": count})


def loudness(path):
    return {name: value for name, value in tags(path).items() if name.startswith(("REPLAYGAIN", "R128"))}


def test_kills(table, workshop, library):
    """Runs that are killed while they tag or remove: each file has all tags or none, and the sound that it had."""
    files = list(library.files)[:KILLED_FILES]
    folders = sorted({path.parent for path in files})
    # A run that finds its tags there already is too quick to tell how long one takes.
    sources.run(workshop.pinna, "tag", "-q", "--remove", *folders)
    start = time.monotonic()
    run(workshop, folders)
    seconds = time.monotonic() - start
    wanted = {path: loudness(path) for path in files}
    numbers, faults, mixed = random.Random(1), [], 0
    for number in range(KILLS):
        # A removal measures nothing, and so it is quicker.
        options, length = (("--album",), seconds) if number % 2 else (("--remove",), seconds / 2)
        process = subprocess.Popen([workshop.pinna, "tag", "-q", *options, *folders])
        time.sleep(numbers.uniform(0, length))
        process.send_signal(signal.SIGKILL)
        process.wait()
        now = {path: loudness(path) for path in files}
        faults += [f"{path.name}: {now[path]}" for path in files if now[path] not in ({}, wanted[path])]
        faults += [f"{path.name}: other packets" for path in files if packets(path) != library.files[path][0].packets]
        faults += [f"left over: {path.name}" for path in library.leftovers() if not path.name.startswith(".pinna-")]
        mixed += 0 < sum(bool(found) for found in now.values()) < len(files)
    hidden = len(library.leftovers())
    states, left = run(workshop, folders), library.leftovers()
    figure = "; ".join(faults[:3]) or (
        f"whole, {mixed} stopped halfway, {hidden} hidden files, then {states} and {len(left)} hidden files")
    table.add("pinna tag", f"{KILLS} kills", figure, "whole, at least 1 halfway, none hidden in the end",
              not faults and not left and mixed > 0)


def test_films(table, workshop, installed):
    """A film of mkvmerge: its tracks, chapters and attached files are the same bytes with tags and without."""
    for program in ("mkvmerge", "mkvextract", "mkvinfo"):
        installed(program)
    folder = workshop.folder / "tagged"
    folder.mkdir()
    noise, film, path = folder / "noise.flac", folder / "film.mkv", folder / "tagged.mkv"
    sources.ffmpeg("-f", "lavfi", "-i", f"anoisesrc=d=2:r={sources.RATE}:c=pink:a=0.1:seed=3", noise)
    sources.ffmpeg("-f", "lavfi", "-i", "testsrc=d=2:s=64x64:r=10", "-c:v", "libx264", film)
    (folder / "note.txt").write_text("a note", encoding="utf-8")
    (folder / "chapters.txt").write_text("CHAPTER01=00:00:00.000\nCHAPTER01NAME=Eins\n", encoding="utf-8")
    for number, options in enumerate(FILMS):
        source, case = folder / f"source{number}.mkv", f"film by mkvmerge, {' '.join(options) or 'as usual'}"
        sources.run("mkvmerge", "-q", *options, "-o", source, film, "--language", "0:de", noise, "--language", "0:en", noise,
                    "--attach-file", folder / "note.txt", "--chapters", folder / "chapters.txt")
        shutil.copyfile(source, path)
        sources.run(workshop.pinna, "tag", "-q", path)
        old, new = (extract(file, folder / name) for file, name in ((source, "old"), (path, "new")))
        said = json.loads(sources.run("mkvmerge", "-J", path))
        said = said["errors"] + said["warnings"]
        said += [line for line in sources.run("mkvinfo", path).decode().splitlines() if re.search("error|warning", line, re.I)]
        streams = json.loads(sources.run("ffprobe", "-v", "error", "-show_streams", "-of", "json", path))["streams"]
        found = ["REPLAYGAIN_TRACK_GAIN" in stream.get("tags", {}) for stream in streams[:3]]
        same = old == new and not said and found == [False, True, False]
        table.add("mkvextract, mkvinfo, ffprobe", case, "same bytes, nothing said, tags on the default track" if same else
                  f"{[name for name in old if old[name] != new[name]]} {said} {found}",
                  "same bytes, nothing said, tags on the default track", same)
        sources.run(workshop.pinna, "tag", "-q", "--remove", path)
        back = path.read_bytes() == source.read_bytes()
        table.add("pinna tag", f"{case}, removed", "the old file" if back else "another file", "the old file", back)


def extract(path, folder):
    folder.mkdir(exist_ok=True)
    tracks = [f"{track}:{folder}/{track}" for track in range(3)]
    sources.run("mkvextract", path, "tracks", *tracks, "attachments", f"1:{folder}/note", "chapters", f"{folder}/chapters",
                "cues", f"0:{folder}/cues", "timestamps_v2", f"1:{folder}/times")
    return {part.name: part.read_bytes() for part in sorted(pathlib.Path(folder).iterdir())}
