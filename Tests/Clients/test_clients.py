# SPDX-License-Identifier: Apache-2.0
"""Runs Pinna's MP4 and HLS output through the readers that people have.

audio        N = 480123 samples with bursts and impulses, MP4 in fragments and in one piece in each codec. Figures are the
             start offset by correlation / the decoded length − N, in samples.
films        white pictures and bursts of noise at the same time; A−V is the error of sound against
             pictures compared with the source, the worst of all beeps. Chromium plays in real time
             through an AudioContext that records, on the same clock as the pictures; its goal is half a
             picture, though what a quiet machine shows is exact to the sample. Opus is to be within 0.1 ms:
             Chromium plays it 6.5 ms early where its packets begin later than the pictures.
             Seeking must show exactly the picture that is due, white ones and their neighbours.
chapters     a queue of four items in WAV, FLAC, MP4 and m4b: where its chapters begin and how long it is,
             in samples. What players count in milliseconds may be off by half of one, or by one.
hls          the playlists' EXTINF, and Chromium's own HLS player.
passthrough  E-AC-3 with objects, copied.

A fault that is known to be the reader's (FAULTS in conftest.py) is expected with the very figure known; with
another one it fails. Readers are ffmpeg, PyAV (FFmpeg's current libraries), GStreamer, mediainfo and Chromium
without a window. The sources need ffmpeg with libx264. test_mp3.py and test_mp4.py have more of these containers, in
players and tag readers. test_report_pages.py and test_auditions.py judge the pages that Pinna writes; pictures of them
go to out/.
"""
import itertools
import os
import pathlib

import cases
import chapters
import films
import hls
import pytest
import readers
import sources
from sources import FILMS, FRAMES

ROOT = pathlib.Path(__file__).resolve().parents[2]
# One in sync and one with late sound.
SHORT = list(FILMS)[:2]


def _media():
    """Where the tests look for shared files too."""
    places = [pathlib.Path(os.environ["PINNA_MEDIA"])] if "PINNA_MEDIA" in os.environ else [
        ROOT.parent / "shared/media", ROOT.parent.parent / "shared/media"]
    return next((place for place in places if place.is_dir()), places[0])


def test_a_reader_is_installed():
    """Without any, all that follows would be skipped, and nothing would fail."""
    assert any(reader.version for reader in readers.readers()), "ffmpeg, PyAV or GStreamer is needed; make setup-clients"


@pytest.fixture(scope="session")
def coded(workshop, wav):
    return {codec: workshop.render(wav, f"{codec}.m4a", "-f", "fmp4", "-c:a", codec) for codec in cases.CODECS}


@pytest.mark.parametrize("codec", cases.CODECS)
def test_audio(table, reader, codec, coded, original):
    cases.read(table, reader, codec, coded[codec], original)


@pytest.mark.parametrize("codec", [codec for codec in cases.CODECS if codec != "alac"])
def test_audio_in_chromium(table, workshop, chromium, codec, coded, original):
    cases.browse(table, workshop, chromium, codec, coded[codec], original)


@pytest.fixture(scope="session")
def whole(workshop, wav):
    """Music in one piece, as its name asks for."""
    return {codec: workshop.render(wav, f"whole-{codec}.m4a", "-c:a", codec) for codec in cases.WHOLE_CODECS}


@pytest.mark.parametrize("codec", cases.WHOLE_CODECS)
def test_whole_audio(table, reader, codec, whole, original):
    cases.read(table, reader, codec, whole[codec], original, cases.WHOLE)


@pytest.mark.parametrize("codec", [codec for codec in cases.WHOLE_CODECS if codec != "alac"])
def test_whole_audio_in_chromium(table, workshop, chromium, codec, whole, original):
    cases.browse_whole(table, workshop, chromium, codec, whole[codec], original)


@pytest.mark.parametrize("codec", cases.WHOLE_CODECS)
def test_length_in_a_tagger(table, codec, whole):
    cases.tag(table, codec, whole[codec])


@pytest.fixture(scope="session", params=itertools.product(FILMS, films.CODECS), ids=", ".join)
def made(request, workshop, studio):
    """A film, the codec of its sound, and the path of what Pinna wrote."""
    name, codec = request.param
    film = studio.film(name)
    return film, codec, films.render(workshop, film, codec)


