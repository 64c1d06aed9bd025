// SPDX-License-Identifier: Apache-2.0
import ObjectMetadata
import Signal
import TestSupport

@testable import AC4

/// Writes `oamd_timing_data` and `object_info_block` with random content, and knows what they mean by the tables of
/// TS 103 190-2, 6.3.9.
struct SyntheticUpdates {
  static let distances = [
    1.1, 1.3, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 7.9, 10, 12.6, 15.8, 20, 25.1, 50.1,
  ]
  static let ramps = [
    32, 64, 128, 256, 320, 480, 1000, 1001, 1024, 1600, 1601, 1602, 1920, 2000, 2002, 2048,
  ]

  /// Objects of the list.
  let count: Int
  /// Objects before this one have a fixed place.
  let firstDynamic: Int
  /// Each object's properties in the last update.
  private(set) var last: [ObjectInfo]

  init(count: Int, firstDynamic: Int) {
    (self.count, self.firstDynamic) = (count, firstDynamic)
    last = Array(repeating: .defaults, count: count)
  }

  // MARK: Times

  /// Writes the times of `count` updates; answers the offset and the ramp of each.
  static func writeTiming(
    _ count: Int, _ bits: inout BitWriter, _ noise: inout SeededNoise
  ) -> [(offset: Int, ramp: Int)] {
    let base = [0, 8, 16, 24, 5].randomElement(using: &noise) ?? 0
    switch base {
    case 0: bits.write(0, 1)
    case 16: bits.write(0b100, 3)
    case 8: bits.write(0b1010, 4)
    case 24: bits.write(0b1011, 4)
    default:
      bits.write(0b11, 2)
      bits.write(base, 5)
    }
    bits.write(count, 3)
    return (0..<count).map { _ in
      let factor = Int.random(in: 0...63, using: &noise)
      bits.write(factor, 6)
      return (base + 32 * factor, writeRamp(&bits, &noise))
    }
  }

  private static func writeRamp(_ bits: inout BitWriter, _ noise: inout SeededNoise) -> Int {
    let code = Int.random(in: 0...3, using: &noise)
    bits.write(code, 2)
    guard code == 3 else { return [0, 512, 1536][code] }
    let isTabled = Bool.random(using: &noise)
    bits.write(isTabled)
    let value = Int.random(in: 0...(isTabled ? 15 : 2047), using: &noise)
    bits.write(value, isTabled ? 4 : 11)
    return isTabled ? ramps[value] : value
  }

  // MARK: Blocks

  /// Writes `blocks` updates of each object; answers what each says of each object.
  mutating func write(
    _ blocks: Int, isIFrame: Bool, _ bits: inout BitWriter, _ noise: inout SeededNoise
  ) -> [[ObjectInfo]] {
    var all: [[ObjectInfo]] = []
    for object in 0..<count {
      var own: [ObjectInfo] = []
      for block in 0..<blocks {
        var info = own.last ?? last[object]
        let neighbour = object > 0 ? all[object - 1][block].gain : 0
        write(
          &info, isWhole: isIFrame && block == 0, isDynamic: object >= firstDynamic, neighbour,
          &bits, &noise)
        own.append(info)
      }
      all.append(own)
      last[object] = own.last ?? last[object]
    }
    return all
  }

  private func write(
    _ info: inout ObjectInfo, isWhole: Bool, isDynamic: Bool, _ neighbour: Int?,
    _ bits: inout BitWriter, _ noise: inout SeededNoise
  ) {
    info.precision = ObjectInfo.Axes()
    info.isActive = Int.random(in: 0..<8, using: &noise) > 0
    bits.write(!info.isActive)
    if info.isActive {
      let keeps = !isWhole && Bool.random(using: &noise)
      if !isWhole { bits.write(keeps) }
      if !keeps { writeBasic(&info, neighbour, &bits, &noise) }
    } else {
      (info.gain, info.priority) = (nil, 0)
    }
    var isAbsolute = false
    if info.isActive, isDynamic {
      let keeps = !isWhole && Bool.random(using: &noise)
      if !isWhole { bits.write(keeps) }
      if !keeps { isAbsolute = writeRendering(&info, isWhole, &bits, &noise) }
    } else {
      let (isActive, gain, priority) = (info.isActive, info.gain, info.priority)
      info = .defaults
      (info.isActive, info.gain, info.priority) = (isActive, gain, priority)
    }
    let hasMore = Int.random(in: 0..<3, using: &noise) == 0
    bits.write(hasMore)
    if hasMore { writeMore(&info, isDynamic, isAbsolute, &bits, &noise) }
  }

