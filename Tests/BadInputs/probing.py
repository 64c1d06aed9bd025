# SPDX-License-Identifier: Apache-2.0
"""Runs a command and tells what it did: exit, time, memory, files opened, sockets, what it left."""
import os
import re
import shutil
import subprocess
import tempfile
import threading
import time

# What a program may open besides its input: libraries, itself, devices that hold nothing.
SYSTEM = ("/lib", "/usr", "/etc/ld.so", "/proc/", "/dev/null", "/dev/urandom", "/sys/", "/opt/",
          "/etc/localtime", "/etc/nsswitch.conf")


class Outcome:
    """What one run did."""

    def __init__(self):
        self.code = None
        self.seconds = 0.0
        self.rss_mb = 0.0
        self.stdout = self.stderr = ""
        self.outside = []
        self.sockets = []
        self.timed_out = False


def tracer():
    """Path of strace where it may trace, else None."""
    path = shutil.which("strace")
    if not path:
        return None
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([path, "-f", "-o", folder + "/t", "true"], capture_output=True)
    return path if done.returncode == 0 else None


def run(command, cwd, limit, strace=None, allowed=(), environment=None):
    """Runs `command` in a session of its own for at most `limit` seconds."""
    outcome = Outcome()
    trace = None
    if strace:
        handle, trace = tempfile.mkstemp(prefix="trace-")
        os.close(handle)
        command = [strace, "-f", "-qq", "-s", "4096", "-o", trace, "-e",
                   "trace=open,openat,connect"] + command
    started = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                 start_new_session=True, env=environment)

        def stop():
            outcome.timed_out = True
            os.killpg(child.pid, 9)

        watch = threading.Timer(limit, stop)
        watch.start()
        try:
            _, status, usage = os.wait4(child.pid, 0)
        finally:
            watch.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        for stream, name in ((out, "stdout"), (err, "stderr")):
            stream.seek(0)
            setattr(outcome, name, stream.read().decode("utf-8", "replace"))
    outcome.code = child.returncode
    outcome.seconds = time.monotonic() - started
    outcome.rss_mb = usage.ru_maxrss / 1024
    if trace:
        outcome.outside, outcome.sockets = read_trace(trace, cwd, allowed)
        os.unlink(trace)
    return outcome


def read_trace(path, cwd, allowed):
    """Files opened outside `allowed`, and internet sockets that were connected."""
    outside, sockets = [], []
    with open(path, errors="replace") as lines:
        for line in lines:
            if "connect(" in line and "AF_INET" in line:
                sockets.append(line.strip()[:160])
                continue
            hit = re.search(r'open(?:at)?\((?:AT_FDCWD, )?"((?:[^"\\]|\\.)*)"(.*)', line)
            if not hit or "= -1" in hit.group(2):
                continue
            # Such a descriptor names a file without opening it: nothing can be read by it.
            if "O_PATH" in hit.group(2):
                continue
            name = hit.group(1).encode("latin-1", "replace").decode("unicode_escape")
            name = name.encode("latin-1", "replace").decode("utf-8", "replace")
            full = os.path.realpath(os.path.join(cwd, name))
            if "unfinished" in hit.group(2) and not os.path.exists(full):
                continue
            if not full.startswith(SYSTEM) and not full.startswith(tuple(allowed)):
                outside.append(full)
    return sorted(set(outside)), sockets


def listing(folder):
    """All files below `folder`."""
    found = []
    for base, folders, files in os.walk(folder):
        found += [os.path.relpath(os.path.join(base, name), folder) for name in files]
        found += [os.path.relpath(os.path.join(base, name), folder)
                  for name in folders if os.path.islink(os.path.join(base, name))]
    return sorted(found)
