// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Loudness
import MediaIn
import MediaOut
import Rendering
import Settings
import Spatial

/// Options of `render` beyond opening the input.
struct RenderArguments: ParsableArguments {
  @Option(
    help: "Named settings, or a YAML file of them; flags beat them. See pinna presets list.")
  var preset: String?
  @OptionGroup(title: "Timeline") var timeline: TimelineArguments
  @OptionGroup(title: "Endpoint") var listening: EndpointArguments
  @OptionGroup(title: "Level") var level: LevelArguments
  @OptionGroup(title: "Own processing") var taps: TapArguments
  @OptionGroup(title: "Encoding") var encoding: EncodingArguments
  @OptionGroup(title: "Beside the sound") var carriage: CarriageArguments
  @OptionGroup(title: "Queues") var queue: QueueArguments
  @OptionGroup(title: "Cache") var cache: CacheArguments
  @Option(
    help: ArgumentHelp(
      "Another output from the same decode (repeatable). Given the name of the first output, an HLS presentation, it becomes one more choice of sound in that.",
      valueName: "endpoint[,bitrate]:file"))
  var also: [String] = []
  @Flag(help: "One gain for all outputs, so that they keep their levels to each other.")
  var sameGain = false
  @Flag(name: [.customShort("y"), .customLong("overwrite")], help: "Replace existing outputs.")
  var overwrite = false
}

/// The part of the input that is used, and the reading of its time.
struct TimelineArguments: ParsableArguments {
  @Option(parsing: .unconditional, help: "First sample: hh:mm:ss.mmm, 12.5s or 48000S.")
  var start: Given<TimeSpec>?
  @Option(parsing: .unconditional, help: "End of the range.")
  var end: Given<TimeSpec>?
  @Option(parsing: .unconditional, help: "Length of the range.")
  var duration: Given<TimeSpec>?
  @Option(parsing: .unconditional, help: "Start-up samples to trim: auto, none or a count.")
  var priming = Given<PrimingOption>(default: "auto")
  @Option(help: "What filters put before the source's first sample: trim or keep.")
  var head = Given(Rendition.FilterHead.trim)
  @Option(help: "Filter tail beyond the source's end: trim or keep.")
  var tail = Given(Rendition.Tail.trim)
  @Option(help: "Sample 0 lies at the first audio sample (audio) or at presentation time 0.")
  var align = Given(Clip.Alignment.audio)
  @Option(help: "Timestamp jumps: fill (silence, trim overlaps) or ignore.")
  var gaps = Given(GapPolicy.fill)
}

/// The parts of the input that are copied into the output besides the rendered sound.
struct CarriageArguments: ParsableArguments {
  @Option(
    help: "Video: copy (default, H.264, HEVC, AV1 and VP9 into MP4, Matroska and HLS) or drop.")
  var video = Given<Bool>(default: "copy")
  @Option(
    help: ArgumentHelp(
      "The input's own tracks of sound beside the rendered one: all (default for .mkv), none or languages, en,de.",
      valueName: "all|none|languages"))
  var keepAudio: Given<Carriage.KeptAudio>?
  @Option(help: "Subtitles: copy (default), drop, or a file (.srt, .ass, .vtt) to carry instead.")
  var subtitles = Given<Carriage.Subtitles>(default: "copy")
  @Option(
    help: ArgumentHelp(
      "Set a tag, as artist=Name (repeatable); without a value it is removed.",
      valueName: "name=value"))
  var tag: [String] = []
  @Option(
    help: ArgumentHelp("A JPEG or PNG file as cover, in place of the input's.", valueName: "file"))
  var cover: String?
  @Flag(help: "Carry no tags over.")
  var noMetadata = false
  @Option(help: "Write the chapters to this file, too: .cue, .json (podcasts) or .txt (labels).")
  var chaptersOut: String?
  @Flag(help: "Carry no chapters over.")
  var noChapters = false

