#!/usr/bin/env python3
"""Runs what `pinna emit` writes on real engines: Slurm with two nodes on the loopback, Snakemake and GNU
parallel; Kubernetes' jobs are validated.

    cluster_test.py --pinna .build/release/pinna [--python VENV/bin/python] [--only slurm,…]

The batch has good files, one whose worker crashes (its server sends SIGSEGV to who asks), one that a
server can't give now, and a corrupt one; every engine's merge must tell exactly those three. Everything
that was started is ended and removed, also after a failure. Exits 1 on any difference.
"""
import argparse
import json
import math
import os
import shutil
import struct
import subprocess
import sys
import tempfile

from faulty_server import FaultyServer
from slurm import Slurm

SHARDS = 4
GOOD = 6
WANTED = {"crash": ("crashed", 1), "corrupt": ("input-unreadable", 3), "later": ("unavailable", 75)}


def wav(seconds):
    """A stereo tone."""
    frames = int(48000 * seconds)
    body = b"".join(struct.pack("<hh", *[int(8000 * math.sin(i * 0.05 * (c + 1))) for c in (0, 1)])
                    for i in range(frames))
    head = struct.pack("<HHIIHH", 1, 2, 48000, 192000, 4, 16)
    return (b"RIFF" + struct.pack("<I", 36 + len(body)) + b"WAVEfmt \x10\0\0\0" + head + b"data"
            + struct.pack("<I", len(body)) + body)


