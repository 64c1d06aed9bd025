#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs all cases with two programs, and says what differs.

    same.py PROGRAM [--built] --base COMMIT [--only REGEX] [-j N]
    same.py PROGRAM --base-program PATH [--only REGEX] [-j N]

PROGRAM is the program of the working tree. The base is a commit, which is built in a worktree under out/same, or a finished
program; its digests are kept there, and it is run anew where the tables, the inputs or the machine have changed. Exit code 0 when
all is the same, 1 when something differs, 2 when the command line is wrong, the base can't be built or another run is on.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

import differences
import sides


def arguments():
    parser = argparse.ArgumentParser(prog="same", description="Runs all cases with two programs, and says what differs.")
    parser.add_argument("program", type=pathlib.Path, help="the program of the working tree")
    parser.add_argument("--built", action="store_true", help="the program was built from the working tree just now")
    parser.add_argument("--base", help="the commit to compare with")
    parser.add_argument("--base-program", type=pathlib.Path, help="a finished program to compare with instead")
    parser.add_argument("--only", type=re.compile, help="cases whose GROUP: NAME matches")
    parser.add_argument("-j", type=int, default=os.cpu_count(), help="cases at once (default: one a processor)")
    found = parser.parse_args()
    if bool(found.base) == bool(found.base_program):
        parser.error("give BASE=COMMIT, or SAME_BASE_BINARY=PATH of a finished program")
    for program in (found.program, found.base_program):
        if program and not os.access(program, os.X_OK):
            parser.error(f"{program}: no such program")
    if found.j < 1:
        parser.error("-j: give 1 or more")
    return found, parser


def base_side(given, parser):
    """The digests of the base."""
    if given.base_program:
        name = sides.program_side(given.base_program)
    else:
        try:
            name = sides.git("rev-parse", "--verify", "--quiet", given.base + "^{commit}")
        except subprocess.CalledProcessError:
            parser.error(f"{given.base}: no such commit")
    if digests := sides.kept(name, given.only):
        print(f"same: the digests of {name[:20]} are those of an earlier run")
        return digests
    program = given.base_program.absolute() if given.base_program else sides.build(name)
    return sides.run(name, program, given.only, given.j)


def tree_side(given, base):
    """The name of the working tree's side: its commit where nothing is changed, so that it may be a base later."""
    if given.built and not sides.git("status", "--porcelain", "--", "Sources", "Package.swift"):
        name = sides.git("rev-parse", "HEAD")
    else:
        name = sides.program_side(given.program)
    return f"tree-{name}" if name == base["side"] else name


def compare(given, parser):
    """Runs what has to be run; prints what differs, and answers whether anything does."""
    base = base_side(given, parser)
    name = tree_side(given, base)
    tree = sides.run(name, given.program.absolute(), given.only, given.j)
    sides.discard({base["side"], name})
    found = list(differences.between(base, tree, sides.OUT))
    print(differences.report(found, base, tree))
    return bool(found)


def main():
    given, parser = arguments()
    try:
        with sides.alone():
            return 1 if compare(given, parser) else 0
    except BlockingIOError:
        print(f"same: another run uses {sides.OUT}", file=sys.stderr)
    except subprocess.CalledProcessError as failure:
        print(f"same: the base or the inputs can't be made: {failure}", file=sys.stderr)
    except OSError as failure:
        print(f"same: a program can't be run: {failure}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
