# SPDX-License-Identifier: Apache-2.0
"""Runs the corpus through `pinna batch`: all files by one call, each manifest by one of its own."""
import json
import os
import re
import shutil

import probing

# Plain text in the corpus' manifests -> the same in the words of pinna.manifest/1.
WORDS = [(r"^items:", "jobs:"), (r"\boutput:", "name:"), (r"\bgain:", "max-gain:")]


class Batches:
    """Judges cases by the results that a batch leaves."""

    def __init__(self, pinna, root, manifest, scratch, strace, checker):
        self.pinna, self.root, self.scratch, self.strace = pinna, root, scratch, strace
        self.manifest, self.limits = manifest, manifest["limits"]
        self.checker = checker

    def folder(self):
        """A fresh place for outputs, temporary files and a working folder."""
        folder = os.path.join(self.scratch, "out")
        shutil.rmtree(folder, ignore_errors=True)
        for name in ("out", "tmp", "work", "cache"):
            os.makedirs(os.path.join(folder, name))
        return folder

    def call(self, folder, source, seconds, *options, cwd=None):
        source = source if isinstance(source, list) else [source]
        environment = dict(os.environ, TMPDIR=folder + "/tmp", XDG_CACHE_HOME=folder + "/cache",
                           HOME=folder)
        return probing.run(
            [self.pinna, "batch", *source, "-O", folder + "/out", "-q", "--progress", "none", "-j", "2",
             "--job-timeout", f"{self.limits['max_seconds']}s", "--job-memory",
             f"{self.limits['max_rss_mb']}M", "--max-output-size", f"{self.limits['max_output_mb']}M",
             "--offline", "--input-root", self.root, *options],
            cwd or folder + "/work", seconds, self.strace, (self.scratch,), environment)

    def judge_files(self, cases):
        """Renders all files by one call."""
        folder = self.folder()
        names = [case.name for case in cases]
        with open(os.path.join(self.scratch, "list"), "w") as file:
            file.write("".join(name + "\0" for name in names))
        before = probing.listing(self.root)
        run = self.call(folder, ["--input-list", os.path.join(self.scratch, "list")], 900, "-f", "wav", "--name",
                        "{id}.{ext}", "--on-damage", "conceal", "--report", folder + "/report.json",
                        cwd=self.root)
        found = []
        if run.code != 10:
            found.append(f"the batch ended with {run.code}, not 10: {run.stderr[-2000:]}")
        found += [f"read {place}" for place in run.outside]
        found += [f"opened a socket: {place}" for place in run.sockets]
        if not os.path.exists(folder + "/report.json"):
            return found + ["the batch wrote no report"]
        with open(folder + "/report.json") as file:
            entries = {entry["input"]: entry for entry in json.load(file)["items"]}
        kept = set()
        for name, case in zip(names, cases):
            entry = entries.get(name)
            kept |= {written["path"] for written in (entry or {}).get("files", [])}
            self.judge_entry(case, entry, folder)
        for name in probing.listing(folder + "/out"):
            if name not in kept and not name.startswith(".pinna/"):
                found.append(f"left {name} behind")
        found += [f"left {name} behind" for name in probing.listing(folder + "/tmp")]
        found += [f"left {name} behind" for name in probing.listing(folder + "/work")]
        found += [f"changed the corpus: {name}" for name in set(probing.listing(self.root)) ^ set(before)]
        return found

    def judge_entry(self, case, entry, folder):
        if not entry:
            return case.fault("is missing in the batch's report")
        with open(os.path.join(folder, "out", entry["result"])) as file:
            item = json.load(file)
        run = probing.Outcome()
        cost = entry.get("performance") or {}
        run.code, run.seconds = entry["exit"], cost.get("wallSeconds", 0)
        run.rss_mb = cost.get("peakRSSMiB", 0)
        report = (item.get("reports") or [{}])[0]
        if entry["status"] == "error":
            report = dict(report, error=entry["error"])
            run.stderr = "pinna: " + plain(entry["error"]["message"])
        written = [file["path"] for file in entry["files"]] or ["none"]
        self.checker.check(case, run, report, os.path.join(folder, "out", written[0]))

    def judge_manifest(self, case):
        """A manifest must be refused as it is, and still when its words are Pinna's."""
        path = os.path.join(self.root, case.name)
        with open(path, "rb") as file:
            content = file.read()
        folder = self.folder()
        self.refuse(case, self.call(folder, path, self.limits["max_seconds"]), folder, "as it is")
        try:
            text = content.decode()
        except UnicodeDecodeError:
            case.verdict = "reject"
            return
        for pattern, word in WORDS:
            text = re.sub(pattern, word, text, flags=re.M)
        translated = os.path.join(self.root, "manifests", "translated.yaml")
        with open(translated, "w") as file:
            file.write("schema: pinna.manifest/1\n" + text)
        folder = self.folder()
        self.refuse(case, self.call(folder, translated, self.limits["max_seconds"]), folder, "translated")
        os.unlink(translated)

    def refuse(self, case, run, folder, how):
        self.checker.check_limits(case, run)
        case.verdict = "accept" if run.code == 0 else "reject"
        if run.code not in (0, 2, 3, 5, 10):
            case.fault(f"{how}: ended with exit {run.code}")
        if not run.stderr.strip():
            case.fault(f"{how}: nothing was said")
        for name in probing.listing(folder):
            if not name.startswith("out/.pinna/"):
                case.fault(f"{how}: left {name} behind")
        if case.verdict not in case.allowed:
            case.fault(f"{how}: is {case.verdict}, the manifest says {' or '.join(case.allowed)}")
        lines = [line for line in run.stderr.strip().splitlines() if "nothing was done" not in line]
        case.note = f"exit {run.code} {lines[0][:90] if lines else ''}"


def plain(message):
    """A message on one line, as a terminal gets it."""
    return "".join(" " if ord(c) < 32 or 0x202A <= ord(c) <= 0x202E else c for c in message)
