# SPDX-License-Identifier: Apache-2.0
"""Title, cover and chapters in programs that read tags."""
import json
import re
import subprocess

import pytest
import sources
from chapters import mediainfo_menus
from readers import TagLib
from sources import RATE

TITLE, COMMENT = "Ein Gespräch – 二", "two words"
# Starts of the chapters in samples; none is a whole millisecond but the first.
STARTS, NAMES = (0, 59_257, 262_219), ("Eins", "Zwei – 二", "Three")
LENGTH = 480_123
FRONT = 3  # the type of a cover on the front


def source(folder, path):
    """Music with tags, a cover and chapters in MP4."""
    text, cover, tagged = folder / "tags.txt", folder / "cover.png", folder / "tagged.mp4"
    ends = (*STARTS[1:], LENGTH)
    parts = [f"[CHAPTER]\nTIMEBASE=1/{RATE}\nSTART={begin}\nEND={end}\ntitle={name}\n"
             for begin, end, name in zip(STARTS, ends, NAMES)]
    text.write_text(f";FFMETADATA1\ntitle={TITLE}\nartist=Someone\ncomment={COMMENT}\n" + "".join(parts), encoding="utf-8")
    sources.ffmpeg("-f", "lavfi", "-i", "testsrc=s=64x64", "-frames:v", 1, cover)
    sources.ffmpeg("-i", path, "-i", cover, "-f", "ffmetadata", "-i", text, "-map", "0:a", "-map", "1:v", "-map_metadata", 2,
                   "-map_chapters", 2, "-c:a", "alac", "-c:v", "copy", "-disposition:v", "attached_pic", "-movie_timescale",
                   RATE, tagged)
    return tagged


def mutagen_mp3(path):
    """Title, kind of the cover, chapters in the order of CTOC in seconds, and other texts, from ID3."""
    id3 = pytest.importorskip("mutagen.id3").ID3(path)
    toc, = id3.getall("CTOC")
    parts = [id3[f"CHAP:{name}"] for name in toc.child_element_ids]
    chapters = [(part.start_time / 1000, str(part.sub_frames["TIT2"])) for part in parts]
    texts = {frame.desc.lower() for frame in id3.getall("TXXX")}
    comments = [text for frame in id3.getall("COMM") for text in frame.text]
    return {"title": str(id3["TIT2"]), "cover": [int(frame.type) for frame in id3.getall("APIC")], "chapters": chapters,
            "comment": comments, "gain": "replaygain_track_gain" in texts and "replaygain_track_peak" in texts}


def mutagen_mp4(path):
    tags = pytest.importorskip("mutagen.mp4").MP4(path)
    return {"title": tags["\xa9nam"][0], "cover": [FRONT for _ in tags.get("covr", ())],
            "chapters": [(chapter.start, chapter.title) for chapter in tags.chapters]}


def ffprobe(path):
    facts = json.loads(sources.run(
        "ffprobe", "-v", "error", "-show_chapters", "-show_format", "-show_streams", "-of", "json", path))
    pictures = [stream for stream in facts["streams"] if stream["disposition"]["attached_pic"]]
    # libavformat writes the name of ID3's type into `comment`.
    kinds = [stream.get("tags", {}).get("comment", "Cover (front)") for stream in pictures]
    return {"title": facts["format"]["tags"]["title"], "cover": [FRONT if kind == "Cover (front)" else kind for kind in kinds],
            "chapters": [(float(part["start_time"]), part["tags"]["title"]) for part in facts["chapters"]]}


def mediainfo(path):
    tracks = json.loads(sources.run("mediainfo", "--Output=JSON", path))["media"]["track"]
    general = next(track for track in tracks if track["@type"] == "General")
    menu = (mediainfo_menus(path) or [()])[0]
    kind = general.get("Cover_Type", "Cover (front)")
    return {"title": general["Title"], "chapters": [(float(time / RATE), title) for time, title in menu],
            "cover": [FRONT if kind == "Cover (front)" else kind] if general.get("Cover") == "Yes" else []}


def mpv(path):
    marks = "\n".join(["count ${=chapter-list/count}", "title ${metadata/by-key/title}", "cover ${=track-list/1/albumart}",
                       *(f"{index} ${{=chapter-list/{index}/time}} ${{chapter-list/{index}/title}}" for index in range(9))])
    told = subprocess.run(
        ["mpv", "--no-config", "--ao=null", "--vo=null", "--video=no", "--length=0.1", f"--term-playing-msg={marks}", path],
        capture_output=True, text=True).stdout
    count = int(re.search(r"^count (\d+)", told, re.MULTILINE)[1])
    chapters = re.findall(r"^\d (-?[0-9.]+) (.*)$", told, re.MULTILINE)[:count]
    return {"title": re.search(r"^title (.*)$", told, re.MULTILINE)[1],
            "cover": [FRONT] if re.search(r"^cover yes", told, re.MULTILINE) else [],
            "chapters": [(float(time), title) for time, title in chapters]}


def taglib(path):
    """Without pictures and chapters, which pytaglib doesn't tell."""
    return {"title": TagLib().facts(path)[1]["TITLE"][0]}


READERS = {"mutagen": {"mp3": mutagen_mp3, "m4b": mutagen_mp4}, "ffprobe": ffprobe, "mediainfo": mediainfo, "mpv": mpv,
           "TagLib": taglib}


def _error(found):
    """The largest error in milliseconds, or None with other titles or in another order."""
    if [title for _, title in found] != list(NAMES):
        return None
    return max(abs(time - start / RATE) for (time, _), start in zip(found, STARTS)) * 1000


def _add_chapters(table, client, case, found, is_control=False):
    """One row; a program that shows none has no goal."""
    if not found:
        table.add(client, case, "shows none")
        return
    worst = _error(found)
    figure = str(found) if worst is None else f"{len(NAMES)}, off by {worst:.3f} ms"
    goal = () if is_control else ("≤ 1 ms, same titles in order", worst is not None and worst <= 1)
    table.add(client, case, figure, *goal)


def control(table, client, folder, path):
    """Chapters of an MP3 which ffmpeg wrote, to tell the reader's faults from ours."""
    control = folder / "control.mp3"
    sources.ffmpeg("-i", path, "-map", "0:a", "-c:a", "libmp3lame", control)
    _add_chapters(table, client, "mp3, chapters, written by ffmpeg", READERS[client](control)["chapters"], is_control=True)


def read(table, client, form, path):
    """One row for each thing that a reader tells."""
    reader = READERS[client]
    facts = (reader[form] if isinstance(reader, dict) else reader)(path)
    table.add(client, f"{form}, title", facts["title"], TITLE, facts["title"] == TITLE)
    if "cover" in facts:
        table.add(client, f"{form}, types of covers", str(facts["cover"]), f"[{FRONT}]", facts["cover"] == [FRONT])
    if "chapters" in facts:
        _add_chapters(table, client, f"{form}, chapters", facts["chapters"])
    if "comment" in facts:
        table.add(client, f"{form}, comments", str(facts["comment"]), COMMENT, facts["comment"] == [COMMENT])
        table.add(client, f"{form}, ReplayGain", "gain and peak" if facts["gain"] else "none", "gain and peak", facts["gain"])
