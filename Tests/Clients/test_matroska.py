# SPDX-License-Identifier: Apache-2.0
"""Matroska in the readers that people have: sound alone in five codecs, and films in sync.

All readers chain the samples of lossless codecs, and take CodecDelay and DiscardPadding of Opus. Only FFmpeg from 8 on and
Chromium take those of AAC. mkvmerge and mkvextract judge the file itself: no warning, and FLAC and pictures as they were.
"""
import json
import pathlib
import subprocess

import cases
import films
import pytest
import sources
from cases import EXACT
from sources import FILMS

CODECS = ("flac", "pcm", "alac", "opus", "aac")
SHORT = list(FILMS)[:2]
FORM = " in Matroska"
# Chromium knows no ALAC.
DECODED = ("flac", "pcm", "opus")


@pytest.fixture(scope="session")
def sounds(workshop, wav):
    return {codec: workshop.render(wav, f"{codec}.mka", "-c:a", codec) for codec in CODECS}


def add(table, client, codec, sound, original):
    """A row: lossless sound has the same bits, Opus the exact length and start; AAC is as the reader takes it."""
    text, equal = cases.offsets(sound, original)
    if codec == "opus":
        table.add(client, codec + FORM, text, EXACT, text == EXACT)
    elif codec == "aac":
        is_new = client == "PyAV"
        table.add(client, codec + FORM, text, *((EXACT, text == EXACT) if is_new else ()))
    else:
        table.add(client, codec + FORM, f"{text}, {'same bits' if equal else 'other bits'}", f"{EXACT}, same bits",
                  text == EXACT and equal)


@pytest.mark.parametrize("codec", CODECS)
def test_sound(table, reader, codec, sounds, original):
    # This build of GStreamer has no decoder of ALAC.
    if reader.name == "GStreamer" and codec == "alac":
        pytest.skip("GStreamer has no decoder of ALAC here")
    add(table, reader.name, codec, reader.read(sounds[codec]).sound, original)


@pytest.mark.parametrize("codec", CODECS)
def test_sound_in_mpv(table, installed, codec, sounds, original):
    add(table, "mpv", codec, installed("mpv").read(sounds[codec]).sound, original)


@pytest.mark.parametrize("codec", DECODED)
def test_sound_in_chromium(table, workshop, chromium, codec, sounds, original):
    [result] = chromium.run(workshop.folder, [
        {"kind": "decode", "url": "/" + pathlib.Path(sounds[codec]).name, "channels": 2}])
    if "sound" not in result:
        table.add("Chromium decodeAudioData", codec + FORM, str(result), "decodes", False)
        return
    add(table, "Chromium decodeAudioData", codec, result["sound"], original)


@pytest.mark.parametrize("codec", CODECS)
def test_mkvmerge_has_no_word_to_say(table, installed, codec, sounds):
    installed("mkvmerge")
    told = json.loads(sources.run("mkvmerge", "-J", sounds[codec]))
    words = told["errors"] + told["warnings"]
    [track] = told["tracks"]
    is_whole = track["type"] == "audio" and track["properties"]["default_track"]
    table.add("mkvmerge", codec + FORM, "; ".join(words) or "clean", "clean", not words and is_whole)


def test_extracted_flac(table, workshop, installed, sounds):
    for program in ("mkvextract", "flac"):
        installed(program)
    path = workshop.folder / "extracted.flac"
    sources.run("mkvextract", sounds["flac"], "tracks", f"0:{path}")
    done = subprocess.run(["flac", "-t", "-s", path], capture_output=True, text=True)
    table.add("flac", "extracted" + FORM, f"ends with {done.returncode}", "ends with 0", done.returncode == 0)


def film_path(workshop, film, codec):
    # GStreamer's reader would hear the kept original, too.
    return workshop.render(film.path, f"{film.stem}-{codec}.mkv", "-c:a", codec, "--keep-audio", "none")


@pytest.mark.parametrize("codec", ["flac", "opus"])
@pytest.mark.parametrize("name", FILMS)
def test_films(table, workshop, reader, studio, name, codec):
    film = studio.film(name)
    films.read(table, reader, film, film_path(workshop, film, codec), f"{name}, {codec}{FORM}")


@pytest.mark.parametrize("codec", ["flac", "aac"])
@pytest.mark.parametrize("name", SHORT)
def test_films_in_chromium(table, workshop, chromium, studio, name, codec):
    film = studio.film(name)
    films.browse(table, workshop, chromium, film, codec, film_path(workshop, film, codec), FORM)


@pytest.mark.parametrize("name", SHORT)
def test_pictures_are_the_same(table, workshop, studio, name):
    film = studio.film(name)

    def pictures(path):
        return sources.run("ffmpeg", "-v", "error", "-i", path, "-map", "0:v", "-c", "copy", "-f", "streamhash", "-")

    same = pictures(film.path) == pictures(film_path(workshop, film, "flac"))
    table.add("ffmpeg", f"{name}, pictures{FORM}", "the same bytes" if same else "other bytes", "the same bytes", same)
