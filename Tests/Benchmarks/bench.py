#!/usr/bin/env python3
"""Compares the CPU time and memory of pinna with ffmpeg on the same jobs.

Usage: bench.py [--quick] [--json FILE] [--pinna PATH] [--ffmpeg PATH]
Needs Python 3 only, a release build (swift build -c release), ffmpeg with libmysofa and its
default.sofa. Exit 0 also when a goal is missed; anything else means that a command failed.

CPU is user + system time of the process and peak RSS its ru_maxrss, both from wait4(2). Ours and
the peers' runs are interleaved, each is done three times (3-hour input: twice), the best counts.
ffmpeg runs with -threads 1 -filter_threads 1, its cheapest way. CPU is given for 10 minutes of
audio whatever the length. The audio is synthesised: modulated chords, syllables and percussion.

In the commands IN is the input, OUT a 24-bit WAV, S the filter
    sofalizer=sofa=/usr/share/libmysofa/default.sofa:type=freq
at its default framesize or with framesize=4096, whichever is faster in a probing run, and
    ffmpeg FILTER   stands for
    ffmpeg -nostdin -nostats -hide_banner -y -threads 1 -filter_threads 1 -i IN -af FILTER
Case binaural: E-AC-3 5.1 in Matroska to headphones at -16 LKFS
    ours     pinna render IN -o OUT -y --quiet
    chain A  ffmpeg S,loudnorm=I=-16:TP=-1:print_format=json -f null -
             ffmpeg S,loudnorm=I=-16:TP=-1:linear=true:measured_I=..:measured_TP=..:measured_LRA=..
                    :measured_thresh=..:offset=.. -ar 48000 -c:a pcm_s24le OUT
    chain B  ffmpeg S,ebur128=peak=true -f null -
             ffmpeg S,volume=..dB,alimiter=limit=0.891251:level=false -c:a pcm_s24le OUT
Case stereo: 24-bit WAV to 24-bit WAV at -16 LKFS
    ours     pinna render IN -o OUT -y --quiet --endpoint none
    peers    chains A and B without S
Case measure: stereo WAV, 5.1 WAV and E-AC-3 5.1
    ours     pinna measure IN --json
    peer     ffmpeg ebur128=peak=true -f null -
Case 3 hours: the binaural case on 18 times the stream (concat demuxer, -c copy), ours only.
"""
import argparse
import dataclasses
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOFA = "/usr/share/libmysofa/default.sofa"
TARGET = -16.0
CLIP_SECONDS = 60  # one period of the synthesised audio, looped
LONG_FACTOR = 18
RENDER_GOAL = 5.0  # at least so many times less CPU than the fastest peer
MEASURE_GOAL = 5.0
AAC_GOAL = 1.1  # at most so many times the CPU of encoder and WAV path together
STAGE_GOALS = {"5.1": 6.0, "7.1": 10.0}
START_UP_GOAL = 0.06  # CPU seconds until a binaural stage is ready
RSS_GOAL = 96.0  # MiB
RSS_NOISE = 4.0  # MiB
SCALING_GOAL = 1.05


@dataclasses.dataclass
class Use:
    """What one or more processes used."""
    cpu: float = 0.0  # seconds, user + system
    rss: float = 0.0  # MiB, peak
    user: float = 0.0  # seconds, user alone

    def then(self, other):
        """Two processes one after the other."""
        return Use(self.cpu + other.cpu, max(self.rss, other.rss), self.user + other.user)

    def best(self, other):
        """The lower figure of two runs, each for itself."""
        return Use(min(self.cpu, other.cpu), min(self.rss, other.rss),
                   min(self.user, other.user))


@dataclasses.dataclass
class Row:
    """One line of the table; CPU in seconds per 10 minutes of audio, RSS in MiB."""
    case: str
    ours: float
    peer: float
    ratio: float
    goal: str
    rss: float
    met: bool


