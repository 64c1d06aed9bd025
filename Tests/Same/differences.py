# SPDX-License-Identifier: Apache-2.0
"""What differs between two sides: the case, the part, its kind, and what can be said of it."""
import array
import collections
import dataclasses
import difflib
import math
import subprocess

import payloads

# As much of a text's difference as is printed.
LINES, WIDTH = 12, 200


@dataclasses.dataclass(frozen=True)
class Difference:
    """One part of a case that isn't the same.

    Kinds: samples (the sound), streams (other media data; the sound that ffmpeg decodes is the same), container (what surrounds
    media data that are the same), bytes (another file), text, missing (a case or part of one side only), exit code."""
    case: str
    part: str
    kind: str
    detail: str = ""


def between(base, tree, folder):
    """All differences, in the order of the cases."""
    for name in {**base["cases"], **tree["cases"]}:
        first, second = base["cases"].get(name), tree["cases"].get(name)
        if first is None or second is None:
            yield Difference(name, "", "missing", f"only in {(base if second is None else tree)['side']}")
            continue
        if first["code"] != second["code"]:
            yield Difference(name, "", "exit code", f"{first['code']} → {second['code']}")
        for part in sorted({*first["parts"], *second["parts"]}):
            rows = first["parts"].get(part), second["parts"].get(part)
            if None in rows:
                yield Difference(name, part, "missing", f"only in {(base if rows[1] is None else tree)['side']}")
            elif rows[0] != rows[1]:
                paths = [folder / side["side"] / case["folder"] / part for side, case in ((base, first), (tree, second))]
                yield judge(name, part, rows, paths)


def judge(name, part, rows, paths):
    """The kind of one difference, and its detail where the files of both sides are still there."""
    there = all(path.is_file() for path in paths)
    if rows[0]["kind"] == "text":
        return Difference(name, part, "text", text_detail(*paths) if there else "")
    if rows[0]["kind"] != "media" or rows[1]["kind"] != "media":
        return Difference(name, part, "bytes", sizes(*paths) if there else "")
    same = rows[0]["media"] == rows[1]["media"]
    if same:
        return Difference(name, part, "container", container_detail(*paths) if there else "")
    apart, detail = sample_detail(*paths) if there else (True, "")
    return Difference(name, part, "samples" if apart else "streams", detail)


def text_detail(first, second):
    """The first lines of a unified diff."""
    old, new = (path.read_text(encoding="utf-8", errors="backslashreplace").splitlines() for path in (first, second))
    rows = list(difflib.unified_diff(old, new, n=0, lineterm=""))[2:]
    shown = [row if len(row) <= WIDTH else around(row, rows) for row in rows[:LINES]]
    return "\n".join(shown + ([f"… {len(rows) - LINES} lines more"] if len(rows) > LINES else []))


def around(row, rows):
    """A long line, from a little before the place where it and a line of the other sign go apart."""
    other = next((line for line in rows if line[:1] != row[:1] and line[:1] in "+-" and line[1:40] == row[1:40]), None)
    start = 1
    if other:
        start = max(1, next((place for place, pair in enumerate(zip(row, other)) if place and pair[0] != pair[1]), 1) - WIDTH // 4)
    return f"{row[0]}{'…' if start > 1 else ''}{row[start:start + WIDTH]}…"


def sizes(first, second):
    old, new = first.read_bytes(), second.read_bytes()
    place = next((place for place, pair in enumerate(zip(old, new)) if pair[0] != pair[1]), min(len(old), len(new)))
    return f"{len(old)} → {len(new)} bytes, first at byte {place}"


def container_detail(first, second):
    """The chunks or boxes that differ, or the first byte that does."""
    old, new = (payloads.parts(path.read_bytes()) for path in (first, second))
    rows = [name if name in old and name in new else f"{name} (only {'before' if name in old else 'after'})"
            for name in {**old, **new} if old.get(name) != new.get(name)]
    return "; ".join([*([", ".join(rows)] if rows else []), sizes(first, second)])


def decoded(path):
    """The sound of a file as ffmpeg decodes it, as interleaved floats; None where it can't."""
    done = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-bitexact", "-i", path, "-map", "0:a:0", "-f", "f32le", "-"],
                          capture_output=True, check=False)
    if done.returncode or not done.stdout:
        return None
    found = array.array("f")
    found.frombytes(done.stdout[:len(done.stdout) // 4 * 4])
    return found


def sample_detail(first, second):
    """Whether the sound differs, and its figures: lengths, the first sample and the largest difference."""
    old, new = decoded(first), decoded(second)
    if old is None or new is None:
        return True, f"ffmpeg can't decode it; {sizes(first, second)}"
    lengths = f"{len(old)} → {len(new)} values, " if len(old) != len(new) else ""
    largest = max((abs(one - two) for one, two in zip(old, new)), default=0)
    if largest == 0:
        return len(old) != len(new), f"{lengths}the sound is the same as far as both go; {sizes(first, second)}"
    place = next(place for place, pair in enumerate(zip(old, new)) if pair[0] != pair[1])
    return True, f"{lengths}from value {place} on, at most {20 * math.log10(largest):.1f} dBFS apart"


def report(found, base, tree):
    """The text for a reader: each difference, then counts by kind and by group."""
    rows = []
    for difference in found:
        place = f" [{difference.part}]" if difference.part else ""
        rows.append(f"{difference.kind}: {difference.case}{place}")
        rows += [f"    {line}" for line in difference.detail.splitlines()]
    total = len({**base["cases"], **tree["cases"]})
    if not found:
        return f"same: {total} cases of {base['side'][:20]} and {tree['side'][:20]} are the same"
    kinds = collections.Counter(difference.kind for difference in found)
    groups = collections.Counter(difference.case.split(":")[0] for difference in found)
    named = len({difference.case for difference in found})
    rows.append(f"same: {named} of {total} cases differ: " + ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
                + " (" + ", ".join(f"{group} {count}" for group, count in groups.most_common()) + ")")
    return "\n".join(rows)
