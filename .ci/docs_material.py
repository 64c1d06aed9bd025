# SPDX-License-Identifier: Apache-2.0
"""Makes the inputs that pages name: film.mkv, talk.wav, album.cue. Each is made once in a run, when a page's command names it first,
and with the same bytes every time. Speech is that of channel-walk.mkv; all noise has a seed."""
import array
import json
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent
WALK = ROOT / "Golden/Media/channel-walk.mkv"
# Media that can't be made lie beside the checkout, for a clone in its folder as well.
SHARED = [ROOT.parent / "shared", ROOT.parent.parent / "shared"]
TEST_PYTHON = ROOT / ".build/test-venv/bin/python"
# All voices of the walk in one channel: eight seconds of speech.
VOICES = "pan=mono|c0=FL+FC+FR+SL+SR,atrim=0:8.2,asetpts=N/SR/TB"
# Loudspeakers of 7.1.4 as bits of a WAV file's channel mask.
MASK_7_1_4 = 0x2D63F


class Absent(Exception):
    """The reason why an input can't be made here."""


class Kit:
    """Tools of a maker, which writes into `folder`."""

    def __init__(self, materials, folder):
        self.materials, self.folder = materials, folder

    def run(self, *words):
        done = subprocess.run([str(word) for word in words], cwd=self.folder, capture_output=True, check=False, text=True,
                              env=os.environ | {"PATH": f"{self.materials.programs}:{os.environ['PATH']}", "PINNA_CACHE": "off"})
        if done.returncode:
            raise RuntimeError(f"{' '.join(map(str, words))}: {done.stderr.strip()[-2000:]}")

    def ffmpeg(self, *words):
        """One thread, and no names and dates of encoders, so that equal programs give equal bytes."""
        options = [part for word in words for part in (word.split() if isinstance(word, str) and word.startswith("-") else [word])]
        self.run("ffmpeg", "-nostdin", "-v", "error", "-y", "-threads", "1", *options[:-1],
                 "-fflags", "+bitexact", "-flags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact", options[-1])

    def sound(self, name, chain, *options):
        """A file whose sound a filter makes of the walk's."""
        self.ffmpeg("-i", WALK, "-map_metadata -1 -vn -filter_complex", f"[0:a]{chain}", *options, name)

    def noise(self, name, seconds, *options, seed=1, rate=48000, channels=2, level=0.1, chain="anull"):
        """A file of pink noise, other in each channel, with a filter."""
        inputs = [word for number in range(channels) for word in (
            "-f", "lavfi", "-i", f"anoisesrc=d={seconds}:c=pink:r={rate}:a={level}:seed={seed * 100 + number}")]
        self.ffmpeg(*inputs, "-filter_complex", f"amerge=inputs={channels},{chain}" if channels > 1 else chain, *options, name)

    def other(self, name):
        """The folder of another material."""
        return self.materials.made(name)

    def python(self, script, *words):
        """Runs a script of the tests' Python, which has h5py."""
        if subprocess.run([str(TEST_PYTHON), "-c", "import h5py, numpy"], capture_output=True, check=False).returncode:
            raise Absent("h5py isn't there (make setup-test)")
        self.run(TEST_PYTHON, "-c", script, *words)


def shared(place):
    """A file beside the checkout."""
    for folder in SHARED:
        if (folder / place).is_file():
            return folder / place
    raise Absent(f"../shared/{place} isn't there")


def copied(place, name):
    return lambda kit: shutil.copyfile(shared(place), kit.folder / name)