def run(command):
    """Runs a command to its end and returns what it used and what it printed on stderr."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        text = errors.read().decode(errors="replace")
    if process.returncode != 0:
        sys.exit(f"exit {process.returncode}: {' '.join(command)}\n{text[-2000:]}")
    return Use(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, usage.ru_utime), text


class Peer:
    """ffmpeg command lines."""

    def __init__(self, ffmpeg, folder):
        self.base = [ffmpeg, "-nostdin", "-nostats", "-hide_banner", "-y", "-threads", "1",
                     "-filter_threads", "1"]
        self.out = os.path.join(folder, "peer.wav")

    def filtered(self, source, filters, *output):
        """Runs one filter chain; without output options the result is thrown away."""
        return run([*self.base, "-i", source, "-af", ",".join(filters),
                    *(output or ("-f", "null", "-"))])

    def loudnorm(self, source, spatial):
        """Chain A: loudnorm in two passes."""
        target = f"loudnorm=I={TARGET}:TP=-1"
        first, text = self.filtered(source, [*spatial, target + ":print_format=json"])
        found = json.loads(text[text.rindex("{"):text.rindex("}") + 1])
        second, _ = self.filtered(source, [
            *spatial,
            f"{target}:linear=true:measured_I={found['input_i']}:measured_TP={found['input_tp']}"
            f":measured_LRA={found['input_lra']}:measured_thresh={found['input_thresh']}"
            f":offset={found['target_offset']}",
        ], "-ar", "48000", "-c:a", "pcm_s24le", self.out)
        return first.then(second)

    def limiter(self, source, spatial):
        """Chain B: ebur128, then volume and alimiter."""
        first, text = self.filtered(source, [*spatial, "ebur128=peak=true"])
        second, _ = self.filtered(source, [
            *spatial, f"volume={TARGET - integrated(text):.1f}dB",
            "alimiter=limit=0.891251:level=false",
        ], "-c:a", "pcm_s24le", self.out)
        return first.then(second)

    def measure(self, source):
        """Measures with ebur128."""
        return self.filtered(source, ["ebur128=peak=true"])[0]

    def sofalizer(self, source):
        """The faster sofalizer setting for this source, and its framesize's name."""
        base = f"sofalizer=sofa={SOFA}:type=freq"
        choices = [(base, "default"), (base + ":framesize=4096", "4096")]
        return min(choices, key=lambda choice: self.filtered(source, [choice[0]])[0].cpu)


class Ours:
    """pinna command lines."""

    def __init__(self, pinna, folder):
        self.pinna = pinna
        self.out = os.path.join(folder, "ours.wav")

    def render(self, source, *options):
        return run([self.pinna, "render", source, "-o", self.out, "-y", "--quiet", *options])[0]

    def measure(self, source):
        return run([self.pinna, "measure", source, "--json"])[0]


def integrated(text):
    """The integrated loudness of ebur128's summary, LUFS."""
    return float(re.findall(r"I:\s+(-?[\d.]+) LUFS", text)[-1])


def interleaved(rounds, *jobs):
    """Runs all jobs once per round; returns the best use of each."""
    best = [None] * len(jobs)
    for _ in range(rounds):
        for index, job in enumerate(jobs):
            use = job()
            best[index] = use if best[index] is None else best[index].best(use)
    return best


