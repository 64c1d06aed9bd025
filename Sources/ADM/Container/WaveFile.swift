// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// The chunks of a RIFF, RF64 or BW64 file (EBU Tech 3306, ITU-R BS.2088).
package struct WaveFile {
  /// Chunks that are walked over at most.
  private static let limit = 4096
  /// A size that says: look into `ds64`.
  private static let inLongSizes: UInt32 = 0xFFFF_FFFF
  /// Chunks whose loss would change what is heard; cut ones are refused.
  private static let needed: Set<String> = ["axml", "bxml", "sxml", "chna", "fmt ", "ds64"]

  /// How the samples are stored.
  package let format: WaveFormat
  /// The samples, cut to what the file holds.
  package let data: WaveChunk
  /// All chunks in order.
  package let chunks: [WaveChunk]

  /// The first chunk of this type.
  package func chunk(_ id: String) -> WaveChunk? { chunks.first { $0.id == id } }

  /// Samples of each channel; a cut last frame isn't counted.
  package var frames: Int64 { data.size / Int64(format.bytesPerFrame) }

  /// Walks the chunks of a file.
  /// - Throws: ``ADMError`` of code `container`, `limit` or `unsupported`.
  package init(_ file: FileBytes, findings: FindingLog) throws(ADMError) {
    var walk = try ChunkWalk(file, findings)
    var found: [WaveChunk] = []
    while let chunk = try walk.next() {
      guard found.count < WaveFile.limit else {
        throw ADMError(.limit, "the file has more than \(WaveFile.limit) chunks")
      }
      found.append(chunk)
    }
    chunks = found
    guard let head = found.first(where: { $0.id == "fmt " }) else {
      throw ADMError(.container, "the file has no fmt chunk, so its samples can't be read")
    }
    guard let data = found.first(where: { $0.id == "data" }) else {
      throw ADMError(.container, "the file has no data chunk, so there are no samples")
    }
    for id in WaveFile.needed where found.count(where: { $0.id == id }) > 1 {
      findings.note(.container, kind: id, "there is more than one \(id) chunk; the first is used")
    }
    self.data = data
    format = try WaveFormat(
      file.allBytes(at: head.offset, count: Int(min(head.size, 64)), of: "the fmt chunk"))
    if data.size % Int64(format.bytesPerFrame) != 0 {
      findings.note(.container, kind: "frame", "the samples end in the middle of a frame")
    }
  }

  /// Goes from chunk to chunk.
  private struct ChunkWalk {
    let file: FileBytes
    let findings: FindingLog
    /// Sizes of chunks that 32 bits don't hold.
    var longSizes: [String: UInt64] = [:]
    var isLong = false
    var offset: Int64 = 12
    /// Whether the last chunk had an odd size, so that a pad byte should lie before `offset`.
    var isPadded = false

    init(_ file: FileBytes, _ findings: FindingLog) throws(ADMError) {
      self.file = file
      self.findings = findings
      let head = file.bytes(at: 0, count: 12)
      let form = head.paddedText(0..<4)
      guard head.count == 12, ["RIFF", "RF64", "BW64"].contains(form),
        head.paddedText(8..<12) == "WAVE"
      else { throw ADMError(.container, "the file isn't a WAV, RF64 or BW64 file") }
      guard form != "RIFF" else { return }
      let start = file.bytes(at: 12, count: 8)
      guard start.paddedText(0..<4) == "ds64" else {
        findings.note(.container, kind: "ds64", "a file of the form \(form) has no ds64 chunk")
        return
      }
      isLong = true
      try readLongSizes(Int64(start.littleEndian(UInt32.self, at: 4)))
    }

    /// Reads `ds64` (BS.2088, 5): size of the file and of the data, number of samples, a table of further
    /// sizes.
    private mutating func readLongSizes(_ size: Int64) throws(ADMError) {
      guard size >= 24, size <= file.size - 20 else {
        throw ADMError(.container, "the ds64 chunk of \(size) bytes doesn't fit into the file")
      }
      let payload = try file.allBytes(
        at: 20, count: Int(min(size, 28 + 12 * Int64(WaveFile.limit))), of: "the ds64 chunk")
      longSizes["data"] = payload.littleEndian(UInt64.self, at: 8)
      let entries = min(Int(payload.littleEndian(UInt32.self, at: 24)), (payload.count - 28) / 12)
      for entry in 0..<max(0, entries) {
        let place = 28 + entry * 12
        let id = String(decoding: payload[place..<place + 4], as: UTF8.self)
        // The table may not say otherwise about the samples than the field of their own.
        if longSizes[id] == nil { longSizes[id] = payload.littleEndian(UInt64.self, at: place + 4) }
      }
    }

    /// The next chunk; `nil` at the end of the file.
    mutating func next() throws(ADMError) -> WaveChunk? {
      moveBackOverMissingPad()
      guard offset <= file.size - 8 else {
        if offset < file.size {
          findings.note(
            .container, kind: "rest", "\(file.size - offset) bytes follow the last chunk")
        }
        return nil
      }
      let head = try file.allBytes(at: offset, count: 8, of: "a chunk's header")
      let id = String(decoding: head[0..<4], as: UTF8.self)
      guard ChunkWalk.isPlausible(head[0..<4]) else {
        findings.note(
          .container, kind: "rest", "the \(file.size - offset) bytes from \(offset) on are no chunk"
        )
        offset = file.size
        return nil
      }
      let payload = offset + 8
      let size = try self.size(of: id, stated: head.littleEndian(UInt32.self, at: 4), at: payload)
      isPadded = size % 2 != 0
      offset = payload + size + size % 2
      return WaveChunk(id: id, offset: payload, size: size)
    }

    /// The size of a chunk's payload, cut to the file where that is tolerable.
    private func size(of id: String, stated: UInt32, at payload: Int64) throws(ADMError) -> Int64 {
      let rest = file.size - payload
      var size = UInt64(stated)
      if stated == WaveFile.inLongSizes {
        if isLong, let long = longSizes[id], long != 0 {
          size = long
        } else if id == "data" {
          // Programs that write to a pipe leave the size open.
          findings.note(
            .container, kind: "open", "the size of the samples isn't stated; they reach to the end")
          return rest
        }
      }
      guard size > UInt64(rest) else { return Int64(size) }
      guard !WaveFile.needed.contains(id) else {
        throw ADMError(
          .container,
          "the \(id) chunk claims \(size) bytes, but the file ends after \(rest); copy the file again"
        )
      }
      findings.note(
        .container, kind: "cut " + id,
        "the \(id) chunk claims \(size) bytes, but the file ends after \(rest)")
      return rest
    }

    /// Some programs forget the pad byte behind an odd number of bytes. The next chunk then begins one
    /// byte earlier: where no identifier stands but one does a byte before, that is it.
    private mutating func moveBackOverMissingPad() {
      guard isPadded else { return }
      isPadded = false
      let around = file.bytes(at: offset - 1, count: 9)
      let isEarlier = around.count >= 8 && ChunkWalk.isPlausible(around[0..<4])
      let isHere = around.count == 9 && ChunkWalk.isPlausible(around[1..<5])
      guard isEarlier, !isHere else { return }
      findings.note(.container, kind: "pad", "the pad byte after a chunk of odd size is missing")
      offset -= 1
    }

    /// Whether four bytes look like the type of a chunk: printable characters of which the first isn't a
    /// blank.
    private static func isPlausible(_ id: ArraySlice<UInt8>) -> Bool {
      id.allSatisfy { (0x20...0x7E).contains($0) } && id.first != 0x20
    }
  }
}

