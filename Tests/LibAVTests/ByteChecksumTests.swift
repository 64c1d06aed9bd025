import LibAV
import Testing

/// A checksum is that of the bytes, whatever pieces they come in.
@Suite struct ByteChecksumTests {
  private func checksum(_ pieces: [[UInt8]]) throws -> [UInt8] {
    let sum = try ByteChecksum()
    for piece in pieces { piece.withUnsafeBytes { sum.update($0) } }
    return sum.finish()
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
