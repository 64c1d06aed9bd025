// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Delays by a number of samples, and puts a late echo behind the end.
final class DelayTap: AudioTap {
  let latency: Int
  let tail: Int
  private var pending: AudioBuffer?
  private let needsSilence: Bool
  private var echo: [Float] = []

  init(_ latency: Int, tail: Int = 0, needsSilence: Bool = false) {
    self.latency = latency
    self.tail = tail
    self.needsSilence = needsSilence
  }

  var contract: TapContract {
    var contract = TapContract()
    contract.needsSilence = needsSilence
    return contract
  }

  func prepare(_ format: AudioFormat) -> AudioFormat {
    let buffer = AudioBuffer(channels: format.channels)
    buffer.appendSilence(latency)
    pending = buffer
    return format
  }

  func process(_ input: AudioBuffer, into output: AudioBuffer) {
    pending?.append(input)
    if let pending { output.append(pending, range: 0..<input.frames) }
    pending?.removeFirst(input.frames)
  }

  func finish(into output: AudioBuffer) {
    guard !needsSilence, let pending else { return }
    output.append(pending)
    guard tail > 0 else { return }
    let start = output.grow(by: tail)
    for channel in 0..<output.channels {
      for index in 0..<tail { output.channel(channel)[start + index] = 0.125 }
    }
  }
}
