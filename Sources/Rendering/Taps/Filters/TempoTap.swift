import AudioCore
import LibAV

/// Makes sound faster or slower with a filter of libavfilter that keeps its pitch.
///
/// The filter's output lies a constant number of samples early or late, and it holds back its end. Silence in front makes
/// it late in any case, so that a probe can measure by how much; silence behind brings the end out. The host cuts the rest.
final class TempoTap: AudioTap {
  /// Seconds of silence in front.
  static let lead = 0.25
  /// Seconds of silence behind.
  private static let trail = 0.5
  /// Samples of a block.
  private static let block = 1024

  private let filters: FilterTap
  private var silence: AudioBuffer?
  private var rate = 0
  private var hasBegun = false
  let latency: Int
  let tail = 0

  /// The filter of `request`, whose output begins `latency` samples late with the silence in front.
  init(_ request: FilterRequest, _ library: FilterLibrary, latency: Int) {
    filters = FilterTap(request, library, latency: latency, tail: 0)
    self.latency = latency
  }

  var contract: TapContract {
    var contract = TapContract()
    contract.blocks = .atMost(TempoTap.block)
    contract.maySoundOn = true
    return contract
  }

  var remarks: [String] { filters.remarks }

  func prepare(_ format: AudioFormat) throws -> AudioFormat {
    rate = format.sampleRate
    silence = AudioBuffer(channels: format.channels)
    return try filters.prepare(format)
  }

  func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    if !hasBegun { try rest(TempoTap.lead, into: output) }
    hasBegun = true
    try filters.process(input, into: output)
  }

  func finish(into output: AudioBuffer) throws {
    // Without any sound there is nothing to bring out.
    guard hasBegun else { return }
    try rest(TempoTap.trail, into: output)
    try filters.finish(into: output)
  }

  func close(_ end: TapEnd) { filters.close(end) }

  private func rest(_ seconds: Double, into output: AudioBuffer) throws {
    guard let silence else { return }
    var left = Int((seconds * Double(rate)).rounded())
    while left > 0 {
      silence.removeAll()
      silence.appendSilence(min(left, TempoTap.block))
      try filters.process(silence, into: output)
      left -= silence.frames
    }
  }
}
