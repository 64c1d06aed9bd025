import AudioCore

/// Fades the first and the last 20 ms, so that an excerpt doesn't begin and end with a click.
final class EdgeFade: AudioTap {
  /// Length of a fade in seconds.
  static let seconds = 0.02

  let latency = 0
  private var length = 0
  private var position = 0
  private var held = AudioBuffer(channels: 0)

  func prepare(_ format: AudioFormat) throws -> AudioFormat {
    length = Int(EdgeFade.seconds * Double(format.sampleRate))
    held = AudioBuffer(channels: format.channels)
    return format
  }

  // The last samples are known only at the end, so as many as a fade takes are held back.
  func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    let start = held.frames
    held.append(input)
    for channel in 0..<held.channels {
      let plane = held.channel(channel)
      for index in 0..<input.frames where position + index < length {
        plane[start + index] *= Float(position + index) / Float(length)
      }
    }
    position += input.frames
    let ready = held.frames - length
    guard ready > 0 else { return }
    output.append(held, range: 0..<ready)
    held.removeFirst(ready)
  }

  func finish(into output: AudioBuffer) throws {
    let count = held.frames
    for channel in 0..<held.channels {
      let plane = held.channel(channel)
      for index in 0..<count { plane[index] *= Float(count - 1 - index) / Float(max(1, count)) }
    }
    output.append(held)
  }
}
