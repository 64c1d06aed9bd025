import AudioCore

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
