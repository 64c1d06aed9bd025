"""HTTP Live Streaming: playlists by their text, and Chromium's own player."""
import fractions
import re

import films
from figures import signed
from sources import RATE


def render(workshop, source, codec, name):
    """A folder of its own with the playlists."""
    folder = workshop.folder / f"hls-{name}-{codec}"
    folder.mkdir(exist_ok=True)
    workshop.render(source, f"{folder.name}/x.m3u8", "-f", "hls", "-c:a", codec, "--segment-duration",
                    "2s")
    return folder


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
