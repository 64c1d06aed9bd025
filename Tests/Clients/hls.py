# SPDX-License-Identifier: Apache-2.0
"""HTTP Live Streaming: playlists by their text, and Chromium's own player."""
import fractions
import json
import re

import films
import sources
from figures import signed
from sources import RATE


def render(workshop, source, codec, name):
    """A folder of its own with the playlists."""
    folder = workshop.folder / f"hls-{name}-{codec}"
    folder.mkdir(exist_ok=True)
    workshop.render(source, f"{folder.name}/x.m3u8", "-f", "hls", "-c:a", codec, "--segment-duration",
                    "2s")
    return folder


def render_groups(workshop, film):
    """Two languages for headphones, as they are at twice the bit rate, and as the source has them, in one presentation."""
    source, folder = workshop.folder / f"groups-{film.stem}.mp4", workshop.folder / f"hls-groups-{film.stem}"
    sources.ffmpeg("-y", "-i", film.path, "-map", "0:v", "-map", "0:a", "-map", "0:a", "-c:v", "copy", "-c:a:0", "aac",
                   "-c:a:1", "ac3", "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu", source)
    folder.mkdir(exist_ok=True)
    workshop.render(source, f"{folder.name}/x.m3u8", "-a", "all", "--keep-audio", "all", "-b:a", "128k",
                    "--also", f"none,256k:{folder}/x.m3u8", "--segment-duration", "2s")
    return folder


def groups(table, case, folder, path):
    """Every group has the same members (RFC 8216, 4.3.4.1.1), and ffmpeg decodes both languages of each variant."""
    text = (folder / "x.m3u8").read_text(encoding="utf-8")
    members = {}
    for group, rest in re.findall(r'TYPE=AUDIO,GROUP-ID="([^"]+)",(.*)', text):
        members.setdefault(group, []).append(re.sub(r'CHANNELS="[^"]+",|URI="[^"]+"', "", rest))
    same = len(set(map(tuple, members.values()))) == 1
    table.add("playlist", f"{case}, members", f"{len(members)}, {'same' if same else 'other'} members", "3, same members",
              same and len(members) == 3)
    rates = [int(rate) for rate in re.findall(r":BANDWIDTH=([0-9]+)", text)]
    table.add("playlist", f"{case}, bit rates", " < ".join(map(str, rates)), "3, rising",
              len(rates) == 3 and rates[0] < rates[1])
    facts = sources.run("ffprobe", "-v", "error", "-show_programs", "-of", "json", folder / "x.m3u8")
    for program in json.loads(facts)["programs"]:
        sounds = [stream["index"] for stream in program["streams"] if stream["codec_type"] == "audio"]
        maps = [word for index in sounds for word in ("-map", f"0:{index}")]
        sources.ffmpeg("-i", folder / "x.m3u8", *maps, "-xerror", "-f", "null", "-")
        table.add("ffmpeg", f"{case}, variant {program['program_id']}", f"decodes {len(sounds)} tracks", "2", len(sounds) == 2)
    for number in (1, 2):
        sums = [sources.ffmpeg("-i", *where, "-c", "copy", "-f", "md5", "-") for where in (
            (folder / f"x-original-{number}.m3u8", "-map", "0:a"), (path, "-map", f"0:a:{number - 1}"))]
        table.add("ffmpeg", f"{case}, original {number}", "same frames" if sums[0] == sums[1] else "other frames",
                  "same frames", sums[0] == sums[1])


def read(table, case, path, length):
    """The sum of EXTINF in the media playlist of sound, which is written in microseconds."""
    text = path.read_text(encoding="utf-8")
    total = sum(map(fractions.Fraction, re.findall(r"#EXTINF:([0-9.]+),", text)))
    due = fractions.Fraction(length, RATE)
    table.add("playlist", case, f"sum of EXTINF {float(total):.6f} s", f"{length} / {RATE} s",
              abs(total - due) * 2_000_000 <= 1)


def _add_run(table, case, result, length):
    """Played to its end without an error, and how long the player takes it for."""
    failed = result.get("error") or result.get("unsupported")
    if failed or not result["ended"]:
        table.add("Chromium HLS", case, failed or f"stops at {result['end']} s", "ends", False)
        return
    error = round((result["duration"] - length / RATE) * RATE)
    met = abs(error) <= 1 and abs(result["end"] - result["duration"]) < 0.001
    table.add("Chromium HLS", case, f"ends, duration {signed(error)} samples", "ends, ±1", met, error)


def play(table, workshop, chromium, case, folder, film, length):
    """To the end, and a film against its pictures."""
    url = f"/{folder.name}/x.m3u8"
    jobs = [{"kind": "hls", "url": url, "speed": 2 if film else 3}]
    if film:
        jobs.append({"kind": "play", "url": url, "flashes": films.early(film), "seconds": films.SPAN + film.lag})
    ran, *played = chromium.run(workshop.folder, jobs)
    _add_run(table, f"{case}, to the end", ran, length)
    for result in played:
        films.add_played(table, "Chromium HLS", case, film, result, films.early(film))
