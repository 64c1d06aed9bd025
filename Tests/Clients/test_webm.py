# SPDX-License-Identifier: Apache-2.0
"""WebM in the readers that people have: Opus alone, and beside pictures of VP9, in sync also where the sound begins late.

mkvmerge has no word to say of the file, and the pictures are the bytes that they were.
"""
import json
import pathlib

import cases
import films
import pytest
import sources
from cases import EXACT
from sources import FILMS

SHORT = list(FILMS)[:2]
FORM = " in WebM"


@pytest.fixture(scope="session")
def sound(workshop, wav):
    return workshop.render(wav, "opus.webm")


@pytest.fixture(scope="session")
def film_of(workshop, studio):
    """A film with pictures of VP9, and its render."""
    def make(name):
        film = studio.film(name)
        # The times of MP4 are exact, where ffmpeg rounds those of Matroska to milliseconds.
        source = workshop.folder / f"{film.stem}-vp9.mp4"
        if not source.exists():
            sources.ffmpeg("-i", film.path, "-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "20", "-g", "25", "-cpu-used", "8", "-c:a", "flac",
                           "-strict", "-2", "-movie_timescale", sources.RATE, source)
        return film, source, workshop.render(source, f"{film.stem}.webm")
    return make


def add(table, client, found, original):
    text, _ = cases.offsets(found, original)
    table.add(client, "opus" + FORM, text, EXACT, text == EXACT)


def test_sound(table, reader, sound, original):
    add(table, reader.name, reader.read(sound).sound, original)


def test_sound_in_mpv(table, installed, sound, original):
    add(table, "mpv", installed("mpv").read(sound).sound, original)


def test_sound_in_chromium(table, workshop, chromium, sound, original):
    [result] = chromium.run(workshop.folder, [{"kind": "decode", "url": "/" + pathlib.Path(sound).name, "channels": 2}])
    if "sound" not in result:
        table.add("Chromium decodeAudioData", "opus" + FORM, str(result), "decodes", False)
        return
    add(table, "Chromium decodeAudioData", result["sound"], original)


@pytest.mark.parametrize("name", SHORT)
def test_films(table, reader, film_of, name):
    film, _, path = film_of(name)
    films.read(table, reader, film, path, f"{name}, opus{FORM}")


@pytest.mark.parametrize("name", SHORT)
def test_films_in_chromium(table, workshop, chromium, film_of, name):
    film, _, path = film_of(name)
    films.browse_opus(table, workshop, chromium, film, path, FORM)


@pytest.mark.parametrize("name", SHORT)
def test_file(table, installed, film_of, name):
    installed("mkvmerge")
    _, source, path = film_of(name)
    facts = json.loads(sources.run("mkvmerge", "-J", path))
    words = facts["errors"] + facts["warnings"]
    codecs = [track["codec"] for track in facts["tracks"]]
    is_whole = codecs == ["Opus", "VP9"]
    table.add("mkvmerge", name + FORM, "; ".join(words) or "clean", "clean", not words and is_whole)

    def pictures(file):
        return sources.run("ffmpeg", "-v", "error", "-i", file, "-map", "0:v", "-c", "copy", "-f", "streamhash", "-")

    same = pictures(source) == pictures(path)
    table.add("ffmpeg", f"{name}, pictures{FORM}", "the same bytes" if same else "other bytes", "the same bytes", same)
