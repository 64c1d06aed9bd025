// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AC4

/// The numbers of the standard that tables are written from.
@Suite struct TableSourcesTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/AC4/Tables")

  /// A code can be decoded and wastes nothing: no codeword begins another, and the sum over 2^-length
  /// is 1 (Kraft).
  @Test("each of 60 codebooks is a complete prefix code")
  func everyCodebookIsComplete() throws {
    struct Book: Decodable {
      let len: [Int]
      let code: [UInt32]
    }
    let file = TableSourcesTests.folder.appending(path: "Annexes/huffman.json")
    let books = try JSONDecoder().decode([String: Book].self, from: Data(contentsOf: file))
    #expect(books.count == 60)
    for (name, book) in books {
      #expect(book.len.count == book.code.count, "\(name)")
      // Codewords as intervals of numbers of 32 bits: they tile them without gap or overlap.
      let intervals = zip(book.len, book.code)
        .map { (UInt64($1) << UInt64(32 - $0), UInt64(1) << UInt64(32 - $0)) }
        .sorted { $0.0 < $1.0 }
      var end: UInt64 = 0
      for (start, size) in intervals {
        #expect(start == end, "\(name)")
        end = start + size
      }
      #expect(end == 1 << 32, "\(name)")
    }
  }
}
