# SPDX-License-Identifier: Apache-2.0
"""How `make strangers` compares and judges. Stands in for both programs; the samples are in files made here."""
import collections
import types

import judged
import pytest
import samples
import statement
import strangers
import trial
from conftest import ROOT

FORMATS = {"flac", "mov"}
RAMP = [value / 64 for value in range(1, 60)]


@pytest.mark.parametrize("own, wanted, expected", [
    ([0.5, 0.25], [0.5, 0.25], None),
    ([0.5, 0.25], [0.5, 0.5], (1, 1, 0.25)),
    ([0.5], [0.5, 0.5, 0.5], (2, 1, float("inf"))), ([0.5, 0.5], [0.5], (1, 1, float("inf"))),
    ([float("nan")], [float("nan")], None), ([0.0], [float("nan")], (1, 0, float("inf"))),
    ([0.5], [0.5 + 2 ** -17], None),
])
def test_deviations_are_counted(sound, own, wanted, expected):
    first, second = sound(own), sound(wanted)
    found = samples.deviation(first, samples.pieces(second, 0, second.frames), 2 ** -16)
    assert found == (expected and (*expected, False))


@pytest.mark.parametrize("gaps, first, wanted", [
    ([], 2, RAMP[2:12]),
    ([("gap", 3, 2)], 0, [*RAMP[:3], 0, 0, *RAMP[3:8]]),
    ([("overlap", 3, 2)], 0, [*RAMP[:3], *RAMP[5:12]]),
    ([("overlap", 6, 1), ("gap", 3, 2)], 0, [*RAMP[:3], 0, 0, RAMP[3], *RAMP[5:9]]),
    ([("discontinuity", 3, 99)], 0, RAMP[:10]),
])
def test_gaps_and_overlaps_are_followed(sound, gaps, first, wanted):
    assert b"".join(samples.expected(sound(RAMP), first, 10, gaps)) == sound(wanted).part(0, 10)


@pytest.mark.parametrize("part, place", [(RAMP[:20], 0), (RAMP[7:30], 7), ([0.0, *RAMP[7:30]], None), (RAMP[7:30] + [0.9], None)])
def test_a_stretch_is_found(sound, part, place):
    assert samples.place(sound(part), sound(RAMP), [0, 5]) == place


class Stand:
    """A trial whose runs are given."""

    path = "/dev/null"
    seconds = 60

    def __init__(self, sound, own, other, whole, **given):
        gaps = [dict(kind=kind, position=at, samples=size) for kind, at, size in given.get("gaps", [])]
        report = {"inputs": [{"stream": 0, "timeline": {
            "priming": {"samples": given.get("priming", 0), "source": given.get("source", "elst")}, "paddingSource": "elst",
            "samplesOut": len(own or []), "gaps": gaps}}], "degradations": [{"code": code} for code in given.get("codes", [])]}
        if given.get("error"):
            report["error"] = {"kind": given["error"]}
        self.rendered = run(given.get("code", 0), given.get("says", ""), own and sound(own), report)
        promise = {"track": {"samples": given.get("promised")}}
        self.probed = run(given.get("probe", self.rendered.code), given.get("says", ""), None, promise)
        self.decoded = run(0, given.get("complaint", ""), other and sound(other), {})
        self.whole = run(0, "", whole and sound(whole), {})
        self.form, self.codec = given.get("form", "flac"), given.get("codec", "flac")

    def probe(self):
        return self.probed

    def render(self):
        return self.rendered

    def ffprobe(self, stream):
        return self.form, self.codec

    def ffmpeg(self, stream, name, *settings):
        return self.decoded

    def untrimmed(self, stream, form, *settings):
        return self.whole

    def left(self):
        return []

    def has_output(self):
        return False


def run(code, says, sound, answer):
    return types.SimpleNamespace(code=code, stderr=says, sound=sound, answer=answer, timed_out=False, seconds=0.1)


REFUSED = {"code": 5, "error": "unsupported-codec", "says": "pinna: no\n"}


@pytest.mark.parametrize("own, other, given, kinds", [
    (RAMP, RAMP, {}, []),
    (RAMP[5:], RAMP, {"priming": 5, "source": "elst"}, ["start"]),
    # Start-up samples that only the codec tells are no difference.
    (RAMP[5:], RAMP, {"priming": 5, "source": "codec-table"}, []),
    (RAMP[5:], RAMP[2:], {"priming": 5, "source": "codec-table"}, ["start"]),
    (RAMP[:-5], RAMP, {}, ["end"]),
    # A frame that FFmpeg finds in junk is no difference in the samples behind it.
    (RAMP[9:], RAMP, {"priming": 2, "codes": ["garbage-skipped"], "source": "codec-table"}, []),
    (RAMP[9:], RAMP, {"priming": 2}, ["samples", "start", "end"]),
    # A gap that is filled is told once.
    ([*RAMP[:9], 0, 0, *RAMP[9:]], RAMP, {"gaps": [("gap", 9, 2)], "codes": ["timestamp-gap"]}, ["gaps"]),
    (RAMP, RAMP, {"gaps": [("discontinuity", 0, 2)], "codes": ["timestamp-gap"]}, ["accused"]),
    ([0.9, *RAMP[1:]], RAMP, {}, ["samples"]), ([RAMP[0] + 2 ** -18, *RAMP[1:]], RAMP, {}, ["samples"]),
    ([RAMP[0] + 2 ** -18, *RAMP[1:]], RAMP, {"codec": "aac"}, []),
    (RAMP, None, {}, ["accepted"]), (None, RAMP, {}, ["samples"]),
    (RAMP, RAMP, {"codes": ["truncated"]}, ["accused"]), (RAMP, RAMP, {"codes": ["truncated"], "complaint": "CRC error"}, []),
    (RAMP, RAMP, {"complaint": "Error while decoding stream"}, ["untold"]), (RAMP, RAMP, {"complaint": "no cover picture"}, []),
    (RAMP, RAMP, {"promised": 7}, ["probe"]), (RAMP, RAMP, {"promised": len(RAMP)}, []),
    (RAMP, RAMP, {"probe": 4, "says": "pinna: no\n"}, ["probe"]),
    (None, RAMP, REFUSED, ["refused"]), (None, None, REFUSED, []),
    (None, RAMP, REFUSED | {"code": 4, "complaint": "corrupt"}, []), (None, RAMP, REFUSED | {"code": 3, "form": "voc"}, []),
    (None, RAMP, REFUSED | {"code": 3}, ["refused"]), (None, None, REFUSED | {"code": 75}, ["exit", "exit"]),
    (None, None, REFUSED | {"says": "one\ntwo\n"}, ["sentence", "sentence"]),
    (None, None, REFUSED | {"says": "pinna: not on whitelist\n"}, ["sentence", "sentence"]),
    (None, None, REFUSED | {"code": -11}, ["signal", "signal"]),
])
def test_differences_have_their_kinds(sound, own, other, given, kinds):
    comparison = strangers.Comparison(Stand(sound, own, other, RAMP, **given), FORMATS)
    assert [one.kind for one in comparison.judge()] == kinds


