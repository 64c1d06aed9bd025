// SPDX-License-Identifier: Apache-2.0
import ObjectMetadata
import Signal
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

/// Times and content of updates with everything that their syntax has.
@Suite struct ObjectUpdateTests {
  @Test("times of object updates are read as written") func timesAreWhatWasWritten() throws {
    var noise = SeededNoise(seed: 11)
    for _ in 0..<500 {
      var bits = BitWriter()
      let count = Int.random(in: 0...7, using: &noise)
      let wanted = SyntheticUpdates.writeTiming(count, &bits, &noise)
      bits.write(0b1011, 4)
      bits.align()
      try bits.bytes.withUnsafeBufferPointer { buffer in
        var reader = BitReader(buffer)
        let timing = try ObjectTiming(&reader)
        #expect(timing.count == count)
        for (index, time) in wanted.enumerated() {
          #expect(timing.block(index) == ObjectTiming.Block(offset: time.offset, ramp: time.ramp))
        }
        #expect(try reader.read(4) == 0b1011)
      }
    }
  }

  /// Lists of a bed and dynamic objects over several frames, in which most refers to what was said before.
  @Test(
    "content of object updates is read as written",
    arguments: [(1, 0, false), (5, 0, true), (8, 3, true), (20, 0, true), (4, 4, false)])
  func contentIsWhatWasWritten(objects: Int, bed: Int, hasLFE: Bool) throws {
    var noise = SeededNoise(seed: UInt64(objects))
    let portion = ObjectPortion(objects: objects, bed: bed, hasLFE: hasLFE)
    var writer = SyntheticUpdates(
      count: objects + (hasLFE ? 1 : 0), firstDynamic: bed + (hasLFE ? 1 : 0))
    for frame in 0..<60 {
      let isIFrame = frame % 10 == 0
      var bits = BitWriter()
      let count = Int.random(in: 0...7, using: &noise)
      _ = SyntheticUpdates.writeTiming(count, &bits, &noise)
      let wanted = writer.write(count, isIFrame: isIFrame, &bits, &noise)
      bits.write(0b1011, 4)
      bits.align()
      try bits.bytes.withUnsafeBufferPointer { buffer in
        var reader = BitReader(buffer)
        let timing = try ObjectTiming(&reader)
        try portion.read(
          &reader, sent: timing, other: nil, isIFrame: isIFrame, isAlternative: false)
        #expect(try reader.read(4) == 0b1011, "frame \(frame)")
      }
      portion.commit()
      for (object, own) in wanted.enumerated() {
        for (block, info) in own.enumerated() {
          #expect(portion.info(object, block) == info, "frame \(frame), object \(object)")
        }
      }
    }
  }

  /// A frame that can't be read changes nothing for the next one.
  @Test("an unreadable object update changes nothing for the next one")
  func aLostFrameLeavesNoTrace() throws {
    var noise = SeededNoise(seed: 5)
    let portion = ObjectPortion(objects: 3, bed: 0, hasLFE: false)
    var writer = SyntheticUpdates(count: 3, firstDynamic: 0)
    for frame in 0..<30 {
      var bits = BitWriter()
      _ = SyntheticUpdates.writeTiming(2, &bits, &noise)
      let isLost = frame % 4 == 3
      var other = writer
      let wanted = other.write(2, isIFrame: frame == 0, &bits, &noise)
      bits.align()
      let bytes = isLost ? Array(bits.bytes.prefix(bits.bytes.count / 2)) : bits.bytes
      let isRead = bytes.withUnsafeBufferPointer { buffer in
        var reader = BitReader(buffer)
        guard let timing = try? ObjectTiming(&reader) else { return false }
        return
          (try? portion.read(
            &reader, sent: timing, other: nil, isIFrame: frame == 0, isAlternative: false)) != nil
      }
      #expect(isRead != isLost, "frame \(frame)")
      guard isRead else { continue }
      portion.commit()
      writer = other
      for object in 0..<3 { #expect(portion.info(object, 1) == wanted[object][1]) }
    }
  }

  /// Without times of its own, a list takes those of the group, else its last ones.
  @Test("an update list takes its own times, the group's or its last ones, and needs some")
  func timesComeFromTheirPlaces() throws {
    let portion = ObjectPortion(objects: 1, bed: 0, hasLFE: false)
    let empty = [UInt8](repeating: 0xFF, count: 8)
    empty.withUnsafeBufferPointer { buffer in
      var reader = BitReader(buffer)
      #expect(throws: AC4Error.needsIFrame("times of objects")) {
        try portion.read(&reader, sent: nil, other: nil, isIFrame: true, isAlternative: false)
      }
    }
    func timing(_ count: Int) throws -> ObjectTiming {
      var noise = SeededNoise(seed: UInt64(count))
      var bits = BitWriter()
      _ = SyntheticUpdates.writeTiming(count, &bits, &noise)
      bits.align()
      return try bits.bytes.withUnsafeBufferPointer { buffer in
        var reader = BitReader(buffer)
        return try ObjectTiming(&reader)
      }
    }
    let (own, group) = (try timing(2), try timing(3))
    // Objects that aren't active: one bit says so, and one that nothing follows.
    for (sent, other, wanted) in [(own, nil, 2), (nil, group, 3), (nil, nil, 2)]
      as [(ObjectTiming?, ObjectTiming?, Int)]
    {
      let bytes: [UInt8] = [0b1010_1010, 0b1010_1010]
      try bytes.withUnsafeBufferPointer { buffer in
        var reader = BitReader(buffer)
        try portion.read(&reader, sent: sent, other: other, isIFrame: true, isAlternative: false)
        #expect(reader.position == 2 * wanted)
      }
      portion.commit()
      #expect(portion.timing.count == wanted)
    }
  }
}