def channel(index):
    """An aevalsrc expression for one channel: chords, syllables, percussion; period 60 s."""
    pitch = 110 + 5 * index
    chord = "+".join(f"sin({note}*2*PI*t)" for note in (pitch * 2, pitch * 3, pitch * 5 // 2))
    swell = f"(0.5+0.45*sin(2*PI*(t/12+{index}/6)))"
    voice = "+".join(f"sin({pitch * k}*2*PI*t)/{k}" for k in (1, 2, 3, 5, 8))
    syllable = f"pow(max(0,sin(2*PI*(1.9*t+{index}/6))),2)*gt(mod(t+{3 * index},10),3)"
    beat = f"mod(t+{index}*0.125,0.75)"
    drum = f"exp(-35*{beat})*(sin(2*PI*85*{beat})+0.6*(random({index})*2-1))"
    accent = f"(0.08+0.2*lt(mod(t+{4 * index},30),0.75))"
    return f"0.045*{swell}*({chord})+0.11*{syllable}*({voice})+{accent}*{drum}"


def synthesise(peer, folder, channels, layout, gain):
    """One period of programme-like audio at about -24 LUFS as 24-bit WAV."""
    path = os.path.join(folder, f"clip{channels}.wav")
    low = "0.12*exp(-6*mod(t,1.5))*sin(2*PI*50*mod(t,1.5))"
    parts = [low if channels == 6 and index == 3 else channel(index)
             for index in range(channels)]
    expression = "|".join(part.replace(",", "\\,") for part in parts)
    source = f"aevalsrc={expression}:c={layout}:s=48000:d={CLIP_SECONDS}"
    run([*peer.base, "-f", "lavfi", "-i", source, "-af", f"volume={gain}dB",
         "-c:a", "pcm_s24le", "-bitexact", path])
    return path


def looped(peer, clip, seconds, path, *codec):
    """Repeats a clip to a length."""
    run([*peer.base, "-stream_loop", str(seconds // CLIP_SECONDS - 1), "-i", clip,
         "-bitexact", *codec, path])
    return path


def make_inputs(peer, folder, seconds):
    """Stereo WAV, 5.1 WAV and E-AC-3 5.1 in Matroska."""
    stereo = synthesise(peer, folder, 2, "stereo", 0.0)
    surround = synthesise(peer, folder, 6, "5.1(side)", -7.0)
    paths = {
        "stereo": looped(peer, stereo, seconds, f"{folder}/stereo.wav", "-c:a", "pcm_s24le"),
        "surround": looped(peer, surround, seconds, f"{folder}/surround.wav",
                           "-c:a", "pcm_s24le"),
        "eac3": looped(peer, surround, seconds, f"{folder}/surround.mkv", "-c:a", "eac3",
                       "-b:a", "384k", "-dialnorm", "-24"),
    }
    for name, clip in (("stereo", stereo), ("5.1", surround)):
        _, text = peer.filtered(clip, ["ebur128=peak=true"])
        peak = re.findall(r"Peak:\s+(-?[\d.]+) dBFS", text)[-1]
        note(f"{name} input: {integrated(text)} LUFS, true peak {peak} dBTP, {seconds} s")
    return paths


def note(text):
    """A line about the run, on stderr."""
    print(text, file=sys.stderr, flush=True)


def against(case, scale, goal, ours, *peers):
    """A row for each peer; the goal is judged against the fastest."""
    fastest = min(peer.cpu for _, peer in peers)
    rows = []
    for name, peer in peers:
        ratio = peer.cpu / ours.cpu
        judged = f">= {goal:.0f}x" if peer.cpu == fastest else "(slower peer)"
        rows.append(Row(f"{case} / {name}", ours.cpu * scale, peer.cpu * scale, ratio, judged,
                        ours.rss, ratio >= goal))
    return rows


def bench_binaural(ours, peer, source, scale):
    """E-AC-3 5.1 to headphones; returns the rows and our use."""
    spatial, size = peer.sofalizer(source)
    note(f"sofalizer framesize: {size}")
    mine, loudnorm, limiter = interleaved(
        3, lambda: ours.render(source), lambda: peer.loudnorm(source, [spatial]),
        lambda: peer.limiter(source, [spatial]))
    rows = against("E-AC-3 5.1 to binaural", scale, RENDER_GOAL, mine,
                   ("sofalizer, loudnorm x2", loudnorm),
                   ("sofalizer, ebur128, alimiter", limiter))
    return rows, mine


def bench_stage(bench, peer, folder, surround, scale):
    """The binaural stage alone against sofalizer alone: its run less one without a filter."""
    seven = os.path.join(folder, "seven.wav")
    pan = "pan=7.1|FL=FL|FR=FR|FC=FC|LFE=LFE|BL=SL|BR=SR|SL=0.5*FL|SR=0.5*FR"
    run([*peer.base, "-i", surround, "-af", pan, "-c:a", "pcm_s24le", seven])
    costs = dict(line.split() for line in subprocess.check_output([bench], text=True).splitlines())
    rows = []
    for name, source in (("5.1", surround), ("7.1", seven)):
        filters = f"sofalizer=sofa={SOFA}:type=freq:framesize=4096"
        dry, wet = interleaved(3, lambda: peer.filtered(source, ["anull"])[0],
                               lambda: peer.filtered(source, [filters])[0])
        mine, theirs = float(costs[name]), (wet.cpu - dry.cpu) * scale
        goal = STAGE_GOALS[name]
        rows.append(Row(f"binaural stage alone, {name} / sofalizer", mine, theirs, theirs / mine,
                        f">= {goal:.0f}x", 0.0, theirs / mine >= goal))
    os.unlink(seven)
    ready = float(costs["start-up"])
    rows.append(Row("binaural stage ready, 5.1 (one start, no audio)", ready, START_UP_GOAL,
                    START_UP_GOAL / ready, ">= 1x", 0.0, ready <= START_UP_GOAL))
    return rows


def bench_stereo(ours, peer, source, scale):
    """Stereo WAV to WAV, loudness only."""
    mine, loudnorm, limiter = interleaved(
        3, lambda: ours.render(source, "--endpoint", "none"),
        lambda: peer.loudnorm(source, []), lambda: peer.limiter(source, []))
    return against("stereo WAV to -16", scale, RENDER_GOAL, mine, ("loudnorm x2", loudnorm),
                   ("ebur128, volume, alimiter", limiter))


def bench_aac(ours, peer, source, scale):
    """Stereo WAV to AAC in MP4, against ffmpeg's encoding alone and our own way to WAV."""
    plain = ("-map", "0:a", "-f", "null", "-")
    mine, wave, encoding, reading = interleaved(
        3, lambda: ours.render(source, "--endpoint", "none", "-f", "fmp4", "-c:a", "aac"),
        lambda: ours.render(source, "--endpoint", "none"),
        lambda: run([*peer.base, "-i", source, "-c:a", "aac", *plain])[0],
        lambda: run([*peer.base, "-i", source, *plain])[0])
    parts = encoding.cpu - reading.cpu + wave.cpu
    ratio = mine.cpu / parts
    return [Row("stereo WAV to AAC in MP4 / encoder and WAV path", mine.cpu * scale, parts * scale,
                ratio, f"<= {AAC_GOAL}x its cost", mine.rss, ratio <= AAC_GOAL)]


def bench_measure(ours, peer, paths, scale):
    """Measuring alone."""
    rows = []
    for key, name in (("stereo", "stereo WAV"), ("surround", "5.1 WAV"), ("eac3", "E-AC-3 5.1")):
        mine, theirs = interleaved(
            3, lambda: ours.measure(paths[key]), lambda: peer.measure(paths[key]))
        rows += against(f"measure {name}", scale, MEASURE_GOAL, mine, ("ebur128", theirs))
    return rows


def bench_long(ours, peer, folder, source, short):
    """Three hours: memory stays flat, cost per sample stays the same."""
    listing = os.path.join(folder, "long.txt")
    with open(listing, "w", encoding="utf-8") as file:
        file.write(f"file '{source}'\n" * LONG_FACTOR)
    path = os.path.join(folder, "long.mkv")
    run([*peer.base, "-f", "concat", "-safe", "0", "-i", listing, "-c", "copy", path])
    long, again = interleaved(2, lambda: ours.render(path), lambda: ours.render(source))
    short = short.best(again)
    cost = long.cpu / LONG_FACTOR
    growth = long.rss - short.rss
    ratio = cost / short.cpu
    # Kernel time per byte grows once gigabytes of page cache are new; user time shows our own cost.
    user = long.user / LONG_FACTOR
    return [
        Row("3 h against 10 min: CPU", cost, short.cpu, ratio, f"<= {SCALING_GOAL}x", long.rss,
            ratio <= SCALING_GOAL),
        Row("3 h against 10 min: user time alone", user, short.user, user / short.user,
            f"<= {SCALING_GOAL}x", long.rss, user / short.user <= SCALING_GOAL),
        Row("3 h: peak RSS", cost, short.cpu, ratio, f"<= {RSS_GOAL:.0f} MiB", long.rss,
            long.rss <= RSS_GOAL),
        Row(f"3 h: RSS growth {growth:+.1f} MiB", cost, short.cpu, ratio,
            f"<= {RSS_NOISE:.0f} MiB", long.rss, growth <= RSS_NOISE),
    ]


def table(rows):
    """The rows as aligned text."""
    lines = [("case", "ours CPU s", "peer CPU s", "ratio", "goal", "RSS MiB", "verdict")]
    lines += [(row.case, f"{row.ours:.2f}", f"{row.peer:.2f}", f"{row.ratio:.2f}", row.goal,
               f"{row.rss:.1f}", "met" if row.met else "missed") for row in rows]
    widths = [max(len(line[index]) for line in lines) for index in range(7)]
    return "\n".join("  ".join(
        cell.ljust(width) if index in (0, 4, 6) else cell.rjust(width)
        for index, (cell, width) in enumerate(zip(line, widths))).rstrip() for line in lines)


def arguments():
    parser = argparse.ArgumentParser(description="CPU time and memory of pinna against ffmpeg")
    parser.add_argument("--quick", action="store_true",
                        help="1 minute of audio and no 3-hour case")
    parser.add_argument("--json", metavar="FILE", help="also write the rows as JSON")
    parser.add_argument("--pinna", default=os.path.join(ROOT, ".build/release/pinna"))
    parser.add_argument("--stage", default=os.path.join(ROOT, ".build-bench/release/SpatialBench"))
    parser.add_argument("--ffmpeg", default="ffmpeg")
    return parser.parse_args()


def main():
    options = arguments()
    if not os.access(options.pinna, os.X_OK):
        sys.exit(f"{options.pinna} is missing; build it with: swift build -c release")
    seconds = 60 if options.quick else 600
    scale = 600 / seconds
    scratch = os.environ.get("TMPDIR", "/var/tmp")
    with tempfile.TemporaryDirectory(prefix="pinna-bench-", dir=scratch) as folder:
        peer, ours = Peer(options.ffmpeg, folder), Ours(options.pinna, folder)
        paths = make_inputs(peer, folder, seconds)
        rows, short = bench_binaural(ours, peer, paths["eac3"], scale)
        rows += bench_stage(options.stage, peer, folder, paths["surround"], scale)
        rows += bench_stereo(ours, peer, paths["stereo"], scale)
        rows += bench_aac(ours, peer, paths["stereo"], scale)
        rows += bench_measure(ours, peer, paths, scale)
        if not options.quick:
            rows += bench_long(ours, peer, folder, paths["eac3"], short)
    print(table(rows))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump([dataclasses.asdict(row) for row in rows], file, indent=2)
            file.write("\n")


if __name__ == "__main__":
    main()
