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
}
