/// A piece of HTML that is also well-formed XML. Strings only get in as text or attribute values, so
/// nothing from a report can become markup.
struct Markup {
  /// Longest text shown, in scalars: names and messages come from files that anybody may have made.
  static let longestText = 2000

  /// Elements without content, written as `<name/>`; others have an end tag even when empty.
  private static let void: Set<String> = [
    "meta", "br", "col", "input", "path", "line", "rect", "circle",
  ]

  /// The markup.
  private(set) var source: String

  /// Text; its middle is left out when it is too long.
  init(_ text: String) { source = Markup.escaped(text) }

  /// Nothing.
  static let none = Markup("")

  /// An element; attributes without a value are left out.
  init(
    _ name: String, _ attributes: KeyValuePairs<String, String?> = [:], _ content: [Markup] = []
  ) {
    var tag = "<" + name
    for (key, value) in attributes {
      guard let value else { continue }
      tag += " \(key)=\"" + SVGText.escaped(value) + "\""
    }
    if content.isEmpty, Markup.void.contains(name) {
      source = tag + "/>"
    } else {
      source = tag + ">" + content.map(\.source).joined() + "</\(name)>"
    }
  }

  /// An element that holds `text`.
  init(_ name: String, _ attributes: KeyValuePairs<String, String?> = [:], text: String) {
    self.init(name, attributes, [Markup(text)])
  }

  /// A name from a file, isolated so that its direction of writing changes nothing around it.
  static func name(_ text: String) -> Markup { Markup("bdi", text: text) }

  /// Source that is ours and needs no escaping, such as a style sheet.
  static func verbatim(_ source: StaticString) -> Markup {
    var markup = Markup.none
    markup.source = source.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
    return markup
  }

  private static func escaped(_ text: String) -> String {
    // Counting the scalars of a huge text is as slow as escaping it. A text never has more scalars
    // than bytes, so short texts needn't be counted.
    guard text.utf8.count > longestText, text.unicodeScalars.count > longestText else {
      return SVGText.escaped(text)
    }
    let half = longestText / 2
    let (first, last) = (text.unicodeScalars.prefix(half), text.unicodeScalars.suffix(half))
    return SVGText.escaped(String(first)) + " … " + SVGText.escaped(String(last))
  }
}
