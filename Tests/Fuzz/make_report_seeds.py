#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of targets that read JSON of Pinna's own schemas into Seeds, and its words into Dictionaries.

A seed is the smallest and the fullest value that a schema allows; `pinna schema` tells the schemas.
"""

import argparse
import json
import pathlib
import subprocess

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent


def schema(pinna, name):
    return json.loads(subprocess.run([pinna, "schema", name], check=True, capture_output=True, text=True).stdout)


def value(node, root, full, depth=0):
    """A value that `node` allows: all properties where `full`, else what is required."""
    if "$ref" in node:
        return value(root["$defs"][node["$ref"].split("/")[-1]], root, full and depth < 12, depth + 1)
    if "const" in node:
        return node["const"]
    if "enum" in node:
        return node["enum"][0]
    for word in ("oneOf", "anyOf"):
        if word in node:
            return value(node[word][-1 if full else 0], root, full, depth + 1)
    kind = node.get("type")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), "null")
    if kind == "object" or "properties" in node:
        required = node.get("required", [])
        made = {key: value(child, root, full, depth + 1) for key, child in node.get("properties", {}).items()
                if full or key in required}
        extra = node.get("additionalProperties")
        if full and isinstance(extra, dict):
            made["k"] = value(extra, root, full, depth + 1)
        return made
    if kind == "array":
        return [value(node.get("items", {}), root, full, depth + 1)] if full or node.get("minItems") else []
    if kind == "integer":
        return max(1, node.get("minimum", 1))
    return {"number": -1.5, "boolean": full, "null": None}.get(kind, "text")


def words(node, found):
    if isinstance(node, dict):
        found |= set(node.get("properties", {})) | {one for one in node.get("enum", []) if isinstance(one, str)}
        for child in node.values():
            words(child, found)
    elif isinstance(node, list):
        for child in node:
            words(child, found)
    return found


def write(target, seeds, names=()):
    folder = HERE / "Seeds" / target
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in seeds.items():
        (folder / name).write_text(text)
    if names:
        lines = [f'"\\"{name}\\":"\n' for name in sorted(names) if name.isprintable() and '"' not in name]
        (HERE / "Dictionaries").mkdir(exist_ok=True)
        (HERE / "Dictionaries" / f"{target}.dict").write_text("".join(lines))


def compact(made):
    return json.dumps(made, separators=(",", ":"), ensure_ascii=False)


def reports(pinna):
    seeds, names = {}, set()
    for name in ("report", "comparison", "golden", "validation", "item"):
        root = schema(pinna, name)
        words(root, names)
        for full in (False, True):
            seeds[f"{name}-{'full' if full else 'least'}.json"] = compact(value(root, root, full))
    for old in sorted((ROOT / "Tests/Schemas/Report1").glob("*.json")):
        seeds[f"first-{old.name}"] = compact(json.loads(old.read_text()))
    seeds["lines.json"] = seeds["comparison-least.json"] + "\n" + seeds["validation-full.json"] + "\n"
    write("Report", seeds, names)
    batch = schema(pinna, "batch")
    write("Batch", {
        "reply.bin": "\0" + compact({"progress": {"done": 1, "total": 2}}) + "\nnoise\n"
                     + compact({"outcomes": [{"report": json.loads(seeds["item-least.json"]), "cached": False}]}) + "\n",
        "shard.bin": "\2" + compact({"schema": "pinna.shard/1", "shard": {"index": 1, "count": 2}, "manifest": "0a",
                                     "planned": ["a"], "ended": ["a"], "failed": []}),
        "item.bin": "\3" + seeds["item-full.json"], "batch.bin": "\4" + compact(value(batch, batch, True)),
    }, words(batch, set(names)))


def auditions():
    ways = [{"id": f"w{number}", "label": f"Way {number}", "flags": "-e headphones"} for number in (1, 2, 3)]

    def pair(one, other, won):
        return {"kind": "pair", "ways": [one, other], "outside": None, "preferred": won}

    trials = [{"kind": "place", "way": "w1", "place": "front", "answer": "back"}] + [pair("w1", "w2", "w1")] * 2 + [
        pair("w1", "w3", "w3"), pair("w1", "w3", "w1"), pair("w1", "w3", "w1")]
    result = {"schema": "pinna.audition-result/1", "page": "p", "title": "T", "ways": ways,
              "tournaments": [{"id": "t1", "isWhole": True, "trials": trials}, {"id": "t2", "isWhole": False, "trials": []}],
              "abx": [{"id": "a1", "ways": ["w1", "w2"], "excerpt": "e", "planned": 8,
                       "trials": [{"x": "w1", "answer": "w2"}, {"x": "w2", "answer": "w2"}]}]}
    names = {"schema", "page", "title", "ways", "tournaments", "abx", "id", "label", "flags", "isWhole", "trials", "kind", "way",
             "place", "answer", "outside", "preferred", "excerpt", "planned", "x"}
    write("Audition", {"whole.json": compact(result), "empty.json": compact({**result, "tournaments": [], "abx": []})}, names)


def goldens():
    cases = ROOT / "Golden/Cases"
    seeds, names = {}, set()
    for name in ("loudness-23", "error-not-media", "hls-aac"):
        case, outcome = (json.loads((cases / name / file).read_text()) for file in ("case.json", "expected.json"))
        for output in outcome.get("outputs", []):
            # Two seconds tell as much as all of them.
            output["fingerprint"] = {key: part[:2] for key, part in output["fingerprint"].items()}
            output["structure"] = output["structure"][:4]
            names |= set(output)
        case["tolerance"] = {"loudness": 0.1, "truePeak": 0.2, "level": 1}
        seeds[f"{name}.json"] = compact(case) + "\n\n" + compact(outcome)
        names |= set(case) | set(outcome) | set(case["oracle"])
    write("Golden", seeds, names)


def records():
    item = {"source": {"file": {"path": "/a.wav", "range": {"start": {"samples": {"_0": 0}}}}}, "gain": 0, "taps": [], "tags": {},
            "markers": [], "isPart": False}
    edge = {"frames": 0, "curve": "equal-power"}
    place = {"start": 0, "end": 48000, "crossfade": 0,
             "envelope": {"frames": 48000, "decibels": 0, "rise": {**edge, "frames": 480}, "fall": edge},
             "conversion": {"rate": 48000, "sampleInRun": 0, "zeros": 0, "gridStart": 0}}
    record = {"tools": "t", "settings": "s", "from": 0,
              "queue": {"items": [item], "transition": {"cut": {}}, "loudness": "programme", "chapters": "items", "tags": {}},
              "placement": {"rate": 48000, "items": [place], "frames": 48000}, "digests": ["0a"], "level": {"gainDB": -1}}
    two = json.loads(json.dumps(record))
    two["queue"]["items"].append({**item, "source": {"silence": {"_0": {"clock": {"_0": {"ticks": 1, "rate": 1}}}}}, "gain": -3})
    two["placement"]["items"].append({**place, "start": 48000, "end": 96000})
    two["placement"]["frames"] = 96000
    two["digests"].append("")
    names = {"tools", "settings", "from", "queue", "placement", "digests", "level", "items", "source", "file", "silence", "path",
             "range", "start", "end", "samples", "clock", "ticks", "rate", "gain", "taps", "frames", "envelope", "rise", "fall",
             "curve", "crossfade", "conversion", "transition", "gap", "length", "loudness", "chapters", "pinnedGain", "layout"}
    write("Records", {"queue.bin": "\2" + compact(record), "two.bin": "\2" + compact(two)}, names)


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--pinna", default=str(ROOT / ".build/release/pinna"))
options = parser.parse_args()
reports(options.pinna)
auditions()
goldens()
records()
