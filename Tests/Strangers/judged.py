# SPDX-License-Identifier: Apache-2.0
"""The table of differences that were judged."""
import csv
import pathlib

TABLE = pathlib.Path(__file__).with_name("judged.csv")
COLUMNS = ["digest", "file", "kind", "figure", "right", "clause"]
# Who is right: of `definition` both are, by what the clause defines; of `neither` the clause says what would be.
RIGHT = {"pinna", "ffmpeg", "definition"}
# Stands for all figures, where a decoder gives other samples each time.
ANY = "*"
# So many digits of a file's SHA-256 name it.
DIGITS = 16


def read(path=TABLE):
    """Judgements by digest, kind and figure. A difference with other figures is another one, so that a change is noticed."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {(row["digest"], row["kind"], row["figure"]): row for row in rows}


def split(digest, differences, table):
    """The differences that were judged and those that weren't."""
    judged, new = [], []
    for one in differences:
        is_known = any((digest, one.kind, figure) in table for figure in (one.figure, ANY))
        (judged if is_known else new).append(one)
    return judged, new


def gone(digest, differences, table):
    """Judgements of a file whose difference is no longer there."""
    there = {(digest, one.kind, figure) for one in differences for figure in (one.figure, ANY)}
    return [key for key in table if key[0] == digest and key not in there]
