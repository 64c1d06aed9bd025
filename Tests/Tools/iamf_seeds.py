#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes synthetic IAMF files of other seeds, and what an independent decoder makes of them.

    iamf_seeds.py ORACLE OUT SEED...

ORACLE is the folder of make_synthetic.py, which writes the files, and iamf_ref.py, which decodes them; both need numpy
and PyAV. For each seed OUT/SEED gets the folders media and oracle, with an expected.json that says the same as that of
ORACLE. The channels of an element are interleaved Float32 (.f32); its gains of a mix, times those of the sum, are a
Float32 for each sample. Where the codec is lossless, the decoder must give back what the maker had.
"""
import json
import os
import sys

import numpy as np

LOSSLESS = ("fLaC", "ipcm")
# A step of 16 bits, because the maker rounds Float32 and keeps Float64, and what demixing makes of it.
STEP = 4e-5


def channels(reference, element):
    """Names of the channels of an element."""
    if element["audio_element_type"] == 1:
        return [f"ACN{index}" for index in range(element["output_channel_count"])]
    layer = element["layers"][-1]
    if layer["loudspeaker_layout"] == 15:
        return reference.EXPANDED[layer["expanded_loudspeaker_layout"]].split()
    return reference.LAYOUT[layer["loudspeaker_layout"]][0].split()


def store(folder, name, samples):
    """Writes samples of one or more channels; the file's name."""
    with open(os.path.join(folder, name), "wb") as file:
        file.write(np.ascontiguousarray(samples.T, dtype="<f4").tobytes())
    return name


def check(name, found, truth):
    """Ends the program where the decoder doesn't give back what the maker had."""
    for number, samples in found.elements.items():
        wanted = truth.get(f"element{number}")
        if found.codec not in LOSSLESS or wanted is None or wanted.shape != samples.shape:
            continue
        difference = np.abs(wanted - samples).max()
        if difference > STEP:
            sys.exit(f"{name}, element {number}: the decoder is {difference:.1e} off the original")


def expectation(reference, dump, name, data, out):
    """What is expected of a file."""
    numbers = [unit["mix_presentation"]["mix_presentation_id"] for unit in descriptors(dump, data)
               if "mix_presentation" in unit]
    found = {number: reference.decode(data, number) for number in numbers}
    first = found[numbers[0]]
    elements = {
        number: {
            "channels": channels(reference, first.elements_info[number]),
            "rms": [float(np.sqrt(np.mean(line ** 2))) for line in samples], "scale_of_flac": 1,
            "files": [store(out, f"{name}.element{number}.f32", samples)]}
        for number, samples in first.elements.items()}
    mixes = {}
    for number, result in found.items():
        total = result.gains["out"]
        places = [0, len(total) // 2, len(total) - 1]
        mixes[number] = {
            "gain_first_middle_last": {
                key: [float(line[place]) for place in places] for key, line in result.gains.items()},
            "gain_files": {
                key: store(out, f"{name}.mix{number}.gain{key}.f32", line * total)
                for key, line in result.gains.items() if key != "out"}}
    return first, {
        "codec": first.codec, "rate": first.rate, "presented": len(first.gains["out"]),
        "elements": elements, "mixes": mixes}


def descriptors(dump, data):
    """The descriptors of a file."""
    content = dump.dump(data)
    return content["tracks"][0]["descriptors"] if content["container"] == "mp4" else content["obus"]


def main():
    tools, out, seeds = sys.argv[1], sys.argv[2], sys.argv[3:]
    sys.path.insert(0, tools)
    sys.dont_write_bytecode = True
    import iamf_dump
    import iamf_ref
    import make_synthetic
    for seed in seeds:
        media, oracle = (os.path.join(out, seed, folder) for folder in ("media", "oracle"))
        os.makedirs(media)
        os.makedirs(oracle)
        sys.argv = ["make_synthetic.py", media, seed]
        make_synthetic.main()
        facts = {}
        for name in sorted(os.listdir(media)):
            if name.endswith(".npz"):
                continue
            with open(os.path.join(media, name), "rb") as file:
                data = file.read()
            found, facts[name] = expectation(iamf_ref, iamf_dump, name, data, oracle)
            truth = os.path.join(media, name.rsplit(".", 1)[0] + ".truth.npz")
            check(name, found, np.load(truth))
            os.remove(truth)
        with open(os.path.join(oracle, "expected.json"), "w", encoding="utf-8") as file:
            json.dump(facts, file)


if __name__ == "__main__":
    main()