class Cluster:
    """The batch and the engines that run it."""

    def __init__(self, pinna, python, base):
        self.pinna, self.python, self.base = pinna, python, base
        self.server = FaultyServer()
        self.manifest = os.path.join(base, "the batch.json")
        self.ids = {}
        self.failures = []

    def expect(self, condition, sentence):
        print(("ok       " if condition else "FAILED   ") + sentence, flush=True)
        if not condition:
            self.failures.append(sentence)

    def make_batch(self):
        """Writes the inputs and a manifest in which the one that may pass has a shard without others that
        fail, because only such a shard is begun anew."""
        good = wav(1)
        for number in range(GOOD):
            with open(f"{self.base}/good {number}.wav", "wb") as file:
                file.write(good)
        with open(self.base + "/corrupt.wav", "wb") as file:
            file.write(b"no sound at all\n" * 100)
        for number in range(100):
            self.ids = {"crash": "crash", "corrupt": "corrupt", "later": f"later{number}"}
            self.write_manifest()
            if self.shard("later") not in (self.shard("crash"), self.shard("corrupt")):
                return
        raise RuntimeError("no id puts the item into a shard of its own")

    def write_manifest(self):
        jobs = [{"id": f"good{n}", "input": f"good {n}.wav"} for n in range(GOOD)]
        jobs += [{"id": "corrupt", "input": "corrupt.wav"},
                 {"id": "crash", "input": self.server.address + "/crash.wav"},
                 {"id": self.ids["later"], "input": self.server.address + "/later.wav"}]
        for job in jobs:
            job["name"] = job["id"] + ".wav"
        with open(self.manifest, "w") as file:
            json.dump({"schema": "pinna.manifest/1", "defaults": {"loudness": "off"}, "jobs": jobs}, file)

    def shard(self, name):
        for part in range(1, SHARDS + 1):
            done = subprocess.run(
                [self.pinna, "batch", self.manifest, "-O", self.base + "/none", "-n", "--shard",
                 f"{part}/{SHARDS}"], capture_output=True, text=True, check=True)
            if any(line.split()[:1] == [self.ids[name]] for line in done.stdout.splitlines()):
                return part
        raise RuntimeError(f"{name} is in no shard: {done.stdout}{done.stderr}")

    def emit(self, engine, *options):
        """Writes the engine's file; its path and that of the output folder."""
        root = os.path.join(self.base, f"out {engine}")
        path = os.path.join(self.base, f"{engine} file")
        subprocess.run([self.pinna, "emit", engine, self.manifest, "-O", root, "-o", path, "--shards",
                        str(SHARDS), "--retries", "1", "--program", self.pinna, *options], check=True)
        return path, root

    def check_merge(self, engine, root):
        """The merge must tell the three that fail, each with its reason, and nothing else."""
        try:
            with open(root + "/.pinna/merged.json") as file:
                report = json.load(file)
        except OSError as error:
            return self.expect(False, f"{engine}: there is a merged report ({error})")
        told = {item["id"]: ((item.get("error") or {}).get("kind"), item["exit"])
                for item in report["items"] if item["status"] not in ("ok", "unchanged", "silent")}
        wanted = {self.ids[name]: fault for name, fault in WANTED.items()}
        self.expect(told == wanted, f"{engine}: the merge tells exactly {wanted}"
                    + ("" if told == wanted else f", but told {told}"))
        self.expect(report["counts"]["done"] == GOOD, f"{engine}: {GOOD} of {GOOD} good files are done")
        left = [name for name in os.listdir(root) if name.endswith(".wav")]
        self.expect(len(left) == GOOD, f"{engine}: {GOOD} outputs are there")

    def run_slurm(self):
        slurm = Slurm(os.path.join(self.base, "slurm"))
        os.makedirs(slurm.base)
        try:
            slurm.start()
            path, root = self.emit("slurm")
            refused = self.server.refused
            done = subprocess.run(["bash", path], env=slurm.environment, capture_output=True, text=True,
                                  timeout=120, cwd=self.base)
            self.expect(done.returncode == 0, f"slurm: submitted ({(done.stdout + done.stderr).strip()})")
            self.expect(slurm.wait_for_jobs(300), "slurm: all jobs ended")
            self.expect(sorted(slurm.restarts())[-2:] == [0, 1], "slurm: one task was begun anew, once")
            self.expect(self.server.refused > refused + 1, "slurm: what may pass was asked for again")
            self.check_merge("slurm", root)
            self.show_logs(root) if self.failures else None
        finally:
            slurm.stop()

    def show_logs(self, root):
        for name in sorted(os.listdir(root + "/.pinna/logs")):
            with open(os.path.join(root, ".pinna/logs", name)) as file:
                print(f"--- {name}\n{file.read()}")

    def run_snakemake(self):
        path, root = self.emit("snakemake")
        done = subprocess.run([self.python, "-m", "snakemake", "-s", path, "--cores", "2", "--keep-going",
                               "--directory", self.base + "/snakes"], capture_output=True, text=True, timeout=300)
        self.expect(done.returncode != 0, "snakemake: failures aren't hidden")
        self.check_merge("snakemake", root)
        if self.failures:
            print(done.stdout[-3000:], done.stderr[-3000:])

    def run_parallel(self):
        path, root = self.emit("gnu-parallel")
        done = subprocess.run(["bash", path, "-j", "2"], capture_output=True, text=True, timeout=300,
                              env=dict(os.environ, HOME=self.base))
        self.expect(done.returncode == 10, f"gnu-parallel: ends with the merge's 10 ({done.returncode})")
        self.check_merge("gnu-parallel", root)

    def run_kubernetes(self):
        path, _ = self.emit("kubernetes", "--image", "registry.example/pinna:1", "--mount", self.base)
        validate = os.path.join(os.path.dirname(self.python), "kubernetes-validate")
        done = subprocess.run([validate, "--strict", path], capture_output=True, text=True, timeout=120)
        self.expect(done.returncode == 0, "kubernetes: kubernetes-validate agrees "
                    + (done.stdout + done.stderr).strip()[-400:])

    def run(self, engines):
        self.make_batch()
        for name, step in engines.items():
            step(self)
            print(flush=True)
        self.expect(self.server.killed > 0 or "kubernetes" in engines and len(engines) == 1,
                    f"{self.server.killed} workers were really killed by SIGSEGV")


ENGINES = {"slurm": Cluster.run_slurm, "snakemake": Cluster.run_snakemake,
           "gnu-parallel": Cluster.run_parallel, "kubernetes": Cluster.run_kubernetes}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pinna", required=True)
    parser.add_argument("--python", default=sys.executable, help="one with Snakemake and kubernetes-validate")
    parser.add_argument("--only", help="engines, separated by commas")
    arguments = parser.parse_args()
    wanted = arguments.only.split(",") if arguments.only else list(ENGINES)
    base = os.path.realpath(tempfile.mkdtemp(prefix="pinna-cluster-"))
    os.chmod(base, 0o755)
    cluster = Cluster(os.path.abspath(arguments.pinna), os.path.abspath(arguments.python), base)
    try:
        cluster.run({name: ENGINES[name] for name in wanted})
    finally:
        cluster.server.stop()
        shutil.rmtree(base, ignore_errors=True)
    print(f"cluster-test: {len(cluster.failures)} failures")
    return 1 if cluster.failures else 0


if __name__ == "__main__":
    sys.exit(main())
