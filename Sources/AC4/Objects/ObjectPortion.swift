// SPDX-License-Identifier: Apache-2.0
import ObjectMetadata
import Signal

/// The metadata of the objects of one list, frame after frame: of a downmix, or of what is decoded from it
/// (`oamd_dyndata_single`, TS 103 190-2, 6.2.8.2).
///
/// A frame that can't be read changes nothing for later ones: only ``commit()`` renews what they depend on.
final class ObjectPortion {
  /// Updates of the frame read last.
  private(set) var timing = ObjectTiming()
  /// The timing that this list sent last; `nil` before the first.
  private(set) var sentTiming: ObjectTiming?

  /// Number of objects, low frequencies first where there are any.
  let count: Int
  /// Objects before this one have a fixed place.
  private let firstDynamic: Int
  private var pendingTiming: ObjectTiming?
  /// Data of each update on each object, ``ObjectTiming/mostBlocks`` for an object.
  private let infos: Buffer<ObjectInfo>
  /// Data of earlier frames' last update on each object.
  private let last: Buffer<ObjectInfo>

  /// A list of `objects` full-band objects, of which the first `bed` are channels of a bed.
  init(objects: Int, bed: Int, hasLFE: Bool) {
    let lfe = hasLFE ? 1 : 0
    count = objects + lfe
    firstDynamic = bed + lfe
    infos = Buffer(.defaults, count: count * ObjectTiming.mostBlocks)
    last = Buffer(.defaults, count: count)
  }

  /// Data of update `block` of the frame read last on an object.
  func info(_ object: Int, _ block: Int) -> ObjectInfo {
    infos.base[object * ObjectTiming.mostBlocks + block]
  }

  /// Reads the updates of a frame.
  /// - Parameters:
  ///   - sent: the timing that the frame sends for this list; `nil` for none.
  ///   - other: the timing that holds where the frame sends none.
  ///   - isAlternative: whether the presentation is an alternative one.
  /// - Throws: ``AC4Error/needsIFrame(_:)`` where no timing is known.
  func read(
    _ bits: inout BitReader, sent: ObjectTiming?, other: ObjectTiming?, isIFrame: Bool,
    isAlternative: Bool
  ) throws(AC4Error) {
    guard let timing = sent ?? other ?? sentTiming else { throw .needsIFrame("times of objects") }
    self.timing = timing
    pendingTiming = sent
    for object in 0..<count {
      for block in 0..<timing.count { try read(&bits, object, block, isIFrame: isIFrame) }
    }
    if isAlternative {
      try AlternativeObjectData.skip(&bits, objects: count, dynamic: count - firstDynamic)
    }
  }

  /// Makes the state after the frame read last the one that the next frame builds on.
  func commit() {
    if let pendingTiming { sentTiming = pendingTiming }
    guard timing.count > 0 else { return }
    for object in 0..<count { last.base[object] = info(object, timing.count - 1) }
  }

  /// Forgets all earlier frames.
  func reset() {
    (timing, sentTiming, pendingTiming) = (ObjectTiming(), nil, nil)
    last.fill(.defaults)
  }

  private func read(
    _ bits: inout BitReader, _ object: Int, _ block: Int, isIFrame: Bool
  ) throws(AC4Error) {
    let row = infos.base + object * ObjectTiming.mostBlocks
    var info = block > 0 ? row[block - 1] : last.base[object]
    let context = ObjectBlockReader.Context(
      isIndependent: isIFrame && block == 0, isDynamic: object >= firstDynamic,
      neighbourGain: object > 0 ? self.info(object - 1, block).gain : 0)
    try ObjectBlockReader.read(&bits, context, into: &info)
    row[block] = info
  }
}

/// When the updates of a frame's objects begin, and how long they take (`oamd_timing_data`, TS 103 190-2, 6.2.8).
struct ObjectTiming: Equatable {
  /// Most updates of an object in a frame.
  static let mostBlocks = 7

  /// An update of all objects.
  struct Block: Equatable {
    /// Samples at the coded rate from the first one of the codec frame.
    var offset: Int
    /// Samples at the coded rate until its values are reached.
    var ramp: Int
  }

  /// Number of updates, at most ``mostBlocks``; 0 where nothing changes in the frame.
  private(set) var count = 0
  // A vector holds the few numbers without memory of its own.
  private var offsets = SIMD8<UInt16>.zero
  private var ramps = SIMD8<UInt16>.zero

