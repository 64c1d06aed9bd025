# SPDX-License-Identifier: Apache-2.0
"""The cases: each yields rows of (what, ours, peer, ratio) and, where ours is a job's CPU, its floor. goals.json judges them."""
import dataclasses
import functools
import json
import os
import re
import shutil
import subprocess

import batch
import queues
import short_sounds
import taps
from floors import Coding, Floors, Part, bare, measured
from processes import interleaved, note, run, side_by_side
from programmes import CLIP_SECONDS, EAC3
from programs import FLAC, SOFA

LONG_FACTOR = 18  # 3 h of 10 min
STAGE_LAYOUTS = {
    "5.1": None,
    "7.1": "pan=7.1|FL=FL|FR=FR|FC=FC|LFE=LFE|BL=SL|BR=SR|SL=0.5*FL|SR=0.5*FR",
}


@dataclasses.dataclass
class Bench:
    """What a case works with."""
    ours: object
    peer: object
    programmes: object
    rounds: int
    options: object
    folder: str

    @property
    def scale(self):
        """Brings CPU seconds to ten minutes of audio."""
        return 600 / self.programmes.seconds

    @functools.cached_property
    def floors(self):
        """Makes the parts of floors."""
        return Floors(self)


def against(bench, mine, parts, **peers):
    """A row for each peer: how many times our CPU it takes. `parts` make the floor."""
    uses, floor = measured(bench.rounds, bench.scale, parts, mine, *peers.values())
    for name, use in zip(peers, uses[1:]):
        yield name, uses[0].cpu * bench.scale, use.cpu * bench.scale, use.cpu / uses[0].cpu, floor


def with_floor(rows):
    """The rows of one job, and another for how many times its floor it takes."""
    ours, floor = 0, None
    for row in rows:
        yield row
        _, ours, _, _, floor = row
    if floor:
        yield "of its floor", ours, floor.cpu, ours / floor.cpu, floor


def rendered(bench, source, *options):
    """A WAV file of what a render makes, which later renders leave as it is."""
    bench.ours.render(source, *options)
    return shutil.copy(bench.ours.out + ".wav", os.path.join(bench.folder, "rendered.wav"))


def binaural(bench, source):
    """E-AC-3 5.1 to headphones, WAV."""
    spatial = [bench.peer.sofalizer(source)]
    parts = bench.floors.render(source, layout="5.1")
    yield from with_floor(against(bench, lambda: bench.ours.render(source), parts, **{
        "ebur128, volume, alimiter": lambda: bench.peer.limiter(source, spatial),
        "loudnorm twice": lambda: bench.peer.loudnorm(source, spatial)}))


def binaural_loud(bench):
    """The same with a programme that has to be lowered."""
    yield from binaural(bench, bench.programmes.loud())


def binaural_quiet(bench):
    """The same with a programme whose peaks have to be limited."""
    yield from binaural(bench, bench.programmes.quiet())


def stereo(bench):
    """Stereo WAV to WAV, loudness only."""
    source = bench.programmes.stereo()
    peer = bench.peer
    yield from against(bench, lambda: bench.ours.render(source, "--endpoint", "none"), bench.floors.render(source), **{
        "ebur128, volume, alimiter": lambda: peer.limiter(source, []),
        "ebur128 without peak, volume, alimiter":
            lambda: peer.limiter(source, [], meter="ebur128"),
        "loudnorm twice": lambda: peer.loudnorm(source, [])})


def flac(bench):
    """5.1 FLAC to binaural FLAC."""
    source = bench.programmes.surround("flac", *FLAC)
    name, job = bench.peer.cheaper(source, [bench.peer.sofalizer(source)], FLAC)
    note(f"the cheaper chain: {name}")
    parts = bench.floors.render(source, "flac", layout="5.1", wave=rendered(bench, source), coding=Coding(FLAC, "s32"))
    yield from against(bench, lambda: bench.ours.render(source, ending="flac"), parts, **{"cheaper chain": job})


def mp3(bench):
    """Stereo MP3 to WAV."""
    source = bench.programmes.stereo("mp3", "-c:a", "libmp3lame", "-b:a", "192k")
    name, job = bench.peer.cheaper(source, [])
    note(f"the cheaper chain: {name}")
    yield from against(bench, lambda: bench.ours.render(source, "--endpoint", "none"), bench.floors.render(source),
                       **{"cheaper chain": job})