/// A chunk of a RIFF, RF64 or BW64 file.
package struct WaveChunk: Sendable, Equatable {
  /// The four characters of its type, e.g. `axml`.
  package let id: String
  /// Offset of its payload in the file, in bytes.
  package let offset: Int64
  /// Bytes of its payload.
  package let size: Int64
}

/// How the samples of a WAV file are stored (`fmt ` chunk).
package struct WaveFormat: Sendable, Equatable {
  /// The encoding of samples.
  package enum Encoding: Sendable, Equatable {
    /// Integers; those of 8 bits have no sign.
    case pcm
    /// IEEE 754 floating point.
    case float
  }

  /// Encoding of samples.
  package let encoding: Encoding
  /// Channels, 1…65535.
  package let channels: Int
  /// Samples per second of each channel, at least 1.
  package let rate: Int
  /// Bits of a sample, a multiple of 8: 8…64.
  package let bits: Int

  /// Bytes of one sample of all channels.
  package var bytesPerFrame: Int { channels * bits / 8 }

  /// Reads the payload of a `fmt ` chunk.
  /// - Throws: ``ADMError`` of code `container` or `unsupported`.
  init(_ payload: [UInt8]) throws(ADMError) {
    guard payload.count >= 16 else {
      throw ADMError(.container, "the fmt chunk has \(payload.count) bytes, and 16 are needed")
    }
    var tag = Int(payload.littleEndian(UInt16.self, at: 0))
    // WAVE_FORMAT_EXTENSIBLE: the true tag is the beginning of the subformat's identifier.
    if tag == 0xFFFE, payload.count >= 26 { tag = Int(payload.littleEndian(UInt16.self, at: 24)) }
    switch tag {
    case 1: encoding = .pcm
    case 3: encoding = .float
    default:
      throw ADMError(
        .unsupported,
        "the samples have the format tag \(tag); only PCM (1) and floating point (3) carry objects")
    }
    channels = Int(payload.littleEndian(UInt16.self, at: 2))
    rate = Int(payload.littleEndian(UInt32.self, at: 4))
    let frame = Int(payload.littleEndian(UInt16.self, at: 12))
    // Samples of 20 bits, say, lie in 24; the frame's size tells.
    bits = (Int(payload.littleEndian(UInt16.self, at: 14)) + 7) / 8 * 8
    guard channels > 0, rate > 0, (8...64).contains(bits), encoding == .pcm || bits >= 32 else {
      throw ADMError(
        .container, "the fmt chunk states \(channels) channels of \(bits) bits at \(rate) Hz")
    }
    // The field has 16 bits, which frames of very many channels exceed.
    guard frame == bytesPerFrame & 0xFFFF else {
      throw ADMError(
        .container,
        "the fmt chunk states \(frame) bytes a frame, but \(channels) channels of \(bits) bits take "
          + "\(bytesPerFrame)")
    }
  }
}