  /// A frame without updates.
  init() {}

  /// Reads the timing at the reader's position.
  init(_ bits: inout BitReader) throws(AC4Error) {
    let base = try ObjectTiming.sampleOffset(&bits)
    count = try bits.read(3)
    for index in 0..<count {
      // 31 + 32 · 63 samples at most.
      offsets[index] = UInt16(base + 32 * (try bits.read(6)))
      ramps[index] = UInt16(try ObjectTiming.ramp(&bits))
    }
  }

  /// Update number `index`, below ``count``.
  func block(_ index: Int) -> Block {
    Block(offset: Int(offsets[index]), ramp: Int(ramps[index]))
  }

  /// `oa_sample_offset`: samples by which all updates are later, 0…31.
  private static func sampleOffset(_ bits: inout BitReader) throws(AC4Error) -> Int {
    guard try bits.flag() else { return 0 }
    if try bits.flag() { return try bits.read(5) }
    guard try bits.flag() else { return 16 }
    return try bits.flag() ? 24 : 8
  }

  /// `ramp_duration`: 0…2048 samples.
  private static func ramp(_ bits: inout BitReader) throws(AC4Error) -> Int {
    switch try bits.read(2) {
    case 0: return 0
    case 1: return 512
    case 2: return 1536
    default: return try bits.flag() ? ObjectTables.ramps[try bits.read(4)] : bits.read(11)
    }
  }
}

/// Reads the substream with metadata that the objects of a group share (`oamd_substream`, TS 103 190-2, 6.2.8.1).
///
/// Objects that are decoded from a downmix send their own updates beside the audio, so no more than the timing is read.
struct ObjectSubstreamReader {
  /// The timing that was sent last; `nil` before the first.
  private(set) var timing: ObjectTiming?

  /// Reads the substream of a frame. Nothing changes when it throws.
  mutating func read(_ bits: BitReader) throws(AC4Error) {
    var bits = bits
    if try bits.flag() { try ObjectSubstreamReader.skipCommonData(&bits) }
    if try bits.flag() { timing = try ObjectTiming(&bits) }
  }

  /// Forgets all earlier frames.
  mutating func reset() { timing = nil }

  /// Skips `oamd_common_data`: the size of a cinema's screen, and how beds are mixed down and objects trimmed for
  /// loudspeaker layouts. These data have no sound of their own.
  static func skipCommonData(_ bits: inout BitReader) throws(AC4Error) {
    if try !bits.flag() { try bits.skip(5) }
    try bits.skip(1)
    guard try bits.flag() else { return }
    var count = try bits.read(1) + 1
    if count == 2 { count += try bits.variableBits(2) }
    guard count <= bits.remaining / 8 else { throw .damaged("common data of \(count) bytes") }
    try bits.skip(count * 8)
  }
}

/// Gains and places of objects for the targets of an alternative presentation (TS 103 190-2, 6.2.8.11), which aren't
/// used: the presentation is decoded as it is.
enum AlternativeObjectData {
  /// Skips the data of `objects` objects, of which the last `dynamic` have a position.
  static func skip(
    _ bits: inout BitReader, objects: Int, dynamic: Int
  ) throws(AC4Error) {
    // `b_ducking_disabled`, `object_sound_category`.
    try bits.skip(1)
    if try bits.read(2) == 3 { _ = try bits.variableBits(2) }
    var sets = try bits.read(2)
    if sets == 3 { sets += try bits.variableBits(2) }
    // Each set has at least two flags.
    guard sets <= bits.remaining / 2 else { throw .damaged("\(sets) sets of object data") }
    for _ in 0..<sets { try skipSet(&bits, objects, dynamic) }
  }

  private static func skipSet(
    _ bits: inout BitReader, _ objects: Int, _ dynamic: Int
  ) throws(AC4Error) {
    let keeps = try bits.flag()
    if !keeps {
      let isCommon = try bits.flag()
      for point in 0..<(isCommon ? 1 : objects) {
        _ = try bits.optional(6)
        // `b_alt_position`: X, Y, the sign of Z and Z.
        if point >= objects - dynamic, try bits.flag() { try bits.skip(17) }
      }
    }
    guard try bits.flag() else { return }
    let count = try bits.variableBits(2) + 1
    guard count <= bits.remaining / 8 else { throw .damaged("object data of \(count) bytes") }
    try bits.skip(8 * count)
  }
}
