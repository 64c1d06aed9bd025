# SPDX-License-Identifier: Apache-2.0
import json
import re
import struct
import subprocess

import differences
import materials
import payloads
import pytest
import running
import same
import scrubbing
import sides
import tables


@pytest.mark.parametrize("one, other", [
    ('"wallSeconds" : 0.083,', '"wallSeconds" : 1.7e-05,'),
    ('{"pass":"render","speed":73.2,"total":48000}', '{"pass":"render","speed":181,"total":48000}'),
    ("speed     24× real time, 0.05 CPU s, 73 MiB", "speed     7.5× real time, 1.05 CPU s, 80 MiB"),
    ('<testcase classname="batch" name="film" time="0.132"/>', '<testcase classname="batch" name="film" time="12.132"/>'),
    ("film  ok  -15.6  -18.0  0.13  limited", "film  ok  -15.6  -18.0  12.07  limited"),
    ("batch: 4 of 4 done, 2 degraded (level 2) in 0.5 s", "batch: 4 of 4 done, 2 degraded (level 2) in 0.7 s"),
    ('"at" : "2026-11-28T08:00:00Z"', '"at" : "2026-11-29T09:10:11Z"'),
    ("/a/out/same/work/x: no such file", "/run: no such file"),
])
def test_what_a_run_may_change_is_removed(one, other):
    places = [("/a/out/same/work/x", "/run")]
    assert scrubbing.scrub(one, places) == scrubbing.scrub(other, places)


@pytest.mark.parametrize("one, other", [
    ('"gainDB" : -0.015', '"gainDB" : -0.016'),
    ('"intervalSeconds" : 0.1', '"intervalSeconds" : 0.2'),
    ("film  ok  -15.6  -18.0  0.13", "film  ok  -15.6  -18.1  0.13"),
    ("batch: 4 of 4 done in 0.5 s", "batch: 3 of 4 done in 0.5 s"),
    ('{"b" : 1}', '{ "b" : 1 }'),
    ("degraded  the limiter took off up to 1.46 dB", "degraded  the limiter took off up to 1.47 dB"),
])
def test_what_a_program_says_stays(one, other):
    assert scrubbing.scrub(one) != scrubbing.scrub(other)


def test_scrubbed_JSON_is_still_JSON():
    text = '{"performance" : {"cpuSeconds" : 0.049134699000000004, "wallSeconds" : 1e-3}, "at" : "2026-11-28T08:00:00.123Z"}'
    assert json.loads(scrubbing.scrub(text))["performance"] == {"cpuSeconds": 1, "wallSeconds": 1}


def riff(samples, tag=b""):
    body = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 16000, 2, 16)
    body += b"data" + struct.pack("<I", 2 * len(samples)) + struct.pack(f"<{len(samples)}h", *samples)
    body += b"id3 " + struct.pack("<I", len(tag)) + tag if tag else b""
    return b"RIFF" + struct.pack("<I", len(body)) + body


def flac(comment, frames=b"\xff\xf8frames"):
    return b"fLaC" + b"\x00\x00\x00\x02si" + b"\x84" + len(comment).to_bytes(3, "big") + comment + frames


def ogg(position, body):
    return b"OggS" + bytes(2) + struct.pack("<q", position) + bytes(12) + bytes([1, len(body)]) + body


def box(kind, body):
    return struct.pack(">I", 8 + len(body)) + kind + body


@pytest.mark.parametrize("name, one, other, sound", [
    ("a.wav", riff([1, 2]), riff([1, 2], b"tags"), riff([1, 3])),
    ("a.flac", flac(b"one"), flac(b"other"), flac(b"one", b"\xff\xf8others")),
    ("a.opus", ogg(0, b"head") + ogg(960, b"p"), ogg(0, b"tags") + ogg(960, b"p"), ogg(0, b"head") + ogg(960, b"q")),
    ("a.iamf", b"\xf8\x01a\x30\x02pp", b"\xf8\x01b\x30\x02pp", b"\xf8\x01a\x30\x02pq"),
    ("a.mp4", box(b"ftyp", b"iso6") + box(b"moov", box(b"udta", b"a")) + box(b"mdat", b"p"),
     box(b"ftyp", b"iso6") + box(b"moov", box(b"udta", b"b")) + box(b"mdat", b"p"),
     box(b"ftyp", b"iso6") + box(b"moov", box(b"udta", b"a")) + box(b"mdat", b"q")),
])
def test_media_data_are_told_from_what_surrounds_them(name, one, other, sound):
    assert payloads.digest(name, one) == payloads.digest(name, other) != payloads.digest(name, sound)


