"""Chapters and lengths of queues in every reader."""
import fractions
import json
import pathlib
import re
import shutil

import figures
import sources
from sources import RATE

HERE = pathlib.Path(__file__).resolve().parent
# Lengths of the items: primes, so that no border is a whole millisecond or frame.
ITEMS = (40_127, 80_107, 120_121, 9_973)
TOTAL = sum(ITEMS)
STARTS = [sum(ITEMS[:index]) for index in range(len(ITEMS))]
TITLES = [f"item{index + 1}" for index in range(len(ITEMS))]
FILES = {"WAV": ("q.wav",), "FLAC": ("q.flac",), "MP4, FLAC": ("q.mp4", "-c:a", "flac"),
         "m4b, AAC": ("q.m4b",)}
# A millisecond in samples: what Vorbis comments and mediainfo round to.
MILLISECOND = RATE // 1000


def render(workshop):
    """The files by their name in the table."""
    paths = []
    for title, length in zip(TITLES, ITEMS):
        path = workshop.folder / f"{title}.wav"
        sources.write_wav(path, sources.bursts(length, (2_000,), impulses=False))
        paths.append(path)
    made = {}
    for name, (file, *options) in FILES.items():
        path = workshop.folder / file
        sources.run(workshop.pinna, "render", "--join", *paths, "-e", "none", "-l", "off", *options,
                    "-y", "-q", "-o", path)
        made[name] = str(path)
    return made


def _add(table, client, name, found, goal, titles=TITLES):
    """One row: `found` are starts in samples, exact or not, and titles; `goal` is the largest error."""
    case = f"chapters of {name}"
    if found is None:
        table.add(client, case, "shows none")
        return
    starts = [start for start, _ in found]
    if len(starts) != len(STARTS):
        table.add(client, case, f"{len(starts)} chapters", f"{len(STARTS)}", False)
        return
    worst = max(abs(start - due) for start, due in zip(starts, STARTS))
    named = [title for _, title in found] == titles
    text = f"{len(starts)}, off by {float(worst):.3g} samples" + ("" if named else ", other titles")
    table.add(client, case, text, f"≤ {goal} samples, same titles", worst <= goal and named)


def _length(table, client, name, seconds):
    """One row: the whole length; AAC's depends on whether the reader trims its first frame."""
    error = round((float(seconds) - TOTAL / RATE) * RATE)
    exact = name != "m4b, AAC"
    table.add(client, f"length of {name}", figures.signed(error), "0 ±1" if exact else "",
              abs(error) <= 1 if exact else None)


def _ffprobe(table, made):
    for name, path in made.items():
        facts = json.loads(sources.run("ffprobe", "-v", "error", "-show_chapters", "-show_format",
                                       "-of", "json", path))
        found = [(chapter["start"] * fractions.Fraction(chapter["time_base"]) * RATE,
                  chapter["tags"].get("title")) for chapter in facts["chapters"]]
        # libavformat prefers the comments of a FLAC file to its cue sheet, which is exact.
        _add(table, "ffprobe", name, found, MILLISECOND / 2 if name == "FLAC" else 0)
        _length(table, "ffprobe", name, facts["format"]["duration"])


def _av(table, made, av):
    for name, path in made.items():
        with av.open(path) as container:
            if not hasattr(container, "chapters"):
                table.skip("PyAV chapters", "this version doesn't show them")
                return
            found = [(chapter["start"] * chapter["time_base"] * RATE, chapter["metadata"].get("title"))
                     for chapter in container.chapters()]
            _add(table, "PyAV", name, found, MILLISECOND / 2 if name == "FLAC" else 0)
            _length(table, "PyAV", name, container.duration / 1_000_000)


def _gstreamer(table, made, python):
    text = sources.run(python, HERE / "gstreamer_toc.py", *made.values())
    for name, facts in zip(made, json.loads(text)):
        chapters = facts["chapters"]
        found = chapters and [(round(start * RATE / 1e9), title) for start, title in chapters]
        # It takes a FLAC file's cue sheet, which has no titles.
        _add(table, "GStreamer", name, found, 0, [None] * len(TITLES) if name == "FLAC" else TITLES)
        _length(table, "GStreamer", name, facts["duration"] / 1e9)


def _mediainfo(table, made):
    for name, path in made.items():
        facts = json.loads(sources.run("mediainfo", "--Output=JSON", path))["media"]["track"]
        menus = [track["extra"] for track in facts if track["@type"] == "Menu"]
        for number, menu in enumerate(menus):
            found = []
            for key, title in menu.items():
                place = re.fullmatch(r"_(\d+)_(\d+)_(\d+)_(\d+)", key)
                if place:
                    hours, minutes, seconds, thousandths = map(int, place.groups())
                    time = (hours * 60 + minutes) * 60 + seconds + fractions.Fraction(thousandths, 1000)
                    found.append((time * RATE, title))
            which = f"{name}, menu {number + 1}" if len(menus) > 1 else name
            _add(table, "mediainfo", which, found, MILLISECOND)
        if not menus:
            _add(table, "mediainfo", name, None, 0)


def _chromium(table, workshop, chromium, made):
    jobs = [{"kind": "length", "url": "/" + pathlib.Path(path).name} for path in made.values()]
    for name, result in zip(made, chromium.run(workshop.folder, jobs)):
        if result.get("error"):
            table.add("Chromium src", f"length of {name}", result["error"], "loads", False)
        else:
            _length(table, "Chromium src", name, result["duration"])


def check(table, workshop, found, chromium, av):
    """`found` are the readers that are installed."""
    made = render(workshop)
    names = {reader.name: reader for reader in found}
    if "ffmpeg" in names:
        _ffprobe(table, made)
    if "PyAV" in names:
        _av(table, made, av)
    if "GStreamer" in names:
        _gstreamer(table, made, names["GStreamer"].python)
    if shutil.which("mediainfo"):
        _mediainfo(table, made)
    else:
        table.skip("mediainfo", "not installed; make setup-clients")
    if chromium:
        _chromium(table, workshop, chromium, made)
