# SPDX-License-Identifier: Apache-2.0
"""Removes from a text what may differ between two runs of one program. Everything else counts."""
import re

# A pattern, what takes its place, and why it may differ. JSON stays valid, because pages are made from it.
MARKS = [
    (r'("(?:cpuSeconds|wallSeconds|renderSeconds|peakRSSMiB|realtimeFactor|speed)" ?: ?)[\d.e+-]+', r"\g<1>1", "time and memory taken"),
    (r"(?m)^speed +.*$", "speed     -", "time and memory taken"),
    (r"(?m)^busy +.*$", "busy      -", "time that each stage took"),
    (r'( time=")[\d.]+"', r'\g<1>1"', "time taken, in JUnit"),
    # The last figure of a job's line, and the line below them.
    (r"(?m)^(\S+ +(?:ok|failed) +\S+ +\S+ +)\d+\.\d\d", r"\g<1>-", "time taken, in the table of a batch"),
    (r"(?m)^(batch: .* in )[\d.:]+( s)?$", r"\g<1>-", "time taken, under that table"),
    (r"\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)?", "2000-01-01T00:00:00Z", "time of day"),
]
COMPILED = [(re.compile(pattern), put) for pattern, put, _ in MARKS]


def scrub(text, places=()):
    """The text without it. Places are folders and programs, each with the word that takes its place."""
    for path, word in places:
        text = text.replace(path, word)
    for pattern, put in COMPILED:
        text = pattern.sub(put, text)
    return text
