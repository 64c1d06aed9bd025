#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs nightly jobs one after the other, and prints which of them failed.

    .ci/nightly.py [--json] [JOB …]

All jobs of .ci/nightly unless some are named. The output of each goes to out/nightly/JOB.log too. Exit code 1 when one
failed. --json prints the names only, for a workflow's matrix.
"""
import json
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def jobs():
    """Names and commands."""
    rows = (ROOT / ".ci/nightly").read_text().splitlines()
    return dict(row.split(None, 1) for row in rows if row and not row.startswith("#"))


def run(name, command, logs):
    """Runs a job; answers whether it went well, and prints how long it took."""
    start = time.monotonic()
    with (logs / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(["bash", "-c", command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for line in process.stdout:
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
            log.write(line)
    code = process.wait()
    print(f"nightly: {name}: {'ok' if code == 0 else f'FAILED ({code})'} after {(time.monotonic() - start) / 60:.0f} min", flush=True)
    return code == 0


def main():
    known, named = jobs(), sys.argv[1:]
    if named == ["--json"]:
        print(json.dumps(list(known)))
        return 0
    if unknown := set(named) - set(known):
        print(f"nightly: {' '.join(sorted(unknown))} isn't one of {' '.join(known)}", file=sys.stderr)
        return 2
    logs = ROOT / "out/nightly"
    logs.mkdir(parents=True, exist_ok=True)
    failed = [name for name in named or known if not run(name, known[name], logs)]
    print(f"nightly: {len(named or known)} jobs, {len(failed)} failed" + (f": {' '.join(failed)}" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
