# SPDX-License-Identifier: Apache-2.0
"""Ten short jobs, the folders they run in, and what they leave there."""
import fnmatch
import functools
import itertools
import math
import os
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import wave

import pytest

# A run takes 0.3 s; one that takes this long hangs. The machine may be busy with other work.
PATIENCE = 60


class Job:
    """One command: its inputs, its outputs, and how it is run a second time."""

    def __init__(self, name, words, inputs, outputs, code=0, private=(), again=None):
        # `outputs` and `private` are patterns. An output is compared byte by byte; what is private belongs to the product
        # (locks, records) and may be there in any state that the next run copes with.
        self.name, self.words, self.inputs, self.outputs = name, words, inputs, outputs
        self.code, self.private = code, private
        self.again = again or words
        # Outputs of an undisturbed run, and how long one takes.
        self.reference, self.seconds = {}, 0

    def __str__(self):
        return self.name


class Run:
    """The end of one run of a command."""

    def __init__(self, code, stdout, stderr, hung):
        self.code, self.stdout, self.stderr, self.hung = code, stdout, stderr, hung


class Place:
    """A folder for one job: `work` for its files, `tmp` for temporary files, `home` for everything else."""

    def __init__(self, root):
        self.root = root
        for name in ("work", "tmp", "home"):
            os.makedirs(os.path.join(root, name))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.root, ignore_errors=True)

    def environment(self, more=()):
        kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
        home = os.path.join(self.root, "home")
        return {**kept, "LC_ALL": "C.UTF-8", "HOME": home, "XDG_CACHE_HOME": home + "/cache",
                "TMPDIR": os.path.join(self.root, "tmp"), "SWIFT_BACKTRACE": "enable=no", **dict(more)}

    def start(self, command, more=(), out=subprocess.PIPE):
        return subprocess.Popen(command, cwd=os.path.join(self.root, "work"), stdin=subprocess.DEVNULL, stdout=out,
                                stderr=subprocess.PIPE, start_new_session=True, env=self.environment(more))

    def run(self, command, more=()):
        """Runs `command` to its end; after PATIENCE its whole session is killed."""
        child = self.start(command, more)
        hung = False
        try:
            out, errors = child.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            hung = True
            end_group(child)
            out, errors = child.communicate()
        return Run(child.returncode, out.decode("utf-8", "replace"), errors.decode("utf-8", "replace"), hung)

    def files(self):
        """Every file below the three folders, by its path, with its bytes; a folder has None."""
        found = {}
        for parent, folders, names in os.walk(self.root):
            for name in names:
                path = os.path.join(parent, name)
                with open(path, "rb") as file:
                    found[os.path.relpath(path, self.root)] = file.read()
            for name in folders:
                found[os.path.relpath(os.path.join(parent, name), self.root) + "/"] = None
        return found


def end_group(child):
    """Kills a process that this driver started, and those that it started."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def fail_if(faults, sentence):
    """Fails a test with the sentence alone, without the test's code."""
    if faults:
        pytest.fail(sentence, pytrace=False)


def matches(path, patterns):
    return any(fnmatch.fnmatch(path, pattern) for pattern in patterns)


