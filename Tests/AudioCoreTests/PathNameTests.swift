// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

/// Names of files are bytes, whatever Unicode says of their letters.
@Suite struct PathNameTests {
  /// Names that are one text to Swift.
  private static let twins = ["caf\u{E9}.wav", "cafe\u{301}.wav"]

  @Test("names of the same letters in other bytes differ, as keys, in order and in sets")
  func bytesDecide() {
    let twins = PathNameTests.twins
    // Otherwise this test would show nothing.
    #expect(twins[0] == twins[1] && Set(twins).count == 1)
    let names = twins.map(PathName.init)
    #expect(names[0] != names[1] && Set(names).count == 2)
    #expect(names[0] == PathName("caf\u{E9}.wav"))
    // "e" is byte 65, the first byte of "é" C3.
    #expect(names[1] < names[0] && !(names[0] < names[1]))
    #expect(
      twins.sortedAsNames().map { Array($0.utf8) } == [twins[1], twins[0]].map { Array($0.utf8) })
    #expect(!twins.hasTwinNames && [twins[0], "x", twins[0]].hasTwinNames)
    var set: PathSet = [twins[0]]
    #expect(!set.contains(twins[1]))
    #expect(set.insert(twins[1]) && !set.insert(twins[1]) && set.count == 2)
    #expect(set.subtracting([twins[0]]).map { Array($0.utf8) } == [Array(twins[1].utf8)])
    #expect(set == set.union(twins) && !set.isEmpty)
    #expect(set.sorted().map(PathName.init) == [names[1], names[0]])
  }

  @Test(
    "a scalar is plain when a terminal shows it and does nothing else",
    arguments: [
      ("a ~é漢🎧\u{301}\u{A0}\u{FFFD}\u{200D}", true),
      ("\0\t\n\r\u{07}\u{1B}\u{7F}\u{80}\u{85}\u{9B}\u{9F}\u{2028}\u{2029}", false),
      (
        "\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\u{2067}\u{2068}\u{2069}\u{200E}\u{200F}\u{61C}",
        false
      ),
    ])
  func plainScalars(text: String, isPlain: Bool) {
    for scalar in text.unicodeScalars {
      #expect(scalar.isPlain == isPlain, "U+\(String(scalar.value, radix: 16))")
    }
  }
}
