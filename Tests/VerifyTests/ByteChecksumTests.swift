// SPDX-License-Identifier: Apache-2.0
import Platform
import Testing

/// A checksum is that of the bytes, whatever pieces they come in.
@Suite struct ByteChecksumTests {
  private func checksum(_ pieces: [[UInt8]]) throws -> [UInt8] {
    let sum = try ByteChecksum()
    for piece in pieces { piece.withUnsafeBytes { sum.update($0) } }
    return sum.finish()
  }

  /// The checksums are those that xxhsum -H128 of xxHash 0.8.1 prints.
  @Test(
    "the checksum is the XXH3 of 128 bits",
    arguments: [
      ([], "99aa06d3014798d86001c324468d497f"),
      (Array("abc".utf8), "06b05ab6733a618578af5f94892f3950"),
      (
        (0..<100_003).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 / 256) },
        "1f54492de8a6ea06a9b717cb7935c575"
      ),
    ] as [([UInt8], String)]) func itIsThatOfXXHash(bytes: [UInt8], wanted: String) throws
  {
    #expect(try checksum([bytes]).hexadecimal == wanted)
    let pieces = stride(from: 0, to: bytes.count, by: 1000).map {
      Array(bytes[$0..<min(bytes.count, $0 + 1000)])
    }
    #expect(try checksum(pieces).hexadecimal == wanted)
  }

  @Test("pieces of all sizes give one checksum", arguments: 0...66) func piecesDontMatter(
    length: Int
  ) throws {
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
    let whole = try checksum([bytes])
    for first in 0...length {
      let parts = [Array(bytes[..<first]), Array(bytes[first...])]
      #expect(try checksum(parts) == whole, "split at \(first)")
    }
    #expect(try checksum(bytes.map { [$0] }) == whole)
  }

  @Test("one other byte or one more gives another checksum") func bytesMatter() throws {
    let bytes = [UInt8](repeating: 7, count: 48)
    for place in bytes.indices {
      var other = bytes
      other[place] ^= 1
      #expect(try checksum([other]) != checksum([bytes]))
    }
    #expect(try checksum([bytes + [0]]) != checksum([bytes]))
  }
}
