# SPDX-License-Identifier: Apache-2.0
"""A film that mkvmerge made, with everything that a film owner's file has: all of it arrives beside the rendered tracks.

mkvextract takes tracks, times, chapters, tags and attached files out of source and output, and their bytes are compared.
"""
import json

import pytest
import sources

LENGTH = 4
RENDERED = ("eng", "ger")
CHAPTERS = """<?xml version="1.0"?>
<Chapters><EditionEntry><EditionUID>5</EditionUID>
<ChapterAtom><ChapterUID>11</ChapterUID><ChapterTimeStart>00:00:00.000000000</ChapterTimeStart>
<ChapterTimeEnd>00:00:02.000000000</ChapterTimeEnd>
<ChapterDisplay><ChapterString>Eins</ChapterString><ChapterLanguage>ger</ChapterLanguage></ChapterDisplay>
<ChapterDisplay><ChapterString>One</ChapterString><ChapterLanguage>eng</ChapterLanguage></ChapterDisplay>
<ChapterAtom><ChapterUID>12</ChapterUID><ChapterTimeStart>00:00:01.000000000</ChapterTimeStart>
<ChapterDisplay><ChapterString>inside</ChapterString><ChapterLanguage>eng</ChapterLanguage></ChapterDisplay></ChapterAtom>
</ChapterAtom>
<ChapterAtom><ChapterUID>13</ChapterUID><ChapterTimeStart>00:00:02.000000001</ChapterTimeStart><ChapterFlagHidden>1</ChapterFlagHidden>
<ChapterDisplay><ChapterString>hidden</ChapterString><ChapterLanguage>eng</ChapterLanguage></ChapterDisplay></ChapterAtom>
</EditionEntry></Chapters>
"""
TAGS = """<?xml version="1.0"?>
<Tags><Tag><Targets><TargetTypeValue>50</TargetTypeValue></Targets><Simple><Name>TITLE</Name><String>The Film</String></Simple></Tag>
<Tag><Targets><TargetTypeValue>70</TargetTypeValue></Targets><Simple><Name>TITLE</Name><String>The Series</String></Simple></Tag></Tags>
"""
STYLED = """[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, Alignment
Style: Default,My Font,20,&H00FFFFFF,2

[Events]
Format: Layer, Start, End, Style, Text
Dialogue: 0,0:00:00.50,0:00:01.75,Default,{\\b1}Grüße
Dialogue: 1,0:00:00.75,0:00:01.00,Default,overlap
"""
PLAIN = "1\n00:00:00,800 --> 00:00:01,500\n<i>你好</i>\n\n2\n00:00:02,000 --> 00:00:03,000\ntwo\n"


def segment(kind, ticks, body):
    return b"PG" + ticks.to_bytes(4, "big") + bytes(4) + bytes([kind]) + len(body).to_bytes(2, "big") + body


