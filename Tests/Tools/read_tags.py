# SPDX-License-Identifier: Apache-2.0
"""Prints the tags of a file as mutagen reads them: a JSON object of names, each with its values."""
import json
import sys

import mutagen


def texts(value):
    """The values of a tag as texts."""
    if hasattr(value, "people"):
        return [": ".join(pair) for pair in value.people]
    if hasattr(value, "text") and not isinstance(value.text, str):
        return [str(text) for text in value.text]
    if hasattr(value, "text"):
        return [value.text]
    if hasattr(value, "owner"):
        return [value.data.decode()]
    if hasattr(value, "mime"):
        return [f"{int(value.type)} {value.desc} {len(value.data)}"]
    values = value if isinstance(value, list) else [value]
    return [v.decode() if isinstance(v, bytes) else str(v) for v in values if not hasattr(v, "imageformat")]


found = {}
for name, value in mutagen.File(sys.argv[1]).tags.items():
    found.setdefault(name, []).extend(texts(value))
json.dump({name: values for name, values in found.items() if values}, sys.stdout, ensure_ascii=True, sort_keys=True)
