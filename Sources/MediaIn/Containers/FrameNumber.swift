// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Signal

/// The number of the first sample of a frame, as the frame's own header states it.
struct FrameNumber {
  /// Bytes that a header has at most.
  static let longestHeader = 32

  private let numbering: FrameNumbering
  /// Samples for which one step of a FLAC frame's number stands where the header doesn't say that it counts samples; `nil`
  /// while that is open.
  private var unit: Int64?

  /// Reads headers of the frames of `stream`; `unit` is taken for a step of their numbers where that is open.
  init(_ numbering: FrameNumbering, of stream: StreamInfo, unit: Int64? = nil) {
    self.numbering = numbering
    let info = FLACStreamInfo(stream.extradata)
    self.unit = info.flatMap { $0.leastBlock == $0.greatestBlock ? $0.leastBlock : unit }
  }

  /// Whether a header may begin with `byte`.
  func mayBegin(with byte: UInt8) -> Bool {
    switch numbering {
    case .flac: return byte == 0xFF
    case .wavPack: return byte == UInt8(ascii: "w")
    }
  }

  /// Number of the first sample of the frame that begins with `bytes`; `nil` where they are no intact header.
  func sample(_ bytes: some Collection<UInt8>) -> Int64? {
    let bytes = Array(bytes.prefix(FrameNumber.longestHeader))
    switch numbering {
    case .flac: return flac(bytes)
    case .wavPack: return FrameNumber.wavPack(bytes)
    }
  }

  /// RFC 9639, 9.1: sync code and blocking strategy, block size and rate, channels and bits, number, then what
  /// the sizes leave open, and a checksum.
  private func flac(_ bytes: [UInt8]) -> Int64? {
    guard bytes.count > 5, bytes[0] == 0xFF, bytes[1] & 0xFE == 0xF8, bytes[2] >> 4 != 0,
      bytes[2] & 15 != 15, bytes[3] & 1 == 0,
      let (number, length) = FrameNumber.coded(bytes[4...])
    else { return nil }
    let sizeBytes = [6: 1, 7: 2][bytes[2] >> 4] ?? 0
    let rateBytes = [12: 1, 13: 2, 14: 2][bytes[2] & 15] ?? 0
    let end = 4 + length + sizeBytes + rateBytes
    guard end < bytes.count, Checksums.flacHeader.of(bytes[..<end]) == bytes[end] else {
      return nil
    }
    if bytes[1] & 1 == 1 || number == 0 { return number }
    return unit.map { number * $0 }
  }

  /// Learns what numbers of FLAC frames count from the second frame, which begins with `bytes` after the `samples` of
  /// the first. Blocks of several lengths are numbered by samples in streams from before 2007, which have no flag for
  /// that, and by frames where the last, shorter block counts as shortest.
  mutating func learn(fromSecond bytes: [UInt8], after samples: Int64) {
    guard numbering == .flac, unit == nil, bytes.count > 4,
      let (number, _) = FrameNumber.coded(bytes[4...])
    else { return }
    if number == samples { unit = 1 } else if number == 1 { unit = samples }
  }

  /// `block_index` with its upper eight bits, in the header of a WavPack block; `nil` for a block that goes on with
  /// further channels of the one before.
  private static func wavPack(_ bytes: [UInt8]) -> Int64? {
    guard bytes.count >= 32, bytes.starts(with: "wvpk".utf8), bytes[25] & 8 != 0 else { return nil }
    return bytes[16..<20].littleEndian(Int64.self) | Int64(bytes[10]) << 32
  }

  /// A number of up to 36 bits coded like a character of UTF-8 (RFC 9639, 9.1.5), and its bytes.
  private static func coded(_ bytes: ArraySlice<UInt8>) -> (number: Int64, length: Int)? {
    guard let first = bytes.first else { return nil }
    let ones = (~first).leadingZeroBitCount
    if ones == 0 { return (Int64(first), 1) }
    guard (2...7).contains(ones), bytes.count >= ones else { return nil }
    var number = Int64(first) & ((1 << (7 - Int64(ones))) - 1)
    for byte in bytes.dropFirst().prefix(ones - 1) {
      guard byte & 0xC0 == 0x80 else { return nil }
      number = number << 6 | Int64(byte & 0x3F)
    }
    return (number, ones)
  }
}

/// The stream information of FLAC (RFC 9639, 8.2), as far as the timeline needs it.
struct FLACStreamInfo {
  /// Samples of the shortest block but the last.
  let leastBlock: Int64
  /// Samples of the longest block.
  let greatestBlock: Int64
  /// Bits of a sample.
  let bits: Int
  /// Samples of the whole stream; 0 when unknown.
  let samples: Int64
  /// MD5 of all samples; `nil` when unknown.
  let md5: [UInt8]?

  /// Reads the header of a codec; `nil` where it is none of FLAC.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 34 else { return nil }
    leastBlock = Int64(bytes.bigEndian16(at: 0))
    greatestBlock = Int64(bytes.bigEndian16(at: 2))
    bits = (Int(bytes[12] & 1) << 4 | Int(bytes[13] >> 4)) + 1
    let sum = Array(bytes[18..<34])
    md5 = sum.allSatisfy { $0 == 0 } ? nil : sum
    samples = bytes[13..<18].bigEndian(Int64.self) & (1 << 36 - 1)
    guard leastBlock >= 16, greatestBlock >= leastBlock else { return nil }
  }
}
