// SPDX-License-Identifier: Apache-2.0
import ObjectMetadata

/// Reads what an update says of one object (`object_info_block`, TS 103 190-2, 6.2.8.4 to 6.2.8.9).
struct ObjectBlockReader {
  /// How the block relates to the one before.
  struct Context {
    /// Whether the block can be read without the one before.
    var isIndependent: Bool
    /// Whether the object has a position of its own.
    var isDynamic: Bool
    /// Gain in dB of the object before in the list, in the same update; 0 for the first object, `nil` for silence.
    var neighbourGain: Int?
  }

  private(set) var bits: BitReader
  private let context: Context

  /// Reads a block into `info`, which holds what the block before said.
  static func read(
    _ bits: inout BitReader, _ context: Context, into info: inout ObjectInfo
  ) throws(AC4Error) {
    var reader = ObjectBlockReader(bits: bits, context: context)
    try reader.read(&info)
    bits = reader.bits
  }

  private mutating func read(_ info: inout ObjectInfo) throws(AC4Error) {
    info.precision = ObjectInfo.Axes()
    info.isActive = try !bits.flag()
    if !info.isActive {
      (info.gain, info.priority) = (nil, 0)
    } else if try context.isIndependent ? true : !bits.flag() {
      try basic(&info)
    }
    var hasAbsoluteHeight = false
    if !info.isActive || !context.isDynamic {
      info.clearRendering()
    } else if try context.isIndependent ? true : !bits.flag() {
      hasAbsoluteHeight = try rendering(&info)
    }
    if try bits.flag() { try additional(&info, hasAbsoluteHeight) }
  }

  // MARK: Gain and priority

  /// `object_basic_info`.
  private mutating func basic(_ info: inout ObjectInfo) throws(AC4Error) {
    (info.gain, info.priority) = (0, 1)
    // `b_default_basic_info_md`.
    if try bits.flag() { return }
    let hasPriority = try bits.flag()
    let hasGain = hasPriority ? try !bits.flag() : true
    if hasGain { info.gain = try gain() }
    if hasPriority { info.priority = Double(try bits.read(5)) / 31 }
  }

  /// `object_gain_code`; `nil` is silence.
  private mutating func gain() throws(AC4Error) -> Int? {
    if try !bits.flag() {
      // 15…1 dB, then −1…−49 dB: 0 dB has a code of its own.
      let value = try bits.read(6)
      return value <= 14 ? 15 - value : 14 - value
    }
    return try bits.flag() ? context.neighbourGain : nil
  }

  // MARK: Position and the rest

  /// `object_render_info`; answers whether an absolute position was sent.
  private mutating func rendering(_ info: inout ObjectInfo) throws(AC4Error) -> Bool {
    var (hasOther, hasZone, hasPosition) = (true, true, true)
    if try context.isIndependent ? false : bits.flag() {
      (hasOther, hasZone, hasPosition) = (try bits.flag(), try bits.flag(), try bits.flag())
    }
    let isAbsolute = hasPosition ? try position(&info) : false
    if hasZone { try zone(&info) }
    if hasOther { try other(&info) }
    return isAbsolute
  }

  /// Answers whether the position is absolute.
  private mutating func position(_ info: inout ObjectInfo) throws(AC4Error) -> Bool {
    if try context.isIndependent ? false : bits.flag() {
      let (x, y, z) = (try step(), try step(), try step())
      info.position.x = min(62, max(0, info.position.x + x))
      info.position.y = min(62, max(0, info.position.y + y))
      info.position.z = min(15, max(-15, info.position.z + z))
      return false
    }
    // The codes 62 and 63 both mean the wall.
    info.position.x = min(62, try bits.read(6))
    info.position.y = min(62, try bits.read(6))
    let sign = try bits.flag() ? 1 : -1
    info.position.z = sign * (try bits.read(4))
    return true
  }

  /// A number of 3 bits in two's complement.
  private mutating func step() throws(AC4Error) -> Int {
    let value = try bits.read(3)
    return value > 3 ? value - 8 : value
  }

  private mutating func zone(_ info: inout ObjectInfo) throws(AC4Error) {
    (info.zone, info.hasElevation, info.isSnapped) = (0, true, false)
    // `b_grouped_zone_defaults`.
    if try bits.flag() { return }
    let flags = try bits.read(3)
    if flags & 4 != 0 {
      let mask = try bits.read(3)
      // 6 leaves the proscenium alone, the loudspeakers of the screen, which is zone 4 of E-AC-3.
      info.zone = mask == 6 ? 4 : mask
    }
    info.hasElevation = flags & 2 == 0
    info.isSnapped = flags & 1 != 0
  }

  private mutating func other(_ info: inout ObjectInfo) throws(AC4Error) {
    let before = info.divergence
    (info.size, info.screen, info.distance, info.divergence) = (.init(), nil, .unstated, 0)
    // `b_grouped_other_defaults`.
    if try bits.flag() { return }
    let sent = try bits.read(4)
    if sent & 1 != 0 { info.size = try size() }
    if sent & 2 != 0 {
      let factor = Double(try bits.read(3) + 1) / 8
      info.screen = ObjectInfo.Screen(
        factor: factor, depth: ObjectTables.depthFactors[try bits.read(2)])
    }
    if sent & 4 != 0 {
      info.distance =
        try bits.flag() ? .infinite : .factor(ObjectTables.distances[try bits.read(4)])
    }
    if sent & 8 != 0 { info.divergence = try divergence(before) }
  }

  /// `object_width`, in 31sts of the room.
  private mutating func size() throws(AC4Error) -> ObjectInfo.Axes {
    if try bits.flag() {
      return ObjectInfo.Axes(x: try bits.read(5), y: try bits.read(5), z: try bits.read(5))
    }
    let width = try bits.read(5)
    return ObjectInfo.Axes(x: width, y: width, z: width)
  }

  /// `object_div`: a share, or `before` where none is sent.
  private mutating func divergence(_ before: Double) throws(AC4Error) -> Double {
    let mode = try bits.read(2)
    switch mode {
    case 0: return ObjectTables.divergences[try bits.read(2)]
    case 1: return before
    default:
      let code = try bits.read(6)
      return mode == 2 && code > 0 ? ObjectTables.divergenceCodes[code] : before
    }
  }

  // MARK: Additional data

  /// `add_per_object_md`, of which the finer position counts here. The rest is about trims and head tracking.
  private mutating func additional(
    _ info: inout ObjectInfo, _ hasAbsoluteHeight: Bool
  ) throws(AC4Error) {
    let count = try bits.read(4) + 1
    guard 8 * count <= bits.remaining else { throw .damaged("object data of \(count) bytes") }
    let end = bits.position + 8 * count
    // `b_obj_trim_disable`.
    try bits.skip(1)
    if info.isActive, context.isDynamic, try bits.flag() {
      let sent = try bits.read(3)
      var steps = ObjectInfo.Axes()
      if sent & 4 != 0 { steps.x = ObjectTables.fineSteps[try bits.read(2)] }
      if sent & 2 != 0 { steps.y = ObjectTables.fineSteps[try bits.read(2)] }
      if sent & 1 != 0 { steps.z = ObjectTables.fineSteps[try bits.read(2)] }
      // Of an absolute height, the size becomes finer, whatever its sign.
      if hasAbsoluteHeight, info.position.z < 0 { steps.z = -steps.z }
      info.precision = steps
    }
    guard bits.position <= end else { throw .damaged("object data beyond their size") }
    try bits.move(to: end)
  }
}
