// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CZlib
import Markup

/// The audio definition metadata of a WAV file.
package struct ADMContainer {
  /// Bytes that `bxml` may inflate to.
  package static let inflatedLimit = 128 << 20

  /// The chunks, and how the samples are stored.
  package let file: WaveFile
  /// Tracks with their audioTrackUIDs; `nil` when the file doesn't state them.
  package let channels: ChannelTable?
  /// The XML document; `nil` when there is none.
  package let document: [UInt8]?
  /// Dolby's metadata; `nil` when there are none.
  package let dolby: DolbyMetadata?

  /// Reads the metadata of a file; samples aren't read.
  /// - Throws: ``ADMError`` of code `container`, `tracks`, `limit` or `unsupported`.
  package init(_ bytes: FileBytes, findings: FindingLog) throws(ADMError) {
    file = try WaveFile(bytes, findings: findings)
    let limit = XMLLimits().documentBytes
    let table = try ADMContainer.payload("chna", file, bytes, limit: 4 + 40 * 0xFFFF)
    channels = try ADMContainer.table(table, file, findings)
    if let plain = try ADMContainer.payload("axml", file, bytes, limit: limit) {
      document = plain
      if file.chunk("bxml") != nil {
        findings.note(.container, kind: "bxml", "there are axml and bxml; axml is used")
      }
    } else if let compressed = try ADMContainer.payload("bxml", file, bytes, limit: limit) {
      document = try ADMContainer.inflate(compressed)
    } else if file.chunk("sxml") != nil {
      throw ADMError(.unsupported, "serial ADM (the sxml chunk) isn't supported; export with axml")
    } else {
      document = nil
    }
    dolby = try ADMContainer.payload("dbmd", file, bytes, limit: 1 << 20).map {
      DolbyMetadata($0, findings: findings)
    }
  }

  private static func table(
    _ payload: [UInt8]?, _ file: WaveFile, _ findings: FindingLog
  ) throws(ADMError) -> ChannelTable? {
    guard let payload else { return nil }
    return try ChannelTable(payload, channels: file.format.channels, findings: findings)
  }

  private static func payload(
    _ id: String, _ file: WaveFile, _ bytes: FileBytes, limit: Int
  ) throws(ADMError) -> [UInt8]? {
    guard let chunk = file.chunk(id) else { return nil }
    guard chunk.size <= Int64(limit) else {
      throw ADMError(
        .limit, "the \(id) chunk has \(chunk.size) bytes, and at most \(limit) are read")
    }
    return try bytes.allBytes(at: chunk.offset, count: Int(chunk.size), of: "the \(id) chunk")
  }

  /// Inflates `bxml` (BS.2088-1, 9): a version of 16 bits, then a gzip stream.
  private static func inflate(_ payload: [UInt8]) throws(ADMError) -> [UInt8] {
    let version = Int(payload.littleEndian(UInt16.self, at: 0))
    guard payload.count > 2, version == 1 else {
      throw ADMError(.unsupported, "the bxml chunk has version \(version); only version 1 is known")
    }
    return try GzipInflater(limit: inflatedLimit).inflate(payload[2...])
  }
}

