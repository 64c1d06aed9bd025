import ArgumentParser
import AudioCore

/// How the sound is stored.
struct EncodingArguments: ParsableArguments {
  @Option(
    name: [.customShort("f")],
    help: ArgumentHelp(
      "Output format: \(ContainerKind.allCases.map(\.rawValue).joined(separator: ", ")) (default: by "
        + "the output's name)."))
  var format: String?
  @Option(
    name: .customLong("c:a", withSingleDash: true),
    help: ArgumentHelp(
      "Output codec: \(ContainerChoice.codecs.joined(separator: ", ")) or copy (default: the container's first)."
    ))
  var codec: String?
  @Option(
    name: .customLong("b:a", withSingleDash: true),
    help: ArgumentHelp(
      "Bit rate of aac and opus, as 192k; of all substreams of IAMF together (default: the encoder's own)."
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
  var admTimes: String?
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
}
