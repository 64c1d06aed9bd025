// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Rendering

@Suite struct SegmentKeyTests {
  /// Both values are hashlib's of the bytes that the documentation of the key gives.
  @Test("the digest of a key is that of Python's hashlib")
  func theDigestIsThatOfAnotherImplementation() {
    var parts = SegmentKey.Builder()
    #expect(
      parts.key.text == "b2a4fcc0a2166b069a5ed7fa4370573dca40689f3651dd0cb82699104dbfa9f8")
    parts.add("source", text: "Ærø")
    parts.add("window", integer: -5)
    parts.add("gain", number: -0.0)
    parts.add("raw", bytes: [0, 255])
    #expect(
      parts.key.text == "648e1238036b2409900057044829ec4a3c5ca8f959e07c81a05c00a2a73ad358")
  }

  @Test("a change of any part gives another key") func otherPartsGiveAnotherKey() {
    let recipes: [(inout SegmentKey.Builder) -> Void] = [
      { _ in },
      { $0.add("", text: "") },
      { $0.add("a", text: "") },
      { $0.add("", text: "a") },
      { $0.add("", bytes: [97]) },
      { $0.add("ab", text: "c") },
      { $0.add("a", text: "bc") },
      { $0.add("abc", text: "") },
      {
        $0.add("a", text: "b"); $0.add("c", text: "d")
      },
      {
        $0.add("c", text: "d"); $0.add("a", text: "b")
      },
      { $0.add("a", text: "bcd") },
      {
        $0.add("a", text: "b"); $0.add("c", text: "d"); $0.add("", text: "")
      },
      { $0.add("a", integer: 1) },
      { $0.add("a", integer: -1) },
      { $0.add("a", text: "1") },
      { $0.add("a", number: 1) },
      { $0.add("a", bytes: [1, 0, 0, 0, 0, 0, 0, 0]) },
      { $0.add("a", number: 0) },
      { $0.add("a", number: -0.0) },
      { $0.add("a", number: .nan) },
      // One letter of two scalars and one of one scalar are equal as text, but not as bytes.
      { $0.add("a", text: "\u{E9}") },
      { $0.add("a", text: "e\u{301}") },
    ]
    let keys = recipes.map { recipe in
      var parts = SegmentKey.Builder()
      recipe(&parts)
      return parts.key
    }
    #expect(Set(keys).count == recipes.count)
    #expect(keys.allSatisfy { $0.text.utf8.count == 64 })
  }

  @Test("a part whose value looks like two encoded parts has another key than these")
  func aPartBoundaryNeverMoves() {
    // A part whose value holds what the encoding of two parts looks like.
    var two = SegmentKey.Builder()
    two.add("a", text: "b")
    two.add("c", text: "d")
    let length = [UInt8](repeating: 0, count: 7)
    var one = SegmentKey.Builder()
    one.add(
      "a",
      text: String(
        decoding: Array("b".utf8) + [1] + length + Array("ct".utf8) + [1] + length
          + Array("d".utf8), as: UTF8.self))
    #expect(one.key != two.key)
  }

  @Test("a builder gives its key twice, and copies of it go on to different keys")
  func aBuilderGoesOnAfterAKey() {
    var parts = SegmentKey.Builder()
    parts.add("source", text: "x")
    var other = parts
    #expect(parts.key == parts.key)
    other.add("window", integer: 0)
    parts.add("window", integer: 1)
    #expect(parts.key != other.key)
  }
}
