# SPDX-License-Identifier: Apache-2.0
"""Runs processes and adds up what they use."""
import dataclasses
import os
import statistics
import subprocess
import sys
import tempfile
import time


@dataclasses.dataclass
class Use:
    """What one or more processes used."""
    cpu: float = 0.0  # seconds, user + system
    rss: float = 0.0  # MiB, peak
    wall: float = 0.0  # seconds

    def then(self, other):
        """Two processes one after the other."""
        return Use(self.cpu + other.cpu, max(self.rss, other.rss), self.wall + other.wall)


def run(command):
    """Runs a command to its end and returns what it used and what it printed on stderr."""
    with tempfile.TemporaryFile() as errors:
        begin = time.monotonic()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        text = errors.read().decode(errors="replace")
    if process.returncode != 0:
        sys.exit(f"exit {process.returncode}: {' '.join(command)}\n{text[-2000:]}")
    return Use(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, wall), text


def side_by_side(commands):
    """Runs commands at the same time; the wall time until the last has ended."""
    begin = time.monotonic()
    processes = [subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
                 for command in commands]
    if any([process.wait() != 0 for process in processes]):
        sys.exit(f"one of these failed: {commands}")
    return time.monotonic() - begin


def interleaved(rounds, *jobs):
    """Runs all jobs once per round; returns each job's median of every figure."""
    uses = [[] for _ in jobs]
    for _ in range(rounds):
        for found, job in zip(uses, jobs):
            found.append(job())
    return [Use(*(statistics.median(getattr(use, field.name) for use in found)
                  for field in dataclasses.fields(Use))) for found in uses]


def note(text):
    """A line about the run, on stderr."""
    print(text, file=sys.stderr, flush=True)
