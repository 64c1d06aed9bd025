# SPDX-License-Identifier: Apache-2.0
"""Makes the programmes that are rendered: modulated chords, syllables and percussion."""
import os
import re

from processes import note, run
from programs import integrated

CLIP_SECONDS = 60  # one period of the synthesised audio, looped
EAC3 = ("-c:a", "eac3", "-b:a", "384k", "-dialnorm", "-24")


def channel(index):
    """An aevalsrc expression for one channel: chords, syllables, percussion; period 60 s."""
    pitch = 110 + 5 * index
    chord = "+".join(f"sin({note}*2*PI*t)" for note in (pitch * 2, pitch * 3, pitch * 5 // 2))
    swell = f"(0.5+0.45*sin(2*PI*(t/12+{index}/6)))"
    voice = "+".join(f"sin({pitch * k}*2*PI*t)/{k}" for k in (1, 2, 3, 5, 8))
    syllable = f"pow(max(0,sin(2*PI*(1.9*t+{index}/6))),2)*gt(mod(t+{3 * index},10),3)"
    beat = f"mod(t+{index}*0.125,0.75)"
    drum = f"exp(-35*{beat})*(sin(2*PI*85*{beat})+0.6*(random({index})*2-1))"
    accent = f"(0.08+0.2*lt(mod(t+{4 * index},30),0.75))"
    return f"0.045*{swell}*({chord})+0.11*{syllable}*({voice})+{accent}*{drum}"


class Programmes:
    """Files of a length, each made when it is first asked for."""

    def __init__(self, peer, folder, seconds):
        self.peer, self.folder, self.seconds = peer, folder, seconds
        self.made = {}

    def path(self, name, make):
        """The file of this name, which `make` writes."""
        if name not in self.made:
            path = os.path.join(self.folder, name)
            make(path)
            self.made[name] = path
        return self.made[name]

    def clip(self, channels, name, filters):
        """One period of programme-like audio as 24-bit WAV, at about -24 LUFS before `filters`."""
        layout, gain = ("stereo", 0) if channels == 2 else ("5.1(side)", -7)
        low = "0.12*exp(-6*mod(t,1.5))*sin(2*PI*50*mod(t,1.5))"
        parts = [low if channels == 6 and index == 3 else channel(index)
                 for index in range(channels)]
        expression = "|".join(part.replace(",", "\\,") for part in parts)
        source = f"aevalsrc={expression}:c={layout}:s=48000:d={CLIP_SECONDS}"

        def make(path):
            chain = ",".join([f"volume={gain}dB", *filters])
            run([*self.peer.base, "-f", "lavfi", "-i", source, "-af", chain,
                 "-c:a", "pcm_s24le", "-bitexact", path])
            _, text = self.peer.filtered(path, ["ebur128=peak=true"])
            peak = re.findall(r"Peak:\s+(-?[\d.]+) dBFS", text)[-1]
            note(f"{name}: {integrated(text)} LUFS, true peak {peak} dBTP, {self.seconds} s")

        return self.path(f"clip-{name}.wav", make)

    def looped(self, clip, name, *codec):
        """A clip repeated to the length."""
        return self.path(name, lambda path: run(
            [*self.peer.base, "-stream_loop", str(self.seconds // CLIP_SECONDS - 1), "-i", clip,
             "-bitexact", *codec, path]))

    def stereo(self, ending="wav", *codec):
        """Stereo, about -24 LUFS."""
        return self.looped(self.clip(2, "stereo", []), f"stereo.{ending}",
                           *(codec or ("-c:a", "pcm_s24le")))

    def surround(self, ending="wav", *codec):
        """5.1, about -24 LUFS."""
        return self.looped(self.clip(6, "surround", []), f"surround.{ending}",
                           *(codec or ("-c:a", "pcm_s24le")))

    def noise(self):
        """Stereo pink noise: each encoder has to spend what it can on it."""
        def make(path):
            parts = [f"anoisesrc=d={self.seconds}:c=pink:r=48000:a=0.5:seed={seed}" for seed in (1, 2)]
            run([*self.peer.base, "-f", "lavfi", "-i", parts[0], "-f", "lavfi", "-i", parts[1],
                 "-filter_complex", "[0][1]amerge=inputs=2", "-c:a", "pcm_s24le", "-bitexact", path])
        return self.path("noise.wav", make)

    def loud(self):
        """E-AC-3 5.1 of a limited programme, which has to be lowered to -16 LUFS."""
        clip = self.clip(6, "loud", ["volume=16dB", "alimiter=limit=0.8:level=false"])
        return self.looped(clip, "loud.mkv", *EAC3)

    def quiet(self):
        """E-AC-3 5.1 of a programme that has to be raised to -16 LUFS, so that its peaks are limited."""
        return self.looped(self.clip(6, "surround", []), "quiet.mkv", *EAC3)

    def repeated(self, source, times, name):
        """`times` copies of a file one after the other, not coded again."""
        def make(path):
            listing = path + ".txt"
            with open(listing, "w", encoding="utf-8") as file:
                file.write(f"file '{source}'\n" * times)
            run([*self.peer.base, "-f", "concat", "-safe", "0", "-i", listing, "-c", "copy", path])
        return self.path(name, make)
