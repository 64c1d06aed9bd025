#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the quality goals of the virtualisation with what the tests measured.

Usage: quality.py FIGURES [--without-sadie]
FIGURES has one JSON object a line, {"metric": ..., "set": ..., "got": ...}, as the tests write it
when PINNA_QUALITY names a file. Several figures of one metric count as their worst.

Exit 0 also when a goal is missed; 1 when a goal has no figure, a figure has no goal, or a figure
isn't a number. A figure is judged as it is printed.
"""
import argparse
import json
import math
import sys

BOTH = ("kemar", "sadie")
BUILT_IN = ("kemar",)
# metric: (sense, limit, unit, sets). max: at most; abs: magnitude at most; min: at least.
GOALS = {
    "held-out ITD, median": ("max", 5, "µs", BOTH),
    "held-out ITD, 95 %": ("max", 15, "µs", BOTH),
    "held-out ILD, mean": ("max", 0.7, "dB", BOTH),
    "held-out ILD, 95 %": ("max", 3.0, "dB", BOTH),
    "held-out spectrum, mean": ("max", 0.35, "dB", BOTH),
    "held-out spectrum, 95 %": ("max", 1.5, "dB", BOTH),
    "held-out bias at 12.7 kHz": ("abs", 0.3, "dB", BOTH),
    "head scaling, known sphere": ("max", 5, "µs", BUILT_IN),
    "head scaling, real set": ("max", 5, "µs", BUILT_IN),
    "HeSuVi file of the built-in set": ("max", -90, "dB", BUILT_IN),
    "object, held-out ITD, median": ("max", 3, "µs", BOTH),
    "object, held-out ITD, 95 %": ("max", 10, "µs", BOTH),
    "object, held-out ILD, mean": ("max", 0.5, "dB", BOTH),
    "object, held-out ILD, 95 %": ("max", 3.0, "dB", BOTH),
    "object, held-out spectrum, mean": ("max", 0.25, "dB", BOTH),
    "object, held-out spectrum, 95 %": ("max", 1.5, "dB", BOTH),
    "object, held-out bias at 12.7 kHz": ("abs", 0.3, "dB", BOTH),
    "object at 90°/s, 0.2–2 kHz": ("max", -64, "dB", BOTH),
    "object at 90°/s, 2–8 kHz": ("max", -50, "dB", BOTH),
    "object at 90°/s, 8–16 kHz": ("max", -36, "dB", BOTH),
    "scene of order 3, ITD, median": ("max", 15, "µs", BOTH),
    "scene of order 3, ITD below 1.5 kHz, median": ("max", 15, "µs", BOTH),
    "scene of order 3, spectrum, mean": ("max", 2, "dB", BOTH),
    "reflections of an object at 90°/s, energy": ("near", (-0.6, 0.9), "dB", BUILT_IN),
    "small room: energy of reflections": ("abs", 0.5, "dB", BUILT_IN),
    "small room: level difference": ("max", 0.5, "dB", BUILT_IN),
    "small room: thirds of octaves": ("max", 0.8, "dB", BUILT_IN),
    "small room: interaural delay": ("max", 25, "µs", BUILT_IN),
    "medium room: energy of reflections": ("abs", 0.5, "dB", BUILT_IN),
    "medium room: level difference": ("max", 0.5, "dB", BUILT_IN),
    "medium room: thirds of octaves": ("max", 0.8, "dB", BUILT_IN),
    "medium room: interaural delay": ("max", 25, "µs", BUILT_IN),
    "small room: decay time": ("abs", 5, "%", BUILT_IN),
    "small room: direct-to-reverberant ratio": ("abs", 0.5, "dB", BUILT_IN),
    "medium room: decay time": ("abs", 5, "%", BUILT_IN),
    "medium room: direct-to-reverberant ratio": ("abs", 0.5, "dB", BUILT_IN),
    "diffuse-field range": ("max", 1, "dB", BOTH),
    "diffuse field at 50 Hz": ("abs", 1, "dB", BOTH),
    "one channel's level over layouts": ("max", 0.1, "dB", BOTH),
    "noise gain over layouts": ("max", 1, "dB", BOTH),
    "null against direct convolution": ("max", -135, "dB", BOTH),
    "null, loudspeakers": ("max", -135, "dB", BOTH),
    "latency left": ("abs", 0.05, "samples", BOTH),
    "left/right mirror": ("max", -120, "dB", BOTH),
    "LFE above a main channel": ("near", (10, 0.5), "dB", BOTH),
    "LFE alignment": ("abs", 1, "samples", BOTH),
    "XTC, own head, span 10…60°": ("min", 25, "dB", BOTH),
    "XTC, another head, span 20°": ("min", 14, "dB", BOTH),
    "XTC, 2 cm off, span 20°": ("min", 10, "dB", BOTH),
    "XTC, 2 cm off, span 10…60°": ("min", 10, "dB", BOTH),
    "XTC gain, span 10…60°": ("max", 7, "dB", BOTH),
    "XTC centre colour, span 10…60°": ("max", 3, "dB", BOTH),
    "XTC centre colour, another head, span 20°": ("max", 3, "dB", BOTH),
}
SIGNS = {"max": "≤ ", "min": "≥ ", "abs": "±"}


def excess(goal, got):
    """How far `got` is beyond the goal; not positive when it is met."""
    sense, limit = goal[:2]
    if sense == "near":
        return abs(got - limit[0]) - limit[1]
    if sense == "abs":
        return abs(got) - limit
    return got - limit if sense == "max" else limit - got


def goal_text(goal):
    sense, limit, unit, _ = goal
    if sense == "near":
        return f"{limit[0]} ±{limit[1]} {unit}"
    return f"{SIGNS[sense]}{limit} {unit}".replace("-", "−")


def read(path):
    figures, faults = {}, []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            key, got = (entry["metric"], entry["set"]), entry["got"]
            goal = GOALS.get(key[0])
            if goal is None or key[1] not in goal[3]:
                faults.append(f"{key[0]}, {key[1]}: a figure without a goal")
            elif not isinstance(got, (int, float)) or not math.isfinite(got):
                faults.append(f"{key[0]}, {key[1]}: {got} is no figure")
            elif key not in figures or excess(goal, got) > excess(goal, figures[key]):
                figures[key] = got
    return figures, faults


def rows(figures, sets):
    for metric, goal in GOALS.items():
        for name in goal[3]:
            if name not in sets or ("another head" in metric and len(sets) < 2):
                continue
            got = figures.get((metric, name))
            if got is None:
                yield metric, name, goal_text(goal), "–", "missing"
                continue
            met = excess(goal, round(got, 2)) <= 1e-9
            text = f"{got:.2f} {goal[2]}".replace("-", "−")
            yield metric, name, goal_text(goal), text, "met" if met else "MISSED"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("figures")
    parser.add_argument("--without-sadie", action="store_true", help="the test set isn't here")
    options = parser.parse_args()
    figures, faults = read(options.figures)
    table = list(rows(figures, ("kemar",) if options.without_sadie else BOTH))
    heads = ("metric", "set", "goal", "got", "verdict")
    widths = [max(len(row[column]) for row in [heads] + table) for column in range(4)]
    for row in [heads, tuple("-" * width for width in widths) + ("-------",)] + table:
        cells = [cell.ljust(width) for cell, width in zip(row, widths)]
        print("| " + " | ".join(cells + [row[4].ljust(7)]) + " |")
    if options.without_sadie:
        print("\nThe SADIE test set is not beside the package: rows that need it are left out.")
    for fault in faults:
        print(f"quality: {fault}", file=sys.stderr)
    missing = sum(row[4] == "missing" for row in table)
    if missing:
        print(f"quality: {missing} goals have no figure", file=sys.stderr)
    return 1 if faults or missing else 0


if __name__ == "__main__":
    sys.exit(main())
