# SPDX-License-Identifier: Apache-2.0
"""Judges what Pinna makes of a file of the corpus by the file's entry in the corpus' manifest."""
import json
import os
import shutil
import struct

import probing
from expectations import DECLARED, HARMLESS, REFUSED, WARNINGS


class Case:
    """One file of the corpus and what was found about it."""

    def __init__(self, entry):
        self.entry = entry
        self.name = entry["file"]
        self.kind = entry.get("kind", "file")
        self.verdict = "?"
        self.warnings = []
        self.faults = []
        self.note = ""

    def fault(self, sentence):
        self.faults.append(sentence)

    @property
    def allowed(self):
        if self.name in DECLARED:
            return [DECLARED[self.name][0]]
        return [self.entry["class"]] + self.entry.get("allow", [])


def wav_facts(path):
    """Channels, rate, bits, frames and bytes of a WAV file that Pinna wrote."""
    with open(path, "rb") as file:
        data = file.read()
    at, facts = 12, {}
    while at + 8 <= len(data):
        name, size = data[at:at + 4], struct.unpack("<I", data[at + 4:at + 8])[0]
        if name == b"fmt ":
            tag, channels, rate, _, align, bits = struct.unpack("<HHIIHH", data[at + 8:at + 24])
            facts.update(tag=tag, channels=channels, rate=rate, align=align, bits=bits)
        elif name == b"data":
            facts["frames"] = min(size, len(data) - at - 8) // facts["align"]
        at += 8 + size + size % 2
    facts["bytes"] = len(data)
    facts["content"] = data
    return facts


class Checker:
    """Compares one run with its entry in the manifest."""

    def __init__(self, manifest):
        self.limits = manifest["limits"]
        self.canary = manifest["canary"].encode()

    def check(self, case, run, report, output):
        self.check_limits(case, run)
        kinds = [item["code"] for item in report.get("degradations", [])]
        subjects = [item["code"] for item in report.get("decisions", [])]
        case.warnings = sorted(set(kinds))
        if run.code == 0:
            self.check_accepted(case, report, kinds, subjects, output)
        else:
            self.check_refused(case, run, report, output)
        if case.verdict not in case.allowed:
            case.fault(f"is {case.verdict}, the manifest says {' or '.join(case.allowed)}")

    def check_limits(self, case, run):
        if run.timed_out:
            case.fault("was still running when its time was over")
        elif run.code < 0:
            case.fault(f"died by signal {-run.code}")
        if run.seconds > self.limits["max_seconds"]:
            case.fault(f"took {run.seconds:.1f} s")
        if run.rss_mb > self.limits["max_rss_mb"]:
            case.fault(f"took {run.rss_mb:.0f} MB of memory")
        for place in run.outside:
            case.fault(f"read {place}")
        for place in run.sockets:
            case.fault(f"opened a socket: {place}")
        if self.canary in (run.stdout + run.stderr).encode():
            case.fault("printed the canary")

    def check_accepted(self, case, report, kinds, subjects, output):
        wanted = case.entry["warnings"]
        said = [w for w in wanted if WARNINGS[w] & set(kinds + subjects)]
        doubts = set(kinds) - HARMLESS
        case.verdict = "accept-and-repair" if said or doubts else "accept"
        if case.verdict == "accept-and-repair" and "accept" in case.allowed and not wanted:
            case.fault(f"is intact but reported as {', '.join(sorted(doubts))}")
        if "accept" not in case.allowed or doubts:
            for warning in wanted:
                if warning not in said:
                    case.fault(f"gives no warning for {warning}")
        if not os.path.exists(output):
            return case.fault("exit 0 without an output")
        facts = wav_facts(output)
        if facts["bytes"] > self.limits["max_output_mb"] << 20:
            case.fault(f"wrote {facts['bytes'] >> 20} MB")
        if self.canary in facts["content"]:
            case.fault("its output holds the canary")
        self.check_facts(case, facts)

    def check_facts(self, case, facts):
        expect = case.entry.get("expect", {})
        seconds = facts["frames"] / facts["rate"]
        if facts["frames"] == 0:
            case.fault("its output is empty")
        for key in ("frames", "rate", "channels"):
            if key in expect and facts[key] != expect[key]:
                case.fault(f"its output has {facts[key]} {key}, not {expect[key]}")
        # Start-up samples of the codec are trimmed, which the manifest doesn't count.
        if "seconds" in expect and abs(seconds - expect["seconds"]) > 0.05:
            case.fault(f"its output lasts {seconds:.3f} s, not {expect['seconds']}")
        if seconds > expect.get("max_seconds", seconds):
            case.fault(f"its output lasts {seconds:.1f} s")
        if expect.get("output_all_finite") and facts["tag"] == 3:
            case.fault("its output is float, where integers were asked for")

    def check_refused(self, case, run, report, output):
        case.verdict = "reject"
        if os.path.lexists(output):
            case.fault("left an output though it was refused")
        if run.code >= 0 and run.code not in REFUSED:
            case.fault(f"ended with exit {run.code}")
        lines = run.stderr.strip().splitlines()
        if len(lines) != 1 or not lines[0].startswith("pinna: "):
            case.fault(f"printed {len(lines)} lines instead of one sentence")
        elif os.path.basename(case.name) not in lines[0]:
            case.fault("its sentence doesn't name the file")
        if "0x7f" in run.stderr:
            case.fault("its sentence holds an address in memory")
        error = report.get("error") or {}
        if not error.get("message"):
            case.fault("its report holds no error")
        wanted = case.entry.get("expect", {}).get("error")
        if wanted and error.get("kind") != wanted:
            case.fault(f"fails as {error.get('kind')}, not as {wanted}")
        case.note = f"exit {run.code} {error.get('kind', '')}"