def bitmaps():
    """A PGS stream of one picture, from 0.5 to 1.5 s."""
    def composition(number, state, objects):
        return bytes([0, 64, 0, 64, 0x10, 0, number, state, 0, 0, len(objects) // 8]) + objects
    shown = bytes([0, 0, 0, 0x40, 0, 5, 0, 5])
    first = [(0x16, composition(0, 0x80, shown)), (0x17, bytes([1, 0, 0, 5, 0, 5, 0, 8, 0, 2])),
             (0x14, bytes([0, 0, 1, 235, 128, 128, 255])),
             (0x15, bytes([0, 0, 0, 0xC0, 0, 0, 24, 0, 8, 0, 2]) + bytes([1] * 8 + [0, 0] + [1] * 8 + [0, 0])), (0x80, b"")]
    last = [(0x16, composition(1, 0, b"")), (0x17, bytes([1, 0, 0, 5, 0, 5, 0, 8, 0, 2])), (0x80, b"")]
    return b"".join(segment(kind, 45000, body) for kind, body in first) + b"".join(
        segment(kind, 135000, body) for kind, body in last)


@pytest.fixture(scope="module")
def film(workshop, installed):
    for program in ("mkvmerge", "mkvextract"):
        installed(program)
    folder = workshop.folder / "originals"
    folder.mkdir(exist_ok=True)
    parts = {"chapters.xml": CHAPTERS, "tags.xml": TAGS, "styled.ass": STYLED, "plain.srt": PLAIN}
    for name, text in parts.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "bitmaps.sup").write_bytes(bitmaps())
    (folder / "My Font.ttf").write_bytes(bytes(range(256)) * 4)
    sources.ffmpeg("-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1", folder / "cover.jpg")
    sources.ffmpeg("-f", "lavfi", "-i", f"testsrc2=s=64x64:r=24000/1001:d={LENGTH}", "-c:v", "libx265", "-preset", "ultrafast",
                    "-x265-params", "log-level=none:bframes=3:hdr10=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:"
                    "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50):max-cll=1000,400",
                    "-pix_fmt", "yuv420p10le", folder / "picture.mp4")
    sounds = {"eng": ["-c:a", "ac3"], "ger": ["-c:a", "eac3"], "fre": ["-c:a", "aac"]}
    for place, (language, codec) in enumerate(sounds.items()):
        sources.ffmpeg("-f", "lavfi", "-i", f"anoisesrc=d={LENGTH}:c=pink:r=48000:a=0.1:seed={place}", *codec,
                        "-ac", "2", folder / f"{language}.mka")
    path = folder / "film.mkv"
    sources.run("mkvmerge", "-o", path, "--title", "The Title", "--chapters", folder / "chapters.xml", "--global-tags", folder / "tags.xml",
                "--attachment-mime-type", "font/ttf", "--attach-file", folder / "My Font.ttf", "--attachment-mime-type", "image/jpeg",
                "--attachment-name", "cover.jpg", "--attach-file", folder / "cover.jpg", folder / "picture.mp4", "--language", "0:en-GB",
                folder / "eng.mka", "--language", "0:de-AT", folder / "ger.mka", "--language", "0:fr", "--track-name", "0:Commentaire",
                "--commentary-flag", "0:1", folder / "fre.mka", "--language", "0:de", "--forced-display-flag", "0:1", folder / "bitmaps.sup",
                "--language", "0:de", folder / "styled.ass", "--language", "0:zh-Hant", folder / "plain.srt")
    return path


def identified(path):
    return json.loads(sources.run("mkvmerge", "-J", path))


def extracted(path, folder, tracks, attachments):
    """Bytes of everything that mkvextract takes out, by a name."""
    folder.mkdir()
    words = ["mkvextract", path, "tracks", *(f"{number}:{folder}/track{place}" for place, number in enumerate(tracks)),
             "timestamps_v2", *(f"{number}:{folder}/times{place}" for place, number in enumerate(tracks)),
             "attachments", *(f"{number}:{folder}/attachment{place}" for place, number in enumerate(attachments)),
             "chapters", folder / "chapters"]
    sources.run(*words)
    return {part.name: part.read_bytes() for part in sorted(folder.iterdir())}


def are_equal(part, first, second):
    """mkvmerge laces AAC: times inside a lace aren't stated, and the copy rounds them to its tick of a millisecond."""
    if not part.startswith("times"):
        return first == second
    pairs = [[float(line) for line in text.split()[4:]] for text in (first, second)]
    return len(pairs[0]) == len(pairs[1]) and all(abs(a - b) <= 0.51 for a, b in zip(*pairs))


@pytest.mark.parametrize("words", [("-a", "lang:en,de"), ("-c:a", "copy")], ids=["rendered", "copied"])
def test_everything_arrives(table, workshop, film, tmp_path, words):
    output, report = tmp_path / "out.mkv", tmp_path / "report.json"
    sources.run(workshop.pinna, "render", film, *words, "-o", output, "-q", "--report", report)
    before, after = identified(film), identified(output)
    count = len(RENDERED) if words[0] == "-a" else 0
    name = "everything of a film" + (" beside two rendered tracks" if count else ", copied")
    assert [track["properties"]["language"] for track in after["tracks"][:count]] == list(RENDERED[:count])
    for place, sound in enumerate(json.loads(report.read_text())["outputs"][:count]):
        level = sound["integrated"]
        table.add("pinna", f"level of rendered track {place}", f"{level:.2f} LUFS", "-16.00 ± 0.05", abs(level + 16) <= 0.05)
    attachments = [part["id"] for part in before["attachments"]]
    first = extracted(film, tmp_path / "a", [track["id"] for track in before["tracks"]], attachments)
    second = extracted(output, tmp_path / "b", [track["id"] + count for track in before["tracks"]], attachments)
    other = sorted(part for part in first if not are_equal(part, first[part], second.get(part, b"")))
    table.add("mkvextract", name, ", ".join(other) or "same bytes", "same bytes", not other)
    kept = ("codec_id", "language", "language_ietf", "track_name", "forced_track", "flag_commentary", "uid", "default_duration",
            "display_dimensions", "pixel_dimensions", "color_matrix_coefficients", "max_content_light", "max_luminance")
    def facts(track):
        return {key: track["properties"].get(key) for key in kept}
    same = [facts(track) for track in before["tracks"]] == [facts(track) for track in after["tracks"][count:]]
    words = after["errors"] + after["warnings"]
    table.add("mkvmerge", name, "; ".join(words) or ("clean, same facts" if same else "other facts"), "clean, same facts",
              same and not words)
