import AudioCore
import Signal

/// Multiplies every sample by one constant gain; no latency.
///
/// The gain is rounded to Float once, so the product is the same as that of ``TruePeakLimiter``
/// while it doesn't limit.
package final class GainStage: AudioStage {
  /// Always 0.
  package let latency = 0
  private let gain: Float

  /// A gain of `gainDB` dB.
  package init(gainDB: Double) { gain = Float(Decibels.amplitude(gainDB)) }

  /// Accepts every format and keeps it.
  package func prepare(_ format: AudioFormat) throws -> AudioFormat { format }

  /// Appends `input` times the gain.
  package func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    GainStage.append(input, range: 0..<input.frames, gain: gain, to: output)
  }

  /// Nothing is held back.
  package func finish(into output: AudioBuffer) throws {}

  /// Appends `range` of `input`, times `gain`, to `output`.
  static func append(_ input: AudioBuffer, range: Range<Int>, gain: Float, to output: AudioBuffer) {
    let start = output.grow(by: range.count)
    for channel in 0..<input.channels {
      guard let source = input.channel(channel).baseAddress,
        let target = output.channel(channel).baseAddress
      else { continue }
      let from = source + range.lowerBound
      let into = target + start
      for index in 0..<range.count { into[index] = from[index] * gain }
    }
  }
}