def write_wav(path, seconds, rate, frequency):
    """Two channels of a tone that grows, so that every part differs from the others."""
    with wave.open(path, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(rate)
        count = int(seconds * rate)
        file.writeframes(b"".join(
            struct.pack("<hh", *(int(9000 * (0.4 + 0.6 * i / count) * math.sin(2 * math.pi * f * i / rate))
                                 for f in (frequency, 1.5 * frequency)))
            for i in range(count)))


QUEUE = """schema: pinna.queue/1
items:
  - {file: a.wav}
  - {file: b.wav, gain: -2 dB}
  - {file: a.wav, gain: -4 dB}
"""
CASE = """{"command": ["render", "{input}", "-o", "{out}/out.wav"], "id": "tone", "input": "a.wav",
 "oracle": {"name": "none"}, "why": "a fault mustn't be recorded"}
"""


HLS = ["render", "a.wav", "-o", "show.m3u8", "--segment-files", "--segment-duration", "0.1s", "-c:a", "flac", "-q"]


def make_inputs(folder, pinna):
    """Makes every file that a job reads."""
    os.makedirs(folder)
    write_wav(folder + "/a.wav", 0.3, 48000, 440)
    write_wav(folder + "/b.wav", 0.2, 44100, 660)
    write_wav(folder + "/long.wav", 1.4, 48000, 330)
    for name, text in (("queue.yaml", QUEUE), ("case.json", CASE), ("old.flac", "what was there before\n")):
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    commands = [[pinna, "render", "a.wav", "-o", "r.wav", "--report", "report.json", "-q"]]
    if shutil.which("ffmpeg"):
        commands.append(["ffmpeg", "-v", "error", "-i", "a.wav", "-c:a", "ac3", "-b:a", "192k", "-bitexact", "a.ac3"])
    for command in commands:
        subprocess.run(command, cwd=folder, check=True, stdin=subprocess.DEVNULL)


def all_jobs():
    """The jobs; each output is a pattern below the place's root."""
    jobs = [
        Job("wav", ["render", "a.wav", "-o", "out.wav", "-q"], {"a.wav": "a.wav"}, ["work/out.wav"],
            again=["render", "a.wav", "-o", "out.wav", "-q", "-y"]),
        # The output exists already, and must be whole afterwards: the old one or the new one.
        Job("flac", ["render", "a.wav", "-o", "out.flac", "-q", "-y"], {"a.wav": "a.wav", "old.flac": "out.flac"},
            ["work/out.flac"]),
        Job("mp4", ["render", "a.wav", "-o", "out.mp4", "--report", "out.json", "-q"], {"a.wav": "a.wav"},
            ["work/out.mp4"], private=["work/out.json"],
            again=["render", "a.wav", "-o", "out.mp4", "--report", "out.json", "-q", "-y"]),
        # Loud, so that packets are held and replaced before they are written.
        Job("mp3", ["render", "a.wav", "-o", "out.mp3", "-l", "-8", "-q"], {"a.wav": "a.wav"}, ["work/out.mp3"],
            again=["render", "a.wav", "-o", "out.mp3", "-l", "-8", "-q", "-y"]),
        Job("matroska", ["render", "a.wav", "-o", "out.mka", "-q"], {"a.wav": "a.wav"}, ["work/out.mka"],
            again=["render", "a.wav", "-o", "out.mka", "-q", "-y"]),
        Job("hls", HLS,
            {"a.wav": "a.wav"}, ["work/show*"],
            again=HLS + ["-y"]),
        Job("queue", ["render", "queue.yaml", "-o", "out.wav", "--cache", "cache", "-q", "-y"],
            {"a.wav": "a.wav", "b.wav": "b.wav", "queue.yaml": "queue.yaml"}, ["work/out.wav"],
            private=["work/cache/??/*", "work/cache/records/*"]),
        Job("batch", ["batch", "in", "-O", "out", "-j", "2", "-q"], {"a.wav": "in/a.wav", "b.wav": "in/b.wav"},
            ["work/out/a.wav", "work/out/b.wav"], private=["work/out/.pinna/*"]),
        Job("golden", ["golden", "record", "tone", "--cases", "cases", "--media", "media"],
            {"a.wav": "media/a.wav", "case.json": "cases/tone/case.json"}, ["work/cases/tone/expected.json"], code=7),
        Job("report", ["report", "report.json", "-o", "page.html", "--junit", "junit.xml", "--markdown", "list.md", "-y"],
            {"report.json": "report.json"}, ["work/page.html", "work/junit.xml", "work/list.md"]),
        Job("audition", ["audition", "long.wav", "-o", "page.html", "--at", "0.1s", "--length", "1s", "-q", "-y"],
            {"long.wav": "long.wav"}, ["work/page.html"]),
    ]
    if shutil.which("ffmpeg"):
        jobs.insert(4, Job("copy", ["render", "a.ac3", "-o", "out.mp4", "-c:a", "copy", "-q", "-y"], {"a.ac3": "a.ac3"},
                           ["work/out.mp4"]))
    return jobs


# Their names are parameters of tests.
ALL = all_jobs()


class Workshop:
    """The program, a folder for its runs, and the jobs' inputs."""

    def __init__(self, pinna, scratch):
        self.pinna, self.scratch = pinna, scratch
        self.inputs = os.path.join(scratch, "inputs")
        self.serial = itertools.count()
        self.troubles = {}
        make_inputs(self.inputs, pinna)

    def place(self, job):
        """A new place with the job's inputs; one file may be there under several names."""
        place = Place(os.path.join(self.scratch, f"{job}-{next(self.serial)}"))
        for source, names in job.inputs.items():
            for name in [names] if isinstance(names, str) else names:
                target = os.path.join(place.root, "work", name)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy(os.path.join(self.inputs, source), target)
        return place

    def learn(self, job):
        """Runs the job undisturbed, once in the life of the workshop. Answers what went wrong, or None."""
        if job not in self.troubles:
            self.troubles[job] = self.run_twice(job)
        return self.troubles[job]

    def run_twice(self, job):
        """Both runs have to end as expected and to make the same bytes, which are the reference."""
        snapshots = []
        for _ in range(2):
            with self.place(job) as place:
                before = place.files()
                started = time.monotonic()
                done = place.run([self.pinna] + job.words)
                job.seconds = time.monotonic() - started
                after = place.files()
            snapshots.append({path: data for path, data in after.items() if matches(path, job.outputs)})
            odd = [path for path in after if path not in before and not path.endswith("/")
                   and not matches(path, job.outputs + list(job.private))]
            if done.code != job.code or done.hung or odd or not snapshots[-1]:
                return f"undisturbed it ends with {done.code} and leaves {odd}: {done.stderr.strip()}"
        job.reference = snapshots[0]
        different = [path for path in snapshots[0] if snapshots[0][path] != snapshots[1].get(path)]
        return f"two runs differ in {different}" if different or len(snapshots[0]) != len(snapshots[1]) else None


@functools.cache
def workshop(config):
    """The workshop of this run of pytest. Its folder is in memory where that is possible."""
    os.nice(10)
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    scratch = os.path.realpath(tempfile.mkdtemp(prefix="faults-", dir=memory))
    config.add_cleanup(lambda: shutil.rmtree(scratch, ignore_errors=True))
    try:
        return Workshop(os.path.abspath(config.getoption("pinna")), scratch)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.exit(f"the jobs' inputs can't be made: {error}", 1)