def repeated(bench, sample, name):
    """A stream of frames over and over to the length, and its seconds."""
    once = seconds(bench, sample)
    times = max(1, round(bench.programmes.seconds / once))

    def make(path):
        with open(path, "wb") as file, open(sample, "rb") as part:
            data = part.read()
            for _ in range(times):
                file.write(data)

    return bench.programmes.path(name, make), times * once


def ac4(bench):
    """AC-4 stereo to WAV, in seconds of audio for a CPU second."""
    sample = os.path.join(bench.options.media, "ChannelCheck.ac4")
    if not os.path.exists(sample):
        return note(f"ac4: skipped, {sample} isn't there")
    source, length = repeated(bench, sample, "stereo.ac4")
    (use,), floor = measured(
        bench.rounds, 1, bench.floors.ac4(source, length), lambda: bench.ours.render(source, "--endpoint", "none"))
    yield "times real time", use.cpu, None, length / use.cpu, floor


def objects(bench):
    """E-AC-3 with a bed of 5.1 and ten objects to binaural WAV, in seconds of audio for a CPU second. No peer
    decodes objects."""
    movie = os.path.join(bench.options.media, "sample_eac3joc.mp4")
    if not os.path.exists(movie):
        return note(f"objects: skipped, {movie} isn't there")
    sample = bench.programmes.path("objects-once.ec3", lambda path: run(
        [*bench.peer.base, "-i", movie, "-c", "copy", "-f", "eac3", path]))
    source, length = repeated(bench, sample, "objects.ec3")
    use, bed = interleaved(
        bench.rounds, lambda: bench.ours.render(source),
        lambda: bench.ours.render(source, "--objects", "bed"))
    yield "times real time", use.cpu, None, length / use.cpu
    yield "its bed alone, times real time", bed.cpu, None, length / bed.cpu


def truehd(bench):
    """TrueHD decoded alone and rendered to binaural WAV, in seconds of audio for a CPU second. No peer decodes objects."""
    folder = bench.options.truehd
    program = os.path.join(os.path.dirname(bench.options.stage), "TrueHDBench")
    sample = os.path.join(folder, "streams/50_audible.thd")
    if not os.path.exists(sample) or not os.path.exists(program):
        return note(f"truehd: skipped, {sample} or {program} isn't there")
    decoded = {"16 channels of a disc": "oracle/real/fba_atmos_cbi.mlp", "LFE and 10 objects": "streams/50_audible.thd",
               "16 channels of noise": "streams/23_atmos_independent.thd"}
    for name, file in decoded.items():
        text = subprocess.check_output([program, os.path.join(folder, file)], text=True)
        first = re.search(r"(\S+) CPU seconds a minute, (\S+) times real time", text)
        yield f"{name} decoded, times real time", float(first[1]), None, float(first[2])
    once = 6  # seconds of the sample

    def programme(length):
        def make(path):
            with open(path, "wb") as file, open(sample, "rb") as part:
                file.write(part.read() * max(1, round(length / once)))

        return bench.programmes.path(f"{length}.thd", make)

    length = bench.programmes.seconds
    (use,) = interleaved(bench.rounds, lambda: bench.ours.render(programme(length)))
    yield "rendered, times real time", use.cpu, None, length / use.cpu
    if length > CLIP_SECONDS:
        short = bench.ours.render(programme(CLIP_SECONDS))
        yield "growth of the RSS from 1 min, MiB", use.rss, short.rss, use.rss - short.rss


def packets(path):
    """The packets of the first stream of a file, as bytes."""
    sizes = subprocess.check_output(
        ["ffprobe", "-v", "error", "-select_streams", "0", "-show_entries", "packet=size",
         "-of", "csv=p=0", path], text=True)
    data = subprocess.check_output(
        ["ffmpeg", "-v", "error", "-i", path, "-map", "0:0", "-c", "copy", "-f", "data", "-"])
    position = 0
    for size in map(int, sizes.replace(",", " ").split()):
        yield data[position:position + size]
        position += size


