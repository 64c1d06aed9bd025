# SPDX-License-Identifier: Apache-2.0
"""Sends a test signal through every LV2 effect that is installed, and says what became of each.

pinna hosts each plugin in a process of its own; a crash of one is a row of the table, and must not be one of pinna.
A test fails when pinna crashes or hangs, or when fewer effects render than --least says."""

import collections
import concurrent.futures
import functools
import json
import subprocess
import time

import pytest

LAYOUTS = {1: "mono", 2: "stereo", 3: "3.0", 4: "quad", 5: "5.0", 6: "5.1", 8: "7.1", 12: "7.1.4"}


@functools.cache
def listed(pinna):
    """The plugins, and those of them that sound can pass."""
    text = subprocess.run([pinna, "taps", "list", "--lv2", "--json"], capture_output=True, check=True)
    plugins = json.loads(text.stdout)["plugins"]
    return plugins, [plugin for plugin in plugins if plugin["inputs"] > 0 and plugin["outputs"] > 0]


def trial(plugin):
    """The words that describe the tap, and the layout."""
    inputs, outputs = plugin["inputs"], plugin["outputs"]
    tap = "post:lv2=" + plugin["uri"]
    if inputs == outputs and inputs in LAYOUTS:
        return tap, LAYOUTS[inputs]
    channels = outputs if inputs == 1 else min(inputs, outputs)
    while channels not in LAYOUTS:
        channels -= 1
    return tap + ",channels=mix", LAYOUTS[channels]


def check(pinna, plugin, seconds):
    """Answers what became of one plugin."""
    tap, layout = trial(plugin)
    start = time.monotonic()
    row = {"uri": plugin["uri"], "layout": layout}
    try:
        done = subprocess.run([pinna, "taps", "check", tap, "--layout", layout, "--json"],
                              capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return row | {"outcome": "pinna hangs", "seconds": seconds}
    row |= {"exit": done.returncode, "seconds": round(time.monotonic() - start, 2),
            "message": done.stderr.decode(errors="replace").strip()}
    if done.returncode < 0:
        return row | {"outcome": "pinna crashes"}
    if done.returncode not in (0, 9):
        crashed = "crashed (signal" in row["message"]
        return row | {"outcome": "plugin crashes" if crashed else "refused"}
    report = json.loads(done.stdout)
    row |= {"outcome": "rendered", "latency": report["latency"], "tail": report["tail"],
            "deterministic": report["deterministic"]}
    return row | {"judgement": judgement(report)}


def judgement(report):
    """How the delay became known."""
    latency = report["latency"]
    if "measured" not in latency:
        return "not provable"
    if abs(latency["measured"] - latency["declared"]) <= 1:
        return "confirmed"
    if latency["used"] == latency["declared"]:
        return "turns phases"
    return "corrected" if any(d["code"] == "tap-latency" for d in report["degradations"]) else "found"


def table(plugins, rows):
    outcomes = collections.Counter(row["outcome"] for row in rows)
    rendered = [row for row in rows if row["outcome"] == "rendered"]
    judged = collections.Counter(row["judgement"] for row in rendered)
    stated = [row for row in rendered if row["latency"]["declared"] > 0]
    lines = [
        ("plugins", len(plugins)), ("effects tried", len(rows)), *sorted(outcomes.items()),
        ("states a delay", len(stated)), *((f"delay {word}", n) for word, n in sorted(judged.items())),
        ("sounds on", sum(row["tail"] > 0 for row in rendered)),
        ("varies from run to run", sum(not row["deterministic"] for row in rendered)),
        ("checks over 3 s", sum(row["seconds"] > 3 for row in rows)),
    ]
    return [f"{name:26} {count:5}" for name, count in lines]


def pytest_generate_tests(metafunc):
    if "plugin" in metafunc.fixturenames:
        metafunc.parametrize("plugin", listed(metafunc.config.getoption("pinna"))[1], ids=lambda plugin: plugin["uri"])


@pytest.fixture(scope="module")
def checks(request):
    """Checks of the chosen plugins, two of which run at once; a test waits for its own."""
    option = request.config.getoption
    chosen = [item.callspec.params["plugin"] for item in request.session.items if hasattr(item, "callspec")]
    pool = concurrent.futures.ThreadPoolExecutor(2)
    yield {plugin["uri"]: pool.submit(check, option("pinna"), plugin, option("seconds")) for plugin in chosen}
    pool.shutdown(cancel_futures=True)


def test_effect(plugin, checks, rows):
    row = checks[plugin["uri"]].result()
    rows.append(row)
    if row["outcome"].startswith("pinna"):
        pytest.fail(f"{row['uri']}, {row['layout']}: {row['outcome']}; {row.get('message', '')}", pytrace=False)


def test_enough_effects_render(rows, pytestconfig):
    rendered = sum(row["outcome"] == "rendered" for row in rows)
    assert rows, "no effect was tried; .ci/setup lv2 installs them"
    assert rendered >= min(pytestconfig.getoption("least"), len(rows)), f"{rendered} of {len(rows)} effects render"


def told(rows, config):
    """Lines about effects that don't render or state a wrong delay, and the table."""
    for row in rows:
        if row["outcome"] != "rendered" or row["judgement"] in ("corrected", "found"):
            what = row.get("message") or f"{row.get('judgement', 'no message')}: {row.get('latency')}"
            yield f"{row['uri']}: {row['outcome']}, {what}"
    yield from table(listed(config.getoption("pinna"))[0], rows)