@pytest.mark.parametrize("name", FILMS)
def test_films_themselves(table, installed, studio, name):
    """A source that isn't in sync would make the others fail, too."""
    film = studio.film(name)
    films.read(table, installed("PyAV"), film, film.path, f"source: {name}", film.start)


def test_films(table, reader, made):
    film, codec, path = made
    films.read(table, reader, film, path, f"{film.name}, {codec}")


@pytest.fixture(scope="session", params=itertools.product(FILMS, films.CODECS), ids=", ".join)
def whole_film(request, workshop, studio):
    """The same in one piece."""
    name, codec = request.param
    film = studio.film(name)
    return film, codec, films.render(workshop, film, codec, "mp4")


def test_whole_films(table, reader, whole_film):
    film, codec, path = whole_film
    films.read(table, reader, film, path, f"{film.name}, {codec}{cases.WHOLE}")


@pytest.mark.parametrize(("name", "codec"), [(SHORT[0], "flac"), (SHORT[0], "aac"), (SHORT[1], "flac"), (SHORT[1], "aac")])
def test_whole_films_in_chromium(table, workshop, chromium, studio, name, codec):
    film = studio.film(name)
    films.browse(table, workshop, chromium, film, codec, films.render(workshop, film, codec, "mp4"), cases.WHOLE)


def test_films_in_chromium(table, workshop, chromium, made):
    films.browse(table, workshop, chromium, *made)


@pytest.mark.parametrize("name", SHORT)
def test_films_with_opus(table, workshop, reader, studio, name):
    film = studio.film(name)
    films.read(table, reader, film, films.render(workshop, film, "opus"), f"{name}, opus")


@pytest.mark.parametrize("name", SHORT)
def test_films_with_opus_in_chromium(table, workshop, chromium, studio, name):
    films.browse_opus(table, workshop, chromium, studio.film(name))


def test_films_of_ffmpeg_in_chromium(table, workshop, chromium, studio):
    films.control(table, workshop, chromium, studio.film("open GOP, 3 B-frames"))


@pytest.fixture(scope="session")
def queues(workshop):
    return chapters.render(workshop)


@pytest.mark.parametrize("name", chapters.FILES)
@pytest.mark.parametrize("client", chapters.READERS)
def test_chapters(table, installed, queues, client, name):
    installed(client)
    chapters.read(table, client, name, queues[name])


def test_chapters_in_chromium(table, workshop, chromium, queues):
    chapters.browse(table, workshop, chromium, queues)


@pytest.fixture(scope="session", params=itertools.product(("sound", *SHORT), films.CODECS), ids=", ".join)
def stream(request, workshop, studio, wav):
    """Its name, the folder of its playlists, the film or None, and how many samples it has."""
    name, codec = request.param
    film = None if name == "sound" else studio.film(name)
    folder = hls.render(workshop, film.path if film else wav, codec, film.stem if film else name)
    return f"{name}, {codec}", folder, film, film.length + film.late if film else FRAMES


def test_hls(table, stream):
    case, folder, _, length = stream
    hls.read(table, case, folder / "x-audio.m3u8", length)


def test_hls_in_chromium(table, workshop, chromium, stream):
    hls.play(table, workshop, chromium, *stream)


def test_hls_groups(table, workshop, chromium, studio):
    film = studio.film(SHORT[0])
    folder = hls.render_groups(workshop, film)
    case = f"{film.name}, aac in groups"
    hls.groups(table, case, folder, workshop.folder / f"groups-{film.stem}.mp4")
    hls.play(table, workshop, chromium, case, folder, film, film.length + film.late)


@pytest.fixture(scope="session")
def copied(workshop):
    """The source, and its copy."""
    source, path = _media() / "sample_eac3joc.mp4", workshop.folder / "copied.mp4"
    if not source.is_file():
        pytest.skip(f"passthrough: {source} is not there")
    sources.run(workshop.pinna, "render", source, "-c:a", "copy", "-y", "-q", "-o", path)
    return source, path


def test_passthrough(table, copied):
    cases.passthrough(table, *copied)


def test_passthrough_of_packets(table, installed, copied):
    installed("PyAV")
    cases.packets(table, *copied)
