import AudioCore
import Samples

/// The beginning and the end of an output, before its gain and limiter.
struct OutputEdges {
  /// Part of a second at each end that is looked at: 10 ms.
  static let parts = 100
  /// Largest magnitude there that counts as silence: −60 dBFS.
  private static let silence: Float = 0.001

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

  /// Whether its sound goes on where the output `former` ends.
  func goesOn(from former: OutputEdges) -> Bool {
    OutputEdges.goOn(former.last, 0..<former.last.frames, first, 0..<first.frames)
  }

  /// Whether the sound of `end`, the last part of `earlier`, goes on in `start`, the first of `later`: both are loud, and in no
  /// channel is the step between them more than twice the largest one between neighbouring samples of both. Levels alone don't
  /// show it, because tracks that have nothing to do with each other may be loud where they meet. Sounds with different channels
  /// can't be compared, so they do.
  static func goOn(
    _ earlier: AudioBuffer, _ end: Range<Int>, _ later: AudioBuffer, _ start: Range<Int>
  ) -> Bool {
    guard peak(earlier, end) > silence, peak(later, start) > silence else { return false }
    guard earlier.channels == later.channels else { return true }
    return (0..<earlier.channels).allSatisfy { channel in
      let (left, right) = (earlier.channel(channel)[end], later.channel(channel)[start])
      let step = (right[start.lowerBound] - left[end.upperBound - 1]).magnitude
      return step <= 2 * max(largestStep(left), largestStep(right))
    }
  }

  /// Largest magnitude in `range` of `samples`, in any channel.
  private static func peak(_ samples: AudioBuffer, _ range: Range<Int>) -> Float {
    (0..<samples.channels).map {
      samples.greatestMagnitude(channel: $0, from: range.lowerBound, count: range.count)
    }.max() ?? 0
  }

  private static func largestStep(_ samples: Slice<UnsafeMutableBufferPointer<Float>>) -> Float {
    zip(samples, samples.dropFirst()).map { ($1 - $0).magnitude }.max() ?? 0
  }
}
