import AudioCore
import Platform
import Signal

/// Plays loudspeakers by a ``ChannelSet`` to headphones.
///
/// The centre's direct sound (mean of both ears) falls exactly on ``latency``. One gain brings all loudspeakers together to the level
/// of the built-in set. LFE channels pass the same low-pass as elsewhere, then the centre's responses.
package final class ChannelSetRenderer: AudioStage {
  /// Band over which levels are compared, in Hz.
  private static let band = 200.0...10_000.0

  private let set: ChannelSet
  private let lfeGainDB: Double?
  private var convolver: FastConvolver?

  /// Samples by which output lags input.
  package private(set) var latency = 0
  /// Samples by which the longest response outlasts the input.
  package private(set) var tail = 0
  /// Gain in dB that was applied to all responses.
  package private(set) var gainDB = 0.0

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
    let sources = try ChannelSetRenderer.sources(format.layout, set.id)
    guard let centre = try set.responses(of: .frontCenter, rate: rate) else {
      throw MediaError(.internal, "a set without a centre was made")
    }
    let hasBass = lfeGainDB != nil && format.layout.speakers.contains(where: \.isLFE)
    let half = hasBass ? LFEFilter.half(rate: rate) : 0
    let onset =
      (ChannelSetRenderer.onset(centre.left, rate: rate)
        + ChannelSetRenderer.onset(centre.right, rate: rate)) / 2
    latency = onset + half
    let gain = try gain(rate: rate)
    gainDB = 20 * log10(gain)
    var (left, right): ([[Double]], [[Double]]) = ([], [])
    for source in sources {
      var pair = (left: [Double](), right: [Double]())
      if let source {
        pair = try set.responses(of: source, rate: rate) ?? pair
        let lead = [Double](repeating: 0, count: half)
        pair = (lead + pair.left, lead + pair.right)
      } else if let lfeGainDB {
        let low = LFEFilter.taps(rate: rate).map { $0 * pow(10, lfeGainDB / 20) }
        pair = (
          ChannelSetRenderer.convolved(centre.left, low),
          ChannelSetRenderer.convolved(centre.right, low)
        )
      }
      left.append(pair.left.map { $0 * gain })
      right.append(pair.right.map { $0 * gain })
    }
    let taps = max(1, (left + right).map(\.count).max() ?? 1)
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

  /// The set's loudspeaker for each channel of `layout`; `nil` for LFE channels.
  private static func sources(_ layout: ChannelLayout, _ name: String) throws -> [Speaker?] {
    let speakers = layout.speakers
    // Surround channels of 5.1 are those at the sides, whichever of both names they have.
    let isFive = !speakers.contains(.sideLeft) && speakers.contains(.frontCenter)
    let known: [Speaker] = [
      .frontLeft, .frontRight, .frontCenter, .sideLeft, .sideRight, .backLeft, .backRight,
    ]
    let strangers = speakers.filter { !$0.isLFE && !known.contains($0) }
    guard strangers.isEmpty else {
      throw MediaError(
        .unsupportedFeature, about: name,
        "has no loudspeakers for \(strangers.map(\.name).joined(separator: ", ")); it plays layouts up to 7.1, a SOFA "
          + "set plays all")
    }
    return speakers.map { speaker in
      switch speaker {
      case .backLeft where isFive: return .sideLeft
      case .backRight where isFive: return .sideRight
      default: return speaker.isLFE ? nil : speaker
      }
    }
  }

  /// Tap of the direct sound: the largest one within a millisecond from where a tenth (−20 dB) of the peak is reached.
  private static func onset(_ response: [Double], rate: Int) -> Int {
    let peak = response.reduce(0) { max($0, $1.magnitude) }
    let first = response.firstIndex { $0.magnitude >= peak * 0.1 } ?? 0
    let last = min(response.count - 1, first + rate / 1000)
    return (first...last).max { response[$0].magnitude < response[$1].magnitude } ?? first
  }

  private static func convolved(_ one: [Double], _ other: [Double]) -> [Double] {
    let fft = DoubleFFT(length: one.count + other.count)
    // Both are real: one is the real part of the transform, the other the imaginary one.
    var re = one + [Double](repeating: 0, count: fft.length - one.count)
    var im = other + [Double](repeating: 0, count: fft.length - other.count)
    fft.forward(&re, &im)
    var (productRe, productIm) = (re, im)
    for bin in 0..<fft.length {
      let mirror = (fft.length - bin) % fft.length
      let a = (0.5 * (re[bin] + re[mirror]), 0.5 * (im[bin] - im[mirror]))
      let b = (0.5 * (im[bin] + im[mirror]), -0.5 * (re[bin] - re[mirror]))
      productRe[bin] = (a.0 * b.0 - a.1 * b.1) / Double(fft.length)
      productIm[bin] = (a.0 * b.1 + a.1 * b.0) / Double(fft.length)
    }
    fft.inverse(&productRe, &productIm)
    return Array(productRe.prefix(one.count + other.count - 1))
  }

  /// What brings the mean power of all loudspeakers at both ears to that of the built-in set.
  private func gain(rate: Int) throws -> Double {
    let seven = AudioFormat(
      sampleRate: rate, layout: ChannelLayout(set.pairs.keys.sorted { $0.rawValue < $1.rawValue }))
    let bank = try BinauralFilterBank(HRTFSet.builtIn(), seven, BinauralOptions(lfeGainDB: nil))
    let reference = (bank.left + bank.right).reduce(0) {
      $0 + ChannelSetRenderer.power($1, rate)
    }
    var own = 0.0
    for speaker in set.pairs.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      guard let pair = try set.responses(of: speaker, rate: rate) else { continue }
      own += ChannelSetRenderer.power(pair.left, rate) + ChannelSetRenderer.power(pair.right, rate)
    }
    return own > 0 ? (reference / own).squareRoot() : 1
  }

  /// Energy of a response within ``band``.
  private static func power(_ response: [Double], _ rate: Int) -> Double {
    let fft = DoubleFFT(length: max(1024, response.count))
    var re = response + [Double](repeating: 0, count: fft.length - response.count)
    var im = [Double](repeating: 0, count: fft.length)
    fft.forward(&re, &im)
    let width = Double(rate) / Double(fft.length)
    let bins = (0...fft.length / 2).filter { band.contains(Double($0) * width) }
    return bins.reduce(0) { $0 + re[$1] * re[$1] + im[$1] * im[$1] } * width
  }
}
