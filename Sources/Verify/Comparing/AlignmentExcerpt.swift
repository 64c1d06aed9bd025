import AudioCore

/// Keeps the loudest stretch of two files that are read block by block: 131,072 samples of REF, and
/// as many of TEST with a second more on either side. Memory doesn't depend on the length of the
/// files.
package final class AlignmentExcerpt {
  /// Samples of REF that are looked for.
  static let length = 131_072
  /// Lags searched, either way, in samples: one second.
  let reach: Int
  /// REF from the same position as ``test``; only its middle is looked for.
  private(set) var reference: AudioBuffer
  /// TEST.
  private(set) var test: AudioBuffer
  private let oldWindow: AudioBuffer
  private let newWindow: AudioBuffer
  private var best = 0.0

  /// An excerpt of files in `format`.
  package init(format: AudioFormat) {
    reach = format.sampleRate
    let buffers = (0..<4).map { _ in AudioBuffer(channels: format.channels) }
    (reference, test) = (buffers[0], buffers[1])
    (oldWindow, newWindow) = (buffers[2], buffers[3])
    oldWindow.appendSilence(reach)
    newWindow.appendSilence(reach)
  }

  /// Whether there was anything but silence in both.
  var isEmpty: Bool { best <= 0 }

  private var window: Int { AlignmentExcerpt.length + 2 * reach }

  /// Adds the next `count` samples of both.
  package func add(_ old: AudioBuffer, _ new: AudioBuffer, count: Int) {
    oldWindow.append(old, range: 0..<count)
    newWindow.append(new, range: 0..<count)
    while oldWindow.frames >= window { consider() }
  }

  /// Considers the remaining samples; call once after the last one.
  package func finish() {
    repeat {
      let missing = max(0, window - oldWindow.frames)
      oldWindow.appendSilence(missing)
      newWindow.appendSilence(missing)
      consider()
    } while oldWindow.frames > 2 * reach
  }

  private func consider() {
    let middle = reach..<reach + AlignmentExcerpt.length
    let energy =
      AlignmentExcerpt.energy(oldWindow, middle)
      * AlignmentExcerpt.energy(newWindow, 0..<window)
    if energy > best {
      best = energy
      reference.removeAll()
      test.removeAll()
      reference.append(oldWindow, range: 0..<window)
      test.append(newWindow, range: 0..<window)
    }
    oldWindow.removeFirst(AlignmentExcerpt.length)
    newWindow.removeFirst(AlignmentExcerpt.length)
  }

  private static func energy(_ buffer: AudioBuffer, _ range: Range<Int>) -> Double {
    var sum = 0.0
    for channel in 0..<buffer.channels {
      let plane = buffer.channel(channel)
      for index in range { sum += Double(plane[index]) * Double(plane[index]) }
    }
    return sum
  }
}