class Renders:
    """Runs each file by a `pinna render` of its own."""

    def __init__(self, pinna, root, manifest, scratch, strace):
        self.pinna, self.root, self.scratch, self.strace = pinna, root, scratch, strace
        self.manifest = manifest
        self.checker = Checker(manifest)

    def render(self, case, damage):
        folder = os.path.join(self.scratch, "out")
        shutil.rmtree(folder, ignore_errors=True)
        for name in ("", "tmp", "work", "cache"):
            os.makedirs(os.path.join(folder, name))
        limits = self.manifest["limits"]
        output, report = os.path.join(folder, "o.wav"), os.path.join(folder, "r.json")
        environment = dict(os.environ, TMPDIR=folder + "/tmp", XDG_CACHE_HOME=folder + "/cache",
                           HOME=folder)
        run = probing.run(
            [self.pinna, "render", os.path.join(self.root, case.name), "-o", output, "--report",
             report, "--quiet", "--progress", "none", "--offline", "--input-root", self.root,
             "--on-damage", damage, "--max-output-size", f"{limits['max_output_mb']}M"],
            folder + "/work", limits["max_seconds"], self.strace, (self.root, folder), environment)
        try:
            with open(report) as file:
                content = json.load(file)
        except (OSError, ValueError):
            content = {}
            case.fault("wrote no report")
        return run, content, output, folder

    def judge(self, case):
        before = probing.listing(self.scratch)
        run, report, output, folder = self.render(case, "conceal")
        self.checker.check(case, run, report, output)
        known = {"o.wav", "r.json"} if run.code == 0 else {"r.json"}
        for name in probing.listing(folder):
            if name not in known:
                case.fault(f"left {name} behind")
        around = [name for name in probing.listing(self.scratch) if not name.startswith("out/")]
        if set(around) - set(before):
            case.fault(f"wrote outside its folder: {sorted(set(around) - set(before))}")
        if "decode-errors" in [item["code"] for item in report.get("degradations", [])]:
            self.judge_strictness(case)

    def judge_strictness(self, case):
        """Damage that is repaired when asked for must be refused when not."""
        strict, report, output, _ = self.render(case, "fail")
        kinds = {item["code"] for item in report.get("degradations", [])}
        if strict.code == 0 and "truncated" in kinds:
            return
        if strict.code not in (3, 4) or os.path.exists(output):
            case.fault(f"isn't refused without --on-damage conceal: exit {strict.code}")
