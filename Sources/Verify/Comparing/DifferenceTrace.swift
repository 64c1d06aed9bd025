// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// TEST as loud as REF: a copy of each block with one gain.
package final class MatchedBlocks {
  private let gain: Float
  private let copy: AudioBuffer

  /// Blocks in `format` with a gain in dB.
  package init(format: AudioFormat, gainDB: Double) {
    gain = Float(Decibels.amplitude(gainDB))
    copy = AudioBuffer(channels: format.channels, capacity: 8192)
  }

  /// The first `count` samples of a block with the gain; valid until the next call.
  package func louder(_ block: AudioBuffer, count: Int) -> AudioBuffer {
    copy.removeAll()
    copy.append(block, range: 0..<count)
    for channel in 0..<copy.channels {
      let plane = copy.channel(channel)
      for index in plane.indices { plane[index] *= gain }
    }
    return copy
  }
}

/// The level of TEST minus REF over time: one value for each 100 ms, for a picture.
package struct DifferenceTrace {
  private let sources: [Int]
  private let length: Int
  private var sum = 0.0
  private var filled = 0
  /// Levels so far in dB re full scale, RMS over all channels; `nil` where nothing differs.
  package private(set) var levels: [Double?] = []

  /// A trace of files in `format` whose channels belong together as in `alignment`.
  package init(format: AudioFormat, alignment: Alignment) {
    sources = alignment.sources
    length = max(1, format.sampleRate / 10)
  }

  /// Adds a pair of blocks at the best lag.
  package mutating func add(_ old: AudioBuffer, _ new: AudioBuffer, count: Int) {
    var start = 0
    while start < count {
      let end = min(count, start + length - filled)
      for (channel, source) in sources.enumerated() {
        let (one, other) = (old.channel(channel), new.channel(source))
        for index in start..<end {
          let off = Double(other[index]) - Double(one[index])
          sum += off * off
        }
      }
      filled += end - start
      start = end
      if filled == length { finish() }
    }
  }

  /// Closes the last, shorter step.
  package mutating func finish() {
    guard filled > 0 else { return }
    let power = sum / Double(filled * max(1, sources.count))
    levels.append(power > 0 ? Decibels.boundedLevel(power: power, over: 1) : nil)
    (sum, filled) = (0, 0)
  }
}
