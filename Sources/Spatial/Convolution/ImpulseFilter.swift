// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Convolves channels with impulse responses.
package final class ImpulseFilter: AudioTap {
  /// The responses, each with the same number of taps.
  package enum Responses: Sendable {
    /// One for each channel.
    case each([[Double]])
    /// Of each of two inputs to the left and to the right output.
    case crossed(left: [[Double]], right: [[Double]])

    /// Number of channels that they are for.
    package var channels: Int {
      switch self {
      case .each(let all): return all.count
      case .crossed: return 2
      }
    }

    fileprivate var taps: Int {
      switch self {
      case .each(let all): return all.first?.count ?? 1
      case .crossed(let left, _): return left.first?.count ?? 1
      }
    }
  }

  /// Most taps of a response.
  package static let mostTaps = 1 << 18

  /// Samples of the responses before what counts as their beginning.
  package let latency: Int
  /// Samples of the responses behind their beginning.
  package var tail: Int { responses.taps - 1 - latency }
  private let responses: Responses
  private var single: [(convolver: MonoConvolver, output: AudioBuffer)] = []
  private var crossed: FastConvolver?

  /// A filter by `responses`, of which sample `beginning` stays where the input's sample is.
  package init(_ responses: Responses, beginning: Int) {
    self.responses = responses
    latency = min(max(0, beginning), responses.taps - 1)
  }

  package var contract: TapContract {
    var contract = TapContract()
    contract.memory = .finite(responses.taps - 1)
    return contract
  }

  /// Makes the convolvers.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` when the sound has another number of channels.
  package func prepare(_ format: AudioFormat) throws -> AudioFormat {
    guard format.channels == responses.channels else {
      throw MediaError(
        .unsupportedFeature,
        "the impulse responses are for \(responses.channels.counted("channel", "channels")), and the sound has \(format.layout.name)"
      )
    }
    switch responses {
    case .each(let all):
      single = all.map { (MonoConvolver(taps: $0), AudioBuffer(channels: 1)) }
    case .crossed(let left, let right):
      let length = FastConvolver.bestLength(taps: responses.taps)
      crossed = FastConvolver(
        left: left, right: right, taps: responses.taps, transformLength: length)
    }
    return format
  }

  package func process(_ input: AudioBuffer, into output: AudioBuffer) {
    let planes = (0..<input.channels).compactMap { channel in
      input.channel(channel).baseAddress.map { UnsafePointer($0) }
    }
    if let crossed { return crossed.process(planes, frames: input.frames, into: output) }
    for (plane, part) in zip(planes, single) {
      part.convolver.process([plane], frames: input.frames, into: part.output)
    }
    collect(into: output)
  }

  package func finish(into output: AudioBuffer) {
    crossed?.finish(into: output)
    for part in single { part.convolver.finish(into: part.output) }
    collect(into: output)
  }

  /// Hands on what all channels have; they are ready at the same samples, because their responses are equally long.
  private func collect(into output: AudioBuffer) {
    let count = single.map(\.output.frames).min() ?? 0
    guard count > 0 else { return }
    let start = output.grow(by: count)
    for (channel, part) in single.enumerated() {
      guard let from = part.output.channel(0).baseAddress else { continue }
      output.channel(channel)[start...].update(from: from, count: count)
      part.output.removeFirst(count)
    }
  }
}

extension Slice where Base == UnsafeMutableBufferPointer<Float> {
  /// Copies `count` samples from `source` to its beginning.
  fileprivate func update(from source: UnsafePointer<Float>, count: Int) {
    UnsafeMutableBufferPointer(rebasing: self).baseAddress?.update(from: source, count: count)
  }
}