  private func writeBasic(
    _ info: inout ObjectInfo, _ neighbour: Int?, _ bits: inout BitWriter,
    _ noise: inout SeededNoise
  ) {
    let isDefault = Bool.random(using: &noise)
    bits.write(isDefault)
    (info.gain, info.priority) = (0, 1)
    if isDefault { return }
    let kind = Int.random(in: 0...2, using: &noise)
    bits.write([0, 0b10, 0b11][kind], [1, 2, 2][kind])
    if kind < 2 {
      switch Int.random(in: 0...2, using: &noise) {
      case 0:
        // 15 dB down to 1, and from −1 on.
        let value = Int.random(in: 0...63, using: &noise)
        bits.write(0, 1)
        bits.write(value, 6)
        info.gain = (Array((1...15).reversed()) + (1...49).map { -$0 })[value]
      case 1:
        bits.write(0b10, 2)
        info.gain = nil
      default:
        bits.write(0b11, 2)
        info.gain = neighbour
      }
    }
    if kind > 0 {
      let code = Int.random(in: 0...31, using: &noise)
      bits.write(code, 5)
      info.priority = Double(code) / 31
    }
  }

  /// Answers whether an absolute position was written.
  private func writeRendering(
    _ info: inout ObjectInfo, _ isWhole: Bool, _ bits: inout BitWriter, _ noise: inout SeededNoise
  ) -> Bool {
    var sent = (other: true, zone: true, position: true)
    if !isWhole {
      let isPart = Bool.random(using: &noise)
      bits.write(isPart)
      if isPart {
        sent = (
          Bool.random(using: &noise), Bool.random(using: &noise), Bool.random(using: &noise)
        )
        for flag in [sent.other, sent.zone, sent.position] { bits.write(flag) }
      }
    }
    let isAbsolute = sent.position && writePosition(&info, isWhole, &bits, &noise)
    if sent.zone { writeZone(&info, &bits, &noise) }
    if sent.other { writeOther(&info, &bits, &noise) }
    return isAbsolute
  }

  private func writePosition(
    _ info: inout ObjectInfo, _ isWhole: Bool, _ bits: inout BitWriter, _ noise: inout SeededNoise
  ) -> Bool {
    let isDifference = !isWhole && Bool.random(using: &noise)
    if !isWhole { bits.write(isDifference) }
    guard isDifference else {
      let code = (0..<2).map { _ in Int.random(in: 0...63, using: &noise) }
      let isUp = Bool.random(using: &noise)
      let height = Int.random(in: 0...15, using: &noise)
      for value in code { bits.write(value, 6) }
      bits.write(isUp)
      bits.write(height, 4)
      info.position = ObjectInfo.Axes(
        x: min(62, code[0]), y: min(62, code[1]), z: isUp ? height : -height)
      return true
    }
    let steps = (0..<3).map { _ in Int.random(in: -4...3, using: &noise) }
    for step in steps { bits.write(step & 7, 3) }
    info.position.x = max(0, min(62, info.position.x + steps[0]))
    info.position.y = max(0, min(62, info.position.y + steps[1]))
    info.position.z = max(-15, min(15, info.position.z + steps[2]))
    return false
  }

