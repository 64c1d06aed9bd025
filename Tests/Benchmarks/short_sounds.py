"""The cost of short sounds by two workers of a batch: CPU seconds of a file."""
import os
import shutil

from floors import Part, measured, read, timed, write
from processes import run

SECONDS = 1  # of each sound


def make(bench, folder, count):
    """So many stereo sounds."""
    os.makedirs(folder)
    clip = bench.programmes.clip(2, "stereo", [])
    run([*bench.peer.base, "-stream_loop", "-1", "-i", clip, "-t", str(count * SECONDS), "-c:a", "pcm_s24le", "-bitexact",
         "-f", "segment", "-segment_time", str(SECONDS), os.path.join(folder, "%03d.wav")])
    return files(folder)


def files(folder):
    """The WAV files of a folder."""
    return sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".wav"))


def parts(bench, inputs, out):
    """What can't be left out: loading once, one read of each input, one write and one read of each output. Convolution isn't among
    them, because SpatialBench has no figure for it."""
    scratch = os.path.join(bench.folder, "short-floor")

    def writing():
        shutil.rmtree(scratch, ignore_errors=True)
        os.makedirs(scratch)
        sizes = [os.path.getsize(path) for path in files(out)]
        return timed(lambda: [write(os.path.join(scratch, str(index)), size) for index, size in enumerate(sizes)])

    return [bench.floors.loading(), Part("reading", lambda: timed(lambda: [read(path) for path in inputs])),
            Part("writing", writing), Part("reading back", lambda: timed(lambda: [read(path) for path in files(out)]))]


def short_sounds(bench):
    """Sounds of a second: 400, or 100 with --quick, for headphones and without an endpoint."""
    folder, out = (os.path.join(bench.folder, name) for name in ("short", "short-out"))
    inputs = make(bench, folder, 100 if bench.options.quick else 400)
    os.environ["PINNA_CACHE"] = "off"

    def job(*options):
        shutil.rmtree(out, ignore_errors=True)
        os.makedirs(out)
        return run([bench.ours.pinna, "batch", folder, "-O", out, "-j", "2", "-q", *options])[0]

    (headphones, plain), floor = measured(bench.rounds, 1 / len(inputs), parts(bench, inputs, out),
                                          job, lambda: job("--endpoint", "none"))
    for name, use in (("for headphones", headphones), ("without an endpoint", plain)):
        cost = use.cpu / len(inputs)
        yield f"{name}, CPU s of a file", cost, None, cost, floor
