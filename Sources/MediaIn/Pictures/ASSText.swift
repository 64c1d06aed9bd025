// SPDX-License-Identifier: Apache-2.0
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

/// The styles that the header of an ASS or SSA script defines (`[V4+ Styles]`), by which its texts name their looks.
struct ASSStyles {
  /// A style as texts take it over.
  struct Style: Equatable {
    /// Bold, italic, underlined.
    var face: StyledText.Face = []
    /// Whether its colour, font, size, place, … differ from those of the style `Default`, or its characters are struck out.
    var isStyled = false
  }

  /// Order of the fields where the script states none.
  private static let order = [
    "name", "fontname", "fontsize", "primarycolour", "secondarycolour", "outlinecolour",
    "backcolour", "bold", "italic", "underline", "strikeout", "scalex", "scaley", "spacing",
    "angle", "borderstyle", "outline", "shadow", "alignment", "marginl", "marginr", "marginv",
    "encoding",
  ]

  /// Fields that say nothing of a style's look, or that texts keep.
  private static let kept: Set<String> = ["name", "bold", "italic", "underline", "encoding"]

  private var styles: [String: Style] = [:]

  /// No styles.
  init() {}

  /// The styles of the script that begins with `header`.
  init(_ header: [UInt8]) {
    var looks: [String: [String: String]] = [:]
    var first: String?
    var order = ASSStyles.order
    for line in header.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let key = ASSStyles.word(line[..<colon])
      let fields = line[line.index(after: colon)...].split(
        separator: UInt8(ascii: ","), omittingEmptySubsequences: false
      ).map(ASSStyles.word)
      if key == "style" {
        let look = Dictionary(zip(order, fields)) { $1 }
        guard let name = look["name"].map(ASSStyles.plain) else { continue }
        first = first ?? name
        looks[name] = look
        styles[name] = Style(face: ASSStyles.face(look))
      } else if key == "format", fields.contains("fontname") {
        // Events have a format of their own, without fonts.
        order = fields
      }
    }
    // Renderers take the first one where none has the name.
    guard let base = looks["default"] ?? first.flatMap({ looks[$0] }) else { return }
    styles[""] = Style(face: ASSStyles.face(base))
    for (name, look) in looks {
      let differs = look.contains { !ASSStyles.kept.contains($0.key) && base[$0.key] != $0.value }
      styles[name]?.isStyled = differs || (Int(look["strikeout"] ?? "") ?? 0) != 0
    }
  }

  /// The style `name`; `nil` where the script has none of the name.
  subscript(_ name: String) -> Style? {
    styles[ASSStyles.plain(ASSStyles.word(Array(name.utf8)[...]))]
  }

  /// The style of texts that name none, or one that isn't there.
  var standard: Style { styles["default"] ?? styles[""] ?? Style() }

  private static func face(_ look: [String: String]) -> StyledText.Face {
    let fields: [(String, StyledText.Face)] = [
      ("bold", .bold), ("italic", .italic), ("underline", .underlined),
    ]
    return fields.reduce(into: []) { face, field in
      let number = look[field.0].flatMap { Int($0) } ?? 0
      // −1 is true; beyond 1 it is a weight, of which 700 is bold.
      if number.magnitude == 1 || number >= 700 { face.insert(field.1) }
    }
  }

  /// `name` without the stars that some programs put before names.
  private static func plain(_ name: String) -> String { String(name.drop { $0 == "*" }) }

  /// `bytes` as text in lower case, without spaces at both ends; names and colours differ by more than case.
  private static func word(_ bytes: ArraySlice<UInt8>) -> String {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    guard let begin = bytes.firstIndex(where: { !isSpace($0) }),
      let end = bytes.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(decoding: bytes[begin...end], as: UTF8.self).lowercased()
  }
}
