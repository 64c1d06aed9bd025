// SPDX-License-Identifier: Apache-2.0
import AudioCore

extension DegradationCode {
  /// Texts about the code beside its sentence. They are true of each place that reports it.
  var texts: ExplainedTexts {
    switch self {
    case .albumSeam:
      ExplainedTexts(
        "Filters can't go on across files where the rate is converted, tails are kept, the head moves or formats differ. Each file also has its own limiter.",
        "A click or a step may be heard where the two tracks meet.",
        "Render the files as one with `--join` and a folder as `--output`. Against a step of the limiter use `--peak-policy lower` or a lower `--loudness`."
      )
    case .bandwidth:
      ExplainedTexts(
        "The AC-4 stream is coded at 96 or 192 kHz, and its extension above 24 kHz isn't decoded.",
        "The output has no sound above 24 kHz, which people can't hear.",
        "Nothing decodes the extension here. `-c:a copy` keeps the coded stream as it is.")
    case .chaptersCut:
      ExplainedTexts(
        "Some chapters begin after the end of the output, or its format can't state so many, so long or so late ones.",
        "Players don't list these chapters. The sound is complete.",
        "MP4 and WAV hold more chapters than other formats, and as a list `--chapters-out` with a .json file. `--no-chapters` leaves all out on purpose."
      )
    case .chaptersLeftOut:
      ExplainedTexts(
        "The input has several parts with clocks of their own, as an HLS stream with discontinuities, so that only its sound is carried over.",
        "The output has no chapters. The sound is complete.",
        "Nothing carries them over here; add them with another program. `--no-chapters` says that they may go."
      )
    case .checksumMismatch:
      ExplainedTexts(
        "FLAC files and MP3 files by LAME state a checksum of their sound. These bytes don't have it, because they were damaged or edited.",
        "Wrong samples may be anywhere, and may be heard as clicks. After a harmless edit, such as cutting an MP3, nothing is wrong.",
        "Nothing here repairs it; take an intact copy of the file.")
    case .clipped:
      ExplainedTexts(
        "Peaks lie above full scale, because the level is kept (`--loudness off`) or `--peak-policy ignore` lets them pass, and integers can't hold them.",
        "The tops of these peaks are cut off, which distorts where it is long or often.",
        "Use `--peak-policy limit` or `--peak-policy lower`, or keep the peaks with `-b 32f`.")
    case .codecLoudness:
      ExplainedTexts(
        "The encoder leaves so much out that the level changes, mostly at a low bit rate, or the programme is shorter than the codec's frames.",
        "The output is louder or quieter than the target by as much as the report says.",
        "Use a higher `-b:a`, or a lossless codec such as `-c:a flac`.")
    case .codecOvershoot:
      ExplainedTexts(
        "A lossy encoding changes the waveform, and some peaks come out higher than they went in. Encoding again at a lower level didn't help enough.",
        "Converters of players may clip at these peaks, which is rarely heard.",
        "Use a lower `--true-peak`, a higher `-b:a`, or a lossless codec such as `-c:a flac`.")
    case .concealed:
      ExplainedTexts(
        "Frames of AC-4 or IAMF are damaged or missing, and `--on-damage conceal` lets the run continue.",
        "Silence is heard in these places. All other sound keeps its time.",
        "Take an intact copy of the file. With `--on-damage fail`, the default, such a file is refused."
      )
    case .copiesCut:
      ExplainedTexts(
        "Tracks are copied beside the rendered one, the file is damaged there, and `--on-damage conceal` lets the run continue.",
        "A copied track ends early, has damaged frames or is missing.",
        "Take an intact copy of the file. `--keep-audio none` and `--subtitles drop` leave such tracks out on purpose."
      )
    case .coverArtLeftOut:
      ExplainedTexts(
        "The picture is no JPEG or PNG, is too large for the output, or belongs to an item of a queue or to a stream of several parts.",
        "Players show no cover, or not all pictures. The sound is complete.",
        "Give a picture with `--cover`. `--no-metadata` says that covers and tags may go.")
    case .damagedStart:
      ExplainedTexts(
        "The file was cut from a stream or is damaged, so that its first packets refer to others that are missing.",
        "The output lacks these packets, mostly a fraction of a second at the beginning.",
        "Nothing here brings them back; take a file with the whole beginning.")
    case .decodeErrors:
      ExplainedTexts(
        "Packets are damaged and can't be decoded, and `--on-damage conceal` lets the run continue. Some IAMF frames are shorter than they should be.",
        "Silence is heard in these places. All other sound keeps its time.",
        "Take an intact copy of the file. With `--on-damage fail`, the default, damaged packets are an error."
      )
    case .dialogueElsewhere:
      ExplainedTexts(
        "`--dialogue` changes the centre channel, and the speech that was found lies in the front left and right.",
        "The words keep their level, and other sound of the centre channel changes.",
        "Leave `--dialogue` out, and use `--level`, which works on any channels.")
    case .dialogueNotFound:
      ExplainedTexts(
        "`--anchor dialogue` needs certain speech in 15 % of the programme and 10 s of it. Songs, whispering and words under loud music are seldom certain.",
        "The output has the loudness of the whole that was asked for, so that its words may be louder or quieter than those of other programmes.",
        "Nothing has to be changed where the programme has few words. `--programme-loudness` chooses the target for such programmes."
      )
    case .dialogueUncertain:
      ExplainedTexts(
        "Less than half of the speech that was found is certain: music or effects hide the words.",
        "The loudness of the dialogue, and so the output's level, may be several LU off.",
        "Measure a version with a centre channel, or use `--anchor programme`.")
    case .downmixChanged:
      ExplainedTexts(
        "With `--downmix stream`, the programme's gains hold from its beginning, and this programme changes them later or states them late.",
        "From there on the balance of centre and surrounds isn't the one that the programme asks for.",
        "Nothing follows the changes; `--downmix standard` has the same gains throughout.")
    case .editListIgnored:
      ExplainedTexts(
        "The edit list of an MP4 or MOV file presents no media, or its numbers contradict each other.",
        "Start-up samples or padding may stay, so that the sound may begin late against the pictures.",
        "Remux the file with an intact edit list, or state the start-up samples with `--priming`.")
    case .formatChange:
      ExplainedTexts(
        "The stream changes its channels or sample rate midway, as recordings of broadcasts and joined files do.",
        "Later parts are mixed or converted to the first format, and may lose channels or high frequencies.",
        "Nothing keeps both formats in one output. Cut the file there with another program, and render the parts."
      )
    case .garbageSkipped:
      ExplainedTexts(
        "Bytes lie in front of the stream or between its frames, left by a broken transfer, an unknown tag or joined files.",
        "Foreign bytes change nothing that is heard. If they were a damaged frame, its sound is missing.",
        "Take an intact copy of the file. Foreign bytes need no remedy.")
    case .headerInconsistent:
      ExplainedTexts(
        "A writer stored wrong numbers: of channels, samples, bytes, objects or trimming. The report says which one is followed.",
        "Mostly nothing. If the wrong number was followed, length or speed is wrong.",
        "Check the output's length and pitch by ear. Remuxing the file with a current program writes right numbers."
      )
    case .implausibleSamples:
      ExplainedTexts(
        "Float samples lie beyond +193 dBFS, because the file is damaged or its bytes are of another type than its header says.",
        "These samples are silent, which may be heard as clicks.",
        "Export the sound again from the program that made the file.")
    case .itemLoudness:
      ExplainedTexts(
        "With `--queue-loudness item` or `both`, peaks, limits of the gain, a tap or a neighbour that overlaps keep an item from its target.",
        "This item is louder or quieter than the others by as much as the report says.",
        "The report names the reason: `--peak-policy`, `--max-gain`, `--lower-only`, or an overlap. A lower `--loudness` leaves more room for peaks."
      )
    case .joinUncertain:
      ExplainedTexts(
        "A cue sheet names an MP3 file. Its times may or may not count the encoder's delay, and nothing says which.",
        "All joins may lie some hundredths of a second beside the true places.",
        "Listen to the joins. Nothing in such a sheet settles it; a sheet for a lossless file is exact."
      )
    case .layoutGuessed:
      ExplainedTexts(
        "The file states how many channels it has, but not which ones, as plain WAV does, or its channel map can be read in two ways.",
        "If the guess is wrong, channels come from wrong directions, or an LFE is taken for another channel.",
        "State the channels with `--layout-in`, for example `--layout-in 5.1`.")
    case .layoutNotCarried:
      ExplainedTexts(
        "The output's format has no name for this layout, as WAV for some layouts and Matroska for PCM.",
        "The samples are right, but other programs may play the channels from wrong loudspeakers.",
        "Use a layout with a name (`--layout 5.1`), or a codec that states it, such as `-c:a flac`. Other programs may let you state the layout by hand."
      )
    case .leadingFramesLeftOut:
      ExplainedTexts(
        "The AC-4 stream begins with frames that refer to earlier ones, as a recording of a broadcast does.",
        "The output begins later, mostly by less than a second.",
        "Nothing brings them back; take a file that begins with an I-frame.")
    case .lengthUnknown:
      ExplainedTexts(
        "The web server sends no length, as some do for streams that they make on demand.",
        "Nothing, if the transfer was complete. If it broke off, the end is missing without a further report.",
        "Download the file, check its length, and give its path.")
    case .levelNotReached:
      ExplainedTexts(
        "The differences are larger than the mode of `--level` may even out with its largest boost and cut and its steepest slopes.",
        "Loud and quiet parts lie farther apart than was asked for, though closer than before.",
        "Choose a mode that does more, such as `--level train`, or accept a wider range with `--level-range`."
      )
    case .lfeDropped:
      ExplainedTexts(
        "The output's layout has no LFE, and standard downmixes leave that channel out.",
        "Deep effects that lie in the LFE alone aren't heard. Most dialogue and music lose nothing.",
        "`--lfe-gain 0` mixes it into a downmix of channels, and `--lfe-gain off` says that it may go. With `--endpoint none`, `--layout keep` keeps the channel."
      )
    case .limited:
      ExplainedTexts(
        "At the loudness target, peaks lie above the ceiling. The target is high for this programme, or the LFE or single peaks stand out.",
        "Loud places lose dynamics. A few decibels are rarely heard; much more sounds flat, and drums lose their attack.",
        "Use a lower `--loudness`, or `--peak-policy lower` for no limiter. A lower `--lfe-gain` helps where the LFE is the cause."
      )
    case .limitedHard:
      ExplainedTexts(
        "The gentle limiter can't reach the target for this programme, so that a faster or hard one is used.",
        "Distortion may be heard in loud places.",
        "Use `--peak-policy lower` for no limiter, or a lower `--loudness`.")
    case .loudnessInfoWrong:
      ExplainedTexts(
        "The encoder of the file measured another version, measured wrongly, or the sound was changed later.",
        "Nothing, as the gain follows the measurement by default. With `--loudness-mode metadata` the output is off by the difference.",
        "Keep `--loudness-mode measured`, the default. Outputs state the loudness that was measured."
      )
    case .neighbourLeftOut:
      ExplainedTexts(
        "The Matroska file is a linked segment: its header names another file that is played before or after it.",
        "The output lacks the sound of that other file.",
        "Render all files as one with `--join`, in the order of playback.")
    case .nonFiniteSamples:
      ExplainedTexts(
        "Float samples are NaN or infinite, mostly because of a fault in the program that made the file.",
        "These samples are silent, which may be heard as clicks.",
        "Export the sound again from the program that made the file.")
    case .objectsMissing:
      ExplainedTexts(
        "Units of E-AC-3 are lost or damaged, hold other objects, or don't come in whole units, so that objects can't be decoded there.",
        "For that time, sound comes from the channels of the downmix instead of the objects' own places. No sound is missing.",
        "Take an intact copy of the file. `--objects bed` renders the channels throughout, without changes between the two."
      )
    case .objectsRepaired:
      ExplainedTexts(
        "Statements about objects contradict the standard or each other, or ask for something that isn't supported.",
        "An object may be at another place or level than its author meant. Often nothing is heard.",
        "Nothing here follows them; the report says what was done. A new export from the authoring program may be right."
      )
    case .objectsToBed:
      ExplainedTexts(
        "The objects can't be decoded (DTS:X, MPEG-H, some E-AC-3 and TrueHD), or `--objects bed` or `--layout-in` asks for the channels.",
        "All sound is heard, but from the places of the channels, mostly without height.",
        "Nothing here decodes such objects. Another track (`--audio`) may have some that can be, and `-c:a copy` keeps E-AC-3 whole."
      )
    case .otherEndpoint:
      ExplainedTexts(
        "The file says that it was made for headphones or two loudspeakers already, and nothing is virtualised twice.",
        "The sound passes as it is, and options of rendering have no effect. On the other endpoint, directions sound wrong.",
        "Render the original. If the file says so wrongly, `--already-virtualized no` virtualises it."
      )
    case .playlistGap:
      ExplainedTexts(
        "The HLS playlist marks segments as missing, and `--on-damage conceal` lets the run continue.",
        "Silence is heard for their time. All other sound keeps its time.",
        "Nothing here brings them back; try again later, or take another copy of the stream.")
    case .playlistLength:
      ExplainedTexts(
        "The lengths in the HLS playlist aren't those of its segments, because of careless packaging or lost sound.",
        "Mostly nothing, since the sound itself decides. Sound that was lost is missing.",
        "Nothing has to be done if the output sounds whole. Else take another copy of the stream.")
    case .precision:
      ExplainedTexts(
        "The input has integers of more than 24 bits, or the programme is quieter than a step of the output's integers.",
        "Rounding to 24 bits lies far below anything audible. A programme below the output's step is silent.",
        "Nothing keeps more than 24 bits of integers. For a very quiet programme use `-b 24`, `-b 32f` or a `--loudness` target."
      )
    case .preEmphasis:
      ExplainedTexts(
        "The cue sheet marks a track of an early CD as recorded with raised treble (50/15 µs).",
        "If the file still has it, the track sounds too bright.",
        "Remove it with another program, or with a filter of your own (`--tap` or `--eq`). Many rips have it removed already."
      )
    case .rangeShort:
      ExplainedTexts(
        "`--end` or `--duration` reaches beyond the end of the file or queue.",
        "The output is shorter than was asked for. No sound is missing.",
        "Give an earlier `--end` or a shorter `--duration`; `pinna probe` shows the length.")
    case .readFailed:
      ExplainedTexts(
        "In `pinna compare`, a file can't be read or decoded to its end, because it is damaged or its disk fails.",
        "The comparison covers what could be read, and the rest is unknown.",
        "Take an intact copy of the file, and check the disk.")
    case .shortProgramme:
      ExplainedTexts(
        "Loudness by ITU-R BS.1770 needs blocks of 400 ms, and the programme is shorter.",
        "The level is that of the whole as one block. A short sound may seem louder or quieter than others at this figure.",
        "Nothing measures it better. `--loudness off` leaves the level as it is.")
    case .silent:
      ExplainedTexts(
        "Nothing in the rendered programme is louder than −70 LUFS, so that there is no loudness to change.",
        "Nothing: the output is as quiet as the input.",
        "If sound was expected, check the track (`--audio`) and the range (`--start`, `--end`).")
    case .sizeUnknown:
      ExplainedTexts(
        "The file was written to a pipe, or its writer was stopped, so that its header never got the length.",
        "Mostly nothing. A cut end isn't noticed, and chunks after the sound would be heard as noise.",
        "Check that the end is there. Storing the file again with a current program writes the length."
      )
    case .startUpUncertain:
      ExplainedTexts(
        "The MP4 file's edit list begins with the first sample, as muxers write it that don't know of start-up samples.",
        "The sound may begin some hundredths of a second early or late against the pictures.",
        "Settle it with `--priming`: `none` keeps the samples, a number trims so many. The report says which number is usual."
      )
    case .statedDialogue:
      ExplainedTexts(
        "The sound that the file calls dialogue is silent, or its dialogue normalisation is more than 2 LU from the dialogue that was measured.",
        "Nothing changes the output: what was measured counts. Players that trust the file's figure play it at another level.",
        "Tell the maker of the file. `--loudness-mode metadata` trusts the file's figure.")
    case .subtitleStylingLeftOut:
      ExplainedTexts(
        "The subtitles become plain text, with bold, italic and underlined characters at most.",
        "Colours, fonts and positions are missing. All texts are there.",
        "From Matroska into Matroska (`-f matroska`) ASS subtitles stay as they are. `--subtitles drop` leaves them out."
      )
    case .subtitleTimesAssumed:
      ExplainedTexts(
        "Some subtitles state when they begin, but not when they end.",
        "Each of them is shown for 4 s, which may be too long or too short.",
        "Give a corrected file with `--subtitles`, or leave them out with `--subtitles drop`.")
    case .subtitlesCut:
      ExplainedTexts(
        "Some subtitles have no usable time, or the track holds more of them than can be kept.",
        "These texts aren't shown.",
        "Give a corrected file with `--subtitles`, or leave them out with `--subtitles drop`.")
    case .subtitlesLeftOut:
      ExplainedTexts(
        "The subtitles are pictures, damaged or empty, lie in another playlist, or belong to an item of a queue or to a stream of several parts.",
        "The output lacks these subtitles. Sound and pictures are complete.",
        "Matroska (`-f matroska`) holds most kinds. `--subtitles` with a file carries texts instead, and `--subtitles drop` says that they may go."
      )
    case .tagCut:
      ExplainedTexts(
        "WAV's list of tags (INFO) has a longest length, and a tag is longer.",
        "Programs that read only INFO show less. The ID3 tag of the same file has all of it.",
        "Set a shorter text with `--tag`, or use another format, such as `-f flac`.")
    case .tagsLeftOut:
      ExplainedTexts(
        "The output's format has no place for some tags or chunks of the input.",
        "These facts aren't in the output. The sound is complete.",
        "FLAC, Matroska and MP4 hold most tags. `--no-metadata` says that all may go.")
    case .tapBypassed:
      ExplainedTexts(
        "A tap (`--tap`, `--eq` or `--tap-exec`) failed, and `--on-tap-failure bypass` lets the run continue without it.",
        "The output lacks this processing.",
        "Correct the tap; `pinna taps check` tries it. With `--on-tap-failure fail`, the default, the run fails instead."
      )
    case .tapLatency:
      ExplainedTexts(
        "A test signal comes out of the tap at another time than the tap states, or a change of tempo moves clicks unevenly.",
        "If the wrong figure is used, all sound is early or late by the difference.",
        "Give the number of samples with `--tap-latency`, or correct the plugin. `--tap-latency measure` takes the test signal's."
      )
    case .tapLevel:
      ExplainedTexts(
        "A setting of the tap is too high, or a filter of it rings.",
        "The loudness target still holds, but the sound may be distorted, or one frequency may stick out.",
        "Check the tap's settings; `pinna taps check` tries it.")
    case .tapVaries:
      ExplainedTexts(
        "The tap uses random numbers or the time, as dither, chorus and reverberation often do.",
        "Two runs give different outputs. Nothing else is wrong, but a golden or a checksum can't be compared.",
        "Switch that off in the tap's settings, if there is such a setting, or use another tap.")
    case .textEncodingAssumed:
      ExplainedTexts(
        "A cue sheet or playlist isn't UTF-8, and nothing in it states its encoding.",
        "Titles may have wrong letters, and files whose names have such letters may not be found.",
        "State the encoding with `--text-encoding`, or store the list as UTF-8.")
    case .timestampGap:
      ExplainedTexts(
        "The container's clock jumps, because packets were lost, parts were joined, or the clock was set anew.",
        "By default lost time is silent and doubled time is dropped, so that sound and pictures stay together.",
        "Take an intact copy. If the clock is wrong and no sound is missing, `--gaps ignore` joins the packets as they come."
      )
    case .timestampMissing:
      ExplainedTexts(
        "The container could state times, but no packet of this track has one.",
        "Nothing, if no packet was lost. A lost one would shift all sound that follows.",
        "Remux the file with a current program, which writes timestamps.")
    case .trailingData:
      ExplainedTexts(
        "Bytes follow the end that the header states: another file that was appended, or sound that a program didn't count.",
        "That sound isn't in the output.",
        "Split the file where the second one begins. If the header is wrong, store the file again with a current program."
      )
    case .truncated:
      ExplainedTexts(
        "A download or copy broke off, the disk was full, or the end is damaged.",
        "The end of the programme is missing; all before it is right.",
        "Take a complete copy of the file.")
    case .unverifiedTool:
      ExplainedTexts(
        "The AC-4 stream uses a part of the standard that no stream of a real encoder had when its decoder was written.",
        "Mostly nothing. If the reading of the standard is wrong, the sound is.",
        "Listen to the output, and report the file if it sounds wrong. Another presentation (`--presentation`) may do without it."
      )
    case .videoCut:
      ExplainedTexts(
        "The pictures are damaged, and `--on-damage conceal` lets the run continue.",
        "The pictures end early. The sound goes on.",
        "Take an intact copy of the file, or leave the pictures out with `--video drop`.")
    case .videoDamaged:
      ExplainedTexts(
        "The file marks packets of the pictures as damaged, and `--on-damage conceal` lets them be copied.",
        "Players show blocks or frozen pictures there. The sound isn't affected.",
        "Take an intact copy of the file, or leave the pictures out with `--video drop`.")
    case .videoLeftOut:
      ExplainedTexts(
        "The output can't hold the pictures' codec or edit list, or they lie in another playlist, in an item of a queue or in a stream of several parts.",
        "All pictures are missing, or in Matroska those before the first key frame of a part. The sound is complete.",
        "Matroska (`-f matroska`) holds nearly every codec, and MP4 can hide first pictures. `--video drop` says that they may go."
      )
    }
  }
}
