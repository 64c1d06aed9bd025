# SPDX-License-Identifier: Apache-2.0
"""The batch that every engine runs."""
import json
import math
import os
import struct
import subprocess

from faulty_server import FaultyServer

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


class MadeBatch:
    """A batch with good files, one whose worker crashes (its server sends SIGSEGV to who asks), one that a server can't give
    now, and a corrupt one."""

    def __init__(self, pinna, base):
        self.pinna, self.base = pinna, base
        self.server = FaultyServer()
        self.manifest = os.path.join(base, "the batch.json")
        self.ids = {}
        self.refused = self.killed = 0
        self.make()

    def make(self):
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
        """Writes the engine's file; answers its path and that of the output folder."""
        self.refused, self.killed = self.server.refused, self.server.killed
        root = os.path.join(self.base, f"out {engine}")
        path = os.path.join(self.base, f"{engine} file")
        subprocess.run([self.pinna, "emit", engine, self.manifest, "-O", root, "-o", path, "--shards",
                        str(SHARDS), "--retries", "1", "--program", self.pinna, *options], check=True)
        return path, root

    def check_merge(self, root):
        """The merge must report the three that fail, each with its reason, and nothing else."""
        with open(root + "/.pinna/merged.json") as file:
            report = json.load(file)
        failed = {item["id"]: ((item.get("error") or {}).get("kind"), item["exit"])
                  for item in report["items"] if item["status"] not in ("ok", "unchanged", "silent")}
        assert failed == {self.ids[name]: fault for name, fault in WANTED.items()}
        assert report["counts"]["done"] == GOOD
        assert sum(name.endswith(".wav") for name in os.listdir(root)) == GOOD
        assert self.server.killed > self.killed, "no worker was really killed"

    def print_logs(self, root):
        """Prints what workers logged; pytest shows it when a test fails."""
        for name in sorted(os.listdir(root + "/.pinna/logs")):
            with open(os.path.join(root, ".pinna/logs", name)) as file:
                print(f"--- {name}\n{file.read()}")
