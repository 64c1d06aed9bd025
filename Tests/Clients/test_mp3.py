# SPDX-License-Identifier: Apache-2.0
"""MP3 in the programs that people have: start and length, level, peaks, frames, tags.

lengths   numbers of samples at which other writers' tags are wrong, and all rates; start offset by correlation / decoded
          length − N, in samples. sox isn't among the players: it ignores LAME's tag, whoever wrote the file.
bytes     LAME's tag and its check sums, and how far frames reach back, by a reader of its own (layer3.py); mp3val.
level     a tone of 1 kHz. Constant bit rates keep its level. LAME's own qualities don't: their rows have no goal.
peaks     dense music, limited to −1 dBTP: the true peak in two decoders by BS.1770-5's Annex 2, to which 0.05 dB may be
          added; beside it the peak by exact interpolation, which finds more in sound with high frequencies.
tags      title, cover, chapters, comment and ReplayGain in five programs.
seam      two files of what was one sound, played one behind the other.
"""
import itertools

import mp3_rows
import pytest
import sources
import tags
from mp3_rows import BIT_RATES, QUALITIES, RATES, RESTS

DECODERS = ("ffmpeg", "mpg123")
LOUD_BIT_RATES = (96, 128, 192)


@pytest.fixture(params=DECODERS)
def decoder(request, installed):
    """A reader that decodes to floats."""
    return installed(request.param)


@pytest.fixture(scope="session", params=RESTS)
def compressed(request, workshop, original):
    """Its name in the table, path, and sound."""
    return f"mp3, {request.param} samples behind whole frames", *mp3_rows.rest(workshop, original, request.param)


def test_length(table, reader, compressed):
    mp3_rows.read(table, reader, *compressed)


def test_length_in_players(table, player, compressed):
    mp3_rows.read(table, player, *compressed)


def test_length_in_chromium(table, workshop, chromium, compressed):
    mp3_rows.browse(table, workshop, chromium, *compressed)


def test_tag(table, compressed):
    case, path, sound = compressed
    mp3_rows.check(table, case, path, len(sound))


def test_frames(table, installed, compressed):
    installed("mp3val")
    mp3_rows.validate(table, *compressed[:2])


@pytest.fixture(scope="session", params=itertools.product(RATES, (1, 2)), ids=lambda param: f"{param[0]}-{param[1]}")
def at_rate(request, workshop):
    """Its name in the table, path, and sound."""
    rate, channels = request.param
    return f"mp3, {rate} Hz, {('mono', 'stereo')[channels - 1]}", *mp3_rows.at_rate(workshop, rate, channels)


def test_rate(table, decoder, at_rate):
    mp3_rows.read(table, decoder, *at_rate, mp3_rows.SHORT_BURSTS)


def test_tag_at_rate(table, at_rate):
    case, path, sound = at_rate
    mp3_rows.check(table, case, path, len(sound))


def test_frames_at_rate(table, installed, at_rate):
    installed("mp3val")
    mp3_rows.validate(table, *at_rate[:2])


@pytest.fixture(scope="session")
def tone(workshop):
    """A source with a tone, and its samples."""
    path, sound = workshop.folder / "tone.wav", sources.tone(4 * sources.RATE)
    sources.write_wav(path, sound)
    return path, sound


@pytest.mark.parametrize("rate", BIT_RATES)
def test_level(table, workshop, decoder, tone, rate):
    source, sound = tone
    path = workshop.render(source, f"tone-{rate}.mp3", "-b:a", f"{rate}k")
    mp3_rows.level(table, decoder, f"mp3, 1 kHz at {rate} kbit/s", path, sound, mp3_rows.LEVEL)


@pytest.mark.parametrize("quality", QUALITIES)
def test_level_of_quality(table, workshop, decoder, tone, quality):
    source, sound = tone
    path = workshop.render(source, f"tone-v{quality}.mp3", "--out-opt", f"q={quality}")
    mp3_rows.level(table, decoder, f"mp3, 1 kHz at V{quality}", path, sound)


@pytest.fixture(scope="session", params=LOUD_BIT_RATES)
def loud(request, workshop, music):
    """Its bit rate, and music whose peaks are held."""
    rate = request.param
    return rate, mp3_rows.loud(workshop, music, rate, "limit")


@pytest.fixture(scope="session")
def music(workshop):
    path = workshop.folder / "music.wav"
    sources.write_wav(path, sources.music(20))
    return path


def test_peaks(table, decoder, loud):
    rate, path = loud
    mp3_rows.peak(table, decoder, f"mp3, music at {rate} kbit/s, held", path)


def test_frames_stand_alone(table, loud):
    rate, path = loud
    mp3_rows.reservoir(table, f"mp3, music at {rate} kbit/s, held", path, True)


@pytest.fixture(scope="session")
def free(workshop, music):
    """Music whose peaks aren't held, without which the rows above would say little."""
    return mp3_rows.loud(workshop, music, 128, "ignore")


def test_peaks_that_are_not_held(table, decoder, free):
    mp3_rows.peak(table, decoder, "mp3, music at 128 kbit/s, not held", free, goal=False)


def test_frames_with_a_reservoir(table, free):
    mp3_rows.reservoir(table, "mp3, music at 128 kbit/s, not held", free, False)


@pytest.fixture(scope="session")
def tagged(workshop, wav):
    return workshop.render(tags.source(workshop.folder, wav), "tagged.mp3")


@pytest.mark.parametrize("client", tags.READERS)
def test_tags(table, installed, client, tagged):
    installed(client)
    tags.read(table, client, "mp3", tagged)


@pytest.mark.parametrize("client", ("mediainfo", "mpv"))
def test_chapters_of_ffmpeg(table, installed, workshop, wav, client):
    installed(client)
    tags.control(table, client, workshop.folder, tags.source(workshop.folder, wav))


def test_frames_behind_tags(table, installed, tagged):
    installed("mp3val")
    mp3_rows.validate(table, "mp3, with tags", tagged)


def test_same_bytes(table, workshop, wav):
    paths = [workshop.render(wav, f"same-{number}.mp3", *options) for number, options in enumerate((
        (), (), ("--block-size", "480"), ("--threads", "1")))]
    mp3_rows.same(table, "mp3, made four times", paths)


@pytest.mark.parametrize("name", ("mpg123", "mpv"))
def test_seam(table, installed, workshop, original, name):
    player = installed(name)
    mp3_rows.join(table, player, mp3_rows.parts(workshop, original), original)
