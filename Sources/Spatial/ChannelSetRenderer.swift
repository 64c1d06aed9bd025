import AudioCore
import Platform

/// Plays loudspeakers by a ``ChannelSet`` to headphones.
///
/// The centre's direct sound (mean of both ears) falls exactly on ``latency``. One gain brings all loudspeakers together to the level
/// of the built-in set. LFE channels pass the same low-pass as elsewhere, then the centre's responses.
package final class ChannelSetRenderer: AudioStage {
  /// Most taps of a filter: transforms of longer ones would take gigabytes.
  private static let mostTaps = 1 << 18

  private let set: ChannelSet
  private let lfeGainDB: Double?
  private var convolver: FastConvolver?

  /// Samples by which output lags input.
  package private(set) var latency = 0
  /// Samples by which the longest response outlasts the input.
  package private(set) var tail = 0

  /// A renderer with the responses of `set`; LFE channels are played at `lfeGainDB` above a main channel, or dropped.
  package init(_ set: ChannelSet, lfeGainDB: Double?) {
    self.set = set
    self.lfeGainDB = lfeGainDB
  }

  /// Makes the filters for the channels of `format` and returns stereo at the same rate.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for rates outside 8…384 kHz, and naming the channels that the set has no
  ///   loudspeaker for.
  package func prepare(_ format: AudioFormat) throws -> AudioFormat {
    guard (8000...384_000).contains(format.sampleRate) else {
      throw MediaError(
        .unsupportedFeature,
        "binaural rendering works at 8…384 kHz, not at \(format.sampleRate) Hz")
    }
    let rate = format.sampleRate
    let sources = try sources(format.layout)
    let centre = try set.converted(set.centre, to: rate)
    let hasBass = lfeGainDB != nil && format.layout.speakers.contains(where: \.isLFE)
    let half = hasBass ? LFEFilter.half(rate: rate) : 0
    let onset = Int((Double(set.onset) * Double(rate) / Double(set.sampleRate)).rounded())
    latency = onset + half
    let gain = set.gain
    var (left, right): ([[Double]], [[Double]]) = ([], [])
    for source in sources {
      var pair = (left: [Double](), right: [Double]())
      if let source {
        pair = try set.converted(source, to: rate)
        let lead = [Double](repeating: 0, count: half)
        pair = (lead + pair.left, lead + pair.right)
      } else if let lfeGainDB {
        let low = LFEFilter.taps(rate: rate).map { $0 * pow(10, lfeGainDB / 20) }
        pair = (Convolution.full(centre.left, low), Convolution.full(centre.right, low))
      }
      left.append(pair.left.map { $0 * gain })
      right.append(pair.right.map { $0 * gain })
    }
    let taps = max(latency + 1, (left + right).map(\.count).max() ?? 1)
    guard taps <= ChannelSetRenderer.mostTaps else {
      throw MediaError(
        .unsupportedFeature, about: set.id,
        "has responses of \(taps) samples at \(rate) Hz, more than \(ChannelSetRenderer.mostTaps); choose another rate"
      )
    }
    func filled(_ filters: [[Double]]) -> [[Double]] {
      filters.map { $0 + [Double](repeating: 0, count: taps - $0.count) }
    }
    tail = taps - 1 - latency
    convolver = FastConvolver(
      left: filled(left), right: filled(right), taps: taps,
      transformLength: FastConvolver.bestLength(taps: taps))
    return AudioFormat(sampleRate: rate, layout: .stereo)
  }

  /// Convolves `input`; appends the blocks that are complete.
  package func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    let channels = (0..<input.channels).compactMap {
      input.channel($0).baseAddress.map { UnsafePointer($0) }
    }
    try prepared().process(channels, frames: input.frames, into: output)
  }

  /// Appends the rest, ``latency`` and ``tail`` included.
  package func finish(into output: AudioBuffer) throws { try prepared().finish(into: output) }

  private func prepared() throws -> FastConvolver {
    guard let convolver else {
      throw MediaError(.internal, "the headphone renderer was used before it was prepared")
    }
    return convolver
  }

  /// The responses of each channel of `layout`; `nil` for LFE channels.
  private func sources(_ layout: ChannelLayout) throws -> [ChannelSet.Pair?] {
    let speakers = try ChannelSetRenderer.speakers(layout, set)
    return speakers.enumerated().map { index, speaker in
      speaker.flatMap { set.pair(of: $0, at: layout.direction(at: index)) }
    }
  }

  /// The loudspeaker for each channel of `layout`; `nil` for LFE channels.
  private static func speakers(_ layout: ChannelLayout, _ set: ChannelSet) throws -> [Speaker?] {
    let speakers = layout.speakers
    guard set.places.isEmpty else {
      let strangers = speakers.indices.filter {
        !speakers[$0].isLFE && set.pair(of: speakers[$0], at: layout.direction(at: $0)) == nil
      }
      guard strangers.isEmpty else {
        throw MediaError(
          .unsupportedFeature, about: set.id,
          "has no loudspeaker within \(Int(ChannelSet.reach))° of \(strangers.map { speakers[$0].name }.joined(separator: ", ")); "
            + "give a room with one, or mix the programme down first with \(setting: .outputLayout)"
        )
      }
      return speakers.map { $0.isLFE ? nil : $0 }
    }
    // Surround channels of 5.1 are those at the sides, whichever of both names they have.
    let isFive = !speakers.contains(.sideLeft) && speakers.contains(.frontCenter)
    let known: [Speaker] = [
      .frontLeft, .frontRight, .frontCenter, .sideLeft, .sideRight, .backLeft, .backRight,
    ]
    let strangers = speakers.filter { !$0.isLFE && !known.contains($0) }
    guard strangers.isEmpty else {
      throw MediaError(
        .unsupportedFeature, about: set.id,
        "has no loudspeakers for \(strangers.map(\.name).joined(separator: ", ")); it plays FL, FR, FC, SL, SR, BL, BR and LFE, "
          + "a SOFA set plays all")
    }
    return speakers.map { speaker in
      switch speaker {
      case .backLeft where isFive: return .sideLeft
      case .backRight where isFive: return .sideRight
      default: return speaker.isLFE ? nil : speaker
      }
    }
  }
}
