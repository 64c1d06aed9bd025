// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Platform

/// Fetches the segments of a media playlist and decrypts them.
final class SegmentLoader {
  /// Bytes that are read at once, a multiple of the cipher's block.
  private static let chunk = 1 << 16

  private let playlist: ResourceAddress
  private let loader: ResourceLoader
  private let log: DiagnosticLog
  private var keys: [ResourceAddress: [UInt8]] = [:]

  /// A loader for the segments, sections and keys that `playlist` names.
  init(playlist: ResourceAddress, loader: ResourceLoader, log: DiagnosticLog) {
    self.playlist = playlist
    self.loader = loader
    self.log = log
  }

  /// Appends a segment, without the ID3 tags that may stand in front of it.
  /// - Throws: ``MediaError`` that names the segment.
  func append(_ segment: PlaylistSegment, number: Int, to file: TemporaryFile) throws {
    try naming("segment \(number)") {
      let vector = SegmentLoader.vector(of: segment.sequence)
      let content = try content(segment.uri, segment.range, segment.key, vector)
      try copy(content, from: ID3Tag.length(in: content), to: file)
    }
  }

  /// Appends an initialisation section.
  /// - Throws: ``MediaError``.
  func append(_ map: SegmentMap, to file: TemporaryFile) throws {
    try naming("initialisation section") {
      // A section has no sequence number to take a vector from (RFC 8216, 4.3.2.5).
      try copy(try content(map.uri, map.range, map.key, nil), from: 0, to: file)
    }
  }

  /// A media sequence number as an initialisation vector: 16 bytes, big-endian.
  static func vector(of sequence: Int64) -> [UInt8] {
    [UInt8](repeating: 0, count: 8)
      + (0..<8).map { UInt8(truncatingIfNeeded: sequence >> (56 - 8 * Int64($0))) }
  }

  private func naming<Value>(_ part: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as MediaError {
      throw MediaError(
        error.kind, about: "\(part) of \(playlist.name)", error.message, cause: error)
    }
  }

  /// The content of `uri`, decrypted; `vector` is used when the key gives none.
  private func content(
    _ uri: String, _ range: Range<Int64>?, _ key: SegmentKey?, _ vector: [UInt8]?
  ) throws -> LocalFile {
    let address = try playlist.resolving(uri)
    let raw = try TemporaryFile()
    let arrival = try loader.append(address, range: range, to: raw)
    if !arrival.isSizeKnown {
      log.degrade(
        .lengthUnknown,
        "the server doesn't say how long some segments are, so a broken transfer looks the same as "
          + "their end")
    }
    let file = try raw.sealed(name: address.name)
    switch key {
    case nil: return file
    case .unsupported(let method):
      throw MediaError(.encrypted, "is encrypted (\(method)); give a decrypted copy")
    case .aes128(let uri, let explicit):
      guard let vector = explicit ?? vector else {
        throw MediaError(.inputUnreadable, "is encrypted, but its EXT-X-KEY gives no IV")
      }
      return try decrypt(file, try self.key(uri), vector)
    }
  }

  private func key(_ uri: String) throws -> [UInt8] {
    let address = try playlist.resolving(uri)
    if let known = keys[address] { return known }
    let bytes = try loader.bytes(address, limit: AESDecryptor.blockSize).bytes
    guard bytes.count == AESDecryptor.blockSize else {
      throw MediaError(
        .encrypted, "its key \(address.name) has \(bytes.count) bytes instead of 16; check access")
    }
    keys[address] = bytes
    return bytes
  }

  private func decrypt(_ file: LocalFile, _ key: [UInt8], _ vector: [UInt8]) throws -> LocalFile {
    let cipher = try AESDecryptor(key: key, vector: vector)
    let plain = try TemporaryFile()
    guard file.size > 0, file.size % Int64(AESDecryptor.blockSize) == 0 else {
      throw MediaError(
        .damaged, about: file.path,
        "\(file.size) bytes can't be encrypted blocks; give an intact copy")
    }
    for offset in stride(from: 0, to: file.size, by: SegmentLoader.chunk) {
      var bytes = file.bytes(at: offset, count: SegmentLoader.chunk)
      guard Int64(bytes.count) == min(Int64(SegmentLoader.chunk), file.size - offset) else {
        throw MediaError(
          .inputUnreadable, about: file.path, "reading failed at byte \(offset); check the disk")
      }
      try cipher.decrypt(&bytes)
      if offset + Int64(bytes.count) == file.size {
        guard let padding = SegmentLoader.padding(of: bytes) else {
          throw MediaError(
            .damaged, about: file.path,
            "doesn't end in valid padding once decrypted; the key is another one or "
              + "the segment is damaged")
        }
        bytes.removeLast(padding)
      }
      try bytes.withUnsafeBytes { try plain.append($0) }
    }
    return try plain.sealed(name: file.path)
  }

  /// Bytes of PKCS #7 padding at the end of `bytes` (RFC 5652, 6.3); `nil` when there is none.
  static func padding(of bytes: [UInt8]) -> Int? {
    guard let last = bytes.last, (1...16).contains(last), bytes.count >= Int(last),
      bytes.suffix(Int(last)).allSatisfy({ $0 == last })
    else { return nil }
    return Int(last)
  }

  private func copy(_ file: LocalFile, from start: Int64, to target: TemporaryFile) throws {
    for offset in stride(from: start, to: file.size, by: SegmentLoader.chunk) {
      let bytes = file.bytes(at: offset, count: SegmentLoader.chunk)
      guard Int64(bytes.count) == min(Int64(SegmentLoader.chunk), file.size - offset) else {
        throw MediaError(.inputUnreadable, about: file.path, "reading failed; check the disk")
      }
      try bytes.withUnsafeBytes { try target.append($0) }
    }
  }
}
