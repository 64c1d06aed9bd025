// SPDX-License-Identifier: Apache-2.0
import Pinna

/// Processing of one's own: prepared once, fed blocks, drained at the end, and closed whatever happened.
/// ``TapHost`` runs it outside a render, too.
final class FadeIn: AudioTap {
  let latency = 0
  private let length: Int
  private var position = 0

  /// Fades the first `length` samples in.
  init(length: Int) { self.length = length }

  func prepare(_ format: AudioFormat) throws -> AudioFormat { format }

  func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    let start = output.frames
    output.append(input)
    for channel in 0..<output.channels {
      let plane = output.channel(channel)
      for index in 0..<input.frames where position + index < length {
        plane[start + index] *= Float(position + index) / Float(length)
      }
    }
    position += input.frames
  }

  func finish(into output: AudioBuffer) throws {}
}
