#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says which values are as their JSON schemas say, as the package jsonschema judges.

    verdicts.py < cases.json

Standard input is {"schemas": {name: schema}, "cases": [[name, value], ...]}. Every schema must be one by the
metaschema of draft 2020-12. Standard output is a list of truth values, one for each case.
"""
import json
import sys

from jsonschema import Draft202012Validator

given = json.load(sys.stdin)
validators = {}
for name, schema in given["schemas"].items():
    Draft202012Validator.check_schema(schema)
    validators[name] = Draft202012Validator(schema)
json.dump([validators[name].is_valid(value) for name, value in given["cases"]], sys.stdout)