/// The data of Dolby's tools on a master beside its definition metadata (`dbmd` chunk).
package struct DolbyMetadata: Sendable, Equatable {
  /// How Dolby's own downmix of the surround channels is made.
  package enum WarpMode: UInt8, Sendable {
    case normal, warping, proLogicIIx, loRo, notIndicated
  }

  /// How far away headphones should let a channel sound.
  package enum HeadphoneMode: UInt8, Sendable {
    /// Not virtualised.
    case off
    case near, far, mid, notIndicated
  }

  private static let atmos: UInt8 = 9
  private static let supplement: UInt8 = 10
  private static let supplementMark: UInt32 = 0xF872_6FBD
  private static let trims = 9

  /// The program that made the master; empty when it isn't named.
  package private(set) var tool = ""
  /// Version of that program, e.g. `1.8.0`; empty when it isn't named.
  package private(set) var toolVersion = ""
  /// How Dolby's downmix is made; `nil` when it isn't stated.
  package private(set) var warpMode: WarpMode?
  /// The mode of each channel of the WAV file, beds first; may be shorter than there are channels.
  package private(set) var headphoneModes: [HeadphoneMode] = []
  /// For each of nine layouts, whether Dolby's renderer chooses the trim itself.
  package private(set) var automaticTrims: [Bool] = []

  /// Reads the payload of a `dbmd` chunk; damage is reported, and what lies before it is kept.
  package init(_ payload: [UInt8], findings: FindingLog) {
    guard payload.count >= 4 else {
      findings.note(.dolbyMetadata, "the dbmd chunk has \(payload.count) bytes; it isn't used")
      return
    }
    var place = 4
    while place < payload.count, payload[place] != 0 {
      let size = Int(payload.littleEndian(UInt16.self, at: place + 1))
      let start = place + 3
      guard start + size < payload.count else {
        findings.note(.dolbyMetadata, kind: "cut", "the dbmd chunk ends inside a segment")
        return
      }
      let segment = Array(payload[start..<start + size])
      let sum = segment.reduce(size) { $0 + Int($1) } + Int(payload[start + size])
      if sum & 0xFF == 0 {
        read(payload[place], segment)
      } else {
        findings.note(
          .dolbyMetadata, kind: "checksum",
          "segment \(payload[place]) of dbmd has a wrong checksum; it isn't used")
      }
      place = start + size + 1
    }
  }

  private mutating func read(_ id: UInt8, _ segment: [UInt8]) {
    switch id {
    case DolbyMetadata.atmos where segment.count > 152:
      tool = segment.paddedText(32..<96)
      toolVersion = segment[96..<99].map(String.init).joined(separator: ".")
      warpMode = WarpMode(rawValue: segment[152] & 7)
    case DolbyMetadata.supplement
    where segment.littleEndian(UInt32.self, at: 0) == DolbyMetadata.supplementMark:
      let count = Int(segment.littleEndian(UInt16.self, at: 4))
      let trims = 7
      let modes = trims + DolbyMetadata.trims * 15 + count
      guard modes + count <= segment.count else { return }
      automaticTrims = (0..<DolbyMetadata.trims).map { segment[trims + $0 * 15] & 1 != 0 }
      headphoneModes = segment[modes..<modes + count].map {
        HeadphoneMode(rawValue: $0 & 7) ?? .notIndicated
      }
    default: break
    }
  }
}

/// Takes apart a gzip stream (RFC 1952) that may not become longer than a limit.
struct GzipInflater {
  /// Bytes of one step; what counting needs.
  private static let step = 1 << 16

  /// Bytes that may come out.
  let limit: Int

  /// The bytes that `compressed` stands for. They are counted before room for them is asked for.
  /// - Throws: ``ADMError`` of code `limit` or `container`.
  func inflate(_ compressed: ArraySlice<UInt8>) throws(ADMError) -> [UInt8] {
    let count = try run(compressed) { _ in }
    var result: [UInt8] = []
    result.reserveCapacity(count)
    _ = try run(compressed) { result.append(contentsOf: $0) }
    return result
  }

  /// Calls `take` with each piece of the result, and returns how many bytes there are.
  private func run(
    _ compressed: ArraySlice<UInt8>, take: (UnsafeBufferPointer<UInt8>) -> Void
  ) throws(ADMError) -> Int {
    var stream = z_stream()
    // 16 more than the largest window: the stream has gzip's header, not zlib's.
    let opened = inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard opened == Z_OK else {
      throw ADMError(.container, "the bxml chunk can't be inflated: zlib reports \(opened)")
    }
    defer { inflateEnd(&stream) }
    var count = 0
    let outcome = compressed.withUnsafeBufferPointer { source -> Int32 in
      // zlib's interface has no const, but it doesn't write to its input.
      stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
      stream.avail_in = UInt32(clamping: source.count)
      return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: GzipInflater.step) { room in
        while true {
          stream.next_out = room.baseAddress
          stream.avail_out = UInt32(GzipInflater.step)
          let outcome = CZlib.inflate(&stream, Z_NO_FLUSH)
          let filled = GzipInflater.step - Int(stream.avail_out)
          count += filled
          guard outcome == Z_OK || outcome == Z_STREAM_END else { return outcome }
          guard count <= limit else { return Z_OK }
          take(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room)[..<filled]))
          if outcome == Z_STREAM_END { return outcome }
          // No room was left unused and nothing was made: the stream is cut.
          if filled == 0, stream.avail_in == 0 { return Z_BUF_ERROR }
        }
      }
    }
    guard count <= limit else {
      throw ADMError(.limit, "the bxml chunk inflates to more than \(limit) bytes")
    }
    guard outcome == Z_STREAM_END else {
      throw ADMError(
        .container,
        "the bxml chunk is no whole gzip stream: zlib reports \(outcome) after \(count) bytes")
    }
    return count
  }
}
