#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes CharacterNames+Table.swift beside itself: the named character references of HTML, which Python's library has.

Usage: python3 make_tables.py            write the Swift file
       python3 make_tables.py --check    write nothing; fail when the file isn't what would be written
"""

import html.entities
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3] / ".ci"))
from swift_tables import save  # noqa: E402


def main():
    words, lines = [], []
    for name, text in sorted(html.entities.html5.items()):
        words.append(name + "=" + "+".join(f"{ord(character):x}" for character in text))
    line = ""
    for word in words:
        if line and len(line) + len(word) + 5 > 100:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    lines.append(line)
    body = "".join(f"    {line}\n" for line in lines)
    save(
        HERE / "CharacterNames+Table.swift",
        "extension CharacterReference {\n"
        "  /// Names, with the semicolon that most need, and their characters in hexadecimal (HTML, 13.5).\n"
        f'  static let table = """\n{body}    """\n'
        "}\n",
    )


if __name__ == "__main__":
    main()
