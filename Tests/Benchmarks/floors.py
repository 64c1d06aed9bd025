# SPDX-License-Identifier: Apache-2.0
"""The floor of a job: CPU seconds, user and system, of the parts that can't be left out.

Each part runs in turn with the job and its peers. Its figure is the median of the rounds, less that of what its process does
besides, and the floor is the sum:
    loading              a C program that calls nothing but needs the libraries that pinna needs
    reading              reads of the input in blocks of 1 MiB, where it is WAV
    decoding             ffmpeg -i IN -af aselect=0 -f null -, less ffmpeg -version, where it isn't. Without aselect ffmpeg would
                         turn what it decoded into 16 bits for null, which costs a third as much as decoding E-AC-3. AC4Bench,
                         the least of three runs, decodes AC-4, and PyAV decodes IAMF
    convolution          SpatialBench, the least of three runs; left out of programmes other than 5.1
    encoding             ffmpeg -i WAV -af aformat -c:a CODEC -f null -, less the same with aselect=0 and no codec; WAV has what
                         pinna rendered
    writing              writes of as many bytes as the output has, in blocks of 1 MiB to a new file, and fsync
    reading back         reads of the output, where it is WAV
    decoding the output  as the input, where the output isn't WAV
Loudness, limiting, rounding and digests aren't among them, so no job gets down to 1.
"""
import collections.abc
import dataclasses
import os
import re
import shutil
import subprocess
import time

from processes import Use, interleaved, note, run

BLOCK = 1 << 20  # bytes
STAGE_SECONDS = 600  # of audio, for which SpatialBench gives its figures
Job = collections.abc.Callable[[], Use]


@dataclasses.dataclass(frozen=True)
class Part:
    """A part of a floor: the cost of `job` less that of `besides`."""
    name: str
    job: Job
    besides: Job | None = None


@dataclasses.dataclass(frozen=True)
class Coding:
    """How ffmpeg codes a programme as pinna does: its output options, and the sample format that the encoder takes."""
    options: tuple
    samples: str = "fltp"


@dataclasses.dataclass(frozen=True)
class Floor:
    """The CPU seconds of each part, by its name."""
    parts: dict

    @property
    def cpu(self):
        """Their sum."""
        return sum(self.parts.values())


def measured(rounds, scale, parts, *jobs):
    """What each of `jobs` uses, and the floor that `parts` make, times `scale`; all are run in turn, and once a round where a part
    is one of the jobs, too. No parts make no floor."""
    every = dict.fromkeys([*jobs, *(job for part in parts for job in (part.job, part.besides) if job)])
    uses = dict(zip(every, interleaved(rounds, *every)))

    def cost(job):
        return uses[job].cpu if job else 0.0

    found = {part.name: scale * max(0.0, cost(part.job) - cost(part.besides)) for part in parts}
    return [uses[job] for job in jobs], Floor(found) if found else None


def timed(work):
    """What `work` costs this process."""
    begin, wall = time.process_time(), time.monotonic()
    work()
    return Use(time.process_time() - begin, wall=time.monotonic() - wall)


def read(path):
    """Reads a file to its end."""
    block = bytearray(BLOCK)
    with open(path, "rb", buffering=0) as file:
        while file.readinto(block):
            pass


def write(path, size):
    """Writes so many bytes to a new file."""
    block = bytes(BLOCK)
    with open(path, "xb", buffering=0) as file:
        while size > 0:
            size -= file.write(block[:size] if size < BLOCK else block)
        os.fsync(file.fileno())