def ajoc(bench):
    """AC-4 with 20 objects, of which nine sound, to binaural WAV, in seconds of audio for a CPU second, and for a second
    of the clock. No peer decodes it."""
    movie = os.path.join(bench.options.media, "sample_ac4_level4.mp4")
    if not os.path.exists(movie):
        return note(f"ajoc: skipped, {movie} isn't there")

    def frames(path):
        with open(path, "wb") as file:
            for packet in packets(movie):
                # Sync frames of ETSI TS 103 190-1, Annex G: shorter than 65,535 bytes, without a CRC.
                file.write(b"\xac\x40" + len(packet).to_bytes(2, "big") + packet)

    source, length = repeated(bench, bench.programmes.path("ajoc-once.ac4", frames), "ajoc.ac4")
    (use,), floor = measured(bench.rounds, 1, bench.floors.ac4(source, length), lambda: bench.ours.render(source))
    yield "times real time", use.cpu, None, length / use.cpu, floor
    yield "times real time by the clock", use.wall, None, length / use.wall


def iamf(bench):
    """IAMF with a bed of 7.1.4 and a sound field of third order in Opus to binaural WAV, in seconds of audio for a CPU
    second. The peer is FFmpeg in PyAV, which decodes all substreams and mixes none."""
    python, tools = bench.options.python, bench.options.iamf
    maker = os.path.join(os.path.dirname(os.path.abspath(__file__)), "iamf_programme.py")
    ready = all(map(os.path.exists, (tools, python)))
    if not ready or subprocess.run([python, "-c", "import av, numpy"], stderr=subprocess.DEVNULL, check=False).returncode:
        return note(f"iamf: skipped, {tools} or PyAV in {python} isn't there (make setup-test)")

    def programme(length):
        return bench.programmes.path(f"{length}.iamf", lambda path: run(
            [python, maker, "write", tools, path, str(length)]))

    length = bench.programmes.seconds
    source = programme(length)
    decoding = Part("decoding", lambda: run([python, maker, "decode", source])[0],
                    lambda: run([python, "-c", "import av"])[0])
    (use, decoded), floor = measured(bench.rounds, 1, bench.floors.render(source, decoding=decoding),
                                     lambda: bench.ours.render(source), decoding.job)
    yield "times real time", use.cpu, decoded.cpu, length / use.cpu, floor
    if length > CLIP_SECONDS:
        short = bench.ours.render(programme(CLIP_SECONDS))
        yield "growth of the RSS from 1 min, MiB", use.rss, short.rss, use.rss - short.rss


def seconds(bench, source):
    """Length of what Pinna renders of a source, in seconds."""
    report = subprocess.check_output(
        [bench.ours.pinna, "render", source, "-o", bench.ours.out + ".wav", "-y", "--json"],
        text=True, stderr=subprocess.DEVNULL)
    timeline = json.loads(report)["inputs"][0]["timeline"]
    return timeline["samplesOut"] / timeline["start"]["rate"]


def aac(bench):
    """E-AC-3 5.1 to binaural AAC in MP4, against the encoder alone and our way to WAV. Its peaks are lifted."""
    source = bench.programmes.quiet()
    wave = rendered(bench, source)
    read = [*bench.peer.base, "-i", wave]
    plain = ["-map", "0:a", "-f", "null", "-"]
    parts = bench.floors.render(
        source, "mp4", layout="5.1", wave=wave, coding=Coding(("-c:a", "aac", "-b:a", "128k", "-aac_pns", "0")))
    (mine, ours, coded, uncoded), floor = measured(
        bench.rounds, bench.scale, parts,
        lambda: bench.ours.render(source, "-f", "fmp4", "-c:a", "aac", ending="mp4"),
        lambda: bench.ours.render(source),
        lambda: run([*read, "-c:a", "aac", *plain])[0], lambda: run([*read, *plain])[0])
    total = coded.cpu - uncoded.cpu + ours.cpu
    yield "encoder and our WAV path", mine.cpu * bench.scale, total * bench.scale, mine.cpu / total, floor


