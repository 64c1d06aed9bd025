#!/usr/bin/env python3
"""Writes the script of listening pages beside itself as Swift, from the JavaScript files in Script.

Usage: python3 make_tables.py            write the Swift file
       python3 make_tables.py --check    write nothing; fail when the file isn't what would be written
"""

import base64
import hashlib
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / ".ci"))
from swift_tables import save  # noqa: E402

# In this order; start.js begins when all others stand.
PARTS = ("sound", "chance", "view", "listen", "bracket", "trial", "tournament", "abx", "start")


def script():
    parts = [(HERE / "Script" / f"{name}.js").read_text(encoding="utf-8") for name in PARTS]
    text = "(() => {\n'use strict'\n\n" + "\n".join(parts) + "})()"
    for forbidden in ("</script", "<!--", '"""#'):
        if forbidden in text.lower():
            raise SystemExit(f"{forbidden} would end the script inside the page")
    return text


def swift(text):
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    lines = ["  " + line if line else "" for line in ('#"""\n' + text + '\n"""#').split("\n")]
    return ("/// The script of listening pages, and its hash as a content security policy lists it.\n"
            "enum AuditionScript {\n"
            '  static let digest = "sha256-' + digest + '"\n\n'
            "  static let source = Markup.verbatim(\n" + "\n".join("  " + line if line else "" for line in lines)
            + "\n  )\n}\n")


save(HERE / "AuditionScript+Table.swift", swift(script()))
