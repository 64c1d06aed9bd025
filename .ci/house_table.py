#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the figures of the source, with those of the commit that the goals were set at, and the goals.

    .ci/house_table.py [--list NUMBER]

Looks at the tracked Swift files of Sources. Figures of 8c90ea5 are this script's, except those that no script can take. --list prints the places that the row with this number counts. A figure that no script
can take is `-`, with the reason below the table.
"""
import argparse
import collections
import dataclasses
import pathlib
import re
import statistics
import sys

import house_rules

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The side of the source that the goal for lonely types was set on; pinna and Presets are what PinnaCLI and Settings were or are.
COMPOSITION = {"Audition", "Batch", "Inspection", "PinnaCLI", "Platform", "PlayQueue", "Presets", "Rendering", "Report", "SegmentStore",
               "Settings", "Verify", "pinna"}
# A type with at most so many lines in a file of its own belongs to its user.
LONELY = 60
# A list of options names at least this share of them.
SHARE = 0.25
DECLARATION = re.compile(
    r"(?:@\w+(?:\([^)]*\))? )*(?:(?:public|package|internal|private|fileprivate|final|indirect|nonisolated) )*"
    r"(struct|class|enum|actor|protocol|typealias|func|extension) ([\w.]+)")
TYPES = ("struct", "class", "enum", "actor", "protocol")
WORD = re.compile(r"[A-Za-z_]\w*")
# What a doc comment may not begin with.
OPENINGS = re.compile(r"(What|Where|Which|Those|The same|Likewise|It)\b")
SPLITS = re.compile(r'split\(separator: "/"|[Ii]ndex\(of: "/"\)|has(?:Prefix|Suffix)\("/"\)|contains\("/"\)')
EXISTS = re.compile(r'"[^"\n]*(?:exists already|already exists)[^"\n]*"')
RAW_WRITE = re.compile(r"(?<![.\w])p?write\(\s*(?:descriptor|data)\b")


@dataclasses.dataclass
class Row:
    """One figure: its name, that of commit 8c90ea5, today's, the goal, whether it is reached, and what it counts."""
    name: str
    before: str
    today: str
    goal: str = ""
    reached: bool | None = None
    counted: tuple = ()
    why: str = ""


@dataclasses.dataclass
class Part:
    """A declaration of a file that isn't inside another: its kind, its name, and the words of its code."""
    kind: str
    name: str
    words: set


class File:
    """A Swift file: its text, and its code without comments."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.lines = text.splitlines()
        self.code = [line for line in self.lines if line.strip() and not line.lstrip().startswith("//")]
        self.words = set(WORD.findall("\n".join(self.code)))
        self.parts = list(self.outer_parts())
        self.types = [part for part in self.parts if part.kind in TYPES]

    @property
    def module(self):
        return pathlib.PurePath(self.path).parts[1]

    def outer_parts(self):
        """swift-format puts what isn't inside anything into the first column, and what an extension adds two columns further."""
        part = outer = None
        for line in self.code:
            if found := DECLARATION.match(line):
                part = outer = Part(found[1], found[2], set())
                yield part
            elif outer and outer.kind == "extension" and (found := DECLARATION.match(line[2:])) and found[1] in TYPES:
                part = Part(found[1], found[2], set())
                yield part
            for holder in (part, outer) if part else ():
                holder.words.update(WORD.findall(line))

    def docs(self):
        """Each doc comment, as number of its first line and text."""
        start, words = None, []
        for number, line in enumerate([*self.lines, ""], 1):
            text = line.strip()
            if text.startswith("///"):
                start = start or number
                words.append(text[3:].strip())
            elif start:
                yield start, " ".join(words)
                start, words = None, []


def sources(folder):
    names = house_rules.git(folder, "ls-files", "-z", "Sources").split("\0")
    return [File(name, (folder / name).read_text(encoding="utf-8")) for name in names
            if name.endswith(".swift") and (folder / name).is_file()]


def users(files):
    """The files that hold each word in their code."""
    found = collections.defaultdict(set)
    for file in files:
        for word in file.words:
            found[word].add(file.path)
    return found


def unique_types(files):
    """Types whose name no other type has, each with its file."""
    places = collections.defaultdict(list)
    for file in files:
        for part in file.types:
            places[part.name].append(file)
    return {name: found[0] for name, found in places.items() if len(found) == 1}


