# SPDX-License-Identifier: Apache-2.0
"""Other tracks of transport streams and MP4 beside the rendered one: mkvmerge makes Matroska of the same files, and frames are compared.

Times count from the first picture, since each program has a zero of its own.
"""
import json

import pytest
import sources

LENGTH = 4
# Half a tick of mkvmerge's milliseconds each for picture and sound, with what lies between; of its laced AAC another one.
SLACK = 1.6


def displays():
    """A PGS stream in segments as a disc has them: a picture from 0.5 to 1.5 s."""
    def segment(ticks, kind, body=b""):
        return b"PG" + ticks.to_bytes(4, "big") + bytes(4) + bytes([kind]) + len(body).to_bytes(2, "big") + body

    def composition(number, state, objects):
        return bytes([0, 64, 0, 64, 0x10, 0, number, state, 0, 0, len(objects) // 8]) + objects
    window = bytes([1, 0, 0, 5, 0, 5, 0, 8, 0, 2])
    row = bytes([1] * 8 + [0, 0])
    shown = [(0x16, composition(0, 0x80, bytes([0, 0, 0, 0, 0, 5, 0, 5]))), (0x17, window), (0x14, bytes([0, 0, 1, 235, 128, 128, 255])),
             (0x15, bytes([0, 0, 0, 0xC0, 0, 0, 24, 0, 8, 0, 2]) + row + row), (0x80, b"")]
    cleared = [(0x16, composition(1, 0, b"")), (0x17, window), (0x80, b"")]
    return b"".join(segment(45000, *part) for part in shown) + b"".join(segment(135000, *part) for part in cleared)


def packets(path):
    """Time in ms after the first picture and digest of each packet, by the codecs of the streams in order; no picture's."""
    found = json.loads(sources.run("ffprobe", "-v", "error", "-show_streams", "-show_packets", "-show_data_hash", "md5", "-of", "json", path))
    streams = {stream["index"]: stream for stream in found["streams"]}
    pictures = {index for index, stream in streams.items() if stream["codec_type"] == "video"}
    start = min(float(packet["pts_time"]) for packet in found["packets"] if packet["stream_index"] in pictures)
    return [(stream["codec_name"], [(1000 * (float(packet["pts_time"]) - start), packet["data_hash"]) for packet in found["packets"]
                                    if packet["stream_index"] == index])
            for index, stream in streams.items() if index not in pictures]


@pytest.fixture(scope="module")
def films(workshop, installed):
    installed("mkvmerge")
    folder = workshop.folder / "carried"
    folder.mkdir(exist_ok=True)
    (folder / "displays.sup").write_bytes(displays())
    pictures = ["-f", "lavfi", "-i", f"testsrc2=s=64x64:r=25:d={LENGTH}"]
    sounds = [part for seed in (1, 2) for part in ("-f", "lavfi", "-i", f"anoisesrc=d={LENGTH}:c=pink:r=48000:a=0.1:seed={seed}")]
    coded = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "25", "-ac", "2", "-c:a:0", "aac", "-c:a:1", "ac3"]
    languages = ["-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=ger"]
    maps = ["-map", "0", "-map", "1", "-map", "2"]
    sources.ffmpeg(*pictures, *sounds, *maps, *coded, *languages, folder / "film.mp4")
    sources.ffmpeg("-i", folder / "film.mp4", "-map", "0", "-c", "copy", folder / "film.ts")
    # mkvmerge doesn't take the AAC that ffmpeg writes into M2TS.
    sources.ffmpeg("-i", folder / "film.mp4", "-i", folder / "displays.sup", "-map", "0:v", "-map", "0:a:1", "-map", "1", "-c", "copy",
                   "-mpegts_m2ts_mode", "1", folder / "film.m2ts")
    sources.ffmpeg("-i", folder / "film.mp4", "-fix_sub_duration", "-i", folder / "displays.sup", "-map", "0", "-map", "1", "-c", "copy",
                   "-c:s", "dvbsub", folder / "titles.ts")
    return folder


@pytest.mark.parametrize("name, codecs", [
    ("film.mp4", ["aac", "ac3"]), ("film.ts", ["aac", "ac3"]), ("film.m2ts", ["ac3", "hdmv_pgs_subtitle"]),
    ("titles.ts", ["aac", "ac3", "dvb_subtitle"])])
def test_frames_are_those_of_mkvmerge(table, workshop, films, tmp_path, name, codecs):
    output, other = tmp_path / "out.mkv", tmp_path / "other.mkv"
    sources.run(workshop.pinna, "render", films / name, "-o", output, "-q")
    sources.run("mkvmerge", "-q", "-o", other, films / name)
    identified = json.loads(sources.run("mkvmerge", "-J", output))
    words = identified["errors"] + identified["warnings"]
    table.add("mkvmerge", f"other tracks of {name}", "; ".join(words) or "clean", "clean", not words)
    # The rendered track is the first.
    copies, meant = packets(output)[1:], packets(other)
    assert [codec for codec, _ in copies] == codecs == [codec for codec, _ in meant]
    for (codec, found), (_, wanted) in zip(copies, meant):
        same = [digest for _, digest in found] == [digest for _, digest in wanted]
        table.add("mkvmerge", f"{codec} of {name}", f"{len(found)} frames, {'the same' if same else 'others'}", "the same bytes", same)
        error = max(abs(one - two) for (one, _), (two, _) in zip(found, wanted))
        table.add("mkvmerge", f"{codec} of {name}, times", f"{error:.2f} ms", f"≤ {SLACK} ms", error <= SLACK)


@pytest.mark.parametrize("words", [(), ("--start", "1.234", "--end", "3")], ids=["whole", "part"])
@pytest.mark.parametrize("name", ["film.mp4", "film.ts"])
def test_sound_keeps_its_place(table, workshop, films, tmp_path, name, words):
    """Frames of the source are found by their bytes, and one distance moves all of them."""
    output = tmp_path / "out.mkv"
    sources.run(workshop.pinna, "render", films / name, *words, "--keep-audio", "all", "-o", output, "-q")
    source = {digest: time for codec, found in packets(films / name) if codec == "ac3" for time, digest in found}
    copies = dict(packets(output)[1:])
    distances = [time - source[digest] for time, digest in copies["ac3"]]
    spread = max(distances) - min(distances)
    case = f"ac3 of {name}" + (", of a part" if words else "")
    table.add("ffprobe", f"{case}, steadiness", f"{1000 * spread:.1f} µs", "≤ 20 µs", spread <= 0.02)
    if not words:
        table.add("ffprobe", f"{case}, distance from the pictures", f"{distances[0] * 1000:.1f} µs", "0 ± 20 µs", abs(distances[0]) <= 0.02)