def linked(name, source):
    """A copy of another material under another name."""
    def make(kit):
        (kit.folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(kit.other(source) / source, kit.folder / name)
    return make


def film(kit):
    """Half a minute of H.264, the walk's E-AC-3 twice in English, AC-3 in German, SubRip, two chapters, a cover."""
    (kit.folder / "film.srt").write_text("1\n00:00:01,000 --> 00:00:03,000\nLeft\n\n2\n00:00:04,000 --> 00:00:06,000\nRight\n")
    (kit.folder / "film.txt").write_text(
        ";FFMETADATA1\ntitle=The film\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=15\ntitle=One\n"
        "[CHAPTER]\nTIMEBASE=1/1\nSTART=15\nEND=30\ntitle=Two\n")
    kit.ffmpeg("-i", WALK, "-c copy", "walk.eac3")
    frames = (kit.folder / "walk.eac3").read_bytes()
    (kit.folder / "walk.eac3").write_bytes(frames + frames)
    kit.sound("german.mkv", "pan=stereo|FL=FL+FC|FR=FR+FC,atrim=0:15,aloop=1:720000", "-c:a ac3 -b:a 192k")
    kit.ffmpeg("-f lavfi -i", "testsrc=size=128x72:rate=25:duration=30", "-i walk.eac3 -i german.mkv -i film.srt -i film.txt",
               "-attach", kit.other("cover.jpg") / "cover.jpg", "-map 0:v -map 1:a -map 2:a -map 3:s -map_metadata 4",
               "-c:v libx264 -preset ultrafast -g 50 -c:a copy -c:s srt", "-metadata:s:a:0 language=eng -metadata:s:a:1 language=ger",
               "-metadata:s:s:0 language=eng -metadata:s:t mimetype=image/jpeg -disposition:a:0 default -disposition:a:1 0", "film.mkv")
    for name in ("walk.eac3", "german.mkv", "film.srt", "film.txt"):
        (kit.folder / name).unlink()


def clip(kit):
    kit.ffmpeg("-f lavfi -i", "testsrc=size=128x72:rate=25:duration=4", "-f lavfi -i", "anoisesrc=d=4:c=pink:r=48000:a=0.1:seed=1",
               "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus", "clip.webm")


def stream(kit):
    """The film as HLS, written by the program itself."""
    kit.run("pinna", "render", kit.other("film.mkv") / "film.mkv", "-e", "none", "-a", "all", "-o", "film.m3u8", "-q")


def album(kit):
    """Twelve tracks of 5 to 6 seconds that run into each other, and their sheet, which names WAV files."""
    kit.noise("disc.wav", 66, chain="tremolo=f=0.5:d=0.7", rate=44100, seed=7, level=0.25)
    sheet, start = 'TITLE "An Album"\nPERFORMER "Us"\n', 0
    for number in range(1, 13):
        end = start + 44100 * 5 + 588 * (number * 29 % 75)
        kit.ffmpeg("-i disc.wav -af", f"atrim=start_sample={start}:end_sample={end},asetpts=N/SR/TB,volume={-number % 5 * 2}dB",
                   "-metadata", f"title=Track {number}", "-metadata", "album=An Album", "-c:a flac", f"{number:02d}.flac")
        sheet += f'FILE "{number:02d}.wav" WAVE\n  TRACK {number:02d} AUDIO\n    TITLE "Track {number}"\n    INDEX 01 00:00:00\n'
        start = end
    (kit.folder / "disc.wav").unlink()
    (kit.folder / "album.cue").write_text(sheet)


def some_tracks(folder, names):
    """A maker of a folder with tracks of the album."""
    def make(kit):
        for place, name in enumerate(names, 1):
            target = kit.folder / folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(kit.other("album.cue") / f"{place:02d}.flac", target)
    return make


def episodes(folder):
    def make(kit):
        (kit.folder / folder).mkdir()
        for number in (1, 2):
            kit.noise(f"{folder}/{number}.wav", 3, seed=number, channels=1)
    return make


def chapters(kit):
    """32 MP3 files of 145530 samples each, of four kinds."""
    (kit.folder / "chapters").mkdir()
    for number in range(1, 33):
        name = f"chapters/{number}.mp3"
        if number <= 4:
            kit.noise(name, 3.3, "-c:a libmp3lame -b:a 64k", seed=number, rate=44100, level=0.02 * (number + 1))
        else:
            shutil.copyfile(kit.folder / f"chapters/{(number - 1) % 4 + 1}.mp3", kit.folder / name)


def queue_items(kit):
    """The files of show.yaml, which last for two minutes together."""
    kit.noise("intro.flac", 20, seed=11, rate=44100, level=0.05)
    kit.sound("talk.m4a", "pan=stereo|FL=FL+FC+SL|FR=FR+FC+SR,atrim=0:8,aloop=11:384000,aresample=44100",
              "-t 90 -c:a aac -aac_coder fast -b:a 96k")
    kit.noise("outro.mp3", 30, "-c:a libmp3lame", seed=12, rate=44100, level=0.05)
    kit.noise("new.flac", 5, seed=13, rate=44100, level=0.05)


def old_and_new(kit):
    """Two queues that differ in the last item's gain."""
    for name, gain in (("old", 0), ("new", -2)):
        (kit.folder / f"{name}.yaml").write_text(
            "schema: pinna.queue/1\ngain: 3 dB\nitems:\n  - file: intro.flac\n  - file: talk.m4a\n"
            f"  - {{file: outro.mp3, gain: {gain} dB}}\n")
    for path in kit.other("intro.flac").iterdir():
        shutil.copyfile(path, kit.folder / path.name)


def stereo_talk(name, *options, pause=0, hiss=True):
    """Speech in stereo, with a quiet hiss or with a pause."""
    chain = "pan=stereo|FL=FL+FC+.7*SL|FR=FR+FC+.7*SR,atrim=0:8.2,aloop=4:393600,atrim=end_sample=1732608"
    chain += f",volume=11.8dB,apad=pad_len={pause}"
    if hiss:
        chain += ("[s];anoisesrc=d=36.096:r=48000:a=0.01:seed=1[l];anoisesrc=d=36.096:r=48000:a=0.01:seed=2[r];"
                  "[l][r]amerge[n];[s][n]amix=normalize=0:duration=first,atrim=end_sample=1732608")
    return lambda kit: kit.sound(name, chain, *options)


def wav(path, rate, planes, mask=0, chunks=b"", times=1):
    """A file of 24 bits: planes of floats, played so many times, and chunks in front of the samples."""
    count = len(planes)
    data = bytearray(3 * count * len(planes[0]))
    for place, plane in enumerate(planes):
        for byte in range(3):
            data[3 * place + byte::3 * count] = array.array("i", [round(value * 0x7FFFFF) for value in plane]).tobytes()[byte::4]
    form = struct.pack("<HHIIHH", 0xFFFE if mask else 1, count, rate, rate * count * 3, count * 3, 24)
    if mask:
        form += struct.pack("<HHI", 22, 24, mask) + bytes.fromhex("0100000000001000800000aa00389b71")
    body = b"WAVE" + chunk(b"fmt ", form) + chunks + chunk(b"data", bytes(data) * times)
    path.write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)