  /// Tags, pictures, subtitles and chapters as the flags ask for them.
  /// - Throws: ``MediaError`` of kind `usage`.
  func carriage() throws -> Carriage {
    var carriage = Carriage()
    carriage.keepsVideo = try video.value(.video)
    if let keepAudio { carriage.keptAudio = try Carriage.KeptAudio(keepAudio.text) }
    carriage.keepsMetadata = !noMetadata
    carriage.tags = try tag.map { text in
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw MediaError(.usage, "--tag \(text): give it as name=value, e.g. artist=Name")
      }
      return Carriage.Tag(String(parts[0]), String(parts[1]))
    }
    carriage.cover = cover
    carriage.keepsChapters = !noChapters
    carriage.chaptersFile = chaptersOut
    carriage.subtitles = subtitles.value
    return carriage
  }
}

extension Given where Value == Carriage.Subtitles {
  /// Subtitles of the input, none, or those of a file.
  var value: Carriage.Subtitles {
    switch text {
    case "copy": .copied
    case "drop": .dropped
    default: .file(text)
    }
  }
}

/// The device that the output is meant for, and its preparation for it.
struct EndpointArguments: ParsableArguments {
  @Option(
    name: [.customShort("e"), .customLong("endpoint")],
    help: ArgumentHelp(
      "headphones (default), speakers or none (default with -f bw64, -f iamf, -c:a iamf-… and built-in presets)."
    ))
  var endpoint: Given<Endpoint.Kind>?
  @Option(help: "Virtualise: on or off.")
  var virtualizer = Given<Bool>(default: "on")
  @Option(help: "HRTF set: kemar, a SOFA file, a WAV file of HeSuVi, or a name of pinna hrtf list.")
  var hrtf = Given<HRTFRequest.Choice>(default: "kemar")
  @OptionGroup var processing: HRTFSetArguments
  @Option(
    parsing: .unconditional,
    help: "Angle between the loudspeakers of --endpoint speakers in degrees (default 20).")
  var speakerSpan: Given<Double>?
  @Option(
    parsing: .unconditional,
    help:
      "Level of the LFE channel in dB, or off (default: 10 for headphones and speakers, off in a plain downmix)."
  )
  var lfeGain: Given<Double>?
  @Option(
    help: ArgumentHelp(
      "Gains of a downmix: standard (ITU-R BS.775, default), stream (what the programme itself "
        + "carries: AC-3 and AC-4 for stereo and mono, IAMF for smaller beds), or a matrix of your own, as "
        + "'FL=FL+0.7*FC|FR=FR+0.7*FC' or a string of ffmpeg's pan.",
      valueName: "standard|stream|matrix"))
  var downmix: Given<DownmixGains>?
  @Option(help: "Whether the input is virtualised already: auto, yes or no.")
  var alreadyVirtualized = Given(Rendition.AlreadyVirtualized.auto)
  @Option(help: "Output layout for endpoint none: keep (default), mono, stereo, 5.1 …")
  var layout: Given<ChannelLayout>?

  /// Whether another layout than the programme's is asked for.
  var asksForLayout: Bool { layout.map { $0.text != "keep" } ?? false }
}

/// The changes to an HRTF set before it is played.
struct HRTFSetArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Average left and right of a SOFA set: on, or off to keep them as measured.",
      valueName: "on|off"))
  var hrtfSymmetry = Given<Bool>(default: "on")
  @Option(
    help: ArgumentHelp(
      "Make the diffuse field of a SOFA set flat and extend its bass: on, or off to play it as measured.",
      valueName: "on|off"))
  var hrtfProcessing = Given<Bool>(default: "on")
  @Option(
    help: ArgumentHelp(
      "Fit the set to a head: multiply its delays between the ears by this factor (0.6 to 1.5).",
      valueName: "factor"))
  var itdScale: Given<Double>?
  @Option(
    help: ArgumentHelp(
      "Fit the set to a head of this circumference above ears and eyebrows, in cm (40 to 70); see pinna hrtf fit.",
      valueName: "cm"))
  var headCircumference: Given<Double>?

  /// Whether a head is asked for.
  var hasHead: Bool { itdScale != nil || headCircumference != nil }

  /// The options that were given.
  /// - Throws: ``MediaError`` of kind `usage`.
  func options() throws -> HRTFOptions {
    let options = HRTFOptions(
      isSymmetrised: try hrtfSymmetry.value(.symmetry),
      isProcessed: try hrtfProcessing.value(.hrtfProcessing), head: try head())
    try options.check()
    return options
  }

  private func head() throws -> HRTFOptions.Head {
    switch (itdScale, headCircumference) {
    case (nil, nil): return .measured
    case (let scale?, nil): return .scaled(try scale.value(.delayScale))
    case (nil, let length?):
      return .circumference(try length.value(.headCircumference))
    default:
      throw MediaError(
        .usage, "--itd-scale and --head-circumference: give only one of them")
    }
  }
}