@pytest.mark.parametrize("given, stated, kinds", [
    ({}, {"samples": 50}, []), ({}, {"samples": 49}, ["length"]), ({}, {"samples": 49, "tolerance": 1}, []),
    # In ticks of another clock.
    ({"priming": 4}, {"samples": 100, "start": 8, "rate": 16000}, []), ({}, {"samples": 90, "rate": 16000}, ["length"]),
    ({"codes": ["truncated"], "complaint": "CRC"}, {"samples": 99}, []),
    ({"priming": 9}, {"samples": 50, "start": 9}, []), ({"priming": 9}, {"samples": 50, "start": 5}, ["start"]),
    # Trimmed start-up samples that an edit list keeps, which is told.
    ({"priming": 9, "codes": ["start-up-uncertain"]}, {"samples": 59, "start": 0}, []),
    ({"priming": 9}, {"total": 59}, []), ({"priming": 9}, {"total": 60}, ["length"]),
    ({}, {"md5": bytes(16), "bits": 16, "form": "signed"}, ["checksum"]), ({}, {"md5": bytes(16), "bits": 32, "form": "signed"}, []),
    ({}, {"broken": "1 of 2 Ogg pages"}, ["checksum"]), ({"codes": ["truncated"]}, {"cut": "no end flag"}, []),
    ({"codes": ["truncated"]}, {"samples": 51}, []), ({"codes": ["truncated"]}, {"samples": 50}, ["accused"]),
])
def test_what_the_file_states_counts(sound, given, stated, kinds):
    comparison = strangers.Comparison(Stand(sound, RAMP[:50], RAMP[:50], None, **given), FORMATS)
    comparison.facts = statement.Facts(**stated)
    assert [one.kind for one in comparison.judge()] == kinds


def test_what_is_left_behind_is_found(tmp_path):
    (tmp_path / "media").mkdir()
    (tmp_path / "media/in.wav").write_bytes(b"")
    one = trial.Trial("pinna", str(tmp_path / "media/in.wav"), str(tmp_path / "scratch"), 60)
    for name in ("scratch/out/pinna.wav", "scratch/out/report.json", "scratch/other/ffmpeg.wav"):
        (tmp_path / name).write_bytes(b"x")
    assert one.left() == []
    for name in ("scratch/out/.part", "scratch/tmp/spool", "scratch/work/core", "scratch/home/cache", "media/in.wav.tmp"):
        (tmp_path / name).write_bytes(b"x")
    assert one.left() == ["home/cache", "out/.part", "tmp/spool", "work/core", "in.wav.tmp"]
    one.close()
    assert not (tmp_path / "scratch").exists()


def test_the_containers_that_are_read_come_from_the_reference():
    names = trial.formats(ROOT / "docs/reference/formats.md")
    assert {"mov", "ogg", "wav", "flac"} <= names and not {"tak", "voc", "rm"} & names


def test_a_difference_with_other_figures_was_not_judged():
    one, other = strangers.Difference("end", "5 of 9"), strangers.Difference("end", "6 of 9")
    table = {("ab", "end", "5 of 9"): {}, ("cd", "end", "5 of 9"): {}}
    assert judged.split("ab", [one, other], table) == ([one], [other])
    assert judged.gone("ab", [other], table) == [("ab", "end", "5 of 9")]
    assert judged.gone("ab", [one, other], table) == []
    table = {("ab", "end", "*"): {}}
    assert judged.split("ab", [one, other], table) == ([one, other], []) and judged.gone("ab", [one], table) == []
    assert judged.split("cd", [one], table) == ([], [one])


def test_the_table_has_a_reason_for_each_difference():
    with open(judged.TABLE, newline="", encoding="utf-8") as file:
        assert file.readline().strip().split(",") == judged.COLUMNS
        count = sum(1 for _ in file)
    rows = judged.read()
    assert len(rows) == count
    for row in rows.values():
        assert len(row["digest"]) == judged.DIGITS and int(row["digest"], 16)
        assert row["right"] in judged.RIGHT
        assert row["clause"] and row["kind"] and row["figure"] and None not in row.values()
    texts = collections.Counter(row["right"] for row in rows.values())
    assert set(texts) <= judged.RIGHT