@pytest.mark.parametrize("cut", range(0, 60, 7))
def test_cut_files_have_a_digest_or_none(cut):
    for data in (riff([1, 2, 3], b"tags"), flac(b"comment"), ogg(960, b"body") * 2, box(b"ftyp", b"iso6") + box(b"moof", b"x" * 20)):
        payloads.digest("a.iamf", data[:cut])
        payloads.parts(data[:cut])


def test_other_files_hold_no_media_data():
    assert payloads.digest("a.png", b"\x89PNG\r\n") is None


@pytest.fixture
def places(tmp_path, monkeypatch):
    """A folder for both sides, two short cases, and a maker of programs that are scripts of the shell."""
    inputs = tmp_path / "out/inputs"
    inputs.mkdir(parents=True)
    (inputs / "a.wav").write_bytes(riff([5, 6]))
    monkeypatch.setattr(sides, "OUT", tmp_path / "out")
    monkeypatch.setattr(materials, "make", lambda folder: "inputs")
    rows = [running.Case("made", "copy", "copy in/a.wav out.wav"), running.Case("wrong", "nothing", "nothing", running.NOT_ZERO),
            running.Case("made", "absent", "copy in/shared-absent.wav out.wav")]
    monkeypatch.setattr(tables, "every", lambda: rows)

    def program(name, copy, nothing="exit 2"):
        path = tmp_path / name
        path.write_text(f'#!/bin/sh\ncase $1 in\ncopy) {copy};;\n*) echo "pinna: nothing" >&2; {nothing};;\nesac\n')
        path.chmod(0o755)
        return str(path)
    return program


def compare(monkeypatch, *words):
    monkeypatch.setattr("sys.argv", ["same.py", *words])
    return same.main()


COPY = 'cp "$2" "$3"'


@pytest.mark.parametrize("copy, nothing, kinds", [
    (COPY + "; true", "exit 2", {}),
    ("printf tail | cat $2 - > $3", "exit 2", {"container": 1}),
    ("sed s/^R/X/ $2 > $3", "exit 2", {"bytes": 1}),
    (COPY + "; echo more", "exit 2", {"text": 1}),
    (COPY + "; cp $2 b.wav", "exit 2", {"missing": 1}),
    (COPY, "exit 3", {"text": 1, "exit code": 1}),
])
def test_each_kind_of_difference_is_named(places, monkeypatch, capsys, copy, nothing, kinds):
    old, new = places("old", COPY), places("new", copy, nothing)
    assert compare(monkeypatch, new, "--base-program", old) == (1 if kinds else 0)
    printed = capsys.readouterr().out
    assert "skipped made: absent: shared-absent.wav" in printed
    found = re.findall(r"^(samples|streams|container|bytes|text|missing|exit code): ", printed, re.M)
    assert {kind: found.count(kind) for kind in found} == kinds


def test_other_samples_are_reported_with_their_figures(places, monkeypatch, capsys, tmp_path):
    (tmp_path / "other.wav").write_bytes(riff([5, 16390]))
    old, new = places("old", COPY), places("new", f"cp {tmp_path}/other.wav $3")
    assert compare(monkeypatch, new, "--base-program", old) == 1
    # 16384 of 32768 are -6.0 dBFS.
    assert "samples: made: copy [out.wav]\n    from value 1 on, at most -6.0 dBFS apart" in capsys.readouterr().out


def test_digests_of_the_base_are_kept_until_the_rules_change(places, monkeypatch, capsys):
    old, new = places("old", COPY), places("new", COPY + "; true")
    assert compare(monkeypatch, new, "--base-program", old) == 0
    assert "an earlier run" not in capsys.readouterr().out
    assert compare(monkeypatch, new, "--base-program", old) == 0
    assert "an earlier run" in capsys.readouterr().out
    monkeypatch.setattr(materials, "make", lambda folder: "others")
    assert compare(monkeypatch, new, "--base-program", old) == 0
    assert "an earlier run" not in capsys.readouterr().out


def test_a_part_of_the_cases_leaves_the_digests_of_the_base(places, monkeypatch, capsys):
    old, new = places("old", COPY), places("new", "echo more; " + COPY)
    assert compare(monkeypatch, new, "--base-program", old) == 1
    assert compare(monkeypatch, new, "--base-program", old, "--only", "wrong: ") == 0
    assert "1 cases of" in capsys.readouterr().out
    assert compare(monkeypatch, new, "--base-program", old) == 1
    assert "an earlier run" in capsys.readouterr().out


