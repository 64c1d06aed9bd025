# SPDX-License-Identifier: Apache-2.0
"""MP3 in each reader: start, length, level, peaks, and the bytes of frames and tags."""
import hashlib
import pathlib
import subprocess

import cases
import layer3
import numpy
import sources
from cases import EXACT
from figures import signed
from sources import BURSTS, RATE

# Samples behind whole frames. The tag of libavformat's own writer is wrong for 1 to 46 of them.
RESTS = (0, 1, 46, 47, 576, 1151)
RATES = (48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000)
# Samples of the sounds of all rates, and the bursts that lie in them.
SHORT, SHORT_BURSTS = 120_123, BURSTS[:2]
BIT_RATES = (64, 96, 128, 160, 192, 224, 256, 320)
QUALITIES = range(7)
# A source of 1 kHz has to keep its level within so many dB.
LEVEL = 0.02
CEILING, OVER = -1.0, 0.05
# Two of the four phases of BS.1770-5's Annex 2; the other two are the same ones backwards.
TRUE_PEAK = (
    (0.0017089843750, 0.0109863281250, -0.0196533203125, 0.0332031250000, -0.0594482421875, 0.1373291015625,
     0.9721679687500, -0.1022949218750, 0.0476074218750, -0.0266113281250, 0.0148925781250, -0.0083007812500),
    (-0.0291748046875, 0.0292968750000, -0.0517578125000, 0.0891113281250, -0.1665039062500, 0.4650878906250,
     0.7797851562500, -0.2003173828125, 0.1015625000000, -0.0582275390625, 0.0330810546875, -0.0189208984375))
# The seam of two files lies in a burst.
PARTS = (61_123, 99_120)


def rest(workshop, original, count):
    """An MP3 of so many samples behind whole frames, and its sound."""
    sound = original[:415 * 1152 + count]
    source = workshop.folder / f"mp3-{count}.wav"
    sources.write_wav(source, (sound * 32768).round())
    return workshop.render(source, f"rest-{count}.mp3", "-b:a", "320k"), sound


def at_rate(workshop, rate, channels):
    """An MP3 of a rate, and its sound."""
    sound = sources.bursts(SHORT, SHORT_BURSTS, channels)
    source = workshop.folder / f"mp3-{rate}-{channels}.wav"
    sources.write_wav(source, sound, rate)
    return workshop.render(source, f"{rate}-{channels}.mp3"), sound.astype(numpy.float32) / 32768


def read(table, reader, case, path, sound, bursts=BURSTS):
    """Start and length of an MP3 in a reader that knows LAME's tag."""
    try:
        decoded = reader.read(path)
    except RuntimeError as error:
        table.add(reader.name, case, str(error), "decodes", False)
        return
    text, _ = cases.offsets(decoded.sound, sound, bursts)
    table.add(reader.name, case, text, EXACT, text == EXACT)


def browse(table, workshop, chromium, case, path, sound):
    """Start and length of an MP3 in Chromium, decoded as a whole."""
    result, = chromium.run(workshop.folder, [
        {"kind": "decode", "url": "/" + pathlib.Path(path).name, "channels": 2, "type": "audio/mpeg"}])
    client = "Chromium decodeAudioData"
    if result.get("error"):
        table.add(client, case, result["error"], "decodes", False)
        return
    text, _ = cases.offsets(result["sound"], sound)
    table.add(client, case, text, EXACT, text == EXACT)


def check(table, case, path, samples):
    """LAME's tag against the file, read from the bytes."""
    faults = layer3.tag_faults(path, samples)
    table.add("bytes", f"{case}, tag", "; ".join(faults) or "all fields right", "all fields right", not faults)


def validate(table, case, path):
    """Complaints of mp3val."""
    told = subprocess.run(["mp3val", path], capture_output=True, text=True).stdout.splitlines()
    wrong = [line.rsplit('": ', 1)[-1] for line in told if line.startswith(("WARNING", "ERROR", "PROBLEM"))]
    counted = [line for line in told if line.startswith("INFO") and "MPEG frames" in line]
    figure = "; ".join(wrong) or (counted or ["says nothing"])[0].rsplit('": ', 1)[-1]
    table.add("mp3val", case, figure, "no complaint", counted and not wrong)


