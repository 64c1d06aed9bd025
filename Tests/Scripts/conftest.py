"""Tests of the scripts in .ci and of the drivers in Tests: `make lint` runs them. None of them needs a built program."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / ".ci"), str(ROOT / "Tests/Benchmarks")]
