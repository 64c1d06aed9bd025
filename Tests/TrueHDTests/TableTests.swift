// SPDX-License-Identifier: Apache-2.0
import Foundation
import Signal
import Testing

@testable import TrueHD

/// Checks, codes and noise against vectors.
@Suite struct TableTests {
  private static let figures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/TrueHD/Tables/Figures")
  private static let text = Array("123456789".utf8)

  @Test("checks of a short text are the format's")
  func checksHaveTheirVectors() throws {
    let checks = UnitChecks()
    let found = TableTests.text.withUnsafeBufferPointer { text in
      (checks.ofSegment(text), checks.ofSync(text))
    }
    #expect(found.0.crc == 0xA4 && found.0.parity == 0x98 && found.1 == 0xC59E)
    let restarts = try TableTests.text.withUnsafeBufferPointer { text in
      try [72, 67].map { try UnitChecks.ofRestart(BitReader(text), count: $0) }
    }
    #expect(restarts == [0xDB, 0xDE])
  }

  /// Four bytes at a time give what single bytes do, whatever the length.
  @Test("the check of a segment is that of its bytes one by one")
  func checksAreThoseOfSingleBytes() {
    let checks = UnitChecks()
    let bytes = (0..<67).map { UInt8(truncatingIfNeeded: $0 * $0 * 31 + 7) }
    for count in 0...bytes.count {
      var plain: UInt8 = 0xA2
      for byte in bytes.prefix(count) {
        for bit in 0..<8 {
          plain = plain << 1 ^ (plain >> 7 == 1 ? 0x63 : 0) ^ byte >> (7 - UInt8(bit)) & 1
        }
      }
      let found = bytes.prefix(count).withUnsafeBufferPointer { checks.ofSegment($0) }
      #expect(found.crc == plain, "\(count) bytes")
    }
  }

  @Test("each book has the code of each value, and two places of nine bits without one")
  func booksAreComplete() throws {
    struct File: Decodable {
      let books: [String: [[Entry]]]
    }
    enum Entry: Decodable {
      case value(Int)
      case code(String)

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Int.self) {
          self = .value(value)
        } else {
          self = .code(try container.decode(String.self))
        }
      }
    }
    let url = TableTests.figures.appending(path: "huffman.json")
    let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: url))
    let books = [ResidualBooks.book1, ResidualBooks.book2, ResidualBooks.book3]
    for (index, book) in books.enumerated() {
      var covered = 0
      for entry in try #require(file.books["\(index + 1)"]) {
        guard case .value(let value) = entry[0], case .code(let code) = entry[1],
          let bits = Int(code, radix: 2)
        else { continue }
        for place in bits << (9 - code.count)..<(bits + 1) << (9 - code.count) {
          #expect(Int(book[place] >> 4) == value && Int(book[place] & 15) == code.count)
          covered += 1
        }
      }
      #expect(covered == 510 && book[0b0_0000_0000] == 0 && book[0b0_1000_0000] == 0)
    }
  }

  @Test("both generators of noise have their vectors")
  func noiseHasItsVectors() throws {
    let url = TableTests.figures.appending(path: "noise.json")
    let file = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any]
    let vectors = try #require(file?["vectors"] as? [String: [String: Any]])
    #expect(vectors.count == 3 && NoiseTable.values.reduce(0) { $0 + Int($1) } == 8192)
    for (text, vector) in vectors {
      var noise = NoiseGenerator(seed: try #require(Int(text.dropFirst(2), radix: 16)))
      var dither = noise
      let (first, second) = (Buffer<Int32>(0, count: 40), Buffer<Int32>(0, count: 40))
      noise.fill(first.base, second.base, count: 40, shift: 0)
      let pairs = (0..<8).map { [Int(first.base[$0]), Int(second.base[$0])] }
      #expect(pairs == vector["31EA first 8 pairs, shift 0"] as? [[Int]])
      #expect(hexadecimal(noise.seed) == vector["31EA seed after 40 samples"] as? String)
      let table = Buffer<Int32>(0, count: 64)
      dither.fill(table, Buffer(NoiseTable.values.map(Int32.init), or: 0))
      let wanted = vector["31EB/31EC first 16 of the table"] as? [Int]
      #expect(table.values.prefix(16).map(Int.init) == wanted)
      #expect(hexadecimal(dither.seed) == vector["31EB/31EC seed after a table of 64"] as? String)
    }
  }

  private func hexadecimal(_ seed: Int) -> String { "0x" + String(seed, radix: 16) }

  @Test("noise that is shifted left keeps more than eight bits")
  func shiftedNoiseIsWide() {
    let (first, second) = (Buffer<Int32>(0, count: 40), Buffer<Int32>(0, count: 40))
    var (plain, shifted) = (NoiseGenerator(seed: 0x12_3456), NoiseGenerator(seed: 0x12_3456))
    plain.fill(first.base, second.base, count: 40, shift: 0)
    let wanted = first.values.map { $0 << 15 }
    shifted.fill(first.base, second.base, count: 40, shift: 15)
    #expect(first.values == wanted && shifted.seed == plain.seed)
  }
}
