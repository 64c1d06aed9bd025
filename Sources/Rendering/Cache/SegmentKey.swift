// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// The name of a segment: a SHA-256 of everything that its samples depend on.
///
/// Each part goes into the digest with the length of its name, its name, its kind, the length of its value
/// and its value. So other parts, another order, or another place of the border between two parts give
/// another key.
package struct SegmentKey: Hashable, Sendable {
  /// The digest as 64 hexadecimal digits.
  package let text: String

  /// Raise this whenever the same parts may stand for other samples, or a file is laid out differently.
  static let version: UInt64 = 2

  /// A key from 64 lower-case hexadecimal digits, the caller's own digest.
  init(text: String) { self.text = text }

  /// Collects the parts of a key.
  package struct Builder {
    private var digest = Digest(.sha256)

    /// A builder without parts; the version of the format is in every key.
    package init() { add("pinna segment", integer: Int64(SegmentKey.version)) }

    /// Adds text, by its bytes in UTF-8.
    package mutating func add(_ name: String, text: String) {
      add(name, kind: "t", Array(text.utf8))
    }

    package mutating func add(_ name: String, bytes: [UInt8]) { add(name, kind: "b", bytes) }

    /// Adds a whole number.
    package mutating func add(_ name: String, integer: Int64) {
      add(name, kind: "i", UInt64(bitPattern: integer).littleEndianBytes)
    }

    /// Adds a number by its bits, so that 0 and −0, which differ in samples, differ here too.
    package mutating func add(_ name: String, number: Double) {
      add(name, kind: "n", number.bitPattern.littleEndianBytes)
    }

    /// The key of the parts so far; more can be added for another one.
    package var key: SegmentKey { SegmentKey(text: digest.hexadecimal) }

    private mutating func add(_ name: String, kind: Character, _ value: [UInt8]) {
      let name = Array(name.utf8)
      digest.update(UInt64(name.count).littleEndianBytes + name)
      digest.update(Array(String(kind).utf8) + UInt64(value.count).littleEndianBytes + value)
    }
  }
}

/// The notes of earlier runs for later ones, each in a file that is named for its ``SegmentKey``.
///
/// A file with any fault counts as absent, and a note that can't be stored is only forgotten.
package struct RecordStore: Sendable {
  /// Bytes of one note at most.
  static let largest = 64 << 20
  /// Bytes that all notes may take.
  private static let limit: Int64 = 256 << 20
  private static let signature = Array("PinnaRec".utf8)

  private let folder: CacheFolder

  /// The notes in the cache at `path`; the folder is made on first use.
  package init(path: String) {
    folder = CacheFolder(path: path + "/records", patience: 3600)
  }

  /// The note called `key`; `nil` where there is none.
  package func load(_ key: SegmentKey) -> [UInt8]? {
    guard let file = folder.find(key.text), file.size <= Int64(RecordStore.largest + 16) else {
      return nil
    }
    folder.markUsed(file)
    let bytes = file.bytes(at: 0, count: Int(file.size))
    let end = bytes.count - 8
    guard end >= 8, Array(bytes[0..<8]) == RecordStore.signature else { return nil }
    let sum = bytes.littleEndian(UInt64.self, at: end)
    guard XXH64.of(Array(bytes[..<end])) == sum else { return nil }
    return Array(bytes[8..<end])
  }

  /// Stores `bytes` as the note called `key`, which replaces the one before. More than 64 MiB aren't stored.
  package func save(_ bytes: [UInt8], as key: SegmentKey) {
    guard bytes.count <= RecordStore.largest, let file = folder.begin() else { return }
    var content = RecordStore.signature + bytes
    content += XXH64.of(content).littleEndianBytes
    if content.withUnsafeBytes({ file.store($0, at: 0) }) { _ = file.place(as: key.text) }
    folder.trim(to: RecordStore.limit) { $0 == key.text }
  }
}
