# SPDX-License-Identifier: Apache-2.0
"""Defects as patches, which stay the same while the sources around them change.

A patch is named NUMBER.patch. It changes or removes one line, and is readable as the mistake that somebody could make. To be
built together with all others, it becomes the place in today's sources that has the same line, and the same change.
"""
import difflib
import os
import re

import places

HEADER = re.compile(r"^\+\+\+ b/Sources/(.*)$", re.M)


def changed(line, place):
    """The line with the defect as somebody would write it; None where it is removed."""
    kind, text = place.kind, place.text
    if kind in ("call", "assignment"):
        return None
    if kind in places.PRECEDENCES or kind == "logic":
        new = places.OPERATORS[text][1]
    elif kind == "negation":
        new = ""
    elif kind == "integer":
        new = str(int(text.replace("_", "")) + 1)
    elif kind == "fraction":
        new = str(float(text) * 1.125 or 0.125)
    elif kind == "truth":
        new = "false" if text == "true" else "true"
    elif kind == "bound":
        new = "max(" if text == "min" else "min("
    else:
        new = f"({text}) && false" if kind == "branch" else f"({text}) || true"
    return line[:place.start] + new + line[place.end:]


def written(lines, place):
    """The patch of a defect in the file that has `lines`."""
    new = changed(lines[place.line], place)
    after = lines[:place.line] + ([] if new is None else [new]) + lines[place.line + 1:]
    path = f"Sources/{place.path}"
    return "\n".join(difflib.unified_diff(lines, after, f"a/{path}", f"b/{path}", lineterm="")) + "\n"


def read(text):
    """Path, the lines before the changed one, the changed one, and what it becomes (None: it is removed)."""
    path = HEADER.search(text).group(1)
    body = text[text.index("\n@@") + 1:].split("\n")[1:]
    at = next(number for number, line in enumerate(body) if line.startswith("-"))
    new = body[at + 1][1:] if body[at + 1].startswith("+") else None
    return path, [line[1:] for line in body[:at]], body[at][1:], new


def place_of(text, found, texts):
    """The place in today's sources that a patch means; None where its line, or the change in it, is there no more.

    A file that has moved is found by its name, and among equal lines the one counts whose neighbours are most alike.
    """
    path, before, old, new = read(text)
    files = [path] if path in texts else [name for name in texts if os.path.basename(name) == os.path.basename(path)]
    fitting = []
    for place in found:
        lines = texts[place.path]
        if place.path in files and lines[place.line] == old and changed(old, place) == new:
            near = lines[max(0, place.line - len(before)):place.line]
            fitting.append((difflib.SequenceMatcher(None, near, before).ratio(), place))
    return max(fitting, key=lambda pair: pair[0])[1] if fitting else None


def kept(folder, sources):
    """The places of all patches in a folder by their numbers, the texts of all files, and numbers without a place."""
    found, texts = places.find(sources)
    chosen, gone = {}, []
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".patch"):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            place = place_of(file.read(), found, texts)
        number = int(name[:-len(".patch")])
        if place:
            chosen[number] = place
        else:
            gone.append(number)
    return chosen, texts, gone
