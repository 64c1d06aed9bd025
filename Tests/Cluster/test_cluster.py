# SPDX-License-Identifier: Apache-2.0
"""Runs what `pinna emit` writes on real engines: Slurm with two nodes on the loopback, Snakemake and GNU parallel; Kubernetes'
jobs are validated. Snakemake and kubernetes-validate are those of the Python that runs this."""
import os
import subprocess
import sys

import pytest
from slurm import Slurm


def run(*command, **options):
    """Runs a command; prints what it said, which pytest shows when the test fails."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, **options)
    print(done.stdout[-3000:], done.stderr[-3000:])
    return done.returncode


@pytest.fixture
def slurm(batch):
    made = Slurm(os.path.join(batch.base, "slurm"))
    os.makedirs(made.base)
    try:
        made.start()
        yield made
    finally:
        made.stop()


def test_slurm(batch, slurm):
    path, root = batch.emit("slurm")
    assert run("bash", path, env=slurm.environment, cwd=batch.base) == 0
    assert slurm.wait_for_jobs(300)
    batch.print_logs(root)
    assert sorted(slurm.restarts())[-2:] == [0, 1], "one task is begun anew, once"
    assert batch.server.refused > batch.refused + 1, "a file that may come later is asked for again"
    batch.check_merge(root)


def test_snakemake(batch):
    path, root = batch.emit("snakemake")
    code = run(sys.executable, "-m", "snakemake", "-s", path, "--cores", "2", "--keep-going", "--directory", batch.base + "/snakes")
    assert code != 0, "failures are hidden"
    batch.check_merge(root)


def test_gnu_parallel(batch):
    path, root = batch.emit("gnu-parallel")
    assert run("bash", path, "-j", "2", env=dict(os.environ, HOME=batch.base)) == 10, "it doesn't end with the merge's code"
    batch.check_merge(root)


def test_kubernetes(batch):
    path, _ = batch.emit("kubernetes", "--image", "registry.example/pinna:1", "--mount", batch.base)
    validate = os.path.join(os.path.dirname(sys.executable), "kubernetes-validate")
    assert run(validate, "--strict", path) == 0
