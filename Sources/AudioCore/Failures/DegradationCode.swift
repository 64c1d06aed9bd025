// SPDX-License-Identifier: Apache-2.0

/// The kind of a degradation, so that what matters to a user can be told from the rest.
public enum DegradationClass: String, Sendable, Codable, CaseIterable {
  /// The input is damaged, and something of it is missing or was replaced; or the output has a break that the input
  /// hasn't.
  case damage
  /// Something was assumed, or can't be trusted.
  case doubt
  /// Loudness or peaks aren't what they would be by a gain alone.
  case level
  /// The output lacks something that the input holds.
  case loss

  /// The classes that `text` lists, separated by commas, each once; `nil` for anything else.
  package static func list(_ text: String) -> [DegradationClass]? {
    let named = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { DegradationClass(rawValue: String($0)) }
    return named.contains(nil) ? nil : allCases.filter(named.contains)
  }
}

/// The change of the sound, or the doubt about it; the stable token of a degradation.
public enum DegradationCode: String, Sendable, Codable, CaseIterable {
  /// Tracks of an album run into each other, but filters begin and end with each of them.
  case albumSeam = "album-seam"
  /// The decoded programme has a lower sample rate than the coded one: an extension above 24 kHz
  /// isn't decoded.
  case bandwidth
  /// The output holds fewer chapters than the input.
  case chaptersCut = "chapters-cut"
  /// The input has chapters that the output doesn't take over.
  case chaptersLeftOut = "chapters-left-out"
  /// The bytes don't have the checksum that the encoder stated: the file was damaged or edited
  /// after encoding.
  case checksumMismatch = "checksum-mismatch"
  /// Samples beyond full scale were clipped to the range of the output's integers.
  case clipped
  /// A lossy encoding moves the loudness away from its target.
  case codecLoudness = "codec-loudness"
  /// A lossy encoding lifts the true peak above its ceiling.
  case codecOvershoot = "codec-overshoot"
  /// A damaged part of the bitstream was replaced by silence.
  case concealed
  /// Tracks that are copied end early, where the input is damaged.
  case copiesCut = "copies-cut"
  /// The input has a cover picture that the output doesn't take over.
  case coverArtLeftOut = "cover-art-left-out"
  /// Packets at the beginning can't be decoded and are left out.
  case damagedStart = "damaged-start"
  /// The decoder met errors, and what they held is lost.
  case decodeErrors = "decode-errors"
  /// Dialogue was to be changed, but its words lie in other channels than those that were.
  case dialogueElsewhere = "dialogue-elsewhere"
  /// The whole was brought to its target, because too little dialogue was found.
  case dialogueNotFound = "dialogue-not-found"
  /// Dialogue was brought to its target, but much of it isn't certain.
  case dialogueUncertain = "dialogue-uncertain"
  /// The programme changes the gains of its own downmix, but the first ones stay in force.
  case downmixChanged = "downmix-changed"
  /// The edit list contradicts itself and isn't used.
  case editListIgnored = "edit-list-ignored"
  /// The stream changes its format and is converted to the first one.
  case formatChange = "format-change"
  /// Bytes that belong to no frame were skipped.
  case garbageSkipped = "garbage-skipped"
  /// Fields of the header contradict each other.
  case headerInconsistent = "header-inconsistent"
  /// Samples far beyond full scale were replaced by silence.
  case implausibleSamples = "implausible-samples"
  /// An item of a queue isn't delivered at its own loudness.
  case itemLoudness = "item-loudness"
  /// The start or the end of a queue's item isn't certain to the sample.
  case joinUncertain = "join-uncertain"
  /// The file names no channel layout, so a usual one is assumed.
  case layoutGuessed = "layout-guessed"
  /// Readers of the output will take its channels for another layout.
  case layoutNotCarried = "layout-not-carried"
  /// Frames before the first independent one can't be decoded and are left out.
  case leadingFramesLeftOut = "leading-frames-left-out"
  /// The server doesn't state the length, so a broken transfer can't be noticed.
  case lengthUnknown = "length-unknown"
  /// Levelling didn't bring the programme into the range that was asked for.
  case levelNotReached = "level-not-reached"
  /// A downmix leaves the LFE channel out.
  case lfeDropped = "lfe-dropped"
  /// The limiter worked deeper than 6 dB, or at least 0.1 dB deep for more than 1 % of the time.
  case limited
  /// The target is only reached by a limiter with a fast or hard response, which distorts.
  case limitedHard = "limited-hard"
  /// The loudness that the file states isn't what is measured.
  case loudnessInfoWrong = "loudness-info-wrong"
  /// The file names others that are played before or after it.
  case neighbourLeftOut = "neighbour-left-out"
  /// Samples that are NaN or infinite were replaced by silence.
  case nonFiniteSamples = "non-finite-samples"
  /// Audio objects are missing for a while, and the channels that they are coded in are heard.
  case objectsMissing = "objects-missing"
  /// Statements about audio objects were repaired, or aren't followed.
  case objectsRepaired = "objects-repaired"
  /// The track holds audio objects, and only its bed is rendered.
  case objectsToBed = "objects-to-bed"
  /// The input is virtualised already, and is passed through though something else was asked for.
  case otherEndpoint = "other-endpoint"
  /// Segments are missing by the playlist's own account and are replaced by silence.
  case playlistGap = "playlist-gap"
  /// Segments hold more or less sound than the playlist states.
  case playlistLength = "playlist-length"
  /// Samples with more than 24 bits are rounded to 32-bit floats, or the output's integers are coarser than a whole
  /// programme.
  case precision
  /// A track was recorded with pre-emphasis (50/15 µs), which is left in.
  case preEmphasis = "pre-emphasis"
  /// The file ends before the range that was asked for.
  case rangeShort = "range-short"
  /// A file can't be read to its end.
  case readFailed = "read-failed"
  /// The programme is shorter than 400 ms, so its loudness is measured without a gate.
  case shortProgramme = "short-programme"
  /// The programme is silent, so its level is left alone.
  case silent
  /// The header leaves the length open, so all bytes to the end of the file are taken as sound.
  case sizeUnknown = "size-unknown"
  /// The file doesn't settle whether its first samples are the codec's start-up.
  case startUpUncertain = "start-up-uncertain"
  /// The file's own statements on its dialogue don't fit what was found.
  case statedDialogue = "stated-dialogue"
  /// Colours, positions and other styling of subtitles aren't carried over.
  case subtitleStylingLeftOut = "subtitle-styling-left-out"
  /// Subtitles without an end are shown for an assumed time.
  case subtitleTimesAssumed = "subtitle-times-assumed"
  /// Subtitles without a usable time, or more than a track holds, are left out.
  case subtitlesCut = "subtitles-cut"
  /// The input has subtitles that the output doesn't take over.
  case subtitlesLeftOut = "subtitles-left-out"
  /// A tag is longer than the output's place for it and was cut.
  case tagCut = "tag-cut"
  /// The input has tags that the output has no place for.
  case tagsLeftOut = "tags-left-out"
  /// A tap failed, and the sound was made without it.
  case tapBypassed = "tap-bypassed"
  /// A tap states another delay than it has.
  case tapLatency = "tap-latency"
  /// A tap raises the peak by more than 24 dB.
  case tapLevel = "tap-level"
  /// A tap makes something else of the same sound each time.
  case tapVaries = "tap-varies"
  /// A list isn't UTF-8, and its text was read in another encoding.
  case textEncodingAssumed = "text-encoding-assumed"
  /// Timestamps leave a gap, or say that the beginning is missing.
  case timestampGap = "timestamp-gap"
  /// Packets have no timestamps, so lost sound can't be noticed.
  case timestampMissing = "timestamp-missing"
  /// Sound after the end of the stream is left out.
  case trailingData = "trailing-data"
  /// The file ends before its header says, or less of it can be decoded.
  case truncated
  /// The stream needs a tool that no stream of a real encoder has proved here.
  case unverifiedTool = "unverified-tool"
  /// The video ends early, where the file is damaged.
  case videoCut = "video-cut"
  /// Packets of the copied video are damaged.
  case videoDamaged = "video-damaged"
  /// The input has video that the output doesn't take over.
  case videoLeftOut = "video-left-out"

