import AudioCore

/// Reads the text of an ASS event: bold, italic and underlined characters are kept, other override tags and drawings are left
/// out.
///
/// libavcodec delivers the text of all formats but WebVTT as ASS events, with line ends written as `\N`.
struct ASSText {
  /// The characters; lines end with `\n`.
  private(set) var text = StyledText()
  /// Whether there were styles that aren't kept.
  private(set) var isStyled = false

  /// Whether `\n` and `\h` are escapes, as they are only in texts that were ASS in the source.
  private let isASS: Bool
  private let styles: ASSStyles
  /// Face of the text's style, to which `\r` goes back.
  private let base: StyledText.Face
  private var face: StyledText.Face
  private var isDrawing = false

  /// Reads `line`, which has the style `style` of `styles`.
  init(
    _ line: String, isASS: Bool = true, style: String = "", of styles: ASSStyles = ASSStyles()
  ) {
    self.isASS = isASS
    self.styles = styles
    let style = styles[style] ?? styles.standard
    (base, face) = (style.face, style.face)
    var tag: String.UnicodeScalarView?
    var isEscape = false
    // Scalars are compared: a brace with a combining mark is another `Character`, and so are CR and LF together.
    let scalars = Array(line.unicodeScalars)
    let lastEnd = scalars.lastIndex(of: "}") ?? 0
    for (index, scalar) in scalars.enumerated() {
      if isEscape {
        isEscape = false
        add(unescaped(scalar))
      } else if let open = tag, scalar == "}" {
        override(String(open))
        tag = nil
      } else if tag != nil {
        tag?.append(scalar)
      } else if scalar == "{",
        // libavcodec writes the tags of other formats as `{\i1}`; all other braces are theirs, also before a line end.
        isASS || index + 2 < lastEnd && scalars[index + 1] == "\\" && scalars[index + 2] != "N"
      {
        tag = String.UnicodeScalarView()
      } else if scalar == "\\" {
        isEscape = true
      } else if scalar != "\r" {
        add(String(scalar))
      }
    }
    if isEscape { text.append("\\", face) }
    // A tag without an end takes the rest of the text away.
    isStyled = isStyled || tag != nil || style.isStyled && !text.isEmpty
    text = StyledText.joined(text.lines)
  }

  private mutating func add(_ characters: String) {
    if !isDrawing { text.append(characters, face) }
  }

  private func unescaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "N": return "\n"
    case "n" where isASS: return "\n"
    case "h" where isASS: return "\u{A0}"
    // The end of a line is none of the text.
    case "\r": return "\\"
    default: return "\\" + String(scalar)
    }
  }

  /// Takes the tags between two braces; anything before the first backslash is a comment.
  private mutating func override(_ content: String) {
    let parts = content.unicodeScalars.split(separator: "\\", omittingEmptySubsequences: false)
    for part in parts.dropFirst() { take(String(String.UnicodeScalarView(part))) }
  }

  private mutating func take(_ tag: String) {
    let argument = tag.dropFirst().trimmingPrefix { $0 == " " }
    let number = argument.isEmpty ? nil : Int(argument.prefix { $0 != " " })
    switch (tag.first, number) {
    // Without a number they go back to the style.
    case ("i", nil) where argument.isEmpty: set(.italic, base.contains(.italic))
    case ("u", nil) where argument.isEmpty: set(.underlined, base.contains(.underlined))
    case ("b", nil) where argument.isEmpty: set(.bold, base.contains(.bold))
    case ("i", let number?): set(.italic, number == 1)
    case ("u", let number?): set(.underlined, number == 1)
    // Beyond 1 it is a weight, of which 700 is bold.
    case ("b", let number?): set(.bold, number == 1 || number >= 700)
    case ("r", _):
      let style = argument.isEmpty ? nil : styles[String(argument)]
      face = style?.face ?? base
      isStyled = isStyled || style?.isStyled ?? !argument.isEmpty
    // `\p1` and above begin a drawing, `\p0` ends it; `\pos` and `\pbo` are other tags.
    case ("p", let scale?) where !argument.isEmpty:
      isDrawing = scale > 0
      isStyled = true
    default: isStyled = true
    }
  }

  private mutating func set(_ style: StyledText.Face, _ isOn: Bool) {
    if isOn { face.insert(style) } else { face.remove(style) }
  }
}
