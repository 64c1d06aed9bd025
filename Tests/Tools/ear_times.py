#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ear_times.py FILE.bw64: opens the file as the EBU ADM Renderer does and prints its times as JSON.

Each object's blocks in their order, as [rtime, duration], both as [numerator, denominator] of seconds; `null` for
a block that always holds. The renderer's own selection of items is made, so that a file that it refuses fails.
"""
import json
import sys
import warnings

warnings.simplefilter("ignore")

from ear.core.metadata_input import HOARenderingItem, ObjectRenderingItem  # noqa: E402,F401
from ear.core.select_items import select_rendering_items  # noqa: E402
from ear.fileio import openBw64Adm  # noqa: E402


def fraction(value):
    return None if value is None else [int(value.numerator), int(value.denominator)]


with openBw64Adm(sys.argv[1]) as file:
    items = select_rendering_items(file.adm)
    found = []
    for item in items:
        if not isinstance(item, ObjectRenderingItem):
            continue
        blocks = []
        while True:
            block = item.metadata_source.get_next_block()
            if block is None:
                break
            form = block.block_format
            blocks.append([fraction(form.rtime), fraction(form.duration)])
        found.append(blocks)
    print(json.dumps(found))
