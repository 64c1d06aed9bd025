# SPDX-License-Identifier: Apache-2.0
"""What the names in the corpus' manifest mean in Pinna's reports, and where Pinna differs on purpose."""

# Warning in the manifest -> kinds of degradation, or subjects of decisions, that say it in a report.
WARNINGS = {
    "truncated": {"truncated"},
    "size-unknown": {"size-unknown"},
    "metadata-ignored": {"metadata"},
    "unusual-bit-depth": {"bit-depth"},
    "header-inconsistent": {"header-inconsistent"},
    "layout-guessed": {"layout-guessed"},
    "non-finite-samples": {"non-finite-samples"},
    # Loudness takes full-scale samples down, so nothing clips; what reaches beyond is told.
    "clipped": {"full-scale", "implausible-samples", "clipped"},
    "trailing-garbage": {"trailing-data"},
    "extension-mismatch": {"container"},
    "decode-errors": {"decode-errors", "checksum-mismatch"},
    "format-change": {"format-change"},
    "timestamp-gap": {"timestamp-gap"},
    "timestamp-wrap": {"timestamps"},
    "timestamp-missing": {"timestamp-missing"},
    "timestamp-order": {"timestamp-gap"},
    "edit-list-ignored": {"edit-list-ignored"},
    "track-chosen": {"track"},
    "yaml-ambiguous": {"yaml-ambiguous"},
}

# Degradations that say nothing of the input's health, so that an intact file may have them.
HARMLESS = {"short-programme", "limited", "limited-hard", "silent", "cover-art-left-out"}

# Exit codes with which an item is refused; 1 (internal) and 75 (try again) are never right here.
REFUSED = {2, 3, 4, 5, 6}

# File -> (class it gets, why that is right although the manifest says otherwise).
DECLARED = {
    "manifests/norway.yaml": (
        "reject", "a number written 1_0 is refused with its place instead of being guessed at"),
}
