# SPDX-License-Identifier: Apache-2.0
"""The value that readers of a file's own statements give, and the tag that more than one of them looks for."""
import dataclasses
import re


@dataclasses.dataclass
class Facts:
    """What is stated; absent where nothing is."""

    # Samples that are the sound, by `source`, within `tolerance`, and how many of all decoded ones come before them.
    samples: int | None = None
    source: str | None = None
    start: int | None = None
    tolerance: int = 0
    # All samples with those before them, where nothing says how many these are.
    total: int | None = None
    # The rate that samples and start count in; absent where it is that of the sound.
    rate: int | None = None
    # MD5 of the samples with `bits`, laid out as `form`.
    md5: bytes | None = None
    bits: int | None = None
    form: str | None = None
    # Whether the samples are of one bit (DSD), though the codec doesn't say so.
    is_direct: bool = False
    # Parts with a wrong checksum.
    broken: str | None = None
    # Why the end is missing: what the file's own sizes say is longer than the file, or the last page has no end flag.
    cut: str | None = None


def itunes(data):
    """Start-up samples and length of an iTunSMPB tag: hexadecimal words, of which the second and the fourth count."""
    found = re.search(rb"iTunSMPB.{0,40}?0{8} ([0-9A-F]{8}) [0-9A-F]{8} ([0-9A-F]{16})", data, re.DOTALL)
    words = [int(word, 16) for word in found.groups()] if found else [0, 0]
    return words if words[1] else None
