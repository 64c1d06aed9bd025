// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// Plays loudspeakers by a ``ChannelSet`` to headphones.
///
/// The centre's direct sound (mean of both ears) falls exactly on ``latency``. One gain brings all loudspeakers together to the level
/// of the built-in set. LFE channels pass the same low-pass as elsewhere, then the centre's responses.
package final class ChannelSetRenderer: AudioStage {
  /// A room that a moving head hears by several views.
  package struct Turns: Sendable {
    let sets: [ChannelSet]
    let views: RoomViews
    let trajectory: HeadTrajectory

    /// The room as each of `views` hears it, one set for each, and the way of the head, which hears the nearest one every 7…12 ms and
    /// fades in between.
    package init(_ sets: [ChannelSet], _ views: RoomViews, _ trajectory: HeadTrajectory) {
      self.sets = sets
      self.views = views
      self.trajectory = trajectory
    }
  }

  private enum Convolver {
    case still(FastConvolver)
    case moving(ViewConvolver)
  }

  private let set: ChannelSet
  private let turns: Turns?
  private let lfeGainDB: Double?
  private var convolver: Convolver?

  /// Samples by which output lags input.
  package private(set) var latency = 0
  /// Samples by which the longest response outlasts the input.
  package private(set) var tail = 0

  /// A renderer with the responses of `set`, or with those of the views of `turns`, whose delay and gain are those of `set`; LFE
  /// channels are played at `lfeGainDB` above a main channel, or dropped.
  package init(_ set: ChannelSet, turns: Turns? = nil, lfeGainDB: Double?) {
    self.set = set
    self.turns = turns
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
    let filters = try ChannelFilters(set, format, lfeGainDB: lfeGainDB)
    latency = filters.latency
    let first = try filters.responses(of: turns?.sets.first ?? set)
    let taps = max(latency + 1, first.left.first?.count ?? 1)
    tail = taps - 1 - latency
    guard let turns else {
      convolver = .still(
        FastConvolver(
          left: first.left, right: first.right, taps: taps,
          transformLength: FastConvolver.bestLength(taps: taps)))
      return AudioFormat(sampleRate: format.sampleRate, layout: .stereo)
    }
    let (rate, latency, hop) = (
      format.sampleRate, latency, HeadTrajectory.hop(rate: format.sampleRate)
    )
    convolver = .moving(
      ViewConvolver(
        channels: format.channels, taps: taps, hop: hop,
        viewAt: { boundary in
          let state = turns.trajectory.state(at: boundary * hop - latency, rate: rate)
          return turns.views.nearest(to: state)
        }, makeFilters: { try filters.responses(of: turns.sets[$0]) }))
    return AudioFormat(sampleRate: rate, layout: .stereo)
  }

  /// Convolves `input`; appends the blocks that are complete.
  package func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    let channels = (0..<input.channels).compactMap {
      input.channel($0).baseAddress.map { UnsafePointer($0) }
    }
    switch try prepared() {
    case .still(let convolver): convolver.process(channels, frames: input.frames, into: output)
    case .moving(let convolver):
      try convolver.process(channels, frames: input.frames, into: output)
    }
  }

  /// Appends the rest, ``latency`` and ``tail`` included.
  package func finish(into output: AudioBuffer) throws {
    switch try prepared() {
    case .still(let convolver): convolver.finish(into: output)
    case .moving(let convolver): try convolver.finish(into: output)
    }
  }

  private func prepared() throws -> Convolver {
    guard let convolver else {
      throw MediaError(.internal, "the headphone renderer was used before it was prepared")
    }
    return convolver
  }
}

/// The filters by which the channels of a format are heard through a ``ChannelSet``.
struct ChannelFilters {
  /// Most taps of a filter: transforms of longer ones would take gigabytes.
  private static let mostTaps = 1 << 18

  private let layout: ChannelLayout
  private let rate: Int
  /// The loudspeaker of each channel; `nil` for LFE channels.
  private let speakers: [Speaker?]
  private let lfeGainDB: Double?
  /// Half the length of the low-pass that LFE channels pass, by which all others are late; 0 where it isn't heard.
  private let half: Int
  /// Samples by which output lags input: those before the centre's direct sound, and half the low-pass.
  let latency: Int

  /// Filters for `format`; LFE channels are played at `lfeGainDB` above a main channel, or dropped.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` naming the channels that `set` has no loudspeaker for.
  init(_ set: ChannelSet, _ format: AudioFormat, lfeGainDB: Double?) throws {
    layout = format.layout
    rate = format.sampleRate
    self.lfeGainDB = lfeGainDB
    speakers = try ChannelFilters.speakers(layout, set)
    let hasBass = lfeGainDB != nil && layout.speakers.contains(where: \.isLFE)
    half = hasBass ? LFEFilter.half(rate: rate) : 0
    let onset = Int((Double(set.onset) * Double(rate) / Double(set.sampleRate)).rounded())
    latency = onset + half
  }

