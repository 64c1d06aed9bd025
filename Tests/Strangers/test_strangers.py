# SPDX-License-Identifier: Apache-2.0
"""Tries each file of a folder on Pinna, and compares with FFmpeg and with what the file says of itself.

A test fails where a difference isn't in judged.csv, which has the digest of the file, the difference, who is right and by which
clause. Files that hold no sound for either program pass."""
import os
import pathlib

import judged
import pytest
from conftest import ROOT, digest
from trial import Trial, formats
from strangers import Comparison

TABLE = judged.read()
FORMATS = formats(pathlib.Path(ROOT, "docs/reference/formats.md"))


def test_file(path, rows, scratch, pytestconfig):
    option = pytestconfig.getoption
    trial = Trial(os.path.abspath(option("pinna")), path, scratch + "/trial", option("seconds"))
    name = digest(path)[:judged.DIGITS]
    try:
        comparison = Comparison(trial, FORMATS)
        known, new = judged.split(name, comparison.judge(), TABLE)
        rows.append(row(name, path, option("media"), comparison, known, new))
    finally:
        trial.close()
    for key in judged.gone(name, known + new, TABLE):
        print(f"no longer there: {key[1]}: {key[2]}")
    if new:
        pytest.fail("\n".join([path, *(f"  {one.kind}: {one.figure}" for one in new)]), pytrace=False)


def row(name, path, folder, found, known, new):
    """What the table of all files says of one."""
    render, decode, timeline = found.render, found.decode, found.timeline
    priming = timeline.get("priming", {})
    outcome = "unjudged" if new else "judged" if known else found.note or ("equal" if render.code == 0 else "both refuse")
    return {
        "digest": name, "file": os.path.relpath(path, folder), "bytes": os.path.getsize(path), "container": found.form,
        "codec": found.codec, "exit": render.code, "outcome": outcome,
        "rate": render.sound and render.sound.rate, "channels": render.sound and render.sound.channels,
        "samples": render.sound and render.sound.frames, "ffmpeg_samples": decode.sound and decode.sound.frames,
        "priming": priming.get("samples"), "priming_source": priming.get("source"),
        "padding_source": timeline.get("paddingSource"), "stated": found.facts.samples, "stated_start": found.facts.start,
        "stated_by": found.facts.source, "cut": found.facts.cut,
        "gaps": len(timeline.get("gaps", [])), "degradations": " ".join(sorted(found.codes)),
        "messages": " | ".join(item["message"] for item in render.answer.get("degradations", [])),
        "differences": text(known + new), "unjudged": text(new), "note": found.note, "seconds": round(render.seconds, 2),
        "ffmpeg_seconds": round(decode.seconds, 2), "sentence": render.stderr.strip()[:400],
        "ffmpeg_says": decode.stderr.strip()[:400]}


def text(differences):
    return "; ".join(f"{one.kind}: {one.figure}" for one in differences)


def test_something_was_tried(rows):
    assert rows, "no file was tried; give DIR=FOLDER"
