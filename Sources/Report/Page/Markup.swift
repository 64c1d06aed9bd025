// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

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

/// A table with a caption, whose heading cells state whether they describe a column or a row.
struct PageTable {
  /// Most rows shown; a damaged file can have a remark for each of its packets.
  static let mostRows = 200
  /// Most rows of a sortable table that stand on the page in full; more scroll below the headings.
  private static let mostUnscrolled = 25
  /// Most columns that fit on a phone.
  private static let mostNarrow = 3

  /// A column's heading, and how its cells are aligned.
  struct Column {
    let name: String
    var isNumeric = false

    /// A column of words.
    static func words(_ name: String) -> Column { Column(name: name) }
    /// A column of figures, aligned to the right.
    static func figures(_ name: String) -> Column { Column(name: name, isNumeric: true) }
  }

  /// One cell.
  struct Cell {
    var content: [Markup]
    /// The text that the row is sorted by; `nil` takes the cell's own text, and an empty one comes
    /// last.
    var key: String?

    init(_ content: Markup, key: String? = nil) {
      self.content = [content]
      self.key = key
    }

    init(_ text: String, key: String? = nil) { self.init(Markup(text), key: key) }

    /// A cell with a token, such as `input-unreadable`.
    static func code(_ text: String) -> Cell { Cell(Markup("code", text: text)) }

    /// A cell with a hash, which may be broken at any letter.
    static func hash(_ text: String) -> Cell { Cell(Markup("code", ["class": "hash"], text: text)) }
  }

  let caption: String
  let columns: [Column]
  let rows: [[Cell]]
  var isSortable = false
  /// Words for each row that the page's filter chooses by; empty for a table without a filter.
  var states: [String] = []
  /// Whether only screen readers get the caption, because the heading above has the same words.
  var hidesCaption = false
  /// Whether it may be wider than a narrow page and then scrolls, by keyboard too.
  var isWide = false
  /// Whether the table has one fact a row; only screen readers get its column headings then.
  var hasFacts = false

  /// A table with one fact a row; facts without a value are left out.
  static func facts(_ caption: String, _ facts: [(String, Markup?)]) -> PageTable {
    PageTable(
      caption: caption, columns: [.words("Fact"), .words("Value")],
      rows: facts.compactMap { name, value in value.map { [Cell(name), Cell($0)] } },
      hidesCaption: true, hasFacts: true)
  }

  /// The table in a part that scrolls when it is wider than the page.
  var markup: Markup {
    let head = Markup(
      "thead", ["class": hasFacts ? "unseen" : nil],
      [Markup("tr", [:], columns.map(PageTable.heading))])
    let shown = isSortable ? rows[...] : rows.prefix(PageTable.mostRows)
    let body = Markup(
      "tbody", [:],
      shown.enumerated().map { row($1, $0 < states.count ? states[$0] : nil) })
    let rest = rows.count - shown.count
    let more =
      rest > 0
      ? [Markup("p", ["class": "note"], text: "… and \(PageText.count(rest, "more row"))")] : []
    let table = Markup(
      "table", ["class": isSortable ? "sortable" : hasFacts ? "facts" : isWide ? "wide" : nil],
      [
        Markup("caption", ["class": hidesCaption ? "unseen" : nil], text: caption), head, body,
      ])
    guard isWide || isSortable || columns.count > PageTable.mostNarrow else {
      return Markup("div", ["class": "scroll"], [table] + more)
    }
    return Markup(
      "div",
      [
        "class": isSortable && shown.count > PageTable.mostUnscrolled ? "scroll tall" : "scroll",
        // A group and no region: a page of many reports would have hundreds of landmarks.
        "role": "group", "aria-label": caption, "tabindex": "0",
      ],
      [table] + more)
  }

  private static func heading(_ column: Column) -> Markup {
    Markup(
      "th", ["scope": "col", "class": column.isNumeric ? "n" : nil], text: column.name)
  }

  private func row(_ cells: [Cell], _ state: String?) -> Markup {
    let cells = zip(cells, columns).enumerated().map { index, pair -> Markup in
      let (cell, column) = pair
      let look = column.isNumeric ? "n" : nil
      if index == 0 {
        return Markup("th", ["scope": "row", "class": look, "data-key": cell.key], cell.content)
      }
      return Markup("td", ["class": look, "data-key": cell.key], cell.content)
    }
    return Markup("tr", ["data-is": state], cells)
  }
}

/// Figures as people read them.
enum PageText {
  /// A whole number with commas between thousands.
  static func count(_ value: Int64) -> String {
    let digits = Array(String(value.magnitude))
    var text = value < 0 ? "−" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }

  /// `count(1, "file")` is `1 file`; other numbers take an s.
  static func count(_ value: Int, _ noun: String) -> String {
    count(Int64(value)) + " " + noun + (value == 1 ? "" : "s")
  }

  /// A figure with its unit, or a dash.
  static func figure(_ value: Double?, _ unit: String, _ digits: Int = 2) -> String {
    guard let value, value.isFinite else { return "–" }
    return SVGText.figure(value, digits) + (unit.isEmpty ? "" : " " + unit)
  }

  /// Seconds as `5.3 ms`, `1.25 s`, `2:05` or `1:02:05`.
  static func duration(_ seconds: Double?) -> String {
    guard let seconds, seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "–" }
    guard seconds >= 1 || seconds == 0 else { return SVGText.figure(seconds * 1000, 1) + " ms" }
    guard seconds >= 60 else { return SVGText.figure(seconds, 2) + " s" }
    let whole = Int64(seconds.rounded())
    let rest = (whole % 60).padded(2)
    guard whole >= 3600 else { return "\(whole / 60):\(rest)" }
    return "\(whole / 3600):\((whole / 60 % 60).padded(2)):\(rest)"
  }

  /// Length of `samples` at `rate` Hz, in seconds; `nil` when the rate makes no sense.
  static func seconds(_ samples: Int64, rate: Int) -> Double? {
    rate > 0 ? Double(samples) / Double(rate) : nil
  }

  /// Hz as `48 kHz` or `44.1 kHz`.
  static func rate(_ hertz: Int) -> String {
    guard hertz >= 1000 else { return "\(hertz) Hz" }
    return hertz % 1000 == 0
      ? "\(hertz / 1000) kHz" : "\(SVGText.fixed(Double(hertz) / 1000, 2)) kHz".replacingZero
  }

  /// The last part of a path; the whole where that is empty.
  static func fileName(_ path: String) -> String {
    PathParts.of(path).last ?? path
  }
}

extension String {
  /// `44.10 kHz` without its last zero.
  fileprivate var replacingZero: String { replacing("0 kHz", with: " kHz") }
}
