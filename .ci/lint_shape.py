#!/usr/bin/env python3
"""Checks the shape of the sources: files in a folder, and stored properties of a type.

swift-format indents members by two columns, so that a type's members are the declarations two columns
further in than the type itself. Enumerations have no stored properties.
"""

import collections
import pathlib
import re
import subprocess
import sys

MOST_FILES = 25
MOST_PROPERTIES = 15

TYPE = re.compile(
    r"^( *)(?:@\w+(?:\([^)]*\))? )*(?:public |package |internal |fileprivate |private |final |indirect )*"
    r"(class|struct|actor|enum|extension|protocol) ([\w.]+)")
PROPERTY = re.compile(
    r"^( *)(?:@\w+(?:\([^)]*\))? )*"
    r"(?:public |package |internal |fileprivate |private |(?:private|package|fileprivate|internal)\(set\) |lazy |weak "
    r"|unowned |nonisolated\(unsafe\) |nonisolated )*(?:let|var) (\w+|\([^)]*\))(.*)$")


def is_computed(rest):
    """Whether what stands behind the name is a computed property: a brace without a value."""
    before = rest.split("=")[0]
    return "{" in before


def stored_properties(path):
    """Yields (line, type, count) for every class, struct and actor of the file."""
    stack = []
    done = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("//"):
            continue
        indent = len(line) - len(line.lstrip(" "))
        while stack and indent <= stack[-1][0] and not line.lstrip().startswith("}"):
            done.append(stack.pop())
        found = TYPE.match(line)
        if found and line.rstrip().endswith("{"):
            stack.append([indent, found.group(2), found.group(3), number, 0])
            continue
        found = PROPERTY.match(line)
        if found and stack and indent == stack[-1][0] + 2 and not is_computed(found.group(3)):
            stack[-1][4] += found.group(2).count(",") + 1
    for _, kind, name, number, count in done + stack:
        if kind in ("class", "struct", "actor"):
            yield number, name, count


def main():
    listed = subprocess.run(
        ["git", "ls-files", "--", "*.swift"], capture_output=True, text=True, check=True).stdout
    paths = [pathlib.Path(name) for name in listed.splitlines()]
    findings = []
    folders = collections.Counter(path.parent for path in paths)
    for folder, count in sorted(folders.items()):
        if count > MOST_FILES and folder.parts[0] == "Sources":
            findings.append(f"{folder}: {count} files, at most {MOST_FILES} are allowed")
    for path in paths:
        if path.parts[0] != "Sources" or not path.exists():
            continue
        for number, name, count in stored_properties(path):
            if count > MOST_PROPERTIES:
                findings.append(
                    f"{path}:{number}: {name} has {count} stored properties, "
                    f"at most {MOST_PROPERTIES} are allowed")
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