def chunk(name, data):
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def noise(seconds, seed, rate=48000, level=0.2):
    source = random.Random(seed)
    return [source.uniform(-level, level) for _ in range(int(rate * seconds))]


ANY_CHANGE = """<audioObjectInteraction onOffInteract="1" gainInteract="1" positionInteract="1">
<gainInteractionRange bound="min" gainUnit="dB">-6</gainInteractionRange>
<gainInteractionRange bound="max" gainUnit="dB">9</gainInteractionRange>
<positionInteractionRange coordinate="azimuth" bound="min">-45</positionInteractionRange>
<positionInteractionRange coordinate="azimuth" bound="max">45</positionInteractionRange></audioObjectInteraction>"""


def disc(kit):
    """TrueHD with ten objects in Matroska, as from a disc."""
    kit.ffmpeg("-f truehd -i", shared("truehd/streams/50_audible.thd"), "-c copy", "disc.mkv")


def master_files(kit):
    """A set of Dolby Atmos master files: a bed of 7.1.2 and two objects."""
    for end in ("", ".metadata", ".audio"):
        content = shared(f"damf/sets/a/bed712.atmos{end}").read_bytes()
        (kit.folder / f"master.atmos{end}").write_bytes(content if end else content.replace(b"bed712.", b"master."))


