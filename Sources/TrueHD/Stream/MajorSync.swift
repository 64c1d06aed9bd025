// SPDX-License-Identifier: Apache-2.0
import Signal

/// The head that some access units have (`major_sync_info`): it says everything that's needed to begin decoding there.
package struct MajorSync: Equatable, Sendable {
  /// Kind of the stream.
  package enum Format: Equatable, Sendable {
    /// Dolby TrueHD (`format_sync` F8726FBA).
    case trueHD
    /// MLP of DVD-Audio (F8726FBB).
    case mlp
  }

  /// Bytes of a major sync without extra channel meaning.
  static let leastLength = 28
  private static let word: UInt32 = 0xF872_6FBA

  /// Kind of the stream.
  package private(set) var format = Format.trueHD
  /// Bytes of the major sync, 28…60.
  private(set) var length = MajorSync.leastLength
  /// Samples a second.
  package private(set) var sampleRate = 0
  /// Samples of an access unit: 40, 80 or 160.
  package private(set) var unitLength = 0
  /// Modifiers of presentations 0…2: of the first, 1 is Lt/Rt, 2 binaural, 3 mono or dual mono; of the others, 2 is Surround EX.
  package private(set) var modifiers = SIMD4<UInt8>(repeating: 0)
  /// Channels of presentation 1, by groups (`6ch_assignment`).
  package private(set) var sixAssignment = 0
  /// Channels of presentation 2, by groups (`8ch_assignment`).
  package private(set) var eightAssignment = 0
  /// Channels of MLP, 0…31.
  package private(set) var arrangement = 0
  /// `flags` of the stream.
  package private(set) var flags = 0
  /// Whether the bit rate varies.
  package private(set) var isVariableRate = false
  /// Highest bit rate in 16ths of a bit per sample.
  package private(set) var peakRate = 0
  /// Substreams, 1…4.
  package private(set) var substreams = 0
  /// `extended_substream_info` with two reserved bits above it.
  package private(set) var extendedInfo = 0
  /// `substream_info`.
  package private(set) var info = 0
  /// Substreams of each presentation, bit i for substream i; 0 where there is no such presentation.
  package private(set) var masks = SIMD4<UInt8>(repeating: 0)
  /// Levels of the presentations; `nil` in MLP.
  package private(set) var meaning: ChannelMeaning?
  /// Description of presentation 3; `nil` where it isn't sent.
  package private(set) var extra: ExtraMeaning?

  /// Whether units may carry metadata of objects.
  package var hasMetadata: Bool { format == .trueHD && flags & 0x1000 != 0 }
  /// Whether restart headers send heavy dynamic range control.
  package var hasHeavyControl: Bool { format == .trueHD && flags & 0x2000 != 0 }
  /// Whether all of the stream takes equally long from a decoder's buffer to its output.
  package var hasConstantLatency: Bool { flags & 0x8000 != 0 }
  /// Highest bit rate in bits a second.
  package var peakBitRate: Int { peakRate * sampleRate / 16 }
  /// Numbers in the table of dither: the power of two that isn't below the unit's samples.
  var noiseCount: Int { unitLength == 40 ? 64 : unitLength == 80 ? 128 : 256 }

  /// The substream whose matrices make presentation `index`, the highest of its mask; `nil` without that presentation.
  package func top(_ index: Int) -> Int? {
    masks[index] == 0 ? nil : 7 - masks[index].leadingZeroBitCount
  }

  /// Whether the stream goes on in the way that `self` says, so that one decoder serves both.
  func continues(_ other: MajorSync) -> Bool {
    format == other.format && sampleRate == other.sampleRate && substreams == other.substreams
      && masks == other.masks
  }

  /// Whether a major sync begins at the first of `bytes`.
  static func begins(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.count >= 4 && bytes[0] == 0xF8 && bytes[1] == 0x72 && bytes[2] == 0x6F
      && bytes[3] & 0xFE == 0xBA
  }

  /// Reads the major sync at the beginning of `bytes`.
  /// - Throws: ``TrueHDError``: a damaged one, or one of a stream that can't be decoded.
  init(_ bytes: UnsafeBufferPointer<UInt8>, _ checks: UnitChecks) throws(TrueHDError) {
    guard bytes.count >= MajorSync.leastLength, MajorSync.begins(bytes) else {
      throw .damaged("major sync")
    }
    format = bytes[3] == UInt8(truncatingIfNeeded: MajorSync.word) ? .trueHD : .mlp
    if format == .trueHD, bytes[25] & 1 == 1 { length += 2 * (Int(bytes[26] >> 4) + 1) }
    guard bytes.count >= length else { throw .damaged("major sync") }
    let sum = checks.ofSync(UnsafeBufferPointer(rebasing: bytes[..<(length - 2)]))
    guard sum == UInt16(bytes[length - 2]) << 8 | UInt16(bytes[length - 1]) else {
      throw .damaged("major sync's CRC")
    }
    var bits = BitReader(UnsafeBufferPointer(rebasing: bytes[..<length]))
    try bits.skip(32)
    if format == .trueHD { try readFormat(&bits) } else { try readMLPFormat(&bits) }
    try bits.skip(16)
    flags = try bits.read(16)
    try bits.skip(16)
    isVariableRate = try bits.flag()
    peakRate = try bits.read(15)
    substreams = try bits.read(4)
    (extendedInfo, info) = (try bits.read(4), try bits.read(8))
    guard 1...4 ~= substreams else { throw .refused("a stream of \(substreams) substreams") }
    if format == .trueHD {
      var hasExtra = false
      meaning = try ChannelMeaning(&bits, &hasExtra)
      if hasExtra { extra = try ExtraMeaning.read(&bits, describesThird: info & 0x80 != 0) }
    }
    makeMasks()
  }

  private mutating func readFormat(_ bits: inout BitReader) throws(TrueHDError) {
    try setRate(bits.read(4))
    try bits.skip(4)
    modifiers[0] = UInt8(try bits.read(2))
    modifiers[1] = UInt8(try bits.read(2))
    sixAssignment = try bits.read(5)
    modifiers[2] = UInt8(try bits.read(2))
    eightAssignment = try bits.read(13)
  }

  private mutating func readMLPFormat(_ bits: inout BitReader) throws(TrueHDError) {
    try bits.skip(8)
    let (rate, second) = (try bits.read(4), try bits.read(4))
    try bits.skip(11)
    arrangement = try bits.read(5)
    guard second == rate || second == 15 else {
      throw .refused("a second group of channels at another sample rate")
    }
    try setRate(rate)
  }

  private mutating func setRate(_ code: Int) throws(TrueHDError) {
    guard code & 7 <= 2, code <= 10 else { throw .refused("sampling rate code \(code)") }
    sampleRate = (code < 8 ? 48_000 : 44_100) << (code & 7)
    unitLength = 40 << (code & 7)
  }

  private mutating func makeMasks() {
    if format == .mlp {
      masks = SIMD4(1, info & 8 != 0 ? 3 : 0, 0, 0)
    } else {
      let third = info & 0x80 == 0 ? 0 : 8 | (7 ^ (7 >> (extendedInfo & 3)))
      masks = SIMD4(1, UInt8(info >> 2 & 3), UInt8(info >> 4 & 7), UInt8(third))
    }
    // A presentation can't need substreams that aren't there.
    for index in 0..<4 where Int(masks[index]) >> substreams != 0 { masks[index] = 0 }
  }
}