def lonely(files, named):
    """Types that exactly one other file names and that lie alone in a short file."""
    return sorted(f"{file.path}: {name}, for {next(iter(named[name] - {file.path}))}" for name, file in unique_types(files).items()
                  if len(named[name] - {file.path}) == 1 and len(file.types) == 1 and len(file.lines) <= LONELY)


def glued(files, named):
    """Files whose types fall into groups that neither name each other nor have a caller in common."""
    unique, found = unique_types(files), []
    for file in files:
        names = [part.name for part in file.types if part.name in unique]
        if len(names) < 2:
            continue
        inside = collections.defaultdict(set)
        for part in file.parts:
            inside[part.name.split(".")[0]] |= part.words
        # An extension of a type from elsewhere is a caller, too, which this file holds itself.
        extended = [part.words for part in file.parts if part.kind == "extension" and part.name.split(".")[0] not in names]
        groups = []
        for name in names:
            near = [group for group in groups if any(
                related(name, other, inside, named, file.path) or any({name, other} <= words for words in extended) for other in group)]
            groups = [group for group in groups if group not in near] + [{name}.union(*near)]
        if len(groups) > 1:
            found.append(f"{file.path}: " + " | ".join(", ".join(sorted(group)) for group in groups))
    return found


def related(one, other, inside, named, path):
    return one in inside[other] or other in inside[one] or bool((named[one] & named[other]) - {path})


def options(folder):
    """Keys of the render options, from the reference page of the manifest."""
    page = (folder / "docs/reference/manifest.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `([\w-]+)` \| `-", page, re.M)


def option_lists(files, keys):
    """Files that name many render options, as keys or as Swift's names."""
    found = []
    for file in files:
        texts = set(re.findall(r'"(?:--)?([a-z][\w-]*)"', "\n".join(file.code)))
        count = sum(key in texts or camel(key) in file.words for key in keys)
        if count >= SHARE * len(keys):
            found.append(f"{file.path}: {count} of {len(keys)}")
    return found


def camel(key):
    first, *others = key.split("-")
    return first + "".join(word.capitalize() for word in others)


def matches(files, pattern):
    """Places of a pattern in the code."""
    return [f"{file.path}:{number}: {line.strip()}" for file in files for number, line in enumerate(file.lines, 1)
            if not line.lstrip().startswith("//") for _ in pattern.finditer(line)]


def goal(name, before, counted, most, shown=None):
    """A row that is reached when it counts at most so much."""
    return Row(name, before, shown or f"{len(counted):,}", f"≤ {most}" if most else "0", len(counted) <= most, tuple(counted))


def unknown(name, before, goal_text, why):
    return Row(name, before, "-", goal_text, None, (), why)


def volume(files):
    """Rows on files, their lengths and folders."""
    lengths = {file.path: len(file.lines) for file in files}
    total, median = sum(lengths.values()), statistics.median(lengths.values())
    folders = collections.Counter(str(pathlib.PurePath(path).parent) for path in lengths)
    largest = folders.most_common(1)[0]
    functions = [f"{file.path}:{first}: {last - first + 1} lines: {name}" for file in files if not file.path.endswith("+Table.swift")
                 for first, last, name in house_rules.swift_functions(file.text) if last - first >= house_rules.LONGEST_FUNCTION]
    longest = [f"{path}: {count}" for path, count in lengths.items()
               if count > house_rules.LONGEST_FILE and not path.endswith("+Table.swift")]
    comments = sum(line.lstrip().startswith("//") for file in files for line in file.lines)
    docs = sum(line.lstrip().startswith("///") for file in files for line in file.lines)
    return [
        Row("Swift files in Sources", "1,695", f"{len(files):,}", f"≤ {total // 125:,}", len(files) <= total / 125),
        Row("files per 125 lines", "1.61", f"{len(files) * 125 / total:.2f}", "≤ 1", len(files) <= total / 125),
        Row("median lines of a file", "62", f"{median:g}", "≥ 110", median >= 110),
        Row("lines", "131,685", f"{total:,}"),
        Row("most files in one folder", "25", f"{largest[1]}", counted=tuple(f"{name}: {count}" for name, count in folders.most_common(20))),
        goal(f"files of more than {house_rules.LONGEST_FILE} lines", "0", longest, 0),
        goal(f"functions of more than {house_rules.LONGEST_FUNCTION} lines", "0", functions, 0),
        Row("lines of comments, of which doc comments", "21,026, 19,888", f"{comments:,}, {docs:,}"),
    ]