def adm(path, rate, objects, planes, times=1):
    """A master of objects, each with its name, azimuth, kind of dialogue (`kind` of `content`) and allowed changes."""
    programme, contents, rest, rows = "", "", "", b""
    for number, (name, azimuth, content, kind, change) in enumerate(objects, 1):
        interact = ' interact="1"' if change else ""
        programme += f"<audioContentIDRef>ACO_100{number}</audioContentIDRef>"
        contents += (
            f'<audioContent audioContentID="ACO_100{number}" audioContentName="{name}"><audioObjectIDRef>AO_100{number}</audioObjectIDRef>'
            f'<dialogue {kind}>{content}</dialogue></audioContent>')
        rest += (
            f'<audioObject audioObjectID="AO_100{number}" audioObjectName="{name}"{interact}>'
            f"<audioPackFormatIDRef>AP_0003100{number}</audioPackFormatIDRef>"
            f"<audioTrackUIDRef>ATU_0000000{number}</audioTrackUIDRef>{change}"
            f'</audioObject><audioPackFormat audioPackFormatID="AP_0003100{number}" audioPackFormatName="{name}" typeLabel="0003">'
            f"<audioChannelFormatIDRef>AC_0003100{number}</audioChannelFormatIDRef></audioPackFormat>"
            f'<audioChannelFormat audioChannelFormatID="AC_0003100{number}" audioChannelFormatName="{name}" typeLabel="0003">'
            f'<audioBlockFormat audioBlockFormatID="AB_0003100{number}_00000001"><position coordinate="azimuth">{azimuth}</position>'
            '<position coordinate="elevation">0</position></audioBlockFormat></audioChannelFormat>')
        rows += struct.pack("<H12s14s11sx", number, *(f"{mark}{number}".encode() for mark in ("ATU_0000000", "AC_0003100", "AP_0003100")))
    text = (f'<ebuCoreMain><coreMetadata><format><audioFormatExtended version="ITU-R_BS.2076-2"><audioProgramme audioProgrammeID="APR_1001"'
            f' audioProgrammeName="Programme">{programme}</audioProgramme>{contents}{rest}</audioFormatExtended>'
            '</format></coreMetadata></ebuCoreMain>')
    table = struct.pack("<HH", len(objects), len(objects)) + rows
    wav(path, rate, planes, chunks=chunk(b"chna", table) + chunk(b"axml", text.encode()), times=times)


def master(kit):
    """Two objects of more than ten minutes at 8 kHz: four seconds of noise again and again."""
    adm(kit.folder / "master.wav", 8000, [
        ("Voice", 30, 1, 'dialogueContentKind="1"', ""), ("Rain", -110, 0, 'nonDialogueContentKind="2"', "")], [noise(4, seed, 8000) for seed in (1, 2)], times=160)


def match(kit):
    """A commentary that may be changed, a crowd that may be switched off, and music."""
    off = '<audioObjectInteraction onOffInteract="1" gainInteract="0" positionInteract="0"></audioObjectInteraction>'
    adm(kit.folder / "match.wav", 48000, [
        ("Commentary", 0, 1, 'dialogueContentKind="5"', ANY_CHANGE), ("Crowd", 110, 0, 'nonDialogueContentKind="2"', off),
        ("Anthem", -30, 0, 'nonDialogueContentKind="1"', "")], [noise(4, seed) for seed in (3, 4, 5)])


def bed(kit):
    wav(kit.folder / "bed.wav", 48000, [noise(3, seed, level=0.05) for seed in range(12)], MASK_7_1_4)


def field(kit):
    """A sound field of the third order: noise to the left."""
    source = noise(3, 6)
    gains = [1, 1, 0, 0, 0, 0, -0.5, 0, -0.866, -0.79, 0, -0.61, 0, 0, 0, 0]
    wav(kit.folder / "field.wav", 48000, [[gain * value for value in source] for gain in gains])


def field_movie(kit):
    kit.noise("field.mp4", 3, "-c:a libopus -mapping_family 2 -strict -2", channels=4)


def correction(kit):
    """An impulse response with a short tail that fades."""
    tail = noise(0.01, 8, level=0.05)
    response = [0.9 if place == 20 else value * (1 - place / len(tail)) ** 2 for place, value in enumerate(tail)]
    wav(kit.folder / "correction.wav", 48000, [response])


def other_set(kit):
    """Another person's set: the one at hand, with later and duller responses."""
    kit.python("""if 1:
        import h5py, numpy as np, shutil, sys
        shutil.copyfile(sys.argv[1], "other.sofa")
        with h5py.File("other.sofa", "r+") as file:
            ir = file["Data.IR"][()]
            file["Data.IR"][...] = (ir + np.roll(ir, 1, -1)) / 2
        """, shared("hrtf/sadie-ku100-dfc-48k.sofa"))