  /// The kind of thing that it is.
  public var degradationClass: DegradationClass {
    switch self {
    case .albumSeam, .checksumMismatch, .concealed, .copiesCut, .damagedStart, .decodeErrors,
      .garbageSkipped, .implausibleSamples, .leadingFramesLeftOut, .nonFiniteSamples,
      .objectsMissing, .playlistGap,
      .readFailed, .timestampGap, .truncated, .videoCut, .videoDamaged:
      return .damage
    case .dialogueElsewhere, .dialogueUncertain, .downmixChanged, .editListIgnored,
      .headerInconsistent,
      .joinUncertain, .layoutGuessed,
      .lengthUnknown, .loudnessInfoWrong, .objectsRepaired, .otherEndpoint, .playlistLength,
      .preEmphasis, .rangeShort, .sizeUnknown, .startUpUncertain, .statedDialogue,
      .subtitleTimesAssumed,
      .tapLatency, .tapVaries, .textEncodingAssumed, .timestampMissing, .unverifiedTool:
      return .doubt
    case .clipped, .codecLoudness, .codecOvershoot, .dialogueNotFound, .itemLoudness,
      .levelNotReached, .limited, .limitedHard, .shortProgramme,
      .silent, .tapLevel:
      return .level
    case .bandwidth, .chaptersCut, .chaptersLeftOut, .coverArtLeftOut, .formatChange,
      .layoutNotCarried, .lfeDropped, .neighbourLeftOut, .objectsToBed, .precision,
      .subtitleStylingLeftOut,
      .subtitlesCut, .subtitlesLeftOut, .tagCut, .tagsLeftOut, .tapBypassed, .trailingData,
      .videoLeftOut:
      return .loss
    }
  }

