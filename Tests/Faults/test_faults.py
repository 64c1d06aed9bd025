# SPDX-License-Identifier: Apache-2.0
"""Makes one system call fail in each of thousands of runs of pinna, and judges what becomes of it.

faults.c is preloaded into ten short jobs. A point is a job, a kind of call, a number n and an error: the n-th call of that
kind fails with that error. After each point the exit code has to be one that the documentation gives for it, standard error
has to hold exactly one sentence, no other file may be left, and every output has to be absent, the old one, or the one of a
run without a fault, byte by byte. Then the same command is run undisturbed in the same folder and has to give that output.
"""
import functools
import random

import jobs
import pytest
from faults import Harness, is_declared, named, points_of


@functools.cache
def harness(config):
    return Harness(jobs.workshop(config))


@functools.cache
def plan(config):
    """Points that once failed, and all others that are asked for, in an order that the seed gives. A job that fails
    undisturbed has none."""
    points, option = [], config.getoption
    whole = [job for job in jobs.ALL if not jobs.workshop(config).learn(job)]
    for job in whole:
        points += points_of(job, harness(config).counts(job, "job"), "job", option("most"))
        if option("anywhere"):
            points += points_of(job, harness(config).counts(job, "any"), "any", option("anywhere"))
    random.Random(option("seed")).shuffle(points)
    points = points[:max(1, round(len(points) * option("share")))] if option("share") > 0 else []
    known = [point for point in named(option("points").read_text()) if point.job in whole]
    return [*(pytest.param(point, id=f"known:{point}") for point in known), *points]


def pytest_generate_tests(metafunc):
    if "point" in metafunc.fixturenames:
        metafunc.parametrize("point", plan(metafunc.config), ids=str)


@pytest.fixture(scope="session")
def rounds(ahead, pytestconfig):
    return ahead("point", harness(pytestconfig).try_point)


@pytest.mark.parametrize("job", jobs.ALL, ids=str)
def test_undisturbed(job, shop):
    trouble = shop.learn(job)
    jobs.fail_if(trouble, f"{job}: {trouble}")


def test_point(point, rounds, figures):
    faults, call, done = rounds[point].result()
    declared = bool(faults) and is_declared(point, call, faults)
    figures[point.kind].update(
        points=1, occurred=call is not None, survived=call is not None and done.code == point.job.code,
        declared=declared, failures=bool(faults) and not declared)
    jobs.fail_if(faults and not declared,
                 f"{point} in {call}: {'; '.join(faults)}; exit {done.code}; {done.stderr.strip()[:300]!r}")


def told(sums, config):
    """The sentence of `make trust`, and whether all points were tried."""
    is_whole = (config.getoption("share") >= 1 and sums["points"] == len(plan(config))
                and not any(jobs.workshop(config).troubles.values()))
    return (f"{sums['points']} points in {len(harness(config).tried)} jobs, {sums['occurred']} faults occurred, "
            f"{sums['declared']} declared, {sums['failures']} failures"), is_whole
