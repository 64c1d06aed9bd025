# SPDX-License-Identifier: Apache-2.0
"""What the scripts beside generated tables (`*+Table.swift`) have in common: how tables look in Swift, and that
`--check` compares instead of writing."""

import json
import pathlib
import sys

HEAD = "// swift-format-ignore-file\n// Written by make_tables.py; don't edit.\n\n"


def load(*parts):
    """The content of a JSON file."""
    return json.loads(pathlib.Path(*parts).read_text())


def save(path, text):
    """Writes a table of this text to `path`, or fails under `--check` when it isn't there already."""
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(f"{sys.argv[0]} takes no argument but --check")
    path, text = path.resolve(), HEAD + text
    if not sys.argv[1:]:
        path.write_text(text)
    elif path.read_text() != text:
        sys.exit(f"{path}: isn't what {sys.argv[0]} writes; run it")


def enumeration(name, note, body, imports="", access=""):
    """A namespace of tables; `access` is empty or a word with a space behind it."""
    return f"{imports}/// {note}\n{access}enum {name} {{\n{body}}}\n"


def wrapped(values, indent):
    """Numbers in lines of at most 100 columns."""
    lines, line = [], ""
    for value in values:
        text = f"{value},"
        if line and len(line) + len(text) + 1 + indent > 100:
            lines.append(line)
            line = text
        else:
            line = f"{line} {text}" if line else text
    if line:
        lines.append(line)
    return "\n".join(" " * indent + line for line in lines)


def array(name, kind, values, note, access=""):
    """A constant array; `access` as in `enumeration`."""
    return f"  /// {note}\n  {access}static let {name}: [{kind}] = [\n{wrapped(values, 4)}\n  ]\n"


def codebook(name, note, offset, lengths, codewords):
    """A constant code of codewords by symbol."""
    body = f"  /// {note}\n  static let {name} = HuffmanCode(\n    offset: {offset},\n    lengths: [\n"
    body += f"{wrapped(lengths, 6)}\n    ],\n    codewords: [\n"
    return body + f"{wrapped(codewords, 6)}\n    ])\n"
