"""HTTP Live Streaming: playlists by their text, and Chromium's own player."""
import fractions
import re

import films
from cases import FRAMES, RATE
from figures import signed


def _rendered(workshop, source, codec, name):
    """A folder of its own for each playlist; the path of its media playlist of sound."""
    folder = f"{name}-{codec}"
    (workshop.folder / folder).mkdir(exist_ok=True)
    workshop.render(source, f"{folder}/x.m3u8", "-f", "hls", "-c:a", codec, "--segment-duration",
                    "2s")
    return folder


def _add_playlist(table, case, path, length):
    """The sum of EXTINF, which is written in microseconds."""
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


def check(table, workshop, chromium, wav, made):
    """`made` is films: the first is in sync, the second has late sound."""
    jobs = []
    for codec in films.CODECS:
        folder = _rendered(workshop, wav, codec, "hls-sound")
        _add_playlist(table, f"sound, {codec}", workshop.folder / folder / "x-audio.m3u8", FRAMES)
        jobs.append((None, f"sound, {codec}", {
            "kind": "hls", "url": f"/{folder}/x.m3u8", "speed": 3}, FRAMES))
        for film in made:
            case = f"{film.name}, {codec}"
            folder = _rendered(workshop, film.path, codec, f"hls-{film.stem}")
            _add_playlist(table, case, workshop.folder / folder / "x-audio.m3u8",
                          film.length + film.late)
            url = f"/{folder}/x.m3u8"
            flashes = [flash for flash in film.flashes if flash * film.picture < films.SPAN - 0.3]
            jobs.append((film, case, {"kind": "hls", "url": url, "speed": 2},
                         film.length + film.late))
            jobs.append((film, case, {"kind": "play", "url": url, "flashes": flashes,
                                      "seconds": films.SPAN + film.lag}, 0))
    if not chromium:
        return
    results = chromium.run(workshop.folder, [job for _, _, job, _ in jobs])
    for (film, case, job, length), result in zip(jobs, results):
        if job["kind"] == "hls":
            _add_run(table, f"{case}, to the end", result, length)
        else:
            films.add_played(table, "Chromium HLS", case, film, result, job["flashes"])
