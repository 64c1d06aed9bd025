/// The identifier of an element, e.g. `AO_1001`. Case is ignored: letters are kept as capitals.
package struct ElementID: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Characters of the longest identifier that is accepted.
  private static let limit = 64

  /// The audioTrackUID that stands for silence.
  static let silentTrack = ElementID(known: "ATU_00000000")

  /// The identifier in capitals.
  package let text: String

  /// The identifier that `text` stands for, blanks around it left out; `nil` for text that is empty, too
  /// long or has other characters than letters, digits, `_` and `-` in it.
  package init?(_ text: some StringProtocol) {
    let bytes = text.utf8.drop { ElementID.isBlank($0) }.prefix(4 * ElementID.limit)
    let body = bytes.reversed().drop { ElementID.isBlank($0) }.reversed()
    guard !body.isEmpty, body.count <= ElementID.limit else { return nil }
    let isPlain = body.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
    }
    guard isPlain else { return nil }
    self.text = String(
      decoding: body.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }, as: UTF8.self)
  }

  /// An identifier that is written in capitals already.
  init(known text: String) { self.text = text }

  private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }

  /// The order of their text.
  package static func < (left: ElementID, right: ElementID) -> Bool { left.text < right.text }

  /// The identifier in capitals.
  package var description: String { text }
}
