/// A text and the time during which it is shown.
package struct SubtitleCue: Sendable, Equatable {
  /// Time at which it appears, in milliseconds.
  package var start: Int64
  /// Time at which it disappears, in milliseconds; after ``start``.
  package var end: Int64
  /// Plain text, lines separated by `\n`.
  package var text: String

  /// A cue of these values.
  package init(start: Int64, end: Int64, text: String) {
    self.start = start
    self.end = end
    self.text = text
  }

  /// `text` of an ASS event without its override tags, and whether there were any.
  ///
  /// libavcodec delivers the text of all formats as ASS events, with line ends written as `\N`. `\n` and
  /// `\h` are escapes only in texts that were ASS in the source.
  static func plain(_ text: String, isASS: Bool = true) -> (text: String, isStyled: Bool) {
    var result = ""
    var isTag = false
    var isEscape = false
    var isStyled = false
    for character in text {
      if isEscape {
        isEscape = false
        switch character {
        case "N": result.append("\n")
        case "n" where isASS: result.append("\n")
        case "h" where isASS: result.append("\u{A0}")
        default: result += "\\" + String(character)
        }
      } else if isTag {
        isTag = character != "}"
      } else if character == "{" {
        isTag = true
        isStyled = true
      } else if character == "\\" {
        isEscape = true
      } else if character != "\r" {
        result.append(character)
      }
    }
    if isEscape { result.append("\\") }
    let lines = result.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.trimmingSpaces }
    return (lines.filter { !$0.isEmpty }.joined(separator: "\n"), isStyled)
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    var text = self
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
