# SPDX-License-Identifier: Apache-2.0
"""Runs a program and says what it took: CPU seconds of it and its children, and the largest resident set."""
import collections
import os
import subprocess
import time

# cpu: seconds of the process and the children that it waited for; rss: its own largest resident set, MiB.
Run = collections.namedtuple("Run", "code cpu rss out errors")

INTERVAL = 0.02


def run(command, folder, name, **options):
    """Runs `command`; what it prints goes to files called `name` in `folder`, so that this process stays small."""
    out, errors = (os.path.join(folder, f"{name}.{kind}") for kind in ("out", "err"))
    with open(out, "wb") as first, open(errors, "wb") as second:
        process = subprocess.Popen(command, stdout=first, stderr=second, **options)
    rss = 0
    while True:
        rss = max(rss, high_water(process.pid))
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        time.sleep(INTERVAL)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Run(process.returncode, usage.ru_utime + usage.ru_stime, rss, out, errors)


def high_water(pid):
    """The largest resident set of the process so far, MiB; children don't count. Linux alone has it."""
    try:
        with open(f"/proc/{pid}/status") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) / 1024
    except (OSError, ProcessLookupError):
        pass
    return 0


def told(run):
    """The end of what it wrote to standard error, for messages."""
    with open(run.errors, "rb") as file:
        return file.read()[-400:].decode(errors="replace").strip()
