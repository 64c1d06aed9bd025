import AudioCore
import LibAV

/// Impulse responses at another sample rate.
package enum ResponseRate {
  /// `response`, sampled `rate` times a second, at `wanted` Hz; its gain stays.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` where the rate can't be made.
  package static func converted(
    _ response: [Float], from rate: Int, to wanted: Int
  ) throws -> [Double] {
    guard rate != wanted else { return response.map(Double.init) }
    let stage = Resampler(to: AudioFormat(sampleRate: wanted, layout: .mono))
    _ = try stage.prepare(AudioFormat(sampleRate: rate, layout: .mono))
    let (input, output) = (AudioBuffer(channels: 1), AudioBuffer(channels: 1))
    input.grow(by: response.count)
    for (index, value) in response.enumerated() { input.channel(0)[index] = value }
    try stage.process(input, into: output)
    try stage.finish(into: output)
    // A filter sums over samples, of which there are more or fewer now.
    let scale = Double(rate) / Double(wanted)
    return output.channel(0).map { Double($0) * scale }
  }
}
