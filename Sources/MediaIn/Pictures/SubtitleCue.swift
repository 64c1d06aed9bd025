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

  /// `text` of an ASS event without its override tags and drawings, and whether there were any.
  ///
  /// libavcodec delivers the text of all formats as ASS events, with line ends written as `\N`. `\n` and
  /// `\h` are escapes only in texts that were ASS in the source.
  static func plain(_ text: String, isASS: Bool = true) -> (text: String, isStyled: Bool) {
    var result = String.UnicodeScalarView()
    var tag: String.UnicodeScalarView?
    var isEscape = false
    var isStyled = false
    var isDrawing = false
    // Scalars are compared: a brace with a combining mark is another `Character`, and so are CR and LF together.
    for scalar in text.unicodeScalars {
      if isEscape {
        isEscape = false
        if !isDrawing { result.append(contentsOf: unescaped(scalar, isASS).unicodeScalars) }
      } else if let open = tag, scalar == "}" {
        isDrawing = drawing(after: String(open)) ?? isDrawing
        tag = nil
      } else if tag != nil {
        tag?.append(scalar)
      } else if scalar == "{" {
        tag = String.UnicodeScalarView()
        isStyled = true
      } else if scalar == "\\" {
        isEscape = true
      } else if scalar != "\r", !isDrawing {
        result.append(scalar)
      }
    }
    if isEscape { result.append("\\") }
    return (withoutBlankEdges(String(result)), isStyled)
  }

  /// `text` without spaces at both ends of each line, and without empty lines.
  static func withoutBlankEdges(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingSpaces }.filter { !$0.isEmpty }
      .joined(separator: "\n")
  }

  private static func unescaped(_ scalar: Unicode.Scalar, _ isASS: Bool) -> String {
    switch scalar {
    case "N": return "\n"
    case "n" where isASS: return "\n"
    case "h" where isASS: return "\u{A0}"
    // The end of a line is none of the text.
    case "\r": return "\\"
    default: return "\\" + String(scalar)
    }
  }

  /// Whether what follows an override tag is a drawing: `\p1` and above begin one, `\p0` ends it. `nil`
  /// when the tag says nothing of it; `\pos` and `\pbo` are other tags.
  private static func drawing(after tag: String) -> Bool? {
    tag.split(separator: "\\").compactMap { part -> Bool? in
      guard part.first == "p", let scale = Int(part.dropFirst()) else { return nil }
      return scale > 0
    }.last
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
