# SPDX-License-Identifier: Apache-2.0
"""Films with flashes and beeps: sound against pictures in every reader."""
import pathlib
import statistics

import figures
import sources
from figures import signed
from sources import BURST, RATE

CODECS = {"flac": "flac", "aac": "mp4a.40.2"}  # RFC 6381 names
SYNC = 0.01  # ms by which sound and pictures may move against each other
OPUS_SYNC = 0.1  # ms in a browser that would play late Opus 6.5 ms early
TAIL = 40  # seconds at the end of a long film that are read
REACH = 3000  # samples
SPAN = 2.9  # seconds that are played in real time


def render(workshop, film, codec, form="fmp4"):
    """The path of the film as MP4, by default in fragments."""
    return workshop.render(film.path, f"{film.stem}-{codec}-{form}.mp4", "-f", form, "-c:a", codec)


def early(film):
    """Flashes of what is played."""
    return [flash for flash in film.flashes if flash * film.picture < SPAN - 0.3]


def _begin(film):
    return max(0, film.length // RATE - TAIL) if film.repeats > 1 else 0


def _text(milliseconds, digits):
    text = f"{milliseconds:+.{digits}f}".replace("-", "−")
    return text if float(f"{milliseconds:.{digits}f}") else text[1:]


def _lags(film, decoded, start):
    """Sound minus picture in seconds at each flash of a film whose first picture is shown at `start`;
    ValueError says what is wrong."""
    found = []
    for time in decoded.flashes:
        flash = round((time - start) / film.picture)
        if flash not in film.flashes:
            raise ValueError(f"picture {flash} is white")
        begin = max(0, decoded.frame(time + film.lag) - REACH)
        place = figures.find(decoded.sound[begin:begin + BURST + 2 * REACH, 0], film.beep(flash))
        if place is None:
            raise ValueError(f"no beep at picture {flash}")
        found.append(decoded.time(begin + place) - time)
    if not found:
        raise ValueError("no flashes")
    return found


def read(table, reader, film, path, case, start=0):
    """Sound against pictures by presentation times."""
    try:
        lags = _lags(film, reader.read(path, _begin(film)), start)
    except (ValueError, RuntimeError) as error:
        table.add(reader.name, case, str(error), "decodes", False)
        return
    worst = max((lag - film.lag for lag in lags), key=abs) * 1000
    count = sum(1 for flash in film.flashes if flash * film.picture >= _begin(film))
    table.add(reader.name, case, f"A−V {_text(worst, 4)} ms at {len(lags)} beeps",
              f"±{SYNC} ms at {count}", abs(worst) <= SYNC and len(lags) == count)


def played(film, result, flashes):
    """Sound minus picture in milliseconds, the worst of the flashes, from what a real-time playback
    recorded; ValueError says what is wrong."""
    if result.get("error"):
        raise ValueError(result["error"])
    clocks = result["clocks"]
    settled = [(audio, media) for audio, media in clocks if media > clocks[0][1] + 0.3]
    if not settled:
        raise ValueError("doesn't play")
    white = [time for time, light in result["seen"] if light > 128]
    late = [min((time - flash * film.picture for time in white), key=abs) for flash in flashes
            if white]
    if not late:
        raise ValueError("no white picture is shown")
    errors = []
    for flash in flashes:
        place = figures.find(result["sound"][:, 0], film.beep(flash))
        if place is None:
            raise ValueError(f"no beep at picture {flash}")
        audio = (result["first"] + place) / RATE
        near = sorted(settled, key=lambda clock: abs(clock[0] - audio))[:40]
        heard = audio + statistics.median(media - recorded for recorded, media in near)
        shown = flash * film.picture + statistics.median(late)
        errors.append((heard - shown - film.lag) * 1000)
    return max(errors, key=abs)


def add_played(table, client, case, film, result, flashes, within=None):
    """A row for a playback; it is to be exact to the frame, or `within` so many ms."""
    most = within or film.picture * 500
    goal = f"{f'±{within} ms' if within else '±½ picture'} at {len(flashes)}"
    try:
        worst = played(film, result, flashes)
    except ValueError as error:
        table.add(client, case, str(error), goal, False)
        return
    table.add(client, case, f"A−V {_text(worst, 2)} ms at {len(flashes)} beeps", goal,
              abs(worst) <= most, worst)


def _jobs(film, codec, path):
    """Chromium's jobs for one file."""
    data = pathlib.Path(path).read_bytes()
    place = data.find(b"avcC") + 5
    kind = f'video/mp4; codecs="avc1.{data[place:place + 3].hex()}, {CODECS[codec]}"'
    url = "/" + pathlib.Path(path).name
    is_long = film.repeats > 1
    flashes = film.flashes[-1:] if is_long else early(film)
    play = {"url": url, "seconds": SPAN + film.lag, "flashes": flashes}
    fragments = {"type": kind, "url": url}
    if is_long:
        play["from"] = flashes[0] * film.picture - 1
        fragments["last"] = TAIL // 2
    return [
        {"kind": "frames", "url": url, "flashes": flashes,
         "times": [(flash + place) * film.picture for flash in flashes for place in (-.5, .5, 1.5)]},
        {"kind": "play", **play},
        {"kind": "mse", **fragments},
        {"kind": "play", **play, **fragments},
    ]


def browse(table, workshop, chromium, film, codec, path, form=""):
    """A film in Chromium: as a plain source and by Media Source Extensions. `form` is said of files in one piece, which
    are a plain source only."""
    case = f"{film.name}, {codec}{form}"
    jobs = [job for job in _jobs(film, codec, path) if not form or "type" not in job]
    for job, result in zip(jobs, chromium.run(workshop.folder, jobs)):
        if job["kind"] == "frames":
            _add_frames(table, case, film, job, result)
        elif job["kind"] == "mse":
            _add_end(table, case, film, result)
        else:
            client = "Chromium " + ("MSE" if "type" in job else "src")
            add_played(table, client, case, film, result, job["flashes"])


def browse_opus(table, workshop, chromium, film, path=None, form=""):
    """A film with Opus as a plain source in Chromium: MP4 unless `path` names another file, of which `form` is said."""
    path = path or render(workshop, film, "opus")
    [result] = chromium.run(workshop.folder, [{"kind": "play", "url": "/" + pathlib.Path(path).name, "flashes": early(film),
                                               "seconds": SPAN + film.lag}])
    add_played(table, "Chromium src", f"{film.name}, opus{form}", film, result, early(film), OPUS_SYNC)


def control(table, workshop, chromium, film):
    """Seeks in a film which ffmpeg itself wrote, to tell the reader's faults from ours."""
    path = workshop.folder / f"{film.stem}-control.mp4"
    sources.ffmpeg("-i", film.path, "-c:v", "copy", "-c:a", "aac", path)
    job = _jobs(film, "aac", path)[0]
    [result] = chromium.run(workshop.folder, [job])
    _add_frames(table, f"{film.name}, written by ffmpeg", film, job, result, is_control=True)


def _add_frames(table, case, film, job, result, is_control=False):
    """Every flash is shown for exactly its one picture, at its time to the microsecond."""
    case = f"{case}, sought"
    count = len(job["times"])
    if result.get("error"):
        text = result["error"].split("::")[-1].split(":")[0]
        table.add("Chromium src", case, f"seeking fails, {text}",
                  *(() if is_control else ("seeks", False)))
        return
    right = 0
    for index, shown in enumerate(result["shown"]):
        picture = job["flashes"][index // 3] + index % 3 - 1
        right += bool(shown) and abs(shown[0] - picture * film.picture) < 2e-6 and (
            (shown[1] > 128) == (index % 3 == 1))
    table.add("Chromium src", case, f"{right} pictures right", f"{count}",
              None if is_control else right == count)


def _add_end(table, case, film, result):
    """Until the end is told, what both tracks have is buffered."""
    case = f"{case}, buffered end"
    if result.get("error") or len(result["buffered"]) != 1:
        table.add("Chromium MSE", case, result.get("error") or "not one range", "1 range", False)
        return
    end = min(film.pictures * film.picture, film.length / RATE + film.lag)
    error = round((result["buffered"][0][1] - end) * RATE)
    table.add("Chromium MSE", case, f"{signed(error)} samples", "±1", abs(error) <= 1)
