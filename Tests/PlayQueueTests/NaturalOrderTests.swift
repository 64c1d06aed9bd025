// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PlayQueue

/// Names as people sort them, and names that no list may hold.
@Suite struct NaturalOrderTests {
  @Test("numbers in names sort as numbers, and letters without regard to case")
  func numbersCountAsNumbers() {
    let sorted = [
      "", "1", "2", "02 b", "10", "10a", "a", "a1", "A2", "a10", "a10b", "a10b1", "ab", "b",
    ]
    for (place, left) in sorted.enumerated() {
      for (other, right) in sorted.enumerated() where place != other {
        #expect(NaturalOrder.precedes(left, right) == (place < other), "\(left), \(right)")
      }
      #expect(!NaturalOrder.precedes(left, left))
    }
    // Only their bytes tell these apart.
    #expect(NaturalOrder.precedes("A1", "a1") && NaturalOrder.precedes("a01", "a1"))
  }

  @Test(
    "a name with a control character is refused", arguments: ["\u{0}", "\u{1}", "\u{1F}", "\u{7F}"])
  func controlCharactersAreRefused(character: String) throws {
    let folder = ListFolder(exists: { _ in true }, list: { _ in [] })
    #expect(try folder.inside("a b.wav", line: 1) == "a b.wav")
    let error = #expect(throws: ListError.self) {
      try folder.inside("a\(character)b.wav", line: 3)
    }
    #expect(error?.message.contains("control character") == true)
  }
}
