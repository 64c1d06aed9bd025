# SPDX-License-Identifier: Apache-2.0
"""The goals of goals.json, and verdicts on figures."""
import json
import os

TOLERANCE = 0.1
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "goals.json"), encoding="utf-8") as opened:
    GOALS = json.load(opened)


def judge(figure, goal, of_floor=None):
    """The verdict on a figure, and whether --check lets it pass. `of_floor` is how many times its floor the job takes; where the
    goal has a `floor`, so many times at most meet it whatever the figure."""
    def reaches(limit, tolerance):
        return figure >= limit * (1 - tolerance) if "least" in goal else figure <= limit * (1 + tolerance)

    def is_down(tolerance):
        return "floor" in goal and of_floor is not None and of_floor <= goal["floor"] * (1 + tolerance)
    limit = goal.get("least", goal.get("most"))
    if reaches(limit, 0):
        return "met", True
    if is_down(0):
        return f"at its floor, <= {goal['floor']}", True
    if "accepted" in goal and reaches(goal["accepted"], TOLERANCE):
        return f"accepted: {goal['reason']}", True
    return "missed", reaches(limit, TOLERANCE) or is_down(TOLERANCE)


def text(goal):
    """A goal in a table."""
    return f">= {goal['least']}" if "least" in goal else f"<= {goal['most']}"
