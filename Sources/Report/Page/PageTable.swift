/// A table with a caption, whose heading cells state whether they describe a column or a row.
struct PageTable {
  /// Most rows shown; a damaged file can have a remark for each of its packets.
  static let mostRows = 200

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

  /// The table in a region that scrolls when it is wider than the page.
  var markup: Markup {
    let head = Markup(
      "thead", ["class": hasFacts ? "unseen" : nil],
      [Markup("tr", [:], columns.map(PageTable.heading))])
    let shown = isSortable ? rows[...] : rows.prefix(PageTable.mostRows)
    let body = Markup("tbody", [:], shown.map(row))
    let rest = rows.count - shown.count
    let more =
      rest > 0
      ? [Markup("p", ["class": "note"], text: "… and \(PageText.count(rest, "more row"))")] : []
    let table = Markup(
      "table", ["class": isSortable ? "sortable" : hasFacts ? "facts" : isWide ? "wide" : nil],
      [
        Markup("caption", ["class": hidesCaption ? "unseen" : nil], text: caption), head, body,
      ])
    guard isWide || isSortable else { return Markup("div", ["class": "scroll"], [table] + more) }
    return Markup(
      "div", ["class": "scroll", "role": "region", "aria-label": caption, "tabindex": "0"],
      [table] + more)
  }

  private static func heading(_ column: Column) -> Markup {
    Markup(
      "th", ["scope": "col", "class": column.isNumeric ? "n" : nil], text: column.name)
  }

  private func row(_ cells: [Cell]) -> Markup {
    let cells = zip(cells, columns).enumerated().map { index, pair -> Markup in
      let (cell, column) = pair
      let look = column.isNumeric ? "n" : nil
      if index == 0 {
        return Markup("th", ["scope": "row", "class": look, "data-key": cell.key], cell.content)
      }
      return Markup("td", ["class": look, "data-key": cell.key], cell.content)
    }
    return Markup("tr", [:], cells)
  }
}
