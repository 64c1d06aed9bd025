# SPDX-License-Identifier: Apache-2.0
"""Gives Pinna very much of something. Times are CPU seconds, so that other work on the machine changes little."""
import batch
import carriage
import channels
import joins
import programme


def test_channels(table, pinna, folder):
    channels.cases(table, pinna, folder)


def test_carriage_of_chapters_and_cues(table, pinna, folder):
    carriage.cases(table, pinna, folder)


def test_joins_of_items_of_one_sample(table, pinna, folder):
    joins.cases(table, pinna, folder)


def test_programme_of_many_hours(table, pinna, folder, pytestconfig):
    programme.cases(table, pinna, folder, pytestconfig.getoption("hours"))


def test_batch_of_many_items(table, pinna, folder, pytestconfig):
    batch.cases(table, pinna, folder, pytestconfig.getoption("items"))
