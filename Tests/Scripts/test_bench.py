# SPDX-License-Identifier: Apache-2.0
import xml.etree.ElementTree

import bench
import cases
import chart
import floors
import goals
import pytest
from processes import Use

WHY = "it is known"


@pytest.mark.parametrize("figure, goal, expected", [
    (4, {"least": 4}, ("met", True)), (3.7, {"least": 4}, ("missed", True)), (3.5, {"least": 4}, ("missed", False)),
    (2, {"most": 2}, ("met", True)), (2.1, {"most": 2}, ("missed", True)), (2.3, {"most": 2}, ("missed", False)),
    (43, {"most": 2, "accepted": 43, "reason": WHY}, ("accepted: it is known", True)), (50, {"most": 2, "accepted": 43, "reason": WHY}, ("missed", False)),
    (2.6, {"least": 4, "accepted": 2.8, "reason": WHY}, ("accepted: it is known", True)), (2.4, {"least": 4, "accepted": 2.8, "reason": WHY}, ("missed", False)),
    (5, {"least": 4, "accepted": 2.8, "reason": WHY}, ("met", True)),
])
def test_figures_are_judged(figure, goal, expected):
    assert goals.judge(figure, goal) == expected


@pytest.mark.parametrize("of_floor, expected", [
    (None, ("missed", False)), (1.2, ("at its floor, <= 1.2", True)), (1.3, ("missed", True)), (1.4, ("missed", False)),
])
def test_a_job_at_its_floor_meets_its_goal(of_floor, expected):
    assert goals.judge(2, {"least": 4, "floor": 1.2}, of_floor) == expected
    assert goals.judge(2, {"least": 4}, of_floor) == ("missed", False)
    assert goals.judge(4, {"least": 4, "floor": 1.2}, of_floor) == ("met", True)


def test_every_case_has_a_goal():
    assert {name.split("/")[0] for name in goals.GOALS} == set(cases.CASES)


@pytest.mark.parametrize("name", goals.GOALS)
def test_a_goal_has_a_case_and_an_exception_its_reason(name):
    goal = goals.GOALS[name]
    assert name.split("/")[0] in cases.CASES
    assert len({"least", "most"} & set(goal)) == 1
    assert ("accepted" in goal) == ("reason" in goal)
    assert goal.get("floor", 1) >= 1
    if "accepted" in goal:
        assert goal["accepted"] < goal["least"] if "least" in goal else goal["accepted"] > goal["most"]


def test_the_table_shows_goals_floors_and_reasons(monkeypatch):
    monkeypatch.setattr(goals, "GOALS", {
        "a/b": {"most": 2, "accepted": 43, "reason": WHY}, "a/c": {"least": 2, "floor": 1.5}, "a/d": {"least": 2}})
    floor = floors.Floor({"reading": 0.5, "writing": 0.25})
    rows = [bench.row("a/b", 1.0, 2.0, 43.0), bench.row("a/c", 1.0, None, 1.0, floor), bench.row("a/d", 3.0, None, 1.0, floor)]
    lines = bench.table(rows).splitlines()
    assert lines[1].split() == ["a/b", "1.000", "2.000", "43.000", "<=", "2", "accepted:", "it", "is", "known"]
    assert lines[2].split() == ["a/c", "1.000", "1.000", ">=", "2", "0.750", "1.33", "at", "its", "floor,", "<=", "1.5"]
    assert lines[3].split() == ["a/d", "3.000", "1.000", ">=", "2", "0.750", "4.00", "missed"]
    assert bench.parts(rows) == "a/c: floor 0.750 = reading 0.5 + writing 0.25"
    with pytest.raises(SystemExit):
        bench.row("a/e", 1.0, None, 1.0)


def test_a_floor_is_the_sum_of_its_parts_without_what_they_do_besides():
    runs = []

    def job(name, cpu):
        return lambda: runs.append(name) or Use(cpu)

    mine, idle = job("mine", 5), job("idle", 1)
    parts = [floors.Part("decoding", job("decode", 3), idle), floors.Part("proof", job("prove", 2), idle),
             floors.Part("nothing", job("nothing", 0.5), idle), floors.Part("all", mine)]
    uses, floor = floors.measured(3, 10, parts, mine)
    assert [use.cpu for use in uses] == [5]
    assert floor.parts == {"decoding": 20, "proof": 10, "nothing": 0, "all": 50}
    assert floor.cpu == 80
    assert runs == 3 * ["mine", "decode", "idle", "prove", "nothing"]
    assert floors.measured(1, 1, [], mine)[1] is None


def test_bytes_are_written_and_read(tmp_path):
    path = tmp_path / "file"
    floors.write(path, 2 * floors.BLOCK + 5)
    assert path.stat().st_size == 2 * floors.BLOCK + 5
    assert 0 <= floors.timed(lambda: floors.read(path)).cpu < 5
    with pytest.raises(FileExistsError):
        floors.write(path, 1)


def result(*names, floor=None):
    """A result of the bench with these rows."""
    rows = [{"case": name, "ours": 2.5, "peer": 12.0, "floor": floor} for name in names]
    return {"machine": {"ffmpeg": "ffmpeg version 5.1.9-0+deb12u1 X", "processor": "A & B", "cores": 2, "date": "2026-11-29"},
            "rounds": 5, "seconds": 600, "rows": rows}


def test_the_chart_has_a_bar_for_each_cost():
    text = chart.picture(result("stereo/loudnorm twice", "stereo/ebur128, volume, alimiter", floor={"cpu": 1.0}))
    tree = xml.etree.ElementTree.fromstring(text)
    bars = {node.get("class"): float(node.get("width")) for node in tree.iter("{http://www.w3.org/2000/svg}rect")
            if node.get("height") == str(chart.BAR)}
    assert bars["chain"] == bars["loudnorm"] == chart.RIGHT - chart.LEFT
    assert bars["pinna"] == pytest.approx(bars["chain"] * 2.5 / 12, abs=0.1)
    assert bars["floor"] == pytest.approx(bars["chain"] / 12, abs=0.1)
    words = [node.text for node in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert "12.0 s · 4.8 ×" in words and words[-1].startswith("A & B, 2 cores, ffmpeg 5.1.9, 2026-11-29")
    assert "class=\"floor\"" not in chart.picture(result("stereo/loudnorm twice"))
    assert chart.picture(result("mp3/cheaper chain")) is None


@pytest.mark.parametrize("most, expected", [(45, 10), (3.9, 0.5), (8, 2), (40, 10), (0.041, 0.01)])
def test_ticks_lie_at_round_figures(most, expected):
    assert chart.step(most) == pytest.approx(expected)
    assert 4 <= len(chart.ticks(most)) - 1 <= 9