def bare(pinna, folder, programmes):
    """A C program that calls nothing but needs pinna's libraries: its cost is the loader's, which pinna can't go below."""
    needed = re.findall(r"\(NEEDED\).*\[(.+)\]", subprocess.check_output(["readelf", "-d", pinna], text=True))
    found = dict(re.findall(r"(\S+) => (\S+)", subprocess.check_output(["ldd", pinna], text=True)))
    libraries = [found[name] for name in needed if name in found]
    source = os.path.join(folder, "bare.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write("int main(void) { return 0; }\n")
    folders = sorted({os.path.dirname(path) for path in libraries})
    return programmes.path("bare", lambda path: run(
        ["cc", source, "-o", path, "-Wl,--no-as-needed", *libraries, *("-Wl,-rpath," + folder for folder in folders)]))


class Floors:
    """Makes the parts of jobs. A list without parts says that a tool for one of them is missing."""

    def __init__(self, bench):
        self.bench = bench
        self.base = bench.peer.base
        self.scratch = os.path.join(bench.folder, "floor")

    def measure(self, source):
        """Measuring a file."""
        return [self.loading(), self.source(source)] if self.is_ready("cc") else []

    def render(self, source, ending="wav", layout=None, wave=None, coding=None, decoding=None):
        """Rendering a file to one with this ending: with the convolution of a layout, and with `coding` of what the WAV file
        `wave` has. `decoding` stands in for decoding by ffmpeg."""
        if not self.is_ready("cc", *([self.bench.options.stage] if layout else [])):
            return []
        out = f"{self.bench.ours.out}.{ending}"
        parts = [self.loading(), decoding or self.source(source)]
        if layout:
            parts.append(Part("convolution", lambda: self.stage(layout)))
        if coding:
            parts.append(self.encoding(wave, coding))
        parts.append(Part("writing", lambda: self.write(out)))
        parts.append(Part("decoding the output", lambda: self.decode(out), self.idle) if coding
                     else Part("reading back", lambda: timed(lambda: read(out))))
        return parts

    def loading(self):
        """Starting a process."""
        program = bare(self.bench.ours.pinna, self.bench.folder, self.bench.programmes)
        return Part("loading", lambda: run([program])[0])

    def source(self, source):
        """Getting the samples of an input."""
        if source.endswith(".wav"):
            return Part("reading", lambda: timed(lambda: read(source)))
        return Part("decoding", lambda: self.decode(source), self.idle)

    def ac4(self, source, length):
        """Rendering AC-4 of so many seconds, which AC4Bench beside SpatialBench decodes."""
        program = os.path.join(os.path.dirname(self.bench.options.stage), "AC4Bench")
        if not self.is_ready(program):
            return []

        def job():
            text = subprocess.check_output([program, source], text=True)
            return Use(float(re.search(r"(\S+) CPU seconds a minute", text)[1]) * length / 60)

        return self.render(source, decoding=Part("decoding", job))

    def encoding(self, wave, coding):
        """Encoding a programme."""
        head, form = [*self.base, "-i", wave, "-af"], f"aformat=sample_fmts={coding.samples}"
        return Part("encoding", lambda: run([*head, form, *coding.options, "-f", "null", "-"])[0],
                    lambda: run([*head, form + ",aselect=0", "-f", "null", "-"])[0])

    def decode(self, source):
        """Decodes a file and drops its samples."""
        return run([*self.base, "-i", source, "-af", "aselect=0", "-f", "null", "-"])[0]

    def idle(self):
        """Starts and ends ffmpeg."""
        return run([self.base[0], "-version"])[0]

    def stage(self, layout):
        """Convolves as many seconds as the programmes have."""
        text = subprocess.check_output([self.bench.options.stage], text=True)
        costs = dict(line.split() for line in text.splitlines())
        return Use(float(costs[layout]) * self.bench.programmes.seconds / STAGE_SECONDS)

    def write(self, out):
        """Writes as many bytes as a file has."""
        if os.path.exists(self.scratch):
            os.unlink(self.scratch)
        return timed(lambda: write(self.scratch, os.path.getsize(out)))

    def is_ready(self, *programs):
        """Whether the programs are there; else the first that isn't is named."""
        missing = [program for program in programs if shutil.which(program) is None]
        if missing:
            note(f"no floor: {missing[0]} is missing (make bench builds it)" if os.sep in missing[0]
                 else f"no floor: {missing[0]} is missing")
        return not missing
