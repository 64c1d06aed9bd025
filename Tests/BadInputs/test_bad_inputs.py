# SPDX-License-Identifier: Apache-2.0
"""Runs the corpus of broken and hostile inputs through Pinna and compares every one with its manifest.

Checked for each: class (refused, repaired, accepted), the warnings of the report, facts of the output, time, memory, size,
sockets, files read outside the input's folder, the sentence on stderr, and that nothing is left behind. The corpus is rendered
with --on-damage conceal, because its manifest asks for repair, with --offline, with its folder as --input-root and the
manifest's own limit as --max-output-size. Without --on-damage conceal, the same damage must be refused, unless only the
end is lost.
"""
from checks import Case


def test_render(media, renders):
    case = Case(media)
    renders.judge(case)
    assert not case.faults, case.verdict


def test_batch(media, batch):
    case = batch[0][media["file"]]
    assert not case.faults, case.verdict


def test_batch_as_a_whole(batch):
    assert not batch[1]


def test_manifest_of_a_batch(manifest, batches):
    case = Case(manifest)
    batches.judge_manifest(case)
    assert not case.faults, case.verdict