def lossy(bench):
    """Plain lossy outputs, against the encoder alone with Pinna's settings and the same render to WAV; and what they take of
    memory."""
    noise, film = bench.programmes.noise(), bench.programmes.surround()
    for what, source, codec, ending, encoder, samples in (
            ("AAC 5.1", film, "aac", "m4a", ("aac", "-b:a", "320k", "-aac_pns", "0"), "fltp"),
            ("AAC stereo", noise, "aac", "m4a", ("aac", "-b:a", "128k", "-aac_pns", "0"), "fltp"),
            ("Opus stereo", noise, "opus", "opus", ("libopus",), "flt"),
            ("MP3 stereo", noise, "mp3", "mp3", ("libmp3lame", "-b:a", "192k", "-reservoir", "0"), "fltp")):
        plain_path = ("--endpoint", "none")
        wave = rendered(bench, source, *plain_path)
        parts = bench.floors.render(source, ending, wave=wave, coding=Coding(("-c:a", *encoder), samples))
        read = [*bench.peer.base, "-i", wave]
        end = ["-map", "0:a", "-f", "null", "-"]
        (mine, ours, coded, uncoded), floor = measured(
            bench.rounds, bench.scale, parts,
            lambda: bench.ours.render(source, *plain_path, "-c:a", codec, ending=ending),
            lambda: bench.ours.render(source, *plain_path),
            lambda: run([*read, "-c:a", *encoder, *end])[0], lambda: run([*read, *end])[0])
        total = coded.cpu - uncoded.cpu + ours.cpu
        yield (f"{what}, of encoder and our WAV path", mine.cpu * bench.scale, total * bench.scale, mine.cpu / total,
               floor)
        yield f"{what}: peak RSS, MiB", mine.rss, ours.rss, mine.rss


def wall(bench):
    """One E-AC-3 job on two cores."""
    source = bench.programmes.quiet()
    job = [shutil.which("taskset"), "-c", "0,1"] if (os.cpu_count() or 1) > 2 else []
    command = [*job, bench.ours.pinna, "render", source, "-o", bench.ours.out + ".wav", "-y", "-q"]
    use, = interleaved(bench.rounds, lambda: run(command)[0])
    yield "wall of CPU", use.wall * bench.scale, use.cpu * bench.scale, use.wall / use.cpu


def measure(bench):
    """Measuring alone."""
    programmes = bench.programmes
    for name, source in (("stereo WAV", programmes.stereo()), ("5.1 WAV", programmes.surround()),
                         ("E-AC-3 5.1", programmes.surround("mkv", *EAC3))):
        yield from against(bench, lambda: bench.ours.measure(source), bench.floors.measure(source),
                           **{name: lambda: bench.peer.measure(source)})


def stage(bench):
    """The binaural stage alone against sofalizer alone: its run less one without a filter."""
    program = bench.options.stage
    if not os.access(program, os.X_OK):
        return note(f"stage: skipped, {program} isn't built (make bench)")
    text = subprocess.check_output([program], text=True)
    costs = dict(line.split() for line in text.splitlines())
    for name, pan in STAGE_LAYOUTS.items():
        source = bench.programmes.surround()
        if pan:
            source = bench.programmes.path("seven.wav", lambda path: run(
                [*bench.peer.base, "-i", source, "-af", pan, "-c:a", "pcm_s24le", path]))
        filters = f"sofalizer=sofa={SOFA}:type=freq:framesize=4096"
        dry, wet = interleaved(bench.rounds, lambda: bench.peer.filtered(source, ["anull"])[0],
                               lambda: bench.peer.filtered(source, [filters])[0])
        ours, peer = float(costs[name]), (wet.cpu - dry.cpu) * bench.scale
        yield name, ours, peer, peer / ours
    yield "ready, CPU s", float(costs["start-up"]), None, float(costs["start-up"])


def scenes(bench):
    """The scene stage alone for many objects on headphones."""
    program = bench.options.stage
    if not os.access(program, os.X_OK):
        return note(f"scenes: skipped, {program} isn't built (make bench)")
    for line in subprocess.check_output([program, "scenes"], text=True).splitlines():
        name, cost = line.rsplit(maxsplit=1)
        yield f"{name}, CPU s", float(cost), None, float(cost)


def long(bench):
    """Memory and cost per sample of longer programmes."""
    if bench.options.quick:
        return note("long: skipped, because 3 h aren't quick")
    source = bench.programmes.quiet()
    hours = bench.programmes.repeated(source, LONG_FACTOR, "3h.mkv")
    ours = bench.ours
    short, three = interleaved(3, lambda: ours.render(source), lambda: ours.render(hours))
    yield ("3 h: CPU per sample, of 10 min", three.cpu / LONG_FACTOR, short.cpu,
           three.cpu / LONG_FACTOR / short.cpu)
    yield "3 h: peak RSS, MiB", three.rss, None, three.rss
    yield "3 h: growth of the RSS, MiB", three.rss, short.rss, three.rss - short.rss
    if not bench.options.long:
        return note("long: 12 h are left out without --long")
    half = ours.render(bench.programmes.repeated(source, 4 * LONG_FACTOR, "12h.mkv"))
    yield "12 h: growth of the RSS, MiB", half.rss, short.rss, half.rss - short.rss