  /// Responses of all channels to both ears, channel × tap, of one length, which is more than ``latency``.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for too long ones, and where the rate can't be made.
  func responses(of set: ChannelSet) throws -> ViewSpectra.Filters {
    let conversion = try ResponseRate(from: set.sampleRate, to: rate)
    func converted(_ pair: ChannelSet.Pair) -> (left: [Double], right: [Double]) {
      (conversion.converted(pair.left), conversion.converted(pair.right))
    }
    let centre = converted(set.centre)
    var (left, right): ([[Double]], [[Double]]) = ([], [])
    for (index, speaker) in speakers.enumerated() {
      var pair = (left: [Double](), right: [Double]())
      if let source = speaker.flatMap({ set.pair(of: $0, at: layout.direction(at: index)) }) {
        pair = converted(source)
        let lead = [Double](repeating: 0, count: half)
        pair = (lead + pair.left, lead + pair.right)
      } else if let lfeGainDB {
        let low = LFEFilter.taps(rate: rate).map { $0 * pow(10, lfeGainDB / 20) }
        pair = (Convolution.full(centre.left, low), Convolution.full(centre.right, low))
      }
      left.append(pair.left.map { $0 * set.gain })
      right.append(pair.right.map { $0 * set.gain })
    }
    let taps = max(latency + 1, (left + right).map(\.count).max() ?? 1)
    guard taps <= ChannelFilters.mostTaps else {
      throw MediaError(
        .unsupportedFeature, about: set.id,
        "has responses of \(taps) samples at \(rate) Hz, more than \(ChannelFilters.mostTaps); choose another rate"
      )
    }
    func filled(_ filters: [[Double]]) -> [[Double]] {
      filters.map { $0 + [Double](repeating: 0, count: taps - $0.count) }
    }
    return (filled(left), filled(right))
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

/// Convolution of filters in Double.
enum Convolution {
  /// All taps of the convolution of two filters.
  static func full(_ one: [Double], _ other: [Double]) -> [Double] {
    guard !one.isEmpty, !other.isEmpty else { return [] }
    let count = one.count + other.count - 1
    let fft = DoubleFFT(length: max(64, count))
    let padding = [Double](repeating: 0, count: fft.length)
    var re = one + padding.dropFirst(one.count)
    var im = other + padding.dropFirst(other.count)
    // Both share a transform: with z = a + jb, AB = (Z² − conj(Z(−k))²) / 4j.
    fft.forward(&re, &im)
    var productRe = padding
    var productIm = padding
    for bin in 0..<fft.length {
      let mirror = (fft.length - bin) % fft.length
      let z = Complex(re[bin], im[bin])
      let w = Complex(re[mirror], -im[mirror])
      let difference = z * z + (-1) * (w * w)
      (productRe[bin], productIm[bin]) = (difference.im / 4, -difference.re / 4)
    }
    fft.inverse(&productRe, &productIm)
    return productRe[..<count].map { $0 / Double(fft.length) }
  }
}

/// The low-pass of LFE channels.
enum LFEFilter {
  /// Cut-off (−6 dB) in Hz; the LFE channel's upper limit in ITU-R BS.775-3.
  static let cutoff = 120.0

  /// Half the filter's length at `rate`, the centre tap not counted.
  static func half(rate: Int) -> Int { max(1, rate / 48) }

  /// A linear-phase low-pass of 2 × ``half(rate:)`` + 1 taps and 0 dB at 0 Hz.
  static func taps(rate: Int) -> [Double] {
    let half = half(rate: rate)
    let beta = 6.0
    let omega = 2 * cutoff / Double(rate)
    let raw = (-half...half).map { index -> Double in
      let x = Double(index)
      let part = x / Double(half + 1)
      let sinc = index == 0 ? omega : sin(.pi * omega * x) / (.pi * x)
      return sinc * Kaiser.bessel(beta * (1 - part * part).squareRoot())
    }
    let sum = raw.reduce(0, +)
    return raw.map { $0 / sum }
  }
}

/// Renders programmes of one bed with a stage that knows channels only.
///
/// The stage gets the bed's planes as they come, without a copy, and nothing is added.
package final class BedRenderer: Renderer {
  private let stage: any AudioStage
  private let name: String

  /// A renderer that passes the bed to `stage`.
  /// - Parameter name: what the stage does, as the subject of a refusal.
  package init(_ stage: any AudioStage, name: String) {
    self.stage = stage
    self.name = name
  }

  /// Prepares the stage for the bed and returns the stage's output format.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for a programme that isn't one bed, or what
  ///   the stage throws.
  package func prepare(_ programme: Programme) throws -> AudioFormat {
    try stage.prepare(try programme.bedFormat(for: name))
  }

  package var latency: Int { stage.latency }

  package var tail: Int { stage.tail }

  /// Passes the planes to the stage.
  package func process(_ block: ProgrammeBlock, into output: AudioBuffer) throws {
    try stage.process(block.audio, into: output)
  }

  /// Drains the stage.
  package func finish(into output: AudioBuffer) throws { try stage.finish(into: output) }
}
