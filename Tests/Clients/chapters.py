# SPDX-License-Identifier: Apache-2.0
"""Chapters and lengths of queues in every reader."""
import fractions
import json
import pathlib
import re

import figures
import pytest
import sources
from readers import GStreamer, av
from sources import RATE

HERE = pathlib.Path(__file__).resolve().parent
# Lengths of the items: primes, so that no border is a whole millisecond or frame.
ITEMS = (40_127, 80_107, 120_121, 9_973)
TOTAL = sum(ITEMS)
STARTS = [sum(ITEMS[:index]) for index in range(len(ITEMS))]
TITLES = [f"item{index + 1}" for index in range(len(ITEMS))]
FILES = {"WAV": ("q.wav",), "FLAC": ("q.flac",), "MP4, FLAC": ("q.mp4", "-c:a", "flac"),
         "m4b, AAC": ("q.m4b",), "MP3": ("q.mp3",)}
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


def _add(table, client, name, found, goal, titles):
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


def _add_length(table, client, name, seconds):
    """One row: the whole length; that of AAC and MP3 depends on what the reader trims."""
    error = round((float(seconds) - TOTAL / RATE) * RATE)
    exact = name not in ("m4b, AAC", "MP3")
    table.add(client, f"length of {name}", figures.signed(error), "0 ±1" if exact else "",
              abs(error) <= 1 if exact else None)


def _ffprobe(path):
    facts = json.loads(sources.run("ffprobe", "-v", "error", "-show_chapters", "-show_format", "-of", "json", path))
    found = [(chapter["start"] * fractions.Fraction(chapter["time_base"]) * RATE, chapter["tags"].get("title"))
             for chapter in facts["chapters"]]
    return [found], facts["format"]["duration"]


def _av(path):
    with av.open(path) as container:
        if not hasattr(container, "chapters"):
            pytest.skip("PyAV chapters: this version doesn't show them")
        found = [(chapter["start"] * chapter["time_base"] * RATE, chapter["metadata"].get("title"))
                 for chapter in container.chapters()]
        return [found], container.duration / 1_000_000


def _gstreamer(path):
    facts = json.loads(sources.run(GStreamer.python, HERE / "gstreamer_toc.py", path))
    chapters = facts["chapters"]
    return [chapters and [(round(start * RATE / 1e9), title) for start, title in chapters]], facts["duration"] / 1e9


def mediainfo_menus(path):
    """Lists of chapters as mediainfo shows them, in samples."""
    menus = []
    for track in json.loads(sources.run("mediainfo", "--Output=JSON", path))["media"]["track"]:
        if track["@type"] != "Menu":
            continue
        menus.append([])
        for key, title in track["extra"].items():
            place = re.fullmatch(r"_(\d+)_(\d+)_(\d+)_(\d+)", key)
            if place:
                hours, minutes, seconds, thousandths = map(int, place.groups())
                time = (hours * 60 + minutes) * 60 + seconds + fractions.Fraction(thousandths, 1000)
                menus[-1].append((time * RATE, title))
    return menus


def _mediainfo(path):
    return mediainfo_menus(path) or [None], None


# Each gives lists of chapters, or None where it shows none, and the length in seconds.
READERS = {"ffprobe": _ffprobe, "PyAV": _av, "GStreamer": _gstreamer, "mediainfo": _mediainfo}


def read(table, client, name, path):
    menus, seconds = READERS[client](path)
    goal, titles = 0, TITLES
    if client == "mediainfo":
        goal = MILLISECOND
    elif name == "FLAC" and client == "GStreamer":
        # GStreamer takes a FLAC file's cue sheet, which has no titles.
        titles = [None] * len(TITLES)
    elif name == "FLAC":
        # libavformat prefers the comments of a FLAC file to its cue sheet, which is exact.
        goal = MILLISECOND / 2
    elif name == "MP3":
        # ID3 counts in whole milliseconds.
        goal = MILLISECOND / 2
    for number, found in enumerate(menus, 1):
        _add(table, client, f"{name}, menu {number}" if len(menus) > 1 else name, found, goal, titles)
    if seconds is not None:
        _add_length(table, client, name, seconds)


def browse(table, workshop, chromium, made):
    jobs = [{"kind": "length", "url": "/" + pathlib.Path(path).name} for path in made.values()]
    for name, result in zip(made, chromium.run(workshop.folder, jobs)):
        if result.get("error"):
            table.add("Chromium src", f"length of {name}", result["error"], "loads", False)
        else:
            _add_length(table, "Chromium src", name, result["duration"])
