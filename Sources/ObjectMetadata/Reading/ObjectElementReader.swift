// SPDX-License-Identifier: Apache-2.0
import Signal

/// Reads the updates of all objects (`object_element`, TS 103 420).
struct ObjectElementReader {
  private var bits: ObjectBitReader
  private let frame: ObjectFrame
  /// Whether a value was read that the standard reserves.
  private var hasReserved = false

  /// The presence of a part of the values in an update (`basic_info_status`, `render_info_status`).
  private enum Status: Int {
    /// Nothing; the defaults hold.
    case defaults
    /// Everything.
    case all
    /// Nothing; the values of the block before hold.
    case reused
    /// A set of flags says what; for the rest, the values of the block before hold.
    case mixed
  }

  /// Reads the element into `frame`, whose assignment is known.
  /// - Returns: whether a value was read that the standard reserves.
  static func read(_ bits: inout ObjectBitReader, into frame: ObjectFrame)
    throws(ObjectMetadataError) -> Bool
  {
    var reader = ObjectElementReader(bits: bits, frame: frame)
    try reader.readTimes()
    if try !reader.bits.flag() { try reader.bits.skip(5) }
    for object in 0..<frame.assignment.count {
      for block in 0..<frame.blocks.count { try reader.readInfo(object, block) }
    }
    bits = reader.bits
    return reader.hasReserved
  }

  private mutating func readTimes() throws(ObjectMetadataError) {
    switch try bits.read(2) {
    case 0: frame.sampleOffset = 0
    case 1: frame.sampleOffset = ObjectTables.sampleOffsets[try bits.read(2)]
    case 2: frame.sampleOffset = try bits.read(5)
    default: throw .unsupported("sample_offset_code 3")
    }
    let count = try bits.read(3) + 1
    for _ in 0..<count {
      let offset = 32 * (try bits.read(6))
      frame.blocks.append(ObjectFrame.Block(offset: offset, ramp: try ramp()))
    }
  }

  private mutating func ramp() throws(ObjectMetadataError) -> Int {
    switch try bits.read(2) {
    case 0: return 0
    case 1: return 512
    case 2: return 1536
    default: return try bits.flag() ? ObjectTables.ramps[try bits.read(4)] : bits.read(11)
    }
  }

  /// Reads what block number `block` says of an object.
  private mutating func readInfo(_ object: Int, _ block: Int) throws(ObjectMetadataError) {
    let row = frame.row(object)
    // The first block of a payload needs none before it.
    var info = block == 0 ? ObjectInfo.defaults : row[block - 1]
    (info.precision, info.divergence) = (ObjectInfo.Axes(), 0)
    info.isActive = try !bits.flag()
    switch try status(info.isActive, block) {
    case .defaults: (info.gain, info.priority) = (nil, 0)
    case .reused: break
    case .all: try readBasic(&info, 3, object, block)
    case .mixed: try readBasic(&info, bits.read(2), object, block)
    }
    let isDynamic = object >= frame.assignment.firstDynamic
    switch try status(info.isActive && isDynamic, block) {
    case .defaults: info.clearRendering()
    case .reused: break
    case .all: try readRendering(&info, 15, block)
    case .mixed: try readRendering(&info, bits.read(4), block)
    }
    if try bits.flag() { try bits.skip(8 * (bits.read(4) + 1)) }
    row[block] = info
  }

  private mutating func status(_ isSent: Bool, _ block: Int) throws(ObjectMetadataError) -> Status {
    guard isSent else { return .defaults }
    guard block > 0 else { return .all }
    return Status(rawValue: try bits.read(2)) ?? .defaults
  }

  private mutating func readBasic(
    _ info: inout ObjectInfo, _ sent: Int, _ object: Int, _ block: Int
  ) throws(ObjectMetadataError) {
    if sent & 1 != 0 { info.gain = try gain(object, block) }
    if sent & 2 != 0 { info.priority = try bits.flag() ? 1 : Double(bits.read(5)) / 32 }
  }

  private mutating func gain(_ object: Int, _ block: Int) throws(ObjectMetadataError) -> Int? {
    switch try bits.read(2) {
    case 0: return 0
    case 1: return nil
    case 2:
      // 15…1 dB, then −1…−49 dB: 0 dB has a code of its own.
      let code = try bits.read(6)
      return code <= 14 ? 15 - code : 14 - code
    default: return object == 0 ? 0 : frame.info(object - 1, block).gain
    }
  }

  private mutating func readRendering(
    _ info: inout ObjectInfo, _ sent: Int, _ block: Int
  ) throws(ObjectMetadataError) {
    if sent & 1 != 0 { try readPosition(&info, block) }
    if sent & 2 != 0 {
      info.zone = try bits.read(3)
      info.hasElevation = try bits.flag()
    }
    if sent & 4 != 0 { info.size = try size() }
    if sent & 8 != 0 { info.screen = try screen() }
    info.isSnapped = try bits.flag()
  }

  private mutating func readPosition(_ info: inout ObjectInfo, _ block: Int)
    throws(ObjectMetadataError)
  {
    let isDifferential = try block == 0 ? false : bits.flag()
    if isDifferential {
      let (x, y, z) = (try step(), try step(), try step())
      info.position.x = min(62, max(0, info.position.x + x))
      info.position.y = min(62, max(0, info.position.y + y))
      info.position.z = min(15, max(-15, info.position.z + z))
    } else {
      // The codes 62 and 63 both mean the wall.
      info.position.x = min(62, try bits.read(6))
      info.position.y = min(62, try bits.read(6))
      let sign = try bits.flag() ? 1 : -1
      info.position.z = sign * (try bits.read(4))
    }
    info.distance = .unstated
    guard try bits.flag() else { return }
    info.distance =
      try bits.flag() ? .infinite : .factor(ObjectTables.distances[try bits.read(4)])
  }

  /// A number of 3 bits in two's complement.
  private mutating func step() throws(ObjectMetadataError) -> Int {
    let value = try bits.read(3)
    return value > 3 ? value - 8 : value
  }

  private mutating func size() throws(ObjectMetadataError) -> ObjectInfo.Axes {
    switch try bits.read(2) {
    case 0: return ObjectInfo.Axes()
    case 1:
      let size = try bits.read(5)
      return ObjectInfo.Axes(x: size, y: size, z: size)
    case 2: return ObjectInfo.Axes(x: try bits.read(5), y: try bits.read(5), z: try bits.read(5))
    default:
      hasReserved = true
      return ObjectInfo.Axes()
    }
  }

  private mutating func screen() throws(ObjectMetadataError) -> ObjectInfo.Screen? {
    guard try bits.flag() else { return nil }
    let factor = Double(try bits.read(3) + 1) / 8
    return ObjectInfo.Screen(factor: factor, depth: ObjectTables.depthFactors[try bits.read(2)])
  }
}
