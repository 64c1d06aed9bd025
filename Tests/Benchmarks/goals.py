"""The goals of goals.json, and verdicts on figures."""
import json
import os

TOLERANCE = 0.1
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "goals.json"), encoding="utf-8") as opened:
    GOALS = json.load(opened)


def judge(figure, goal):
    """The verdict on a figure, and whether --check lets it pass."""
    def reaches(limit, tolerance):
        return figure >= limit * (1 - tolerance) if "least" in goal else figure <= limit * (1 + tolerance)
    limit = goal.get("least", goal.get("most"))
    if reaches(limit, 0):
        return "met", True
    if "accepted" in goal and reaches(goal["accepted"], TOLERANCE):
        return f"accepted: {goal['reason']}", True
    return "missed", reaches(limit, TOLERANCE)


def text(goal):
    """A goal in a table."""
    return f">= {goal['least']}" if "least" in goal else f"<= {goal['most']}"