def hall(kit):
    """A room whose five loudspeakers were measured with a head that looks ahead and up to 40° to the left."""
    kit.python("""if 1:
        import h5py, numpy as np
        angles, views, taps = np.radians([30, -30, 0, 110, -110]), np.arange(0, 41, 10), 9600
        rng = np.random.default_rng(1)
        tail = rng.normal(size=(5, 2, taps)) * 10 ** (-3 * np.arange(taps) / 48000 / 0.4) * 0.02
        heard = np.zeros((len(views), 2, 5, taps))
        for view, turn in enumerate(np.radians(views)):
            for speaker, angle in enumerate(angles):
                for ear, sign in ((0, 1), (1, -1)):
                    side = sign * np.sin(angle - turn)
                    first = 150 - int(round(15 * side))
                    heard[view, ear, speaker] = tail[speaker, ear]
                    heard[view, ear, speaker, :first] = 0
                    heard[view, ear, speaker, first] = 0.7 + 0.25 * side
        places = 2 * np.stack([np.cos(angles), np.sin(angles), 0 * angles], 1)
        with h5py.File("hall.sofa", "w") as file:
            def text(where, **pairs):
                for key, value in pairs.items(): where.attrs[key] = np.bytes_(value)
            def place(name, values, unit="metre", kind="cartesian"):
                text(file.create_dataset(name, data=np.array(values, float)), Type=kind, Units=unit)
            text(file, Conventions="SOFA", Version="2.1", SOFAConventions="MultiSpeakerBRIR", DataType="FIR-E",
                 RoomType="reverberant", Title="hall")
            place("ListenerPosition", [[1, 1, 1.2]]); place("ListenerUp", [[0, 0, 1]])
            place("ListenerView", [[view, 0, 1] for view in views], "degree, degree, metre", "spherical")
            place("ReceiverPosition", [[[0], [0.09], [0]], [[0], [-0.09], [0]]])
            place("SourcePosition", [[1, 1, 1.2]]); place("EmitterPosition", places[:, :, None])
            file.create_dataset("Data.SamplingRate", data=np.array([48000.0]))
            file.create_dataset("Data.IR", data=heard); file.create_dataset("Data.Delay", data=np.zeros((1, 2, 5)))
        """)


def repository(*names):
    """Files of the repository under their own paths."""
    def make(kit):
        for name in names:
            (kit.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, kit.folder / name)
    return make


def text(name, content):
    return lambda kit: (kit.folder / name).write_text(content)


def results(kit):
    """A listener who prefers one of two sets six times of seven."""
    trials = [{"kind": "pair", "excerpt": "e1", "ways": ["w1", "w2"], "outside": way, "preferred": way} for way in ["w2"] + ["w1"] * 6]
    ways = [{"id": f"w{number}", "label": name, "flags": f"--hrtf {name}"} for number, name in ((1, "kemar"), (2, "me.sofa"))]
    (kit.folder / "pinna-audition-results.json").write_text(json.dumps({
        "schema": "pinna.audition-result/1", "page": "p", "title": "film.mkv", "pinna": "0.1.0", "ways": ways, "abx": [],
        "tournaments": [{"id": "t1", "isWhole": True, "trials": trials}], "saved": "2026-11-30T12:00:00Z"}))


def reports(kit):
    kit.run("pinna", "render", WALK, "-o", "walk.wav", "--report", "walk.json", "-q")
    (kit.folder / "walk.wav").unlink()