/// How loud the output is.
struct LevelArguments: ParsableArguments {
  @Option(
    name: [.customShort("l"), .customLong("loudness")], parsing: .unconditional,
    help: ArgumentHelp(
      "Integrated loudness target in LUFS, or off (default -16; off with -f bw64, -f iamf and -c:a iamf-… for endpoint none)."
    ))
  var loudness: Given<Double>?
  @Option(
    help: ArgumentHelp(
      "Gain from: measured (loudness of the delivered output, default) or metadata (dialnorm, or the "
        + "loudness that IAMF states for the layout)."))
  var loudnessMode: Given<LoudnessTarget.Mode>?
  @Option(
    help: ArgumentHelp(
      "Layout to which objects that are stored as they are (-f bw64, -f iamf) are rendered to be measured, e.g. 5.1 (default "
        + "5.1.4)."))
  var loudnessLayout: Given<ChannelLayout>?
  @Option(parsing: .unconditional, help: "True-peak ceiling in dBTP (default -1).")
  var truePeak: Given<Double>?
  @Option(help: "When the peak is above the ceiling: limit (default), lower, fail or ignore.")
  var peakPolicy: Given<PeakPolicy>?
  @Flag(inversion: .prefixedNo, help: "Measure mono as two equal channels (+3 LU; default no).")
  var dualMono: Bool?
  @Flag(
    inversion: .prefixedNo,
    help: "Never raise the level; quieter programmes stay quieter (default no).")
  var lowerOnly: Bool?
  @Option(parsing: .unconditional, help: "Most gain in dB; quieter programmes stay quieter.")
  var maxGain: Given<Double>?
  @Option(
    parsing: .unconditional,
    help: "Leave the level alone when it is within this many LU of the target.")
  var threshold: Given<Double>?
  @Option(
    help: ArgumentHelp(
      "The loudness that -l means: programme (default), or dialogue, as streaming services ask for.",
      valueName: "programme|dialogue"))
  var anchor: Given<LoudnessAnchor>?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --anchor dialogue: target in LUFS for programmes with too little of it (default: as -l).",
      valueName: "LUFS"))
  var programmeLoudness: Given<Double>?
  @Option(
    help: ArgumentHelp(
      "Even out loud and quiet parts around the dialogue: gentle, night or train (default: one constant gain).",
      valueName: "gentle|night|train"))
  var level: Given<LevelMode>?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --level: range of loudness to reach in LU, 2 to 20 (default: gentle 12, night 8, train 5).",
      valueName: "LU"))
  var levelRange: Given<Double>?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Raise or lower the dialogue by so many dB, -20 to 20: objects and channels of dialogue, else the centre channel.",
      valueName: "dB"))
  var dialogue: Given<Double>?
  @Flag(
    inversion: .prefixedNo,
    help: "One gain for all inputs, so that they keep their levels to each other (default no).")
  var album: Bool?
  @Flag(
    inversion: .prefixedNo,
    help: "With --album: bring the loudest input to the target, not all together (default no).")
  var loudestTrack: Bool?

  /// The preset's level with the flags applied; `nil` where it stays. `isOff` is whether the preset turns it off.
  /// - Throws: ``MediaError`` of kind `usage`.
  func target(_ preset: Preset?, isAlbum: Bool, isOff: Bool) throws -> LoudnessTarget? {
    var target = LoudnessTarget.standard
    if let preset { target.apply(preset, isAlbum: isAlbum) }
    var isOff = isOff
    if let loudness {
      isOff = loudness.text == "off"
      if !isOff { target.integrated = try loudness.checked(.loudness) }
      // A target that is given holds for programmes without dialogue, too.
      target.programmeTarget = nil
    }
    if let peak = truePeak { target.truePeak = try peak.checked(.truePeak) }
    if let policy = peakPolicy { target.peakPolicy = try policy.value(.peakPolicy) }
    if let mode = loudnessMode { target.mode = try mode.value(.loudnessMode) }
    if let flag = lowerOnly { target.lowersOnly = flag }
    if let gain = maxGain { target.maxGain = try gain.value(.maxGain) }
    if let limit = threshold { target.threshold = try limit.value(.loudnessThreshold) }
    if let word = anchor { target.anchor = try word.value(.anchor) }
    if let value = programmeLoudness {
      target.programmeTarget = try value.checked(.programmeLoudness)
    }
    if let flag = loudestTrack { target.reference = flag ? .loudestTrack : .programme }
    guard isAlbum || loudestTrack != true else {
      throw Setting.loudestTrack.stray("with --album; add it")
    }
    guard programmeLoudness == nil || target.anchor == .dialogue else {
      throw Setting.programmeLoudness.stray("with --anchor dialogue; add it")
    }
    // Invalid figures are refused even where a level that is off would ignore them.
    try target.validate()
    return isOff ? nil : target
  }
}