/// Random access to the bytes of a file.
package struct FileBytes {
  /// Bytes in all.
  package let size: Int64
  private let fetch: (Int64, Int) -> [UInt8]

  /// A source of `size` bytes; `fetch(offset, count)` returns fewer bytes only where the file ends or
  /// can't be read.
  package init(size: Int64, fetch: @escaping (Int64, Int) -> [UInt8]) {
    self.size = size
    self.fetch = fetch
  }

  package init(_ file: LocalFile) {
    self.init(size: file.size) { file.bytes(at: $0, count: $1) }
  }

  /// Up to `count` bytes at `offset`; fewer at the end of the file.
  package func bytes(at offset: Int64, count: Int) -> [UInt8] {
    guard offset >= 0, count > 0, offset < size else { return [] }
    return fetch(offset, Int(min(Int64(count), size - offset)))
  }

  /// Exactly `count` bytes at `offset`.
  /// - Throws: ``ADMError`` naming `what` when there are fewer.
  func allBytes(at offset: Int64, count: Int, of what: String) throws(ADMError) -> [UInt8] {
    let bytes = bytes(at: offset, count: count)
    guard bytes.count == count else {
      throw ADMError(
        .container, "\(what) ends after \(bytes.count) of \(count) bytes; copy the file again")
    }
    return bytes
  }
}

extension Array where Element == UInt8 {
  /// The text of a field that is padded with zeros or blanks.
  func paddedText(_ range: Range<Int>) -> String {
    let field = self[range.clamped(to: 0..<count)].prefix { $0 != 0 }
    return String(decoding: field.reversed().drop { $0 == 0x20 }.reversed(), as: UTF8.self)
  }
}
