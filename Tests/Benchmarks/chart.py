#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what the bench measured of pinna beside ffmpeg's cheaper chain and loudnorm in two passes, as SVG.

Usage: chart.py JSON SVG
JSON is what bench.py --json wrote; bench.py --chart draws its own figures. Needs Python 3 only. Bars are CPU seconds for ten
minutes of audio, medians of the rounds. The picture has its own ground, with other colours where the reader's system is dark.
"""
import json
import math
import sys
from xml.sax.saxutils import escape

# Cases of bench.py and what is said of them. The jobs that the bench didn't run are left out.
JOBS = {
    "binaural-loud": "E-AC-3 5.1 to headphones, 24-bit WAV: a loud programme",
    "binaural-quiet": "The same with a quiet programme, whose peaks are limited",
    "stereo": "Stereo WAV to WAV at −16 LUFS",
}
# Rows of a case, the words and the class of their bars.
PEERS = {
    "ebur128, volume, alimiter": ("ffmpeg: ebur128, alimiter", "chain"),
    "loudnorm twice": ("ffmpeg: loudnorm twice", "loudnorm"),
}
WIDTH, LEFT, RIGHT, TOP = 760, 210, 634, 76
BAR, PITCH, HEADING, GAP = 18, 24, 30, 16
LIGHT = {"ground": "#ffffff", "text": "#1f2937", "faint": "#59636e", "line": "#d5dae1",
         "pinna": "#0b7a75", "floor": "#064441", "chain": "#c2710c", "loudnorm": "#8a4fbf"}
DARK = {"ground": "#0d1117", "text": "#e6edf3", "faint": "#9aa4af", "line": "#30363d",
        "pinna": "#2cc5b6", "floor": "#0e6d65", "chain": "#e8973a", "loudnorm": "#b78be0"}


def colours(palette):
    """Rules that colour each class. Figures have a seam of the ground, so that no tick runs through them."""
    return "".join(f".{name}{{fill:{value}}}" for name, value in palette.items() if name != "line") + (
        f".line{{stroke:{palette['line']}}}.figure{{fill:{palette['text']};stroke:{palette['ground']}}}")


def text(x, y, words, kind="text", size=13, anchor="start", extra=""):
    """One line of text."""
    return f'<text x="{x:g}" y="{y:g}" class="{kind}" font-size="{size}" text-anchor="{anchor}"{extra}>{escape(words)}</text>'


def rect(y, width, kind):
    """A bar from the axis to the right."""
    return f'<rect x="{LEFT}" y="{y:g}" width="{width:.1f}" height="{BAR}" class="{kind}"/>'


def jobs(rows):
    """Of each job that was run: its words, and its bars as words, class, CPU seconds and floor."""
    found = {row["case"]: row for row in rows}
    for case, words in JOBS.items():
        peers = {name: found[f"{case}/{name}"] for name in PEERS if f"{case}/{name}" in found}
        if peers:
            first = next(iter(peers.values()))
            floor = first["floor"] and first["floor"]["cpu"]
            yield words, [("Pinna", "pinna", first["ours"], floor),
                          *((*PEERS[name], row["peer"], None) for name, row in peers.items())]


def step(most):
    """A distance of ticks that makes four to nine of them: 1, 2 or 5 times a power of ten."""
    power = 10 ** math.floor(math.log10(most / 4))
    return max(factor * power for factor in (1, 2, 5) if factor * power <= most / 4)


def ticks(most):
    """Values at which the axis has ticks."""
    distance = step(most)
    return [index * distance for index in range(int(most / distance) + 1)]


def axis(most, scale, bottom):
    """Figures of the ticks, and the unit."""
    for value in ticks(most):
        yield text(LEFT + scale * value, bottom + 14, f"{value:g}", "faint", 12, "middle")
    yield text((LEFT + RIGHT) / 2, bottom + 34, "CPU seconds for ten minutes of audio; less is better", "faint", 12, "middle")


def bars(words, entries, y, most, scale):
    """A job's heading, ticks and bars, each with its figure and how many times Pinna's it is."""
    yield text(16, y + 18, words, extra=' font-weight="bold"')
    y += HEADING
    for value in ticks(most):
        yield f'<path d="M{LEFT + scale * value:.1f} {y - 4}v{PITCH * len(entries) + 2}" class="line"/>'
    least = entries[0][2]
    for label, kind, cost, floor in entries:
        yield text(LEFT - 8, y + 13.5, label, anchor="end")
        yield rect(y, scale * cost, kind)
        if floor:
            yield rect(y, scale * min(floor, cost), "floor")
        figure = f"{cost:.1f} s" + (f" · {cost / least:.1f} ×" if kind != "pinna" else "")
        yield text(LEFT + scale * cost + 6, y + 13.5, figure, "figure")
        y += PITCH


def origin(result):
    """The machine, the versions and the day of the figures."""
    facts = result["machine"]
    version = facts["ffmpeg"].split()[2].split("-")[0]
    return (f"{facts['processor']}, {facts['cores']} cores, ffmpeg {version}, {facts['date']}: "
            f"medians of {result['rounds']} rounds of {result['seconds']} s")


def body(found, most):
    """The jobs, the axis below them and what the darker part is, and the place below all."""
    scale, y, lines = (RIGHT - LEFT) / most, TOP, []
    for words, entries in found:
        lines += bars(words, entries, y, most, scale)
        y += HEADING + PITCH * len(entries) + GAP
    lines += axis(most, scale, y - GAP)
    y += 36
    if any(floor for _, entries in found for *_, floor in entries):
        lines += [f'<rect x="16" y="{y}" width="12" height="12" class="floor"/>',
                  text(34, y + 10, "of which can't be left out: decoding, convolution, one write, one read, loading", "faint", 12)]
        y += 20
    return lines, y


def picture(result):
    """The SVG of a result of the bench; None where it has none of the jobs."""
    found = list(jobs(result["rows"]))
    if not found:
        return None
    lines, y = body(found, max(cost for _, entries in found for _, _, cost, _ in entries))
    height = y + 24
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        "font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">",
        "<title>What Pinna costs beside ffmpeg</title>",
        f"<style>.figure{{stroke-width:5;stroke-linejoin:round;paint-order:stroke}}{colours(LIGHT)}"
        f"@media (prefers-color-scheme:dark){{{colours(DARK)}}}</style>",
        f'<rect width="{WIDTH}" height="{height}" rx="8" class="ground"/>',
        text(16, 34, "What a job costs the processor", size=19, extra=' font-weight="bold"'),
        text(16, 58, "Each is measured, brought to −16 LUFS, limited and written. Pinna also reads back what it wrote.", "faint"),
        *lines, text(16, y + 12, origin(result), "faint", 11), "</svg>\n"])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n\n")[1])
    with open(sys.argv[1], encoding="utf-8") as file:
        drawn = picture(json.load(file))
    if drawn is None:
        sys.exit(f"{sys.argv[1]} has none of {', '.join(JOBS)}")
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(drawn)


if __name__ == "__main__":
    main()
