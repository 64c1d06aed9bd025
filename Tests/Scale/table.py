"""The table that the drivers print: case, figure, goal, ok."""
import sys


class Table:
    """Rows of cases; a row that isn't ok makes the run fail."""

    def __init__(self):
        self.rows = []

    def add(self, case, figure, goal, is_ok):
        """Adds a row, and tells it at once."""
        self.rows.append((case, str(figure), str(goal), "ok" if is_ok else "NO"))
        self.note(" | ".join(self.rows[-1]))

    def note(self, text):
        """Tells something that isn't judged."""
        print(text, file=sys.stderr, flush=True)

    @property
    def failed(self):
        return sum(row[3] != "ok" for row in self.rows)

    def text(self):
        """The whole table in Markdown."""
        rows = [("case", "figure", "goal", "ok"), *self.rows]
        widths = [max(len(row[n]) for row in rows) for n in range(4)]
        lines = [" | ".join(cell.ljust(width) for cell, width in zip(row, widths)) for row in rows]
        lines.insert(1, " | ".join("-" * width for width in widths))
        return "\n".join(f"| {line} |" for line in lines) + "\n"