MAKERS = {
    "Golden/": repository("Golden/Media/channel-walk.mkv"),
    "docs/examples/": repository(*sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs/examples").glob("*.py"))),
    "cover.jpg": lambda kit: kit.ffmpeg("-f lavfi -i", "testsrc=size=300x300:rate=1:duration=1", "-frames:v 1 -c:v mjpeg", "cover.jpg"),
    "film.mkv": film, "in.mkv": linked("in.mkv", "film.mkv"), "a.mkv": linked("a.mkv", "film.mkv"), "b.mkv": linked("b.mkv", "film.mkv"),
    "episodes/": linked("episodes/film.mkv", "film.mkv"), "uploads/": linked("uploads/film.mkv", "film.mkv"), "film.m3u8": stream, "clip.webm": clip,
    "disc.mkv": disc, "master.atmos": master_files,
    "film.ac4": copied("media/ChannelCheck.ac4", "film.ac4"),
    "film.iamf": copied("iamf/media/syn_soa_projection_two_mixes_flac.iamf", "film.iamf"),
    "dub.wav": lambda kit: kit.sound("dub.wav", VOICES + ",aloop=3:393600", "-t 30"),
    "talk.wav": lambda kit: kit.sound("talk.wav", VOICES + ",atrim=0:8,aloop=4:384000,volume=-2dB", "-c:a pcm_s16le"),
    "docs/guide/taps.md talk.wav": stereo_talk("talk.wav", "-c:a pcm_s24le"),
    "talk.mp3": stereo_talk("talk.mp3", "-c:a libmp3lame -b:a 128k -cutoff 10500", pause=144000, hiss=False),
    "intro.wav": lambda kit: kit.noise("intro.wav", 3, seed=21, level=0.02),
    "outro.wav": lambda kit: kit.noise("outro.wav", 4, seed=22, level=0.02),
    "music.flac": lambda kit: kit.noise("music.flac", 6, seed=23), "song.flac": lambda kit: kit.noise("song.flac", 6, seed=24, rate=44100),
    "song.wav": lambda kit: kit.noise("song.wav", 6, seed=24),
    "album.cue": album, "*.flac": album, "q/*.flac": some_tracks("q", ["01.flac", "02.flac", "03.flac"]),
    "Artist/Album/": some_tracks("Artist/Album", ["01.flac", "02.flac"]),
    "albums/**/*.flac": some_tracks("albums/One", ["01.flac", "02.flac"]),
    "music/": some_tracks("music", ["One/01.flac", "One/02.flac", "Two/01.flac"]), "podcast/": episodes("podcast"), "episodes/": episodes("episodes"),
    "chapters/": chapters, "intro.flac": queue_items, "talk.m4a": queue_items, "outro.mp3": queue_items, "new.flac": queue_items,
    "old.yaml": old_and_new,
    "master.wav": master, "match.wav": match, "bed.wav": bed, "field.wav": field, "field.mp4": field_movie,
    "correction.wav": correction, "me.sofa": copied("hrtf/sadie-ku100-dfc-48k.sofa", "me.sofa"), "other.sofa": other_set, "hall.sofa": hall,
    "way.csv": text("way.csv", "0,0,0,0\n5,40,0,0\n20,0,0,0\n"),
    "pinna-audition-results.json": results,
    "*.json": reports,
}


def key(page, word):
    """The key of MAKERS for a word of a page's command, or None."""
    return next((name for name in (f"{page} {word}", *MAKERS) if name in MAKERS and (
        name in (word, f"{page} {word}") or name.endswith("/") and word.startswith(name))), None)


class Materials:
    """Inputs that were made already, each in a folder of its own."""

    def __init__(self, programs, folder):
        self.programs, self.folder, self.absent, self.lock = programs, folder, {}, threading.RLock()

    def made(self, name):
        """The folder with what stands for a key of MAKERS. One thread makes it, for all pages."""
        with self.lock:
            return self.make(name)

    def make(self, name):
        if MAKERS[name] in self.absent:
            raise self.absent[MAKERS[name]]
        # One maker makes several names.
        place = self.folder / str(list(dict.fromkeys(MAKERS.values())).index(MAKERS[name]))
        if not place.exists():
            place.mkdir(parents=True)
            try:
                MAKERS[name](Kit(self, place))
            except Absent as absent:
                self.absent[MAKERS[name]] = absent
                raise
        return place

    def put(self, page, word, folder):
        """Copies what a word of a command stands for into the page's folder; what is there already stays."""
        found = key(page, word)
        if found is None or (folder / word).exists():
            return
        source = self.made(found)
        for path in sorted(source.rglob("*")):
            target = folder / path.relative_to(source)
            if path.is_file() and not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
