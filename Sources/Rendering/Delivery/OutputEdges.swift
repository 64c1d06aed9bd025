import AudioCore
import Samples

/// Levels at the beginning and the end of an output, as it is delivered.
struct OutputEdges {
  /// Part of a second at each end that is looked at: 10 ms.
  static let parts = 100
  /// Largest magnitude there that counts as silence: −60 dBFS.
  static let silence: Float = 0.001

  private let length: Int
  private let first: AudioBuffer
  private let last: AudioBuffer

  /// The edges of an output of `format` of which nothing has passed.
  init(_ format: AudioFormat) {
    length = format.sampleRate / OutputEdges.parts
    first = AudioBuffer(channels: format.channels)
    last = AudioBuffer(channels: format.channels)
  }

  /// Takes the next samples.
  func add(_ samples: AudioBuffer) {
    first.append(samples, range: 0..<min(samples.frames, length - first.frames))
    last.append(samples, range: max(0, samples.frames - length)..<samples.frames)
    last.removeFirst(max(0, last.frames - length))
  }

  /// Whether it begins with sound.
  var beginsLoud: Bool { OutputEdges.peak(first, 0..<first.frames) > OutputEdges.silence }

  /// Whether it ends with sound.
  var endsLoud: Bool { OutputEdges.peak(last, 0..<last.frames) > OutputEdges.silence }

  /// Largest magnitude in `range` of `samples`, in any channel.
  static func peak(_ samples: AudioBuffer, _ range: Range<Int>) -> Float {
    (0..<samples.channels).map {
      samples.greatestMagnitude(channel: $0, from: range.lowerBound, count: range.count)
    }.max() ?? 0
  }

  /// Whether `later` goes on where `earlier` ends: in no channel is the step between them more than twice the largest one
  /// between neighbouring samples of `end`, of `earlier`, and `start`, of `later`. Sounds with different channels can't be
  /// compared, so they do.
  static func isSteady(
    _ earlier: AudioBuffer, _ end: Range<Int>, _ later: AudioBuffer, _ start: Range<Int>
  ) -> Bool {
    guard earlier.channels == later.channels, !end.isEmpty, !start.isEmpty else { return true }
    return (0..<earlier.channels).allSatisfy { channel in
      let (left, right) = (earlier.channel(channel)[end], later.channel(channel)[start])
      let step = (right[start.lowerBound] - left[end.upperBound - 1]).magnitude
      return step <= 2 * max(largestStep(left), largestStep(right))
    }
  }

  private static func largestStep(_ samples: Slice<UnsafeMutableBufferPointer<Float>>) -> Float {
    zip(samples, samples.dropFirst()).map { ($1 - $0).magnitude }.max() ?? 0
  }
}