  /// Meaning of the code, in one sentence.
  public var sentence: String {
    switch self {
    case .albumSeam:
      return
        "Tracks run into each other, but filters or the limiter of each don't hear the other, so a click or a step "
        + "may be heard between them."
    case .bandwidth:
      return "The decoded programme has a lower sample rate than the coded one: an extension "
        + "above 24 kHz isn't decoded."
    case .chaptersCut:
      return "The output holds fewer chapters than the input."
    case .chaptersLeftOut:
      return "The input has chapters that the output doesn't take over."
    case .checksumMismatch:
      return "The bytes don't have the checksum that the encoder stated: the file was damaged "
        + "or edited after encoding."
    case .clipped:
      return "Samples beyond full scale were clipped to the range of the output's integers."
    case .codecLoudness:
      return "A lossy encoding moves the loudness away from its target."
    case .codecOvershoot:
      return "A lossy encoding lifts the true peak above its ceiling."
    case .concealed:
      return "A damaged part of the bitstream was replaced by silence."
    case .copiesCut:
      return "Tracks that are copied end early, where the input is damaged."
    case .coverArtLeftOut:
      return "The input has a cover picture that the output doesn't take over."
    case .damagedStart:
      return "Packets at the beginning can't be decoded and are left out."
    case .decodeErrors:
      return "The decoder met errors, and what they held is lost."
    case .dialogueElsewhere:
      return "Dialogue was to be changed, but its words lie in other channels than those that were."
    case .dialogueNotFound:
      return "The loudness of the whole was brought to its target, because too little dialogue was "
        + "found."
    case .dialogueUncertain:
      return "Dialogue was brought to its target, but much of what was found isn't certain."
    case .downmixChanged:
      return "The programme changes the gains of its own downmix, but the first ones stay in force."
    case .editListIgnored:
      return "The edit list contradicts itself and isn't used."
    case .formatChange:
      return "The stream changes its format and is converted to the first one."
    case .garbageSkipped:
      return "Bytes that belong to no frame were skipped."
    case .headerInconsistent:
      return "Fields of the header contradict each other."
    case .implausibleSamples:
      return "Samples far beyond full scale were replaced by silence."
    case .itemLoudness:
      return "An item of a queue is delivered more than 0.1 LU away from its own loudness."
    case .joinUncertain:
      return "The start or the end of a queue's item isn't certain to the sample."
    case .layoutGuessed:
      return "The file names no channel layout, so a usual one is assumed."
    case .layoutNotCarried:
      return "Readers of the output will take its channels for another layout."
    case .leadingFramesLeftOut:
      return "Frames before the first independent one can't be decoded and are left out."
    case .lengthUnknown:
      return "The server doesn't state the length, so a broken transfer can't be noticed."
    case .levelNotReached:
      return "Levelling didn't bring the programme into the range that was asked for."
    case .lfeDropped:
      return "A downmix leaves the LFE channel out."
    case .limited:
      return
        "The limiter worked deeper than 6 dB, or at least 0.1 dB deep for more than 1 % of the time."
    case .limitedHard:
      return "The target is only reached by a limiter with a fast or hard response, which distorts."
    case .loudnessInfoWrong:
      return
        "The loudness that the file states is more than 0.5 LU away from what is measured of the same "
        + "rendering."
    case .neighbourLeftOut:
      return "The file names others that are played before or after it, and is taken alone."
    case .nonFiniteSamples:
      return "Samples that are NaN or infinite were replaced by silence."
    case .objectsMissing:
      return "Audio objects are missing for a while, and the channels that they are coded in are "
        + "heard."
    case .objectsRepaired:
      return "Statements about audio objects were repaired, or aren't followed."
    case .objectsToBed:
      return "The track holds audio objects, and only its bed is rendered."
    case .otherEndpoint:
      return
        "The input is virtualised already, and is passed through though something else was asked for."
    case .playlistGap:
      return "Segments are missing by the playlist's own account and are replaced by silence."
    case .playlistLength:
      return "Segments hold more or less sound than the playlist states."
    case .precision:
      return
        "Samples with more than 24 bits are rounded to 32-bit floats, or the output's integers are coarser than a whole programme."
    case .preEmphasis:
      return "A track was recorded with pre-emphasis, which is left in."
    case .rangeShort:
      return "The file ends before the range that was asked for."
    case .readFailed:
      return "A file can't be read to its end."
    case .shortProgramme:
      return "The programme is shorter than 400 ms, so its loudness is measured without a gate."
    case .silent:
      return "The programme is silent, so its level is left alone."
    case .sizeUnknown:
      return "The header leaves the length open, so all bytes to the end of the file are taken "
        + "as sound."
    case .startUpUncertain:
      return "The file doesn't settle whether its first samples are the codec's start-up."
    case .statedDialogue:
      return "The file's own statements on its dialogue don't fit what was found."
    case .subtitleStylingLeftOut:
      return "Colours, positions and other styling of subtitles aren't carried over."
    case .subtitleTimesAssumed:
      return "Subtitles without an end are shown for an assumed time."
    case .subtitlesCut:
      return "Subtitles without a usable time, or more than a track holds, are left out."
    case .subtitlesLeftOut:
      return "The input has subtitles that the output doesn't take over."
    case .tagCut:
      return "A tag is longer than the output's place for it and was cut."
    case .tagsLeftOut:
      return "The input has tags that the output has no place for."
    case .tapBypassed:
      return "The user's own processing failed and was left out, as was asked for."
    case .tapLatency:
      return "The user's own processing states another delay than a test signal shows."
    case .tapLevel:
      return "The user's own processing raises the peak by more than 24 dB."
    case .tapVaries:
      return "The user's own processing makes something else of the same sound each time."
    case .textEncodingAssumed:
      return "A list isn't UTF-8, and its text was read in another encoding."
    case .timestampGap:
      return "Timestamps leave a gap, or say that the beginning is missing."
    case .timestampMissing:
      return "Packets have no timestamps, so lost sound can't be noticed."
    case .trailingData:
      return "Sound after the end of the stream is left out."
    case .truncated:
      return "The file ends before its header says, or less of it can be decoded."
    case .unverifiedTool:
      return
        "The stream needs a tool that was written from a standard's text, and that no stream of a real "
        + "encoder has proved here."
    case .videoCut:
      return "The video ends early, where the file is damaged."
    case .videoDamaged:
      return "Packets of the copied video are damaged."
    case .videoLeftOut:
      return "The input has video that the output doesn't take over."
    }
  }
}
