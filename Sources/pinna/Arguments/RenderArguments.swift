import ArgumentParser
import AudioCore

/// Options of `render` beyond opening the input.
struct RenderArguments: ParsableArguments {
  @Option(
    help: "Named settings, or a YAML file of them; flags beat them. See pinna presets list.")
  var preset: String?

  @Option(parsing: .unconditional, help: "First sample: hh:mm:ss.mmm, 12.5s or 48000S.")
  var start: String?
  @Option(parsing: .unconditional, help: "End of the range.")
  var end: String?
  @Option(parsing: .unconditional, help: "Length of the range.")
  var duration: String?

  @Option(parsing: .unconditional, help: "Start-up samples to trim: auto, none or a count.")
  var priming = "auto"
  @Option(help: "Filter tail beyond the source's end: trim or keep.")
  var tail = "trim"
  @Option(help: "Sample 0 lies at the first audio sample (audio) or at presentation time 0.")
  var align = "audio"
  @Option(help: "Timestamp jumps: fill (silence, trim overlaps) or ignore.")
  var gaps = "fill"

  @Option(
    name: [.customShort("e"), .customLong("endpoint")],
    help: "headphones (default), speakers or none.")
  var endpoint: String?
  @Option(help: "Virtualise: on or off.")
  var virtualizer = "on"
  @Option(help: "HRTF set: kemar or a SOFA file.")
  var hrtf = "kemar"
  @OptionGroup var symmetry: HRTFSymmetryArgument
  @Option(
    parsing: .unconditional,
    help: "Angle between the loudspeakers of --endpoint speakers in degrees (default 20).")
  var speakerSpan: String?
  @Option(
    name: .customLong("lfe-gain"), parsing: .unconditional,
    help: "Level of the LFE channel in dB, or off (default 10; a downmix leaves it out).")
  var lfeGain: String?
  @Option(
    help: ArgumentHelp(
      "Gains of a downmix to stereo or mono: standard (ITU-R BS.775, default) or stream (what the "
        + "programme itself carries)."))
  var downmix = "standard"
  @Option(help: "Whether the input is virtualised already: auto, yes or no.")
  var alreadyVirtualized = "auto"
  @Option(help: "Output layout for endpoint none: keep, mono, stereo, 5.1 …")
  var layout = "keep"

  @Option(
    name: [.customShort("l"), .customLong("loudness")], parsing: .unconditional,
    help: "Integrated loudness target in LUFS (default -16), or off.")
  var loudness: String?
  @Option(
    help: ArgumentHelp(
      "Gain from: measured (loudness of the delivered output, default) or metadata (dialnorm)."))
  var loudnessMode: String?
  @Option(parsing: .unconditional, help: "True-peak ceiling in dBTP (default -1).")
  var truePeak: String?
  @Option(help: "When the peak is above the ceiling: limit (default), lower, fail or ignore.")
  var peakPolicy: String?
  @Flag(inversion: .prefixedNo, help: "Measure mono as two equal channels (+3 LU; default no).")
  var dualMono: Bool?
  @Flag(
    inversion: .prefixedNo,
    help: "Never raise the level; quieter programmes stay quieter (default no).")
  var lowerOnly: Bool?
  @Option(parsing: .unconditional, help: "Most gain in dB; quieter programmes stay quieter.")
  var maxGain: String?
  @Option(
    parsing: .unconditional,
    help: "Leave the level alone when it is within this many LU of the target.")
  var threshold: String?
  @Flag(
    inversion: .prefixedNo,
    help: "One gain for all inputs, so that they keep their levels to each other (default no).")
  var album: Bool?
  @Flag(
    inversion: .prefixedNo,
    help: "With --album: bring the loudest input to the target, not all together (default no).")
  var loudestTrack: Bool?

  @Option(
    name: [.customShort("f")],
    help: ArgumentHelp(
      "Output format: \(ContainerKind.allCases.map(\.rawValue).joined(separator: ", ")) (default: by "
        + "the output's name)."))
  var format: String?
  @Option(
    name: .customLong("c:a", withSingleDash: true),
    help: ArgumentHelp(
      "Output codec: \(AudioEncoding.allCases.map(\.rawValue).joined(separator: ", ")) or copy (default: "
        + "the container's first)."))
  var codec: String?
  @Option(
    name: .customLong("b:a", withSingleDash: true),
    help: "Bit rate of aac and opus, as 192k (default: the encoder's own).")
  var bitRate: String?
  @Option(parsing: .unconditional, help: "Least length of a segment of HLS (default 6s).")
  var segmentDuration: String?
  @Flag(help: "HLS: a file for each segment, in a folder, instead of byte ranges of one file.")
  var segmentFiles = false
  @Option(parsing: .unconditional, help: "Least length of a fragment of MP4 (default 2s).")
  var fragmentDuration: String?
  @Option(help: "Opus in MP4 for: gapless (default, all readers but one) or mse (MediaSource).")
  var opusTarget = "gapless"
  @Option(name: .customLong("out-opt"), help: "libav encoder option K=V (repeatable).")
  var outputOptions: [String] = []
  @Option(name: [.customShort("r")], help: "Output sample rate in Hz.")
  var rate: Int?
  @Option(name: [.customShort("b")], help: "Output bits: 16, 24 (default) or 32f.")
  var bits: String?
  @Option(help: "Dither for integer output: none (default) or tpdf.")
  var dither: String?
  @Option(help: "Another output from the same decode, as ENDPOINT:FILE (repeatable).")
  var also: [String] = []
  @Option(help: "Video: copy (default, H.264, HEVC, AV1 and VP9 into MP4 and HLS) or drop.")
  var video = "copy"
  @Option(help: "Subtitles: copy (default), drop, or a file (.srt, .ass, .vtt) to carry instead.")
  var subtitles = "copy"
  @Flag(help: "Carry no tags over.")
  var noMetadata = false
  @Flag(help: "Carry no chapters over.")
  var noChapters = false
  @Flag(name: [.customShort("y"), .customLong("overwrite")], help: "Replace existing outputs.")
  var overwrite = false
}
