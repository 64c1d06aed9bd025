// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// Equalises channels: gains and filters of second order, in double precision.
///
/// Its delay is 0. Curves come from outside: see ``init(_:curves:)``.
package final class EqualizerTap: AudioTap {
  /// The response behind this level, of what went in, is cut.
  private static let tailLevel = 1e-6
  /// Longest tail in seconds.
  private static let longestTail = 10.0

  private let equalizer: Equalizer
  private let makeCurves: @Sendable (AudioFormat, [[GraphicCurve]]) throws -> (any AudioStage)?
  /// Each with the two channels that it filters: the last of an odd number is both of them.
  private var chains: [(chain: BiquadChain, left: Int, right: Int)] = []
  private var gains: [Float] = []
  private var curves: (any AudioStage)?
  /// Between filters and curves.
  private var middle = AudioBuffer(channels: 1)
  /// 0.
  package let latency = 0
  /// Samples until the longest response has fallen by 120 dB.
  package private(set) var tail = 0

  /// A tap that does what `equalizer` says.
  /// - Parameters:
  ///   - equalizer: gains, filters and curves.
  ///   - curves: makes the stage without delay that applies the curves of each channel; `nil` where no
  ///     channel has any.
  package init(
    _ equalizer: Equalizer,
    curves: @escaping @Sendable (AudioFormat, [[GraphicCurve]]) throws -> (any AudioStage)?
  ) {
    self.equalizer = equalizer
    makeCurves = curves
  }

  package var contract: TapContract {
    var contract = TapContract()
    contract.memory = .finite(tail)
    return contract
  }

  /// Designs the filters.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for a frequency above half of the rate, or a channel
  ///   that isn't there.
  package func prepare(_ format: AudioFormat) throws -> AudioFormat {
    if let missing = equalizer.missingChannel(in: format.layout) {
      throw MediaError(
        .unsupportedFeature,
        "the equaliser names the channel \(missing), which \(format.layout.name) doesn't have; remove it there"
      )
    }
    middle = AudioBuffer(channels: format.channels)
    let works = (0..<format.channels).map { equalizer.works(on: $0, of: format.layout) }
    let filters = try works.map { try EqualizerTap.filters($0, rate: format.sampleRate) }
    chains = stride(from: 0, to: filters.count, by: 2).map { left in
      let right = min(left + 1, filters.count - 1)
      return (BiquadChain(filters[left], filters[right]), left, right)
    }
    gains = works.map { works in
      let sum = works.reduce(0.0) { sum, work in
        if case .gain(let gain) = work { return sum + gain }
        return sum
      }
      return Float(Decibels.amplitude(sum))
    }
    curves = try makeCurves(
      format,
      works.map { works in
        works.compactMap { if case .curve(let curve) = $0 { return curve } else { return nil } }
      })
    if let stage = curves { _ = try stage.prepare(format) }
    let longest = filters.joined().map { $0.reach(to: EqualizerTap.tailLevel) }.max() ?? 0
    tail =
      Int(min(longest, EqualizerTap.longestTail * Double(format.sampleRate))) + (curves?.tail ?? 0)
    return format
  }

  private static func filters(_ works: [Equalizer.Work], rate: Int) throws -> [Biquad] {
    try works.compactMap { work in
      guard case .band(let band) = work else { return nil }
      guard band.frequency < Double(rate) / 2 else {
        throw MediaError(
          .unsupportedFeature,
          "the equaliser has a filter at \(Decibels.text(band.frequency)) Hz, but \(rate) Hz carry only what lies "
            + "below \(rate / 2) Hz; remove the filter, or choose a higher \(setting: .sampleRate)")
      }
      return Biquad(band, rate: Double(rate))
    }
  }

  package func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    guard let curves else { return filter(input, into: output) }
    middle.removeAll()
    filter(input, into: middle)
    try curves.process(middle, into: output)
  }

  private func filter(_ input: AudioBuffer, into output: AudioBuffer) {
    let start = output.grow(by: input.frames)
    for (chain, left, right) in chains {
      chain.process(
        UnsafeBufferPointer(input.channel(left)), UnsafeBufferPointer(input.channel(right)),
        gains: SIMD2(Double(gains[left]), Double(gains[right])),
        into: output.channel(left)[start...], output.channel(right)[start...])
    }
  }

  package func finish(into output: AudioBuffer) throws {
    guard tail > 0 else { return }
    let silence = AudioBuffer(channels: gains.count)
    silence.appendSilence(tail - (curves?.tail ?? 0))
    if silence.frames > 0 { try process(silence, into: output) }
    try curves?.finish(into: output)
  }
}