  private func writeZone(
    _ info: inout ObjectInfo, _ bits: inout BitWriter, _ noise: inout SeededNoise
  ) {
    let isDefault = Bool.random(using: &noise)
    bits.write(isDefault)
    (info.zone, info.hasElevation, info.isSnapped) = (0, true, false)
    if isDefault { return }
    let (isMasked, isFlat, isSnapped) = (
      Bool.random(using: &noise), Bool.random(using: &noise), Bool.random(using: &noise)
    )
    for flag in [isMasked, isFlat, isSnapped] { bits.write(flag) }
    (info.hasElevation, info.isSnapped) = (!isFlat, isSnapped)
    guard isMasked else { return }
    let mask = Int.random(in: 0...7, using: &noise)
    bits.write(mask, 3)
    // Number 6 leaves the loudspeakers of the screen, which E-AC-3 calls 4.
    info.zone = mask == 6 ? 4 : mask
  }

  private func writeOther(
    _ info: inout ObjectInfo, _ bits: inout BitWriter, _ noise: inout SeededNoise
  ) {
    let before = info.divergence
    let isDefault = Bool.random(using: &noise)
    bits.write(isDefault)
    (info.size, info.screen, info.distance, info.divergence) = (.init(), nil, .unstated, 0)
    if isDefault { return }
    let mask = Int.random(in: 0...15, using: &noise)
    bits.write(mask, 4)
    if mask & 1 != 0 {
      let isApart = Bool.random(using: &noise)
      bits.write(isApart)
      var width = (0..<3).map { _ in Int.random(in: 0...31, using: &noise) }
      for value in isApart ? width : [width[0]] { bits.write(value, 5) }
      if !isApart { width = [width[0], width[0], width[0]] }
      info.size = ObjectInfo.Axes(x: width[0], y: width[1], z: width[2])
    }
    if mask & 2 != 0 {
      let (factor, depth) = (
        Int.random(in: 0...7, using: &noise), Int.random(in: 0...3, using: &noise)
      )
      bits.write(factor, 3)
      bits.write(depth, 2)
      info.screen = ObjectInfo.Screen(
        factor: Double(factor + 1) / 8, depth: [0.25, 0.5, 1, 2][depth])
    }
    if mask & 4 != 0 {
      let code = Int.random(in: -1...15, using: &noise)
      bits.write(code < 0)
      if code >= 0 { bits.write(code, 4) }
      info.distance = code < 0 ? .infinite : .factor(SyntheticUpdates.distances[code])
    }
    if mask & 8 != 0 {
      let mode = Int.random(in: 0...3, using: &noise)
      bits.write(mode, 2)
      let code =
        mode == 0 ? Int.random(in: 0...3, using: &noise) : Int.random(in: 0...63, using: &noise)
      switch mode {
      case 0:
        bits.write(code, 2)
        info.divergence = ObjectTables.divergences[code]
      case 1: info.divergence = before
      default:
        bits.write(code, 6)
        info.divergence = mode == 2 && code > 0 ? ObjectTables.divergenceCodes[code] : before
      }
    }
  }

  /// `add_per_object_md`, with a few bytes that nobody knows behind it.
  private func writeMore(
    _ info: inout ObjectInfo, _ isDynamic: Bool, _ isAbsolute: Bool, _ bits: inout BitWriter,
    _ noise: inout SeededNoise
  ) {
    var own = BitWriter()
    var count = 1
    own.write(0, 1)
    if info.isActive, isDynamic {
      let mask = Int.random(in: -1...7, using: &noise)
      own.write(mask >= 0)
      count += 1
      if mask >= 0 {
        own.write(mask, 3)
        count += 3
        var steps = [0, 0, 0]
        for axis in 0..<3 where mask >> (2 - axis) & 1 == 1 {
          let code = Int.random(in: 0...3, using: &noise)
          own.write(code, 2)
          count += 2
          steps[axis] = [1, 2, -1, -2][code]
        }
        if isAbsolute, info.position.z < 0 { steps[2] = -steps[2] }
        info.precision = ObjectInfo.Axes(x: steps[0], y: steps[1], z: steps[2])
      }
    }
    let size = (count + 7) / 8 + Int.random(in: 0...2, using: &noise)
    own.write(0, 8 * size - count)
    own.align()
    bits.write(size - 1, 4)
    bits.write(own.bytes)
  }
}
