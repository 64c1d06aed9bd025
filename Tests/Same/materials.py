# SPDX-License-Identifier: Apache-2.0
"""Makes what the cases read: the inputs of the goldens, some more from them by ffmpeg, the texts of Material, and media that lie
beside the checkout."""
import hashlib
import math
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MAKERS = [ROOT / "Golden/Media/make-inputs.py", ROOT / "Golden/Media/scenes.py", ROOT / "Golden/Media/channel-walk.mkv",
          HERE / "materials.py", *sorted((HERE / "Material").iterdir())]
# Media that aren't in the repository: the name in a case, and the place below ../shared. A case that reads an absent one is
# skipped, and named.
SHARED = {
    "shared.ac4": "media/ChannelCheck.ac4",
    "shared-ac4.mp4": "media/sample_ac4.mp4",
    "shared-ajoc.mp4": "media/sample_ac4_level4.mp4",
    "shared-joc.mp4": "media/sample_eac3joc.mp4",
    "shared-eac3.mp4": "media/sample_eac3.mp4",
    "shared-dts.mkv": "media/sample_with_dts.mkv",
    "shared-protected.mp4": "media/sample_ac4_protected.mp4",
    "shared-5.1.iamf": "iamf/media/noise_1024samp_5p1_opus.iamf",
    "shared-714.iamf": "iamf/media/syn_scalable_2_512_714_lpcm24.iamf",
    "shared-mixes.iamf": "iamf/media/syn_soa_projection_two_mixes_flac.iamf",
    "shared-iamf.mp4": "iamf/media/syn_scalable_312_514_lpcm16.mp4",
    "shared.thd": "truehd/streams/22_atmos_nested.thd",
    "shared-audible.thd": "truehd/streams/50_audible.thd",
    "shared-moving.wav": "adm/cases/objects-moving/input.wav",
    "shared.sofa": "hrtf/sadie-ku100-dfc-48k.sofa",
}
EXACT = "-map_metadata -1 -fflags +bitexact -flags +bitexact"
# A file and the options of ffmpeg that make it, in this order; {} is the folder. One thread, so that each encoder is repeatable.
ENCODED = {
    "short-44100.flac": f"-i {{}}/stereo.flac -t 1.5 -ar 44100 -c:a flac {EXACT}",
    "loud.wav": f"-i {{}}/stereo.wav -t 2 -af volume=18dB,aresample=192000,aresample=48000 -c:a pcm_s24le {EXACT}",
    "cover.png": "-f lavfi -i testsrc=size=64x64:rate=1:duration=1 -frames:v 1 -fflags +bitexact -flags +bitexact",
    "tagged.flac": "-i {}/stereo.wav -i {}/cover.png -i {}/chapters.txt -map 0:a -map 1:v -map_metadata 2 -t 2 -c:a flac -c:v copy"
                   " -disposition:v attached_pic -fflags +bitexact -flags +bitexact",
    "tagged.m4a": "-i {}/stereo.wav -i {}/chapters.txt -map 0:a -map_metadata 1 -t 2 -c:a aac -fflags +bitexact -flags +bitexact",
    "film.mkv": "-f lavfi -i testsrc=size=64x48:rate=25:duration=2 -i {}/surround.wav -i {}/subtitles.ass -i {}/chapters.txt"
                " -map 0:v -map 1:a -map 2:s -map_metadata 3 -t 2 -c:v libx264 -preset ultrafast -threads 1 -c:a ac3 -c:s copy"
                " -metadata:s:a:0 language=eng -metadata:s:s:0 language=ger -fflags +bitexact -flags +bitexact",
    "late.mkv": f"-itsoffset 0.75 -i {{}}/stereo.mp3 -t 2.5 -c:a copy {EXACT}",
    "unknown.wav": f"-i {{}}/seven.wav -t 1 -af pan=3c|c0=c0|c1=c1|c2=c2 -c:a pcm_s16le {EXACT}",
}


def digest(paths):
    """SHA-256 over the names and the bytes of files."""
    found = hashlib.sha256()
    for path in paths:
        found.update(path.name.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def write_response(path):
    """A stereo impulse response of 512 samples: a click and a tail that fades."""
    noise = random.Random(55)
    data = bytearray()
    for index in range(512):
        for _ in range(2):
            value = (1.0 if index == 16 else 0.0) + 0.05 * noise.uniform(-1, 1) * math.exp(-index / 90)
            data += struct.pack("<f", value)
    head = struct.pack("<HHIIHH", 3, 2, 48000, 48000 * 8, 8, 32)
    path.write_bytes(b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt " + struct.pack("<I", 16) + head
                     + b"data" + struct.pack("<I", len(data)) + data)


def damage(source, path):
    """A copy with 300 wrong bytes in the middle, and without its last tenth."""
    data = bytearray(source.read_bytes())
    noise = random.Random(54)
    for index in range(len(data) // 2, len(data) // 2 + 300):
        data[index] = noise.randrange(256)
    path.write_bytes(data[:len(data) * 9 // 10])


def make(folder):
    """Fills the folder, unless the same makers and the same ffmpeg have filled it already. Answers a digest of all inputs."""
    version = subprocess.run(["ffmpeg", "-version"], check=True, capture_output=True, text=True).stdout.splitlines()[0]
    made = digest(MAKERS) + " " + version
    stamp = folder.with_suffix(".made")
    if not stamp.exists() or stamp.read_text() != made:
        print("same: making the inputs", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        fill(folder)
        stamp.write_text(made)
    for name, place in SHARED.items():
        source = ROOT.parent / "shared" / place
        (folder / name).unlink(missing_ok=True)
        if source.is_file():
            shutil.copyfile(source, folder / name)
    return digest(path for path in sorted(folder.rglob("*")) if path.is_file())


def fill(folder):
    """What is the repository's own, or made by it."""
    subprocess.run([sys.executable, MAKERS[0], folder], check=True)
    for path in (HERE / "Material").iterdir():
        shutil.copyfile(path, folder / path.name)
    for name, words in ENCODED.items():
        options = [word.format(folder) for word in words.split()]
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-bitexact", *options, folder / name], check=True)
    write_response(folder / "response.wav")
    damage(folder / "stereo.mp3", folder / "damaged.mp3")
    (folder / "chain").mkdir()
    for name in ("short-44100.flac", "mono.wav"):
        os.link(folder / name, folder / "chain" / name)
