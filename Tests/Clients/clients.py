#!/usr/bin/env python3
"""Runs Pinna's MP4 and HLS output through the readers that people have, and prints what they make of it.

Usage: clients.py [--pinna PATH] [--media FOLDER] [--json FILE] [--only PART…] [--keep FOLDER]
Readers: ffmpeg, PyAV (FFmpeg's current libraries), GStreamer and Chromium without a window; what isn't
installed is skipped and said so (make setup-clients installs it). Needs ffmpeg with libx264 for the sources.

audio        N = 480123 samples with bursts and impulses, fragmented MP4 in each codec. Figures are the
             start offset by correlation / the decoded length − N, in samples.
films        white pictures and bursts of noise at the same time; A−V is the error of sound against
             pictures compared with the source, the worst of all beeps. Chromium plays in real time
             through an AudioContext that records, on the same clock as the pictures; its goal is half a
             picture, though what a quiet machine shows is exact to the sample.
             Seeking must show exactly the picture that is due, white ones and their neighbours.
chapters     a queue of four items in WAV, FLAC, MP4 and m4b: where its chapters begin and how long it is,
             in samples. What players count in milliseconds may be off by half of one, or by one.
hls          the playlists' EXTINF, and Chromium's own HLS player.
passthrough  E-AC-3 with objects, copied.
report       the pages of `pinna report`: layout, contrast, keyboard, paper; pictures go to out/.
audition     listening pages: look, names, keyboard, samples when switching, tournament and ABX with a
             simulated listener; pictures go to out/.

Exit 0 when every goal is met or missed by a fault that is known to be the reader's (FAULTS), with the
very figure known; 1 otherwise; 2 when nothing could be measured.
"""
import argparse
import importlib.util
import os
import pathlib
import shutil
import sys
import tempfile
import time

if importlib.util.find_spec("numpy") is None:
    print("clients: numpy is missing; make setup-clients", file=sys.stderr)
    sys.exit(2)

import auditions
import cases
import chapters
import films
import hls
import readers
import report_pages
import sources
from chromium import Chromium
from figures import Table

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ("audio", "films", "chapters", "hls", "passthrough", "report", "audition")

_RENDITION_START = ("the own HLS player lets every rendition begin at 0, with its start-up samples")
_OPEN_GOP = "seeking into an open GOP fails alike with the file that ffmpeg writes"
_SEEKING = "seeking fails, PIPELINE_ERROR_DECODE"
FAULTS = {
    ("Chromium src", "open GOP, 3 B-frames, flac, sought"): (_SEEKING, _OPEN_GOP),
    ("Chromium src", "open GOP, 3 B-frames, aac, sought"): (_SEEKING, _OPEN_GOP),
    ("Chromium HLS", "sound, aac, to the end"): (1024, _RENDITION_START),
    ("Chromium HLS", "aligned, aac, to the end"): (1024, _RENDITION_START),
    ("Chromium HLS", "sound 499.333 ms late, aac, to the end"): (1024, _RENDITION_START),
    ("Chromium HLS", "aligned, aac"): (21.33, _RENDITION_START),
    ("Chromium HLS", "sound 499.333 ms late, aac"): (21.33, _RENDITION_START),
}


def _installed(table):
    """The readers that are here, Chromium or None, and all versions."""
    versions, found = {}, []
    for reader in readers.readers():
        if reader.version:
            versions[reader.name] = reader.version
            found.append(reader)
        else:
            table.skip(reader.name, "not installed; make setup-clients")
    browser = Chromium()
    if browser.version:
        versions[browser.name] = browser.version
    else:
        table.skip(browser.name, "not installed; make setup-clients")
        browser = None
    return found, browser, versions


def _run(options, table, workshop, found, browser):
    def part(name):
        if name in options.only:
            print(f"clients: {name}", file=sys.stderr, flush=True)
        return name in options.only

    if part("audio"):
        cases.audio(table, workshop, found, browser)
    studio = sources.Studio(workshop.folder)
    if part("films"):
        made = films.render(workshop, studio.all())
        films.read(table, found, made)
        if browser:
            films.browse(table, workshop, browser, made)
    if part("chapters"):
        chapters.check(table, workshop, found, browser, readers.av)
    if part("hls"):
        wav = workshop.folder / "in.wav"
        sources.write_wav(wav, sources.bursts(sources.FRAMES, sources.BURSTS))
        hls.check(table, workshop, browser, wav, studio.short())
    if part("passthrough"):
        cases.passthrough(table, workshop, options.media / "sample_eac3joc.mp4", readers.av)
    if browser and part("report"):
        report_pages.check(table, workshop, browser.program, ROOT / "out")
    if browser and part("audition"):
        auditions.check(table, workshop, browser.program, ROOT / "out")


def _media():
    """Where the tests look for shared files too."""
    places = [pathlib.Path(os.environ["PINNA_MEDIA"])] if "PINNA_MEDIA" in os.environ else [
        ROOT.parent / "shared/media", ROOT.parent.parent / "shared/media"]
    return next((place for place in places if place.is_dir()), places[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--pinna", default=ROOT / ".build/release/pinna")
    parser.add_argument("--media", type=pathlib.Path, default=_media())
    parser.add_argument("--json")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--keep", type=pathlib.Path, help="leave the files in this folder")
    options = parser.parse_args()
    begin = time.monotonic()
    table = Table(FAULTS)
    found, browser, versions = _installed(table)
    if not shutil.which("ffmpeg") or not found:
        print("clients: ffmpeg and a reader are needed; make setup-clients", file=sys.stderr)
        return 2
    folder = options.keep or pathlib.Path(tempfile.mkdtemp(prefix="pinna-clients-"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        _run(options, table, cases.Workshop(options.pinna, folder.resolve()), found, browser)
    except RuntimeError as error:
        print(f"clients: {error}", file=sys.stderr)
        return 2
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    print(", ".join(f"{name} {version}" for name, version in versions.items()))
    table.print()
    missed = len(table.failed)
    print(f"{len(table.rows)} rows, {missed} missed, {time.monotonic() - begin:.0f} s")
    if options.json:
        table.write(options.json, versions)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
