# SPDX-License-Identifier: Apache-2.0
"""One side of the comparison: a program, its cases' digests as JSON, and what the cases left."""
import concurrent.futures
import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import platform
import shutil
import subprocess
import time

import materials
import running
import tables

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
OUT = ROOT / "out/same"


def git(*words):
    return subprocess.run(["git", "-C", str(ROOT), *words], check=True, capture_output=True, text=True).stdout.strip()


def rules(inputs):
    """A digest of the tables, of what runs and judges them, of the inputs and of the machine: with other rules, kept digests don't
    count."""
    facts = pathlib.Path("/proc/cpuinfo")
    lines = facts.read_text().splitlines() if facts.exists() else [platform.processor()]
    machine = sorted({line for line in lines if line.startswith(("model name", "flags", "Features", "CPU part"))})
    text = materials.digest(sorted(HERE.glob("*.py"))) + inputs + "\n".join(machine)
    return hashlib.sha256(text.encode()).hexdigest()


def run(side, program, only, jobs):
    """Runs all cases whose name matches, and answers what is kept of them."""
    inputs = materials.make(OUT / "inputs")
    files = OUT / side
    # Digests without their files would be believed after a break.
    (OUT / f"{side}.json").unlink(missing_ok=True)
    shutil.rmtree(files, ignore_errors=True)
    files.mkdir(parents=True)
    place = running.Place(program, OUT / "work", OUT / "inputs", files)
    chosen = {case.title: case for case in tables.every() if not only or only.search(case.title)}
    skipped = {title: lacks for title, case in chosen.items() if (lacks := case.lacks(OUT / "inputs"))}
    rows = {title: case for title, case in chosen.items() if title not in skipped}
    start, digest = time.monotonic(), program_digest(program)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        found = dict(zip(rows, pool.map(place.run, rows.values())))
    taken = time.monotonic() - start
    if program_digest(program) != digest:
        raise OSError(f"{program}: was replaced while it ran")
    odd = [title for title, case in rows.items() if not case.fits(found[title]["code"])]
    shutil.rmtree(OUT / "work", ignore_errors=True)
    digests = {"side": side, "rules": rules(inputs), "only": only.pattern if only else None, "seconds": round(taken, 1),
               "skipped": skipped, "odd": odd, "cases": found}
    (OUT / f"{side}.json").write_text(json.dumps(digests, indent=1) + "\n")
    say(digests, jobs)
    return digests


def say(digests, jobs):
    print(f"same: {len(digests['cases'])} cases of {digests['side']} in {digests['seconds']:.0f} s, {jobs} at once", flush=True)
    for name, lacks in digests["skipped"].items():
        print(f"same: skipped {name}: {' '.join(lacks)} isn't beside the checkout")
    for name in digests["odd"]:
        print(f"same: exit code {digests['cases'][name]['code']} isn't the one of the tables: {name}")


def kept(side, only):
    """The digests of an earlier run, where it was under the same rules and had these cases."""
    path = OUT / f"{side}.json"
    if not path.exists():
        return None
    digests = json.loads(path.read_text())
    if digests["rules"] != rules(materials.make(OUT / "inputs")):
        return None
    if only and digests["only"] is None:
        return digests | {"cases": {title: found for title, found in digests["cases"].items() if only.search(title)}}
    return digests if digests["only"] == (only.pattern if only else None) else None


def program_side(program):
    """The name of a finished program's side: its own digest."""
    return f"program-{program_digest(program)[:12]}"


def program_digest(program):
    return hashlib.sha256(pathlib.Path(program).read_bytes()).hexdigest()


def build(commit):
    """The program of a commit, built with that commit's own flags in a worktree, unless it has been built already."""
    tree = OUT / f"worktree-{commit}"
    program = tree / ".build/release/pinna"
    if not (tree / "Makefile").exists():
        shutil.rmtree(tree, ignore_errors=True)
        git("worktree", "prune")
        git("worktree", "add", "--detach", str(tree), commit)
        resolved = ROOT / "Package.resolved"
        if resolved.exists():
            shutil.copyfile(resolved, tree / "Package.resolved")
    if not program.exists():
        print(f"same: building {commit[:12]} in {tree}", flush=True)
        environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
        subprocess.run(["make", "--no-print-directory", "-C", str(tree), "build"], check=True, env=environment)
    return program


@contextlib.contextmanager
def alone():
    """Holds the folder, since two runs would use the same work folders. Raises BlockingIOError where another run has it."""
    OUT.mkdir(parents=True, exist_ok=True)
    with (OUT / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield


def discard(sides):
    """Removes what is kept of other sides than these; worktrees stay."""
    for path in OUT.glob("*.json"):
        if path.stem not in sides:
            path.unlink()
            shutil.rmtree(OUT / path.stem, ignore_errors=True)
