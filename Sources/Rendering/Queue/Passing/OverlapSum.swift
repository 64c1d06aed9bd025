// SPDX-License-Identifier: Apache-2.0
import AudioCore
import PlayQueue

/// Adds up the items of a queue at their places, with their gains and fades, in the queue's order.
///
/// Samples before the first or after the last one that is wanted are left out. Sums are in Float32, item
/// after item, so that they don't depend on blocks.
final class OverlapSum {
  /// The samples that are wanted, in samples of the programme.
  private let window: Range<Int64>
  /// Sums that aren't complete yet, from sample ``base`` on.
  private let buffer: AudioBuffer
  private var base: Int64
  /// Largest magnitude that was left out before the programme's first sample.
  private(set) var headPeak: Float = 0
  /// Largest magnitude that was left out after the end.
  private(set) var cutPeak: Float = 0

  /// An empty sum of `channels` channels over the samples of `window`.
  init(channels: Int, window: Range<Int64>) {
    self.window = window
    buffer = AudioBuffer(channels: channels)
    base = window.lowerBound
  }

  /// The first sample that isn't handed out yet.
  var position: Int64 { base }

  /// Adds all of `samples`, the first at sample `start` of the programme, as a part of `item`.
  func add(_ samples: AudioBuffer, at start: Int64, of item: PlacedItem) {
    let from = max(start, base)
    let to = min(start + Int64(samples.frames), window.upperBound)
    notePeak(samples, from: max(0, window.upperBound - start), item, start)
    if start < 0 { noteHead(samples, Int(min(-start, Int64(samples.frames))), item) }
    guard from < to else { return }
    let parts = SteadyGain.parts(of: from..<to, item)
    // Nothing else lies here, and the samples stay as they are: writing zeros first would cost a pass more.
    if buffer.frames == 0, from == base, parts.count == 1, parts[0].gain == 1 {
      return copy(samples, Int(from - start)..<Int(to - start))
    }
    let missing = to - base - Int64(buffer.frames)
    if missing > 0 { buffer.appendSilence(Int(missing)) }
    for part in parts { add(samples, part, from: start, item) }
  }

  /// Hands what lies before sample `end` to `consume`, with the number of its first sample; silence where
  /// nothing was added.
  func pass(upTo end: Int64, _ consume: (AudioBuffer, Int64) throws -> Void) rethrows {
    let end = min(end, window.upperBound)
    while base < end {
      let count = Int(min(end - base, Int64(OverlapSum.step)))
      if buffer.frames < count { buffer.appendSilence(count - buffer.frames) }
      if buffer.frames == count {
        try consume(buffer, base)
        buffer.removeAll()
      } else {
        let part = AudioBuffer(channels: buffer.channels, capacity: count)
        part.append(buffer, range: 0..<count)
        try consume(part, base)
        buffer.removeFirst(count)
      }
      base += Int64(count)
    }
  }

  /// Most samples that are handed out at a time.
  private static let step = 65_536

  private func add(
    _ samples: AudioBuffer, _ part: SteadyGain, from start: Int64, _ item: PlacedItem
  ) {
    let source = Int(part.range.lowerBound - start)
    let target = Int(part.range.lowerBound - base)
    let count = part.range.count
    for channel in 0..<samples.channels {
      guard let from = samples.channel(channel).baseAddress,
        let to = buffer.channel(channel).baseAddress
      else { continue }
      if let gain = part.gain {
        OverlapSum.add(from + source, to + target, count, Float(gain))
        continue
      }
      for index in 0..<count {
        let gain = item.envelope.gain(at: part.range.lowerBound + Int64(index) - item.start)
        to[target + index] += Float(Double(from[source + index]) * gain)
      }
    }
  }

  /// Makes `range` of `samples` the sum: bit by bit what adding them to zeros gives, so −0 becomes 0.
  private func copy(_ samples: AudioBuffer, _ range: Range<Int>) {
    buffer.grow(by: range.count)
    for channel in 0..<samples.channels {
      guard let from = samples.channel(channel).baseAddress,
        let to = buffer.channel(channel).baseAddress
      else { continue }
      for index in 0..<range.count { to[index] = from[range.lowerBound + index] + 0 }
    }
  }

  private static func add(
    _ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, _ count: Int, _ gain: Float
  ) {
    if gain == 1 {
      for index in 0..<count { to[index] += from[index] }
    } else {
      for index in 0..<count { to[index] += gain * from[index] }
    }
  }

  /// Notes how loud the first `count` of `samples` are, which lie before the programme.
  private func noteHead(_ samples: AudioBuffer, _ count: Int, _ item: PlacedItem) {
    let gain = Float(item.envelope.gain(at: 0).magnitude)
    for channel in 0..<samples.channels {
      for sample in samples.channel(channel)[..<count] {
        headPeak = max(headPeak, sample.magnitude * gain)
      }
    }
  }

  private func notePeak(
    _ samples: AudioBuffer, from first: Int64, _ item: PlacedItem, _ start: Int64
  ) {
    guard first < Int64(samples.frames) else { return }
    let gain = Float(item.envelope.gain(at: window.upperBound - 1 - item.start).magnitude)
    for channel in 0..<samples.channels {
      for sample in samples.channel(channel)[Int(first)...] {
        cutPeak = max(cutPeak, sample.magnitude * gain)
      }
    }
  }
}

/// A stretch of an item over which its gain stays the same, or changes from sample to sample.
private struct SteadyGain {
  /// Samples of the programme.
  let range: Range<Int64>
  /// The linear gain; `nil` where it changes.
  let gain: Double?

  /// The stretches of `range`, in samples of the programme, of `item`.
  static func parts(of range: Range<Int64>, _ item: PlacedItem) -> [SteadyGain] {
    let envelope = item.envelope
    // Samples before the item take the gain of its first sample, those after it that of its last one.
    let borders = [
      item.start, item.start + envelope.rise.frames, item.end - envelope.fall.frames, item.end,
    ]
    var parts: [SteadyGain] = []
    var position = range.lowerBound
    while position < range.upperBound {
      let next = borders.filter { $0 > position }.min() ?? range.upperBound
      let end = min(range.upperBound, next)
      let index = position - item.start
      let isRising = index >= 0 && index < envelope.rise.frames
      let isFalling = index >= envelope.frames - envelope.fall.frames && index < envelope.frames
      parts.append(
        SteadyGain(
          range: position..<end, gain: isRising || isFalling ? nil : envelope.gain(at: index)))
      position = end
    }
    return parts
  }
}
