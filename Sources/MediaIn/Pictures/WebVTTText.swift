import AudioCore

/// Reads the text of a WebVTT cue by the tokenizer of the W3C's WebVTT (6.4): bold, italic and underlined characters are kept,
/// other tags are left out.
struct WebVTTText {
  private static let faces: [String: StyledText.Face] = [
    "b": .bold, "i": .italic, "u": .underlined,
  ]

  /// The characters; lines end with `\n`.
  private(set) var text = StyledText()
  /// Whether a tag styled them otherwise.
  private(set) var isStyled = false

  /// Tags that are open, the last one opened last.
  private var open: [String] = []

  private var face: StyledText.Face {
    open.reduce(into: []) { $0.formUnion(WebVTTText.faces[$1] ?? []) }
  }

  /// Reads `cue`, whose lines end with LF.
  init(_ cue: String) {
    var rest = Array(cue.unicodeScalars)[...]
    while let scalar = rest.first {
      if scalar == "<" {
        let tag = rest.dropFirst().prefix { $0 != ">" }
        take(String(String.UnicodeScalarView(tag)))
        rest = rest.dropFirst(tag.count + 2)
      } else if scalar == "&", let (characters, length) = CharacterReference.decode(rest) {
        text.append(characters, face)
        rest = rest.dropFirst(length)
      } else {
        if scalar != "\r" { text.append(scalar == "\0" ? "\u{FFFD}" : String(scalar), face) }
        rest = rest.dropFirst()
      }
    }
    text = StyledText.joined(text.lines)
  }

  /// Opens or closes a tag of this content.
  private mutating func take(_ tag: String) {
    if tag.hasPrefix("/") {
      // An end closes the tag that was opened last, and is passed over anywhere else.
      if open.last == String(tag.dropFirst()) { open.removeLast() }
      return
    }
    let name = String(tag.prefix { !$0.isWhitespace && $0 != "." })
    if name.first?.isNumber != true, !name.isEmpty { open.append(name) }
    let isPlain = tag == "c" || name == "lang"
    isStyled = isStyled || !isPlain && WebVTTText.faces[tag] == nil
  }
}