extension LevelArguments {
  /// The levelling that is asked for; `nil` for none.
  /// - Throws: ``MediaError`` of kind `usage`.
  func levelRequest() throws -> LevelRequest? {
    guard let level else {
      guard levelRange == nil else { throw Setting.levelRange.stray("with --level; add it") }
      return nil
    }
    return LevelRequest(
      try level.value(.levelling), range: try levelRange?.checked(.levelRange))
  }
}

/// How the sound is stored.
struct EncodingArguments: ParsableArguments {
  @Option(
    name: [.customShort("f")],
    help: ArgumentHelp(
      "Output format: \(ContainerKind.allCases.map(\.rawValue).joined(separator: ", ")) (default: by "
        + "the output's name)."))
  var format: Given<ContainerKind>?
  @Option(
    name: .customLong("c:a", withSingleDash: true),
    help: ArgumentHelp(
      "Output codec: \(ContainerChoice.codecs.joined(separator: ", ")) or copy (default: the container's first)."
    ))
  var codec: String?
  @Option(
    name: .customLong("b:a", withSingleDash: true),
    help: ArgumentHelp(
      "Bit rate of aac, opus, mp3, ac3 and eac3, as 192k; of all substreams of IAMF together (default: aac 128k, and 64k for each channel of more than two but LFE; mp3, ac3 and eac3 96k for mono and 192k for stereo, and for 5.1 ac3 448k and eac3 384k; else the encoder's own)."
    ))
  var bitRate: String?
  @Option(
    help: ArgumentHelp(
      "Layers of a bed in IAMF, as stereo,5.1,7.1.4: players take the highest that suits them (default: one layer)."
    ))
  var iamfLayers: String?
  @Option(
    help:
      "Times in the metadata of BW64: decimal (default, seconds that every reader takes) or fraction (exact, BS.2076-2)."
  )
  var admTimes: Given<ADMTimeForm>?
  @Option(parsing: .unconditional, help: "Least length of a segment of HLS (default 6s).")
  var segmentDuration: Given<TimeSpec>?
  @Flag(help: "HLS: a file for each segment, in a folder, instead of byte ranges of one file.")
  var segmentFiles = false
  @Option(
    parsing: .unconditional,
    help: "Least length of a fragment of MP4 (default 2s); given, MP4 is written in fragments.")
  var fragmentDuration: Given<TimeSpec>?
  @Option(
    help: "Opus in MP4: gapless (default, for all players but a browser's MediaSource) or mse.")
  var opusTarget = Given<Bool>(default: "gapless")
  @Option(help: "libav encoder option K=V (repeatable); q=0 to q=9 asks mp3 for a quality.")
  var outOpt: [String] = []
  @Option(name: [.customShort("r")], help: "Output sample rate in Hz, or as 48k.")
  var rate: Given<Int>?
  @Option(name: [.customShort("b")], help: "Output bits: 16, 24 (default) or 32f.")
  var bits: Given<SampleEncoding>?
  @Option(help: "Dither for integer output: none (default) or tpdf.")
  var dither: Given<Dither>?
}
