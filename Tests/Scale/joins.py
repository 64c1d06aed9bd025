# SPDX-License-Identifier: Apache-2.0
"""A queue of very many items of one sample each: the samples of their file come out, and each item costs as much as one of fewer."""
import array
import json
import os
import struct

import measured

RATE = 48000
ITEMS = (2500, 10000)
# How much more an item of the larger queue may cost.
GROWTH = 1.5


def make(folder, count):
    """A 16-bit stereo file of `count` samples, and a queue that has each sample as an item."""
    words = array.array("h", [(n * 7919) % 30011 - 15000 for n in range(2 * count)])
    form = struct.pack("<HHIIHH", 1, 2, RATE, RATE * 4, 4, 16)
    data = words.tobytes()
    name = f"joins-{count}.wav"
    with open(os.path.join(folder, name), "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", 20 + len(form) + len(data)) + b"WAVEfmt " + struct.pack("<I", len(form)))
        file.write(form + b"data" + struct.pack("<I", len(data)) + data)
    queue = os.path.join(folder, f"joins-{count}.json")
    items = [{"file": name, "start": f"{n}S", "end": f"{n + 1}S"} for n in range(count)]
    with open(queue, "w") as file:
        json.dump({"schema": "pinna.queue/1", "chapters": "none", "items": items}, file)
    return queue, data


def cases(table, pinna, folder):
    """Renders both queues as they are, and compares the bytes of their samples."""
    cost = {}
    for count in ITEMS:
        queue, data = make(folder, count)
        out = os.path.join(folder, f"out-{count}.wav")
        run = measured.run(
            [pinna, "render", queue, "-o", out, "-e", "none", "-l", "off", "-b", "16", "-y", "-q"], folder, "render")
        if run.code != 0:
            table.add(f"{count:,} items of one sample", measured.told(run), "exit 0", False)
            return
        with open(out, "rb") as file:
            rendered = file.read()
        place = rendered.find(b"data")
        found = rendered[place + 8:place + 8 + struct.unpack_from("<I", rendered, place + 4)[0]]
        table.add(f"{count:,} items of one sample", "the samples of the file" if found == data else f"{len(found) // 4:,} samples",
                  "the samples of the file", found == data)
        cost[count] = run.cpu / count
        table.note(f"{count:,} items of one sample: {1000 * cost[count]:.2f} ms CPU an item, {run.rss:.0f} MiB")
    small, large = (cost[count] for count in ITEMS)
    table.add("items of one sample: CPU an item against a quarter of the items", f"{large / small:.2f} ×",
              f"at most {GROWTH} ×", large <= GROWTH * small)
