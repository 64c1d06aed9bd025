# SPDX-License-Identifier: Apache-2.0
"""A batch of very many short files: what it costs to find out that all are done, and what the parent holds in memory."""
import glob
import json
import os
import re
import struct
import xml.etree.ElementTree

import measured

RATE = 48000
# Goals: the parent's memory, and CPU seconds of parent and workers for an item that is done already.
MEMORY = 200
COST = 0.001
PAGE = 500
SOURCES = 4


def make(folder, count):
    """`count` hard links to four files of 50 ms, in 100 folders, so that no folder is too large to look at."""
    for number in range(count):
        place = os.path.join(folder, "in", f"{number % 100:02d}")
        if number < 100:
            os.makedirs(place)
        source = os.path.join(folder, f"source{number % SOURCES}.wav")
        # File systems allow 65,000 links to a file, so that a new file is begun after 50,000.
        if number // SOURCES % 50_000 == 0:
            write(source, number % SOURCES)
        os.link(source, os.path.join(place, f"{number:06d}.wav"))


def write(path, number):
    """A new file with 50 ms of sound, another for each `number`."""
    if os.path.exists(path):
        os.remove(path)
    data = b"".join(
        struct.pack("<2h", *[((n * (number + 3) * 331) % 20001) - 10000] * 2) for n in range(RATE // 20))
    with open(path, "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt ")
        file.write(struct.pack("<IHHIIHH", 16, 1, 2, RATE, RATE * 4, 4, 16) + b"data" + struct.pack("<I", len(data)))
        file.write(data)


def cases(table, pinna, folder, count):
    """A first run, and a rerun with all reports, of `count` items and of a quarter."""
    cost = {}
    for items in (count // 4, count):
        place = os.path.join(folder, f"batch-{items}")
        os.makedirs(place)
        make(place, items)
        cost[items] = one(table, pinna, place, items, judged=items == count)
    if len(cost) == 2 and all(cost.values()):
        small, large = cost[count // 4], cost[count]
        table.add(
            f"batch of {count:,}: CPU an item against a quarter of the items", f"{large / small:.2f} ×", "at most 1.3 ×",
            large <= small * 1.3)


def one(table, pinna, folder, count, judged):
    """Runs a batch of `count` items twice; returns the rerun's CPU seconds an item, `None` when it failed."""
    command = [
        pinna, "batch", os.path.join(folder, "in"), "-O", os.path.join(folder, "out"), "-j", "2", "--endpoint", "none"]
    first = measured.run(command, folder, "first")
    table.note(f"first run of {count:,}: {1000 * first.cpu / count:.2f} ms CPU an item, parent {first.rss:.0f} MiB")
    again = measured.run(command, folder, "again")
    if first.code or again.code:
        table.add(f"batch of {count:,}", measured.told(first if first.code else again), "exit code 0", False)
        return None
    table.note(f"rerun of {count:,}: {1000 * again.cpu / count:.2f} ms CPU an item, parent {again.rss:.0f} MiB")
    if not judged:
        return again.cpu / count
    reports = {kind: os.path.join(folder, "report." + kind) for kind in ("json", "xml", "html")}
    options = ["--report", reports["json"], "--junit", reports["xml"], "--html", reports["html"]]
    told = measured.run(command + options, folder, "told")
    name = f"batch of {count:,}"
    rss = max(first.rss, again.rss, told.rss)
    table.add(
        f"{name}: the parent's memory", f"{first.rss:.0f} MiB; rerun {again.rss:.0f}; with reports {told.rss:.0f}",
        f"{MEMORY} MiB", rss <= MEMORY)
    table.add(
        f"{name}: rerun, CPU an item", f"{1000 * again.cpu / count:.2f} ms; with reports {1000 * told.cpu / count:.2f}",
        f"{1000 * COST:.0f} ms", again.cpu / count <= COST)
    judge(table, name, reports, count)
    return again.cpu / count


def judge(table, name, reports, count):
    """Adds the rows about the reports: each item is in each of them once."""
    with open(reports["json"]) as file:
        report = json.load(file)
    ids = [item["id"] for item in report["items"]]
    cached = report["counts"]["cached"]
    table.add(
        f"{name}: JSON", f"{len(set(ids)):,} items, {cached:,} done before", f"{count:,}",
        len(ids) == len(set(ids)) == cached == count)
    cases = sum(element.tag == "testcase" for _, element in xml.etree.ElementTree.iterparse(reports["xml"]))
    table.add(f"{name}: JUnit", f"{cases:,} cases", f"{count:,}", cases == count)
    with open(reports["html"]) as file:
        index = file.read()
    pages = re.findall(r'href="(report\.pages/\d+\.html)"', index)
    folder = os.path.dirname(reports["html"])
    found = []
    largest = 0
    for page in pages:
        with open(os.path.join(folder, page)) as file:
            text = file.read()
        largest = max(largest, len(text))
        found.append(re.findall(r'<a href="#r\d+"><bdi>([^<]+)</bdi>', text))
    wanted = -(-count // PAGE) if count > PAGE else 0
    if wanted:
        is_right = len(pages) == wanted == len(glob.glob(os.path.join(folder, "report.pages", "*")))
        is_right = is_right and [one for page in found for one in page] == ids
        is_right = is_right and max(map(len, found)) <= PAGE
        table.add(
            f"{name}: HTML", f"{len(pages)} pages of at most {max(map(len, found), default=0)} items, {largest >> 10:,} KiB",
            f"{wanted} pages of {PAGE}, each item once", is_right)
