// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaOut

/// Needs of an output's codec: rates, channels and options.
enum CodecRules {
  /// `rendition` at a rate that the codec of `container` takes: the programme's `rate` where it does, else the one that its row
  /// chooses, which is reported.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for a rate that was asked for.
  static func settled(
    _ rendition: Rendition, _ container: Container, rate: Int, _ log: DiagnosticLog
  ) throws -> Rendition {
    let (codec, rates) = (container.coding.codec, container.coding.codec.traits.rates)
    guard !rates.isEmpty, !rates.contains(rendition.sampleRate ?? rate) else { return rendition }
    let list = rates.map { "\($0)" }.joined(separator: ", ")
    if let asked = rendition.sampleRate {
      throw MediaError(
        .unsupportedFeature,
        "\(setting: .sampleRate) \(asked): \(codec.rawValue) takes \(list) Hz; leave it out, or choose another "
          + "\(setting: .codec) or \(setting: .container)")
    }
    var rendition = rendition
    let own = codec.traits.rate(for: rate)
    rendition.sampleRate = own
    log.decide(
      .rate, "\(own) Hz",
      why: "\(codec.rawValue) takes \(list) Hz, and the programme has \(rate)")
    return rendition
  }

  /// Makes sure that the codec of `container` has a place for each channel.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature`.
  static func check(_ layout: ChannelLayout?, _ container: Container) throws {
    // Substreams of IAMF have one or two channels each.
    guard let layout, container.coding.iamf == nil else { return }
    try container.coding.codec.check(layout)
  }

  /// Opens the encoder of `container` for sound of `format` once, so that a bit rate or an option that it refuses is reported
  /// before anything is rendered.
  /// - Throws: ``MediaError`` of kind `usage` or `unsupportedFeature`.
  static func tryOut(_ container: Container, _ format: AudioFormat) throws {
    // PCM has nothing to refuse, and IAMF cuts the channels into its own substreams.
    guard container.coding.codec != .pcm, container.coding.iamf == nil else { return }
    _ = try FrameEncoder(container.coding, format: format)
  }
}