def _level(sound, rate=RATE):
    """Amplitude of a sine of 1 kHz in the middle of a sound, by least squares."""
    middle = sound[rate // 2:-(rate // 2), 0].astype(numpy.float64)
    phase = 2 * numpy.pi * 1000 / rate * numpy.arange(len(middle))
    basis = numpy.stack([numpy.sin(phase), numpy.cos(phase)], axis=1)
    return float(numpy.hypot(*numpy.linalg.lstsq(basis, middle, rcond=None)[0]))


def level(table, reader, case, path, sound, goal=None):
    """Gain of a tone; `goal` in dB, or None."""
    gain = 20 * numpy.log10(_level(reader.read(path).sound) / _level(sound / 32768))
    figure = f"{gain:+.3f} dB".replace("-", "−")
    table.add(reader.name, case, figure, f"±{goal} dB" if goal else "", abs(gain) <= goal if goal else None, gain)


def loud(workshop, source, rate, policy):
    """An MP3 of music at −9 LUFS whose peaks are held or not."""
    return workshop.render(source, f"loud-{rate}-{policy}.mp3", "-l", "-9", "--peak-policy", policy, "-b:a", f"{rate}k")


def _interpolated(sound, times):
    """The largest magnitude between samples in dB; the spectrum is made longer, which is exact but for the ends."""
    largest = 0.0
    for plane in sound.T.astype(numpy.float64):
        spectrum = numpy.fft.rfft(numpy.pad(plane, 4096))
        largest = max(largest, numpy.abs(numpy.fft.irfft(spectrum, (len(plane) + 8192) * times)).max() * times)
    return float(20 * numpy.log10(largest))


def _true_peak(sound):
    """True peak in dB by the filter of BS.1770-5's Annex 2."""
    phases = (*TRUE_PEAK, *(phase[::-1] for phase in TRUE_PEAK[::-1]))
    largest = max(numpy.abs(numpy.convolve(plane, phase)).max()
                  for plane in sound.T.astype(numpy.float64) for phase in phases)
    return float(20 * numpy.log10(largest))


def peak(table, reader, case, path, goal=True):
    """The true peak of all that a reader decodes."""
    sound = reader.read(path).sound
    found = _true_peak(sound)
    figure = f"{found:+.3f} dBTP, exactly {_interpolated(sound, 8):+.3f}".replace("-", "−")
    table.add(reader.name, case, figure, f"≤ {CEILING + OVER:.2f} dBTP".replace("-", "−") if goal else "",
              found <= CEILING + OVER if goal else None, found)


def reservoir(table, case, path, is_off):
    """How far the frames of a file reach back for their data."""
    _, (_, *frames) = layer3.read(path)
    far = max(frame.main for frame in frames)
    table.add("bytes", f"{case}, main_data_begin of {len(frames)} frames", f"≤ {far}", "0" if is_off else "above 0",
              (far == 0) == is_off)


def same(table, case, paths):
    """Whether files have the same bytes."""
    digests = {hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest() for path in paths}
    table.add("bytes", case, f"{len(digests)} digests of {len(paths)} files", "1 digest", len(digests) == 1)


def parts(workshop, original):
    """Two MP3 files of what was one sound, and one of the whole."""
    lengths, paths, begin = (*PARTS, sum(PARTS)), [], 0
    for number, length in enumerate(lengths):
        begin = sum(PARTS[:number]) % sum(PARTS)
        source = workshop.folder / f"part-{number}.wav"
        sources.write_wav(source, (original[begin:begin + length] * 32768).round())
        paths.append(workshop.render(source, f"part-{number}.mp3", "-b:a", "320k"))
    return paths


def _error(sound, original):
    """The error around the seam, which lies in a burst."""
    around = slice(PARTS[0] - 256, PARTS[0] + 256)
    return float(((sound[around] - original[around]).astype(numpy.float64) ** 2).mean() ** 0.5)


def join(table, player, paths, original):
    """Two files one behind the other: their length, and the error at the seam against that of one file there."""
    first, second, whole = paths
    sound, due = player.read(first, second).sound, original[:sum(PARTS)]
    length = len(sound) - len(due)
    times = 0 if length else _error(sound, due) / _error(player.read(whole).sound, due)
    table.add(player.name, "mp3, two files one behind the other",
              f"{signed(length)} samples, error at the seam {times:.2f} of one file's", "0, ≤ 2",
              length == 0 and times <= 2)
