# SPDX-License-Identifier: Apache-2.0
"""The cost of short sounds by two workers of a batch: CPU seconds of a file."""
import os
import tempfile

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


def emptied(folder):
    """Gives the space of a folder's files back and keeps their names: ext4 without a journal looks at every inode that was freed
    within the last minute whenever it makes a file, and a job would pay for what the one before left."""
    for place, _, names in os.walk(folder):
        for name in names:
            os.truncate(os.path.join(place, name), 0)


class Places:
    """Folders for outputs, of which the last one has content."""

    def __init__(self, bench):
        self.bench, self.made = bench, []

    def next(self):
        """A new folder."""
        for folder in self.made[-1:]:
            emptied(folder)
        self.made.append(os.path.join(self.bench.folder, f"short-out-{len(self.made)}"))
        os.makedirs(self.made[-1])
        return self.made[-1]

    def outputs(self):
        """The outputs of the last job."""
        return files(self.made[-1])


def parts(bench, inputs, places):
    """What can't be left out: loading once, one read of each input, one write and one read of each output. Convolution isn't among
    them, because SpatialBench has no figure for it."""
    def writing():
        scratch = tempfile.mkdtemp(dir=bench.folder)
        sizes = [os.path.getsize(path) for path in places.outputs()]
        use = timed(lambda: [write(os.path.join(scratch, str(index)), size) for index, size in enumerate(sizes)])
        emptied(scratch)
        return use

    return [bench.floors.loading(), Part("reading", lambda: timed(lambda: [read(path) for path in inputs])),
            Part("writing", writing), Part("reading back", lambda: timed(lambda: [read(path) for path in places.outputs()]))]


def short_sounds(bench):
    """Sounds of a second: 400, or 100 with --quick, for headphones and without an endpoint."""
    folder, places = os.path.join(bench.folder, "short"), Places(bench)
    inputs = make(bench, folder, 100 if bench.options.quick else 400)
    os.environ["PINNA_CACHE"] = "off"

    def job(*options):
        return run([bench.ours.pinna, "batch", folder, "-O", places.next(), "-j", "2", "-q", *options])[0]

    (headphones, plain), floor = measured(bench.rounds, 1 / len(inputs), parts(bench, inputs, places),
                                          job, lambda: job("--endpoint", "none"))
    for name, use in (("for headphones", headphones), ("without an endpoint", plain)):
        cost = use.cpu / len(inputs)
        yield f"{name}, CPU s of a file", cost, None, cost, floor
