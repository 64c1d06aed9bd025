# SPDX-License-Identifier: Apache-2.0
"""All cases, in the order in which they are run: what takes long comes first."""
import rows_outputs
import rows_texts
import rows_wrong
from running import ANY, NOT_ZERO, Case


def output(group, name, words):
    """A render. A row of several steps has --json on its last one."""
    first, *others = words.split(" && ")
    return Case(group, name, " && ".join([f"render {first}", *others]))


def with_json(case):
    """The report on standard output, unless the samples go there."""
    if "-o - " in case.steps:
        return case
    head, mark, program = case.steps.partition(" -- ")
    return Case(case.group, case.name, f"{head} --json{mark}{program}", case.ends)


def outputs():
    for group, rows in rows_outputs.GROUPS.items():
        for name, words in rows.items():
            made = with_json(output(group, name, words))
            yield Case(made.group, made.name, made.steps, rows_outputs.ENDS.get(name, 0))


def texts():
    for group, rows in (("batches", rows_texts.BATCHES), ("pages", rows_texts.PAGES), ("reading", rows_texts.READING),
                        ("manual", rows_texts.MANUAL)):
        for name, steps in rows.items():
            yield Case(group, name, steps, rows_texts.ENDS.get(name, 0))
    for name, words in rows_texts.PLANS.items():
        yield Case("plans", name, f"render {words} -n --json")
    for name in rows_texts.SCHEMAS:
        yield Case("schemas", name, f"schema {name}")
    for name in rows_texts.HELP:
        yield Case("help", name or "pinna", f"help {name}".strip())


def every():
    """The cases; two of one group have different names."""
    rows = [*outputs(), *texts()]
    rows += [Case("wrong", line, line, NOT_ZERO) for line in rows_wrong.WRONG]
    rows += [Case("copies", words, f"render in/film.mkv -c:a copy {words} -o out.mp4", ANY) for words in rows_wrong.COPIES]
    rows += [Case("idle", words, f"render in/stereo.wav -o out.wav {words}") for words in rows_wrong.IDLE]
    names = [(case.group, case.name) for case in rows]
    if twice := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"a case stands in the tables twice: {sorted(twice)[0]}")
    return rows
