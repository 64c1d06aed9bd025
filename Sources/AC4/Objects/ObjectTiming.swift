import ObjectMetadata

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
