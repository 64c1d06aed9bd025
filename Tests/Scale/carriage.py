# SPDX-License-Identifier: Apache-2.0
"""Many chapters and subtitles: all come back with their times, and four times as many cost no more than four times as much."""
import json
import os
import re
import subprocess

import measured

# Length of the sound in seconds; it is the same for all numbers of chapters and cues, so that only these differ.
SECONDS = 1000
CHAPTERS = (1000, 4000)
CUES = (10000, 40000)
# What the sound alone costs varies by this much, CPU seconds.
NOISE = 1.0


def clock(milliseconds, mark):
    """A time as subtitles write it."""
    seconds, rest = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{mark}{rest:03d}"


def make(folder):
    """The sources, by ffmpeg: chapters in MKV and MP4, cues in MKV, MP4 and beside the sound."""
    def ffmpeg(*arguments):
        subprocess.run(["ffmpeg", "-v", "error", "-y", *arguments], check=True)

    sound = os.path.join(folder, "sound.flac")
    ffmpeg("-f", "lavfi", "-i", f"sine=f=440:r=48000:d={SECONDS}", "-c:a", "flac", sound)
    for count in CHAPTERS:
        step = SECONDS * 1000 // count
        path = os.path.join(folder, f"chapters-{count}")
        with open(path + ".txt", "w") as file:
            file.write(";FFMETADATA1\n")
            for n in range(count):
                file.write(f"[CHAPTER]\nTIMEBASE=1/1000\nSTART={n * step}\nEND={(n + 1) * step}\ntitle=Chapter {n + 1}\n")
        carried = ["-i", sound, "-i", path + ".txt", "-map", "0:a", "-map_chapters", "1"]
        ffmpeg(*carried, "-c:a", "copy", path + ".mkv")
        ffmpeg(*carried, "-c:a", "alac", path + ".mp4")
    for count in CUES:
        step = SECONDS * 1000 // count
        path = os.path.join(folder, f"cues-{count}")
        with open(path + ".srt", "w") as file:
            for n in range(count):
                file.write(f"{n + 1}\n{clock(n * step, ',')} --> {clock(n * step + step // 2, ',')}\nCue {n + 1}\n\n")
        carried = ["-i", sound, "-i", path + ".srt", "-map", "0:a", "-map", "1:s"]
        ffmpeg(*carried, "-c:a", "copy", "-c:s", "srt", path + ".mkv")
        ffmpeg(*carried, "-c:a", "alac", "-c:s", "mov_text", path + ".mp4")
    return sound


def cases(table, pinna, folder):
    """Renders each source to MP4 and HLS."""
    sound = make(folder)
    alone = {kind: render(pinna, folder, [sound], kind).cpu for kind in ("mp4", "m3u8")}
    for kind in ("mp4", "m3u8"):
        for source in ("mkv", "mp4"):
            paths = [[os.path.join(folder, f"chapters-{count}.{source}")] for count in CHAPTERS]
            case(table, pinna, folder, f"chapters, {source} to {kind}", CHAPTERS, paths, kind, alone[kind], chapters)
        for source in ("mkv", "mp4", "srt"):
            paths = [[os.path.join(folder, f"cues-{count}.{source}")] for count in CUES]
            if source == "srt":
                paths = [[sound, "--subtitles", *path] for path in paths]
            case(table, pinna, folder, f"cues, {source} to {kind}", CUES, paths, kind, alone[kind], cues)


def render(pinna, folder, source, kind):
    """Renders; the sound is left as it is."""
    out = os.path.join(folder, "out." + kind)
    return measured.run(
        [pinna, "render", *source, "-o", out, "--endpoint", "none", "-y", "-q"], folder, "render")


def case(table, pinna, folder, name, counts, sources, kind, alone, times):
    """Adds the rows of one kind of source and output."""
    cost = []
    for count, source in zip(counts, sources):
        run = render(pinna, folder, source, kind)
        step = SECONDS / count
        found = times(os.path.join(folder, "out." + kind)) if run.code == 0 else []
        # Times of MP4 and WebVTT are at most a millisecond off.
        wrong = sum(abs(time - n * step) > 0.0011 for n, time in enumerate(found))
        table.add(
            f"{count:,} {name}", f"{len(found):,}, {wrong} at a wrong time" if run.code == 0 else measured.told(run),
            f"{count:,}", len(found) == count and wrong == 0)
        cost.append(run.cpu - alone)
    goal = 4 * max(cost[0], 0) + NOISE
    table.add(
        f"{name}: CPU of {counts[0]:,} and {counts[1]:,} beyond the sound's", f"{cost[0]:.1f} s, {cost[1]:.1f} s",
        f"{goal:.1f} s", cost[1] <= goal)


def probed(path, *arguments):
    """What ffprobe tells about a file."""
    done = subprocess.run(["ffprobe", "-v", "error", *arguments, "-of", "json", path], capture_output=True, check=True)
    return json.loads(done.stdout)


def chapters(path):
    """Starts of the chapters in seconds: those of MP4 by ffprobe, those of HLS from the file that the playlist names."""
    if path.endswith(".m3u8"):
        with open(path[:-5] + "-chapters.json") as file:
            return [chapter["start-time"] for chapter in json.load(file)]
    return [float(chapter["start_time"]) for chapter in probed(path, "-show_chapters")["chapters"]]


def cues(path):
    """Starts of the cues in seconds. Between two cues MP4 has an empty sample of two bytes."""
    if path.endswith(".m3u8"):
        with open(path[:-5] + "-subtitles-1.vtt") as file:
            starts = re.findall(r"^(?:(\d+):)?(\d+):(\d+\.\d+) -->", file.read(), re.MULTILINE)
        return [int(hours or 0) * 3600 + int(minutes) * 60 + float(seconds) for hours, minutes, seconds in starts]
    packets = probed(path, "-select_streams", "s", "-show_packets", "-show_entries", "packet=pts_time,size")["packets"]
    return [float(packet["pts_time"]) for packet in packets if int(packet["size"]) > 2]
