// SPDX-License-Identifier: Apache-2.0
import AudioCore

extension DecisionCode {
  /// Texts about the code beside its sentence. They are true of each place that reports it.
  var texts: ExplainedTexts {
    switch self {
    case .anchor:
      ExplainedTexts(
        "`--anchor` or a preset decides; dialogue counts where there is enough of it.",
        "The target loudness is that of the words, or that of the whole, which may differ by several LU.",
        "`--anchor programme` takes the whole, `--anchor dialogue` the words.")
    case .audioStart:
      ExplainedTexts(
        "The input's sound begins later than its pictures, and the output's format may not be able to say so.",
        "The output begins late as the input does, or has silence in front, so that sound and pictures stay together.",
        "`--align presentation` begins with silence. `--video drop` needs neither.")
    case .bitDepth:
      ExplainedTexts(
        "The header states fewer bits than are stored for each sample.",
        "The stored bits are read, and nothing is lost.",
        "No option changes it; the header decides.")
    case .bits:
      ExplainedTexts(
        "`-b` asks for bits, a preset does, or the output's codec has no bits to choose.",
        "Fewer than 24 bits add quiet noise by rounding. A lossy codec has none of its own.",
        "`-b` chooses 16, 24 or 32f, and `--dither tpdf` makes rounding independent of the sound.")
    case .chapters:
      ExplainedTexts(
        "The input's chapters, or the items of a queue, as far as they lie in the output and its format holds chapters.",
        "Players show these chapters. The sound doesn't depend on them.",
        "`--no-chapters` leaves all out, `--chapters` chooses those of a queue, and `--chapters-out` writes them to a file, too."
      )
    case .codec:
      ExplainedTexts(
        "The codec and options that were asked for, and what the output's format can hold.",
        "The output has this coding. AAC and MP3 whose packets hold peaks have up to 0.9 dB more noise at the same size.",
        "`-c:a` chooses the codec, `-b:a` its bit rate, and `-f` the format.")
    case .container:
      ExplainedTexts(
        "The first bytes of the file decide, whatever its name says. For some raw streams the name decides as well.",
        "The file is read by the rules of this container.",
        "No option changes it. If the choice is wrong, rename the file or remux it.")
    case .coverArt:
      ExplainedTexts(
        "The input has a picture, or `--cover` gives one, and the output's format may hold it.",
        "Players show the picture, or none. The sound doesn't depend on it.",
        "`--cover` gives another picture, and `--no-metadata` leaves covers and tags out.")
    case .dialogEnhancement:
      ExplainedTexts(
        "`--dialog-enhancement` asks for more than the AC-4 stream allows, or the stream has no data for it.",
        "Dialogue is raised by less than was asked for, or not at all.",
        "The stream sets the limit; `--dialog-enhancement` chooses a gain below it.")
    case .downmix:
      ExplainedTexts(
        "`--downmix` decides: the standard's gains, or those that the programme carries where it carries some.",
        "The balance of centre, surrounds and heights in the output follows these gains.",
        "`--downmix stream` takes the programme's gains, `--downmix standard` those of ITU-R BS.775."
      )
    case .encodedAgain:
      ExplainedTexts(
        "After encoding, some true peaks lay above the ceiling, so that packets around them were encoded again.",
        "The sound is a little lower for some milliseconds at each of these peaks. All other packets stay.",
        "A lower `--true-peak`, a higher `-b:a` or a lossless codec needs less of it. `--peak-policy lower` does it otherwise."
      )
    case .end:
      ExplainedTexts(
        "The edit list or a header states the end, and the samples that follow may contradict it.",
        "Padding or frames after the end are left out, or all is kept where the statement can't be right.",
        "No option changes it. `--end` sets an end of your own.")
    case .endpoint:
      ExplainedTexts(
        "`--endpoint` decides, or the format: stored objects and sound fields are rendered for nobody.",
        "With `none` channels, objects or fields stay as they are, for loudspeakers or later rendering.",
        "`--endpoint headphones` or `--endpoint speakers` renders for that.")
    case .fullScale:
      ExplainedTexts(
        "The lossless float input has samples above full scale, on purpose or by mistake.",
        "They are kept until the level is set, so that nothing is lost by them.",
        "No option changes it. `--true-peak` and `--peak-policy` decide on the output's peaks.")
    case .fragments:
      ExplainedTexts(
        "The codec or `--fragment-duration` needs fragments, or there are too many of them to list in front.",
        "Browsers can play the file while it loads. Seeking over a network may take more requests.",
        "`-f fmp4` asks for fragments, and longer ones (`--fragment-duration`) are fewer. AAC, FLAC and ALAC don't need them."
      )
    case .gain:
      ExplainedTexts(
        "A limit (`--max-gain`, `--lower-only`, `--peak-policy lower`), a pinned gain, dialnorm or the codec decides instead of the target alone.",
        "The output is as loud as the decision says, which may be quieter than the target.",
        "Leave the limit out, choose another `--peak-policy`, or use `--loudness-mode measured`.")
    case .filterHead:
      ExplainedTexts(
        "Filters sound a little before the sound that they work on. By default the output begins with the source.",
        "Trimmed, a click at the very first sample may lose level. Sound that begins softly loses nothing.",
        "`--head keep` keeps it, and begins earlier. `--head trim` is the default.")
    case .head:
      ExplainedTexts(
        "`--yaw`, `--pitch`, `--roll` or `--trajectory` turn the listener's head.",
        "Sources stay in the room while the head turns, so that they are heard from other directions.",
        "Leave these options out for a head that looks ahead. `--trajectory-offset` moves the times of a movement."
      )
    case .headSize:
      ExplainedTexts(
        "`--itd-scale` or `--head-circumference` fits the HRTF set to a head.",
        "The delays between the ears change, which moves sources to the side a little. The filters stay.",
        "`--itd-scale 1` keeps the set's own delays; `pinna hrtf fit` suggests a scale.")
    case .hrtfProcessing:
      ExplainedTexts(
        "`--hrtf-processing off` asks for the set as it was measured.",
        "The sound has the set's own colour, and its own bass, which often is weak.",
        "`--hrtf-processing on`, the default, makes the diffuse field flat and extends the bass.")
    case .hrtfSet:
      ExplainedTexts(
        "The file that `--hrtf` names holds a response for each loudspeaker, as HeSuVi has them.",
        "These responses are played as they are, at the level of the built-in set.",
        "`--hrtf kemar` or a SOFA file gives responses of directions.")
    case .hrtfSymmetry:
      ExplainedTexts(
        "`--hrtf-symmetry off` asks for both sides as they were measured.",
        "Differences between left and right ear stay. The middle may sound a little to one side.",
        "`--hrtf-symmetry on`, the default, makes the sides equal.")
    case .layers:
      ExplainedTexts(
        "`--iamf-layers` asks for several layouts of a bed in IAMF.",
        "Players take the highest layer that suits their loudspeakers. More layers need more bits.",
        "`--iamf-layers` chooses others; without it there is one layer.")
    case .layout:
      ExplainedTexts(
        "The option that the reason names, the file's own statement, the usual meaning of the number of channels, or the standard.",
        "Channels are read, mixed or measured as this layout.",
        "`--layout-in` says what the input's channels are, `--layout` chooses the output's, and `--loudness-layout` the one for measuring."
      )
    case .leftOut:
      ExplainedTexts(
        "The output holds one track of sound, or as much as its format and options allow, and the input has more.",
        "These parts stay in the input alone. Tags of the source's own loudness don't hold for the output.",
        "`-f matroska` holds nearly everything. `--audio all` renders each track, and `--keep-audio` copies tracks beside the rendered one."
      )
    case .levelling:
      ExplainedTexts(
        "`--level` asks for it. The curve is made of the source's loudness every 100 ms, around its dialogue where there is enough.",
        "Quiet words become louder and loud scenes quieter, all channels together and slowly.",
        "`--level gentle`, `night` and `train` do more in this order; `--level-range` chooses the range. Leave `--level` out for one constant gain."
      )
    case .lfe:
      ExplainedTexts(
        "`--lfe-gain off` asks for an output without the LFE channel.",
        "Deep effects that lie in the LFE alone aren't heard.",
        "`--lfe-gain` with a number of decibels mixes it in.")
    case .loudness:
      ExplainedTexts(
        "No target, a level within `--threshold`, or a statement of the file that is missing or can't be right.",
        "The level stays, or it is measured instead of taken from the file.",
        "`--loudness` sets a target, and `--loudness-mode` says which figure is followed.")
    case .matrix:
      ExplainedTexts(
        "`--downmix` has a matrix of your own.",
        "The output is made of these channels, with the gains as written.",
        "Change the matrix, or use `--downmix standard` for the gains of ITU-R BS.775.")
    case .metadata:
      ExplainedTexts(
        "The tags' encoding or structure isn't as its standard says, or a name is too long for the output.",
        "Tags may be missing, cut, or have wrong letters. The sound is complete.",
        "`--tag` sets a tag anew, and `--no-metadata` carries none over.")
    case .mix:
      ExplainedTexts(
        "The presentation of AC-4 or the mix of IAMF has several parts, at gains that it states.",
        "Dialogue, effects or languages are added up as the author meant it.",
        "`--presentation` chooses another one; `pinna probe` lists them.")
    case .objectMetadata:
      ExplainedTexts(
        "The metadata of objects isn't quite as the standard says, but has one meaning only.",
        "The file is read as its author meant it, and nothing is lost.",
        "No option changes it; a new export from the authoring program may be regular.")
    case .objects:
      ExplainedTexts(
        "The file has objects that can be decoded or can't, and `--objects`, `--importance` or `--layout-in` may choose among them.",
        "Rendered objects come from their own places. Left aside, their sound comes from the channels.",
        "`--objects bed` renders the channels only; `--objects render` ends with an error where objects can't be rendered."
      )
    case .objectsChanged:
      ExplainedTexts(
        "`--object` asks for the change, and the file allows it, perhaps in part.",
        "The object is off, on, louder, quieter or elsewhere.",
        "Leave `--object` out for the author's own mix.")
    case .originals:
      ExplainedTexts(
        "The output's format holds tracks of the input as they are, and `--keep-audio` and `--subtitles` allow it.",
        "These tracks keep their bits, their level and their endpoint beside the rendered one.",
        "`--keep-audio none` and `--subtitles drop` leave them out.")
    case .positions:
      ExplainedTexts(
        "`--speakers` gives the places of virtual loudspeakers.",
        "These channels come from other directions than the layout's usual ones.",
        "Leave `--speakers` out for the usual places.")
    case .presentation:
      ExplainedTexts(
        "`--presentation` decides; else the file's usual one, which is the first that can be decoded or the one for most loudspeakers.",
        "Other presentations, with other languages or mixes, aren't heard.",
        "`--presentation` takes an id, an index or a language; `pinna probe` lists them.")
    case .preset:
      ExplainedTexts(
        "`--preset` names it.",
        "Its settings hold, such as loudness, peak and layout.",
        "An option on the command line beats the preset; `pinna presets show` prints its settings.")
    case .programme:
      ExplainedTexts(
        "The file has several programmes of objects, and without `--programme` the one of the lowest id is taken.",
        "The objects of the other programmes aren't heard.",
        "`--programme` takes an id, a name or a language; `pinna probe` lists them.")
    case .range:
      ExplainedTexts(
        "With `-c:a copy`, `--start`, `--end` or `--duration` ask for a part, and a copy can only be cut between frames.",
        "The output begins a little earlier or ends a little later than was asked for.",
        "Rendering instead of copying cuts exactly to the sample.")
    case .rangeStart:
      ExplainedTexts(
        "For a part of the input (`--start`), the codec and container decide where decoding can begin.",
        "The samples are the same as those of the whole. A late entry is faster, but doesn't notice damage before it.",
        "No option changes it. Without `--start` all is decoded.")
    case .queue:
      ExplainedTexts(
        "The list's own content, and options such as `--crossfade`, `--gap` and `--queue-loudness`.",
        "The reason says how a line was read or which joins have no crossfade.",
        "`pinna queue show` lists the items, and `pinna queue convert` makes a queue file that can be edited."
      )
    case .rate:
      ExplainedTexts(
        "`-r` asks for it, the codec takes no other, most items of a queue have it, or the header contradicts itself.",
        "Other rates are converted to it. Nothing above half of the lower rate remains.",
        "`-r` chooses another rate, and `-c:a` a codec that takes it.")
    case .rendition:
      ExplainedTexts(
        "The HLS playlist has several renditions of sound, and without `--audio` the default one is taken.",
        "The other renditions, mostly other languages, aren't heard.",
        "`--audio` takes an index or a language; `pinna probe` lists them.")
    case .room:
      ExplainedTexts(
        "`--room` asks for a room, and `--room-tail` for its reverberation.",
        "Reflections let the sound seem further out of the head, and change its colour a little.",
        "`--room off`, the default, plays the direct sound alone.")
    case .subtitles:
      ExplainedTexts(
        "The input has subtitles, or `--subtitles` gives a file, and the output's format may hold them.",
        "Players show these texts. The sound doesn't depend on them.",
        "`--subtitles` takes a file to carry instead, or `drop`.")
    case .tail:
      ExplainedTexts(
        "Filters and rooms sound on after the source ends. By default the output is as long as the source.",
        "Trimmed, a sound that doesn't fade out before the end stops a little early. The report states the level of it.",
        "`--tail keep` keeps it; the output is longer then.")
    case .tap:
      ExplainedTexts(
        "`--tap`, `--eq`, `--tap-exec`, a preset or a queue's item asks for it.",
        "The sound passes this processing. Its delay is removed as the decision says.",
        "`--no-taps` leaves out taps of presets and items. `--tap-latency` sets a delay.")
    case .timestamps:
      ExplainedTexts(
        "The container's clock and the codec's count of samples differ, but no lost or doubled sound explains it.",
        "The sound is joined by the codec's count, and no sample changes.",
        "`--gaps ignore` joins all packets by the codec's count.")
    case .track:
      ExplainedTexts(
        "`--audio` decides; else the default track, else the first one that is no commentary or dub.",
        "The other tracks of sound aren't rendered.",
        "`--audio` takes an index or a language; `pinna probe` lists the tracks.")
    case .trailingData:
      ExplainedTexts(
        "Bytes follow the end that a header or an edit list states, and nothing shows that they are sound that counts.",
        "They are left out, and nothing that belongs to the programme is lost.",
        "No option changes it; the file's own statement decides.")
    case .variant:
      ExplainedTexts(
        "The HLS playlist has several variants, and the one with sound and the highest bandwidth is taken.",
        "The output has the best quality that the playlist offers.",
        "No option changes it; give the address of another variant's playlist.")
    case .video:
      ExplainedTexts(
        "The input has pictures, and the output's format and `--video` decide.",
        "Copied pictures keep their bits. Left out, only the sound is written.",
        "`--video drop` leaves them out, and `--video copy` is the default. `-f matroska` holds nearly every codec."
      )
    case .virtualizer:
      ExplainedTexts(
        "`--virtualizer off` asks for it, or the file says that it is virtualised already or needs no HRTF.",
        "The channels pass without HRTF, so that nothing is virtualised twice.",
        "`--virtualizer on`, the default, virtualises; `--already-virtualized no` says that the file's statement is wrong."
      )
    }
  }
}
