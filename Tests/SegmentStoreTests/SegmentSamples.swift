// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import TestSupport
import Testing

@testable import Rendering

/// The outcome of reading a segment.
enum SegmentOutcome: Equatable {
  /// The cache has no such segment.
  case absent
  /// A chunk was refused.
  case damaged
  /// All samples, as bits of each plane.
  case sound([[UInt32]])
}

extension SegmentOutcome: CustomTestStringConvertible {
  /// Text of a failed test, without the samples.
  var testDescription: String {
    switch self {
    case .absent: "absent"
    case .damaged: "damaged"
    case .sound(let planes): "sound, \(planes.count) planes of \(planes.first?.count ?? 0) samples"
    }
  }
}

/// Segments to store, and what is read back of them.
enum SegmentSamples {
  /// A key that depends on `name`.
  static func key(_ name: String) -> SegmentKey {
    var parts = SegmentKey.Builder()
    parts.add("name", text: name)
    return parts.key
  }

  /// Samples of all kinds of bits: noise, −0, infinities, subnormal numbers and NaNs with a payload.
  static func buffer(channels: Int, frames: Int, seed: UInt64 = 1) -> AudioBuffer {
    var noise = SeededNoise(seed: seed)
    let odd: [UInt32] = [0x8000_0000, 0x7F80_0000, 0xFF80_0000, 1, 0x7FC0_1234, 0xFFA0_0001]
    let buffer = AudioBuffer(channels: channels)
    buffer.grow(by: frames)
    for channel in 0..<channels {
      for index in 0..<frames {
        let bits = UInt32(truncatingIfNeeded: noise.next())
        let isOdd = bits % 4 == 0
        buffer.channel(channel)[index] = Float(
          bitPattern: isOdd ? odd[Int(bits / 4) % odd.count] : bits)
      }
    }
    return buffer
  }

  /// The bits of each plane.
  static func bits(_ buffer: AudioBuffer) -> [[UInt32]] {
    (0..<buffer.channels).map { buffer.channel($0).map(\.bitPattern) }
  }

  /// Stores `content` in blocks of `block` frames.
  /// - Returns: whether it is in the cache.
  @discardableResult
  static func store(
    _ content: AudioBuffer, _ key: SegmentKey, in cache: SegmentCache, rate: Int = 48000,
    head: Int64 = 0, block: Int = .max
  ) -> Bool {
    guard let writer = cache.writer(key, channels: content.channels, rate: rate, head: head) else {
      return false
    }
    let part = AudioBuffer(channels: content.channels)
    var start = 0
    while start < content.frames {
      let end = start + min(block, content.frames - start)
      part.removeAll()
      part.append(content, range: start..<end)
      writer.append(part)
      start = end
    }
    return writer.finish()
  }

  /// Reads all of a segment.
  static func outcome(_ cache: SegmentCache, _ key: SegmentKey) -> SegmentOutcome {
    guard let reader = cache.open(key) else { return .absent }
    return outcome(reader)
  }

  /// Reads the rest of a segment.
  static func outcome(_ reader: SegmentReader) -> SegmentOutcome {
    let buffer = AudioBuffer(channels: reader.channels)
    do {
      while try reader.read(into: buffer) {}
      return .sound(bits(buffer))
    } catch {
      return .damaged
    }
  }

  /// Path of a segment's file.
  static func path(_ key: SegmentKey, in cache: SegmentCache) -> String {
    "\(cache.path)/\(key.text.prefix(2))/\(key.text)"
  }
}
