# SPDX-License-Identifier: Apache-2.0
"""The cost of taps that change nothing: one in the process, one in a process of its own, and a look at the output."""
import json
import os
import subprocess


def share(bench, source, *words):
    """What the report says that its first tap cost in CPU seconds, and the run as a whole."""
    out = os.path.join(bench.folder, "tapped.wav")
    shares = []
    for _ in range(bench.rounds):
        done = subprocess.run([bench.options.pinna, "render", source, "-o", out, "-y", "--json", *words],
                              capture_output=True, check=True)
        report = json.loads(done.stdout)
        shares.append((report["outputs"][0]["taps"][0]["cpuSeconds"], report["performance"]["cpuSeconds"]))
    return sorted(shares, key=lambda pair: pair[0] / pair[1])[bench.rounds // 2]


def taps(bench):
    """Each as a part of its render, in percent."""
    source = bench.programmes.surround()
    text = os.path.join(bench.folder, "nothing.txt")
    with open(text, "w", encoding="utf-8") as file:
        file.write("Preamp: 0 dB\n")
    for name, words in (("identity tap, % of a render", ["--eq", text]),
                        ("program, % of a render", ["--tap-exec", "post", "--", "cat"])):
        tap, whole = share(bench, source, *words)
        yield name, tap * bench.scale, whole * bench.scale, 100 * tap / whole
