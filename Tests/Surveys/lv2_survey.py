#!/usr/bin/env python3
"""Sends a test signal through every LV2 effect that is installed, and says what became of each.

pinna hosts each plugin in a process of its own; a crash of one is a row of the table, and must not be one of pinna.
Exit 1 when pinna crashes, or fewer effects render than --least says."""

import argparse
import collections
import concurrent.futures
import json
import subprocess
import sys
import time

LAYOUTS = {1: "mono", 2: "stereo", 3: "3.0", 4: "quad", 5: "5.0", 6: "5.1", 8: "7.1", 12: "7.1.4"}


def listed(pinna):
    """The plugins that sound can pass, with the layout to try each with."""
    text = subprocess.run([pinna, "taps", "list", "--lv2", "--json"], capture_output=True, check=True)
    plugins = json.loads(text.stdout)["plugins"]
    effects = [p for p in plugins if p["inputs"] > 0 and p["outputs"] > 0]
    return plugins, effects


def trial(plugin):
    """The words that describe the tap, and the layout."""
    inputs, outputs = plugin["inputs"], plugin["outputs"]
    tap = "post:lv2=" + plugin["uri"]
    if inputs == outputs and inputs in LAYOUTS:
        return tap, LAYOUTS[inputs]
    channels = outputs if inputs == 1 else min(inputs, outputs)
    while channels not in LAYOUTS:
        channels -= 1
    return tap + ",channels=mix", LAYOUTS[channels]


def check(pinna, plugin, seconds):
    """What became of one plugin."""
    tap, layout = trial(plugin)
    start = time.monotonic()
    row = {"uri": plugin["uri"], "layout": layout}
    try:
        done = subprocess.run([pinna, "taps", "check", tap, "--layout", layout, "--json"],
                              capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return row | {"outcome": "pinna hangs", "seconds": seconds}
    row |= {"exit": done.returncode, "seconds": round(time.monotonic() - start, 2),
            "message": done.stderr.decode(errors="replace").strip()}
    if done.returncode < 0:
        return row | {"outcome": "pinna crashes"}
    if done.returncode not in (0, 9):
        crashed = "crashed (signal" in row["message"]
        return row | {"outcome": "plugin crashes" if crashed else "refused"}
    report = json.loads(done.stdout)
    row |= {"outcome": "rendered", "latency": report["latency"], "tail": report["tail"],
            "deterministic": report["deterministic"]}
    return row | {"judgement": judgement(report)}


def judgement(report):
    """How the delay became known."""
    latency = report["latency"]
    if "measured" not in latency:
        return "not provable"
    if abs(latency["measured"] - latency["declared"]) <= 1:
        return "confirmed"
    if latency["used"] == latency["declared"]:
        return "turns phases"
    return "corrected" if any(d["code"] == "tap-latency" for d in report["degradations"]) else "found"


def table(plugins, rows):
    outcomes = collections.Counter(row["outcome"] for row in rows)
    rendered = [row for row in rows if row["outcome"] == "rendered"]
    judged = collections.Counter(row["judgement"] for row in rendered)
    stated = [row for row in rendered if row["latency"]["declared"] > 0]
    lines = [
        ("plugins", len(plugins)), ("effects tried", len(rows)), *sorted(outcomes.items()),
        ("states a delay", len(stated)), *((f"delay {word}", n) for word, n in sorted(judged.items())),
        ("sounds on", sum(row["tail"] > 0 for row in rendered)),
        ("varies from run to run", sum(not row["deterministic"] for row in rendered)),
        ("checks over 3 s", sum(row["seconds"] > 3 for row in rows)),
    ]
    return "\n".join(f"{name:26} {count:5}" for name, count in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pinna", default=".build/release/pinna")
    parser.add_argument("--json", help="write all rows to this file")
    parser.add_argument("--least", type=int, default=384, help="effects that must render")
    parser.add_argument("--seconds", type=float, default=300, help="most seconds for one plugin")
    parser.add_argument("--only", default="", help="only plugins whose address holds this")
    options = parser.parse_args()
    plugins, effects = listed(options.pinna)
    effects = [plugin for plugin in effects if options.only in plugin["uri"]]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        rows = list(pool.map(lambda plugin: check(options.pinna, plugin, options.seconds), effects))
    for row in rows:
        if row["outcome"] != "rendered" or row["judgement"] in ("corrected", "found"):
            what = row.get("message") or f"{row['judgement']}: {row['latency']}"
            print(f"{row['uri']}: {row['outcome']}, {what}")
    print(table(plugins, rows))
    if options.json:
        with open(options.json, "w") as file:
            json.dump(rows, file, indent=1)
    lost = [row for row in rows if row["outcome"].startswith("pinna")]
    rendered = sum(row["outcome"] == "rendered" for row in rows)
    sys.exit(1 if lost or rendered < min(options.least, len(rows)) else 0)


if __name__ == "__main__":
    main()
