import bench
import cases
import goals
import pytest

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


@pytest.mark.parametrize("name", goals.GOALS)
def test_a_goal_has_a_case_and_an_exception_its_reason(name):
    goal = goals.GOALS[name]
    assert name.split("/")[0] in cases.CASES
    assert len({"least", "most"} & set(goal)) == 1
    assert ("accepted" in goal) == ("reason" in goal)
    if "accepted" in goal:
        assert goal["accepted"] < goal["least"] if "least" in goal else goal["accepted"] > goal["most"]


def test_the_table_shows_goals_and_reasons(monkeypatch):
    monkeypatch.setattr(goals, "GOALS", {"a/b": {"most": 2, "accepted": 43, "reason": WHY}, "a/c": {"least": 2}})
    lines = bench.table([bench.row("a/b", 1.0, 2.0, 43.0), bench.row("a/c", 1.0, None, 1.0)]).splitlines()
    assert lines[1].split() == ["a/b", "1.000", "2.000", "43.000", "<=", "2", "accepted:", "it", "is", "known"]
    assert lines[2].split() == ["a/c", "1.000", "1.000", ">=", "2", "missed"]
    with pytest.raises(SystemExit):
        bench.row("a/d", 1.0, None, 1.0)