def dialogue(bench):
    """What a search for dialogue adds to a binaural render of 5.1, what levelling adds to that, and the memory of both."""
    source, ours = bench.programmes.quiet(), bench.ours
    level = ["--level", "night", "--anchor", "dialogue"]
    plain, found, levelled = interleaved(
        bench.rounds, lambda: ours.render(source), lambda: ours.render(source, "--anchor", "dialogue"),
        lambda: ours.render(source, *level))
    yield "search, of a render", found.cpu * bench.scale, plain.cpu * bench.scale, found.cpu / plain.cpu
    yield "levelling, of that", levelled.cpu * bench.scale, found.cpu * bench.scale, levelled.cpu / found.cpu
    if bench.options.quick:
        return note("dialogue: memory is left out, because 3 h aren't quick")
    lengths = {"3 h": LONG_FACTOR, **({"12 h": 4 * LONG_FACTOR} if bench.options.long else {})}
    for name, factor in lengths.items():
        hours = bench.programmes.repeated(source, factor, name.replace(" ", "") + ".mkv")
        without, kept = ours.render(hours), ours.render(hours, *level)
        yield f"{name}: RSS above that of a render, MiB", kept.rss, without.rss, kept.rss - without.rss


def jobs(bench):
    """64 files by two workers of a batch, against two independent renders side by side, both against one."""
    inputs, out = (os.path.join(bench.folder, name) for name in ("batch", "batch-out"))
    batch.make(inputs, 2 if bench.options.quick else 10)
    files = sorted(os.path.join(inputs, name) for name in os.listdir(inputs))
    pinna = bench.ours.pinna
    os.environ["PINNA_CACHE"] = "off"
    halves = [files[0::2], files[1::2]]

    def fresh(work):
        shutil.rmtree(out, ignore_errors=True)
        os.makedirs(out)
        return work()

    def render(part):
        return [pinna, "render", *part, "-o", out + "/", "-q"]

    walls = {name: [] for name in ("one", "two", "row", "side")}
    for _ in range(bench.rounds):
        for number, name in ((1, "one"), (2, "two")):
            walls[name].append(fresh(lambda: run(
                [pinna, "batch", inputs, "-O", out, "-j", str(number), "-q"])[0].wall))
        walls["row"].append(fresh(lambda: sum(run(render(half))[0].wall for half in halves)))
        walls["side"].append(fresh(lambda: side_by_side([render(half) for half in halves])))
    one, two, row, side = (sorted(walls[name])[bench.rounds // 2] for name in walls)
    ours, peer = one / two, row / side
    yield "gain of two jobs, of that of two renders", ours, peer, ours / peer


def start_up(bench):
    """Cost of each run before it does anything; the loader's share is beside it, and only the rest is judged."""
    source = bench.programmes.clip(2, "stereo", [])
    short = bench.programmes.path("short.wav", lambda path: run(
        [*bench.peer.base, "-i", source, "-t", "1", "-c:a", "pcm_s16le", path]))
    pinna = bench.ours.pinna
    floor = bare(pinna, bench.folder, bench.programmes)
    version, probe, loaded = interleaved(
        4 * bench.rounds, lambda: run([pinna, "--version"])[0],
        lambda: run([pinna, "probe", short])[0], lambda: run([floor])[0])
    yield "pinna --version, CPU s above the loader's", version.cpu, loaded.cpu, version.cpu - loaded.cpu
    yield "pinna probe, CPU s above the loader's", probe.cpu, loaded.cpu, probe.cpu - loaded.cpu


CASES = {
    "binaural-loud": binaural_loud, "binaural-quiet": binaural_quiet, "stereo": stereo,
    "flac": flac, "mp3": mp3, "ac4": ac4, "ajoc": ajoc, "objects": objects, "truehd": truehd, "iamf": iamf, "aac": aac, "lossy": lossy,
    "wall": wall, "dialogue": dialogue,
    "measure": measure, "stage": stage, "scenes": scenes, "long": long, "batch": jobs, "start-up": start_up,
    "queues": queues.queues, "short": short_sounds.short_sounds, "taps": taps.taps,
}
