# SPDX-License-Identifier: Apache-2.0
"""MP4 in one piece in the programs that people have, and beside the same in fragments.

players   start offset by correlation / decoded length − N, in samples.
taggers   the length they show, tags, covers and chapters; a long title that moves the media.
HTTP      the index lies in front, and a late entry needs few requests.
forms     fragments and one piece have the same packets and sound the same; both are the same on each run.
large     PCM beyond 4 GiB: more than a minute and 8 GB in temporary folders; only with `--large` (pytest Tests/Clients -k
          large --large --pinna PROGRAM).
"""
import cases
import films
import mp3_rows
import mp4_rows
import numpy
import pytest
import sources
import tags

CODECS = cases.WHOLE_CODECS
SONGS = {"aac in one piece": (2, ()), "aac in fragments": (4, ("-f", "fmp4"))}


@pytest.fixture(scope="session")
def whole(workshop, wav):
    return {codec: workshop.render(wav, f"piece-{codec}.m4a", "-c:a", codec) for codec in CODECS}


@pytest.fixture(scope="session")
def fragments(workshop, wav):
    return {codec: workshop.render(wav, f"fragments-{codec}.m4a", "-f", "fmp4", "-c:a", codec) for codec in CODECS}


@pytest.mark.parametrize("codec", CODECS)
def test_mpv(table, installed, codec, whole, original):
    mp4_rows.play(table, installed("mpv"), codec, whole[codec], original)


@pytest.mark.parametrize("codec", CODECS)
def test_atoms(table, installed, codec, whole):
    installed("AtomicParsley")
    mp4_rows.atoms(table, codec + cases.WHOLE, whole[codec])


@pytest.mark.parametrize("codec", CODECS)
def test_length_in_taglib(table, installed, codec, whole, fragments):
    installed("TagLib")
    mp4_rows.length_in_taglib(table, codec + cases.WHOLE, whole[codec])
    mp4_rows.length_in_taglib(table, codec, fragments[codec])


@pytest.mark.parametrize("codec", CODECS)
def test_length_in_mediainfo(table, installed, codec, whole):
    installed("mediainfo")
    mp4_rows.length_in_mediainfo(table, codec + cases.WHOLE, whole[codec])


@pytest.fixture(scope="session")
def book(workshop, wav):
    """An audio book with tags, a cover and chapters."""
    return workshop.render(tags.source(workshop.folder, wav), "tagged.m4b")


@pytest.mark.parametrize("client", tags.READERS)
def test_tags(table, installed, client, book):
    installed(client)
    tags.read(table, client, "m4b", book)


@pytest.mark.parametrize("codec", CODECS)
def test_long_title(table, installed, workshop, codec, whole):
    installed("mutagen")
    mp4_rows.retitle(table, workshop, installed("ffmpeg"), codec + cases.WHOLE, whole[codec])


def test_long_title_of_a_book(table, installed, workshop, book):
    installed("mutagen")
    mp4_rows.retitle(table, workshop, installed("ffmpeg"), "m4b", book)


def test_atoms_of_a_book(table, installed, book):
    installed("AtomicParsley")
    mp4_rows.atoms(table, "m4b", book, tags.TITLE)


@pytest.fixture(scope="session")
def songs(workshop):
    source = workshop.folder / "song.wav"
    sources.write_wav(source, numpy.tile(sources.music(20), (mp4_rows.SONG // 20, 1)))
    return {case: workshop.render(source, f"song-{number}.m4a", *options)
            for number, (case, (_, options)) in enumerate(SONGS.items())}


def test_index_in_front(table, songs):
    mp4_rows.front(table, "aac in one piece, 3 minutes", songs["aac in one piece"])


@pytest.mark.parametrize("case", SONGS)
def test_entry_over_http(table, installed, songs, case):
    installed("ffmpeg")
    mp4_rows.enter(table, case, songs[case], SONGS[case][0])


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("client", ("PyAV", "GStreamer"))
def test_forms(table, installed, client, codec, whole, fragments):
    mp4_rows.forms(table, installed(client), codec, whole[codec], fragments[codec])


@pytest.mark.parametrize("codec", CODECS)
def test_packets_of_forms(table, installed, codec, whole, fragments):
    installed("PyAV")
    mp4_rows.packets(table, codec, whole[codec], fragments[codec])


@pytest.mark.parametrize("codec", CODECS)
def test_same_bytes(table, workshop, wav, codec, whole):
    again = workshop.render(wav, f"again-{codec}.m4a", "-c:a", codec, "--block-size", "480", "--threads", "1")
    mp3_rows.same(table, f"{codec}{cases.WHOLE}, made twice", [whole[codec], again])


@pytest.mark.parametrize("name", list(sources.FILMS)[:2])
def test_last_packet_beside_pictures(table, installed, workshop, studio, name):
    film = studio.film(name)
    path = films.render(workshop, film, "aac", "mp4")
    mp4_rows.last_packet(table, installed("GStreamer"), film, path, f"{name}, aac{cases.WHOLE}")


def test_large(table, pytestconfig, installed, workshop):
    if not pytestconfig.getoption("--large"):
        pytest.skip("large: takes 8 GB of disk; --large")
    installed("ffmpeg")
    mp4_rows.large(table, workshop)