def spread(files, named, keys):
    """Rows on types and settings."""
    small = [file for file in files if file.module in COMPOSITION]
    alone = [row for row in lonely(files, named) if row.split("/")[1] in COMPOSITION]
    flags = sorted(file.path for file in files if re.search(r"lfe-gain|lfeGain|LFEPolicy", "\n".join(file.code)))
    dither = matches(files, re.compile(r"^\s*(?:(?:public|package|private|@\w+) )*(?:var|let) dither\b"))
    heads = [f"{name}: {unique_types(files)[name].path}" for name in ("BinauralRenderer", "SceneRenderer") if name in unique_types(files)]
    return [
        goal(f"types for one other file, alone in ≤ {LONELY} lines (composition side, of {sum(len(file.types) for file in small)})",
             "95 of 734", alone, 10),
        Row("the same on all sides", "232", f"{len(lonely(files, named)):,}", counted=tuple(lonely(files, named))),
        goal("files whose types have no caller in common", "4", glued(files, named), 0),
        unknown("types that a block of samples passes", "≈ 85", "≤ 55", "calls are followed by hand, as house/composition.md 1 (a) does"),
        goal("files that name --lfe-gain", "32", flags, 14),
        goal(f"files that name a quarter of the {len(keys)} render options", "7", option_lists(files, keys), 2),
        unknown("parsers of render options", "2", "1", "parsers aren't known by a name"),
        goal("declarations of dither", "10", dither, 3),
        unknown("source files to add an output container", "12–14", "≤ 5", "the commit that adds one shows it"),
        unknown("source files to add a lossy codec", "≈ 10", "≤ 4", "the commit that adds one shows it"),
        goal("renderers for a bed on headphones (BinauralRenderer, SceneRenderer)", "2", heads, 1),
    ]


def twins(files):
    """Rows on what is written more than once, and on comments."""
    loops = [file.path for file in files if "EINTR" in file.words and RAW_WRITE.search("\n".join(file.code))]
    docs = [(f"{file.path}:{number}", text) for file in files for number, text in file.docs()]
    return [
        goal("write-all loops (files)", "12", loops, 1),
        goal("path splits by Character", "100", matches(files, SPLITS), 0),
        goal("“exists already” texts", "12", matches(files, EXISTS), 1),
        Row("doc comments of at most four words", "2,646", f"{sum(len(text.split()) <= 4 for _, text in docs):,}",
            "where they say something", None, tuple(f"{place}: {text}" for place, text in docs if len(text.split()) <= 4)),
        goal("doc comments that begin with What, Where, Which, Those, The same, Likewise, It", "1,404",
             [f"{place}: {text}" for place, text in docs if OPENINGS.match(text)], 0),
    ]


def table(folder):
    files = sources(folder)
    named = users(files)
    return [*volume(files), *spread(files, named, options(folder)), *twins(files)]


def text(rows):
    cells = [["", "figure", "8c90ea5", "today", "goal", ""]]
    cells += [[str(number), row.name, row.before, row.today, row.goal, {True: "yes", False: "no", None: ""}[row.reached]]
              for number, row in enumerate(rows, 1)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    lines = ["  ".join(cell.rjust(width) if column in (0, 2, 3, 4) else cell.ljust(width)
                       for column, (cell, width) in enumerate(zip(line, widths))).rstrip() for line in cells]
    judged = [row for row in rows if row.reached is not None]
    lines += [f"-: {row.name}: {row.why}" for row in rows if row.why]
    lines.append(f"house: {sum(row.reached for row in judged)} of {len(judged)} goals that can be measured hold")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(prog="house_table", description="Prints the figures of the source and their goals.")
    parser.add_argument("--list", type=int, metavar="NUMBER", help="print what the row with this number counts")
    given = parser.parse_args()
    rows = table(ROOT)
    if given.list is None:
        print(text(rows))
    elif 1 <= given.list <= len(rows):
        print("\n".join(rows[given.list - 1].counted))
    else:
        parser.error(f"--list: give 1 to {len(rows)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