def test_two_runs_at_once_are_refused(places, monkeypatch, capsys):
    with sides.alone():
        assert compare(monkeypatch, places("new", COPY), "--base-program", places("old", COPY)) == 2
    assert "another run" in capsys.readouterr().err


def test_a_program_that_is_replaced_meanwhile_is_an_error(places, monkeypatch, capsys):
    # A script that the kernel is about to run can't be written for a moment.
    replaced = '; until echo "#" >> "$0"; do sleep 0.01; done 2>/dev/null'
    old, new = places("old", COPY), places("new", COPY + replaced)
    assert compare(monkeypatch, new, "--base-program", old) == 2
    assert "was replaced" in capsys.readouterr().err


def test_a_report_that_was_not_written_is_not_scrubbed(places, monkeypatch):
    monkeypatch.setattr(tables, "every", lambda: [running.Case("made", "report", "copy in/a.wav out.wav && scrub r.json")])
    assert compare(monkeypatch, places("new", COPY), "--base-program", places("old", COPY)) == 0


def test_a_program_that_hangs_is_a_difference(places, monkeypatch, capsys):
    monkeypatch.setattr(running, "PATIENCE", 0.5)
    assert compare(monkeypatch, places("new", "exec sleep 60"), "--base-program", places("old", COPY)) == 1
    assert "exit code: made: copy\n    0 → 124" in capsys.readouterr().out


@pytest.mark.parametrize("words", [[], ["--base", "a", "--base-program", "b"], ["--base", "no-such-commit"],
                                   ["--base-program", "/no/such/program"], ["--base", "HEAD", "-j", "0"]])
def test_misuse_has_an_exit_code_of_its_own(places, monkeypatch, words):
    with pytest.raises(SystemExit) as ended:
        compare(monkeypatch, places("new", COPY), *words)
    assert ended.value.code == 2


def test_the_base_is_built_once_in_a_worktree(tmp_path, monkeypatch):
    def git(*words):
        return subprocess.run(["git", "-C", str(tmp_path / "repository"), "-c", "user.name=a", "-c", "user.email=a@b", *words],
                              check=True, capture_output=True, text=True).stdout.strip()
    (tmp_path / "repository").mkdir()
    git("init", "-q")
    (tmp_path / "repository/.gitignore").write_text("out\n.build\nbuilds\n")
    (tmp_path / "repository/Makefile").write_text("build:\n\techo built >> builds\n\tmkdir -p .build/release && cp Makefile .build/release/pinna\n")
    git("add", ".")
    git("commit", "-qm", "a")
    monkeypatch.setattr(sides, "ROOT", tmp_path / "repository")
    monkeypatch.setattr(sides, "OUT", tmp_path / "repository/out/same")
    commit = git("rev-parse", "HEAD")
    for _ in range(2):
        assert sides.build(commit) == tmp_path / f"repository/out/same/worktree-{commit}/.build/release/pinna"
    assert (tmp_path / f"repository/out/same/worktree-{commit}/builds").read_text() == "built\n"
    assert git("status", "--porcelain") == ""


def test_the_tables_hold_what_they_promise():
    rows = tables.every()
    count = {group: sum(case.group == group for case in rows) for group in {case.group for case in rows}}
    assert count["wrong"] >= 120 and count["plans"] >= 30 and count["schemas"] >= 25 and count["help"] >= 40
    outputs = ("containers", "endpoints", "objects", "queues", "taps", "levels", "ranges", "carried")
    assert sum(count[group] for group in outputs) >= 60
    assert len({case.folder for case in rows}) == len(rows)


def test_inputs_of_the_tables_are_made():
    golden = (materials.ROOT / "Golden/Media/make-inputs.py").read_text() + '"mono.wav" "stereo.wav" "surround.wav" "seven.wav"'
    texts = {path.name for path in (materials.HERE / "Material").iterdir()}
    own = texts | set(materials.ENCODED) | set(materials.SHARED) | {"response.wav", "damaged.mp3", "channel-walk.mkv", "new.yaml", "chain"}
    for case in tables.every():
        for name in re.findall(r"\bin/([\w-]+(?:\.[\w-]+)*)", case.steps):
            assert name in own or f'"{name}"' in golden or "absent" in name, case.title


def test_long_lines_are_shown_where_they_differ(tmp_path):
    for name, word in (("old", "one"), ("new", "two")):
        (tmp_path / name).write_text("<p>" + "x" * 3000 + word + "y" * 3000 + "\n")
    detail = differences.text_detail(tmp_path / "old", tmp_path / "new")
    assert "xone" in detail and "xtwo" in detail and all(len(row) < 250 for row in detail.splitlines())
