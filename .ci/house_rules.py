#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""House rules that no tool knows: which files may import the C library and Foundation, conditions for a system, downcasts,
proofs of `@unchecked Sendable`, first words of comments, licences, lengths of files and functions, and files larger than 1 MiB.

    .ci/house_rules.py

Looks at every tracked file of the repository, and at every commit of its history. Exit code 1 when a rule is broken.
"""
import ast
import pathlib
import re
import subprocess
import sys

LONGEST_FILE = 500
LONGEST_FUNCTION = 60
LARGEST_FILE = 1 << 20
# In two parts, so that this line isn't taken for the licence of the file.
LICENCE = "SPDX-License-Identifier:" + " Apache-2.0"
# Blobs of the history that are larger, each with its reason.
KNOWN_BLOBS = {"63c8cca275effe3c071ec5ad2fbe561aeb7d3516": "a render that was committed and removed before this check"}

# A pattern, the files that it is looked for in, those that are exempt, and the sentence for who breaks it.
LINES = [
    (r"^ *(@\w+ )?import (struct |func |var )?(Glibc|Musl|Darwin|Android)([. ]|$)|\b(Glibc|Musl|Darwin)\.[a-z]",
     r"(Sources|Tests)/", r"Sources/Platform/Libc\.swift",
     "import Platform instead of the C library, and call its functions without a module"),
    (r"^ *(@\w+ )?import FoundationEssentials$", r"Sources/", r"Sources/Essentials/",
     "import Essentials instead of FoundationEssentials"),
    (r"^ *#(if|elseif).*(canImport|os|arch|targetEnvironment)\(", r"Sources/", r"Sources/(Platform|Essentials)/",
     "only Platform and Essentials may have conditions for a system"),
    # Readers are told apart by what they say, not by their type.
    (r"as\? (AC4TrackReader|AudioTrackReader|MediaInput)", r"Sources/", None,
     "no downcast to a concrete reader"),
    (r"try!|fatalError\(", r"Sources/", None, "no try! and no fatalError"),
]
# Words that leave out what a comment is about.
VAGUE = re.compile(r"(What|Where|Which|Those|The same|Likewise|It|Whose|Who)\b")
COMMENT = re.compile(r" *(///?)(?!/) *(.*)")
FUNCTION = re.compile(r"(^| )(func [^ ]|init[?(<]|deinit( |$)|subscript[(<])")


def lines_found(path, text):
    """Forbidden lines of a Swift file."""
    for pattern, places, exempt, sentence in LINES:
        if not re.match(places, path) or exempt and re.match(exempt, path):
            continue
        for found in re.finditer(pattern, text, re.MULTILINE):
            yield f"{path}:{text.count(chr(10), 0, found.start()) + 1}: {sentence}"


def unproved(path, text):
    """Each `@unchecked Sendable` that no comment just above it gives the reason of."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if "@unchecked Sendable" in line and not any(
                "Sendable, because" in above for above in lines[max(0, number - 4):number + 1]):
            yield f"{path}:{number + 1}: say in the lines above why it is Sendable (Sendable, because …)"


def vague(path, text):
    """Each comment that begins with one of the words that leave out its noun. A line behind another of the same comment goes on
    with it."""
    above = None
    for number, line in enumerate(text.splitlines(), 1):
        found = COMMENT.match(line)
        mark = found and found[1]
        if found and mark != above and (word := VAGUE.match(found[2])):
            yield f"{path}:{number}: begin the comment with the noun that it is about instead of \"{word[0]}\""
        above = mark


def swift_functions(text):
    """First line, last line and declaration of the functions that aren't in functions: swift-format puts the closing
    brace into the column that the declaration begins in."""
    start = None
    for number, line in enumerate(text.splitlines(), 1):
        column = len(line) - len(line.lstrip(" "))
        if start is None:
            if FUNCTION.search(line) and not line.lstrip().startswith("//") and not line.endswith("}"):
                start, left, name = number, column, line.strip()
        elif column == left and line.lstrip().startswith("}"):
            yield start, number, name
            start = None
        elif line.strip() and column < left:
            start = None


def python_functions(text):
    """First line, last line and name of all functions."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.end_lineno, node.name


def lengths(path, text):
    """Files and functions that are too long. Generated tables may be."""
    if path.endswith("+Table.swift"):
        return
    count = len(text.splitlines())
    if count > LONGEST_FILE:
        yield f"{path}: {count} lines, at most {LONGEST_FILE} are allowed"
    for first, last, name in (swift_functions if path.endswith(".swift") else python_functions)(text):
        if last - first + 1 > LONGEST_FUNCTION:
            yield f"{path}:{first}: {last - first + 1} lines, at most {LONGEST_FUNCTION} are allowed: {name}"


def source_findings(path, text):
    """All that is wrong with a Swift or Python file."""
    if path.endswith(".swift"):
        yield from lines_found(path, text)
        if path.startswith(("Sources/", "Tests/")):
            yield from vague(path, text)
        if path.startswith("Sources/"):
            yield from unproved(path, text)
    yield from lengths(path, text)


def unlicensed(path, text):
    """A file that doesn't name its licence in front, as `reuse` reads it. Generated ones don't."""
    head = text[:400]
    if LICENCE not in head and not re.search(r"^(//|#) (Written|Generated) by", head, re.M):
        yield f"{path}:1: name the licence in the first lines: {LICENCE}"


def git(folder, *words, given=None):
    return subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True, text=True, input=given).stdout


def large_blobs(folder):
    """Files of any commit that are too large. One that was removed again stays in each clone."""
    objects = git(folder, "rev-list", "--objects", "HEAD")
    for row in git(folder, "cat-file", "--batch-check=%(objecttype) %(objectsize) %(objectname) %(rest)", given=objects).splitlines():
        kind, size, name, path = row.split(" ", 3)
        if kind == "blob" and int(size) > LARGEST_FILE and name not in KNOWN_BLOBS:
            yield f"{path}: {int(size)} bytes in a commit of this branch, at most {LARGEST_FILE} are allowed (blob {name[:12]})"


def is_source(path):
    """Whether a file is written in Swift or Python. Scripts of .ci have no extension."""
    if path.suffix in (".swift", ".py"):
        return True
    with path.open("rb") as file:
        return path.parent.name == ".ci" and file.readline().endswith(b"python3\n")


def findings(folder):
    """All that is wrong with the repository."""
    tracked = [name for name in git(folder, "ls-files", "-z").split("\0") if name]
    sources = [name for name in tracked if (folder / name).is_file() and is_source(folder / name)]
    if not sources:
        yield "git lists no Swift and no Python file, so that nothing can be checked"
    for name in sources:
        text = (folder / name).read_text(encoding="utf-8")
        yield from source_findings(name, text)
        yield from unlicensed(name, text)
    for name in tracked:
        if re.match(r"\.build|Package\.resolved$|out/", name):
            yield f"{name}: must not be tracked"
        # Staged files aren't in a commit yet.
        elif (folder / name).is_file() and (folder / name).stat().st_size > LARGEST_FILE:
            yield f"{name}: {(folder / name).stat().st_size} bytes, at most {LARGEST_FILE} are allowed"
    yield from large_blobs(folder)


def main():
    found = list(findings(pathlib.Path(__file__).resolve().parent.parent))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
