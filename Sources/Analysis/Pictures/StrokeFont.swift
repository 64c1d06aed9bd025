/// A small font of strokes for labels and titles: printable ASCII, a few signs, and Latin letters without their
/// accents.
///
/// A glyph is drawn on a grid whose unit is a pixel at scale 1: the baseline at 0, capitals 10 high, small letters
/// 7, descenders to −3. Strokes have round ends and soft edges.
enum StrokeFont {
  /// Width of a stroke.
  static let weight = 1.4
  /// Room on the left of a glyph.
  static let bearing = 1.0

  /// Strokes of one character.
  struct Glyph: Sendable {
    /// Distance to the next character.
    let advance: Double
    /// Each stroke as points that straight lines join.
    let lines: [[(x: Double, y: Double)]]
  }

  /// The glyphs of `text`; a hollow box for what the font doesn't have.
  static func glyphs(_ text: String) -> [Glyph] {
    text.flatMap { plain[$0] ?? String($0) }.map { all[$0] ?? missing }
  }

  /// Width of `text` in pixels.
  static func width(_ text: String, scale: Double) -> Double {
    glyphs(text).reduce(0) { $0 + $1.advance } * scale
  }

  /// `text`, or as much of its beginning and end as fits into `room` pixels with three points between them.
  static func fitted(_ text: String, scale: Double, room: Double) -> String {
    guard width(text, scale: scale) > room else { return text }
    let letters = Array(text)
    for count in stride(from: letters.count - 1, through: 2, by: -1) {
      let short = letters.prefix((count + 1) / 2) + "..." + letters.suffix(count / 2)
      if width(String(short), scale: scale) <= room { return String(short) }
    }
    return "..."
  }

  /// Distance of a point from the nearest stroke.
  static func distance(_ x: Double, _ y: Double, _ lines: [[(Double, Double)]]) -> Double {
    var best = Double.infinity
    for line in lines {
      for (from, to) in zip(line, line.dropFirst()) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1)
        let length = dx * dx + dy * dy
        let along = length > 0 ? ((x - from.0) * dx + (y - from.1) * dy) / length : 0
        let part = min(1, max(0, along))
        let (ex, ey) = (x - from.0 - part * dx, y - from.1 - part * dy)
        best = min(best, ex * ex + ey * ey)
      }
    }
    return best.squareRoot()
  }

  private static let all = StrokeGlyphs.table.mapValues(glyph)
  private static let missing = glyph("8|l 0 0 6 0 6 10 0 10 0 0")

  /// Letters that are drawn as others.
  private static let plain: [Character: String] = {
    let groups = [
      "AÀÁÂÃÄÅĀĂĄ", "CÇĆČ", "DĎĐ", "EÈÉÊËĒĖĘĚ", "GĞ", "IÌÍÎÏĪİ", "LŁ", "NÑŃŇ", "OÒÓÔÕÖØŌŐ", "RŘ",
      "SŚŞŠȘ", "TŢŤȚ", "UÙÚÛÜŪŮŰ", "YÝŸ", "ZŹŻŽ", "aàáâãäåāăą", "cçćč", "dďđ", "eèéêëēėęě", "gğ",
      "iìíîïīı", "lł", "nñńň", "oòóôõöøōő", "rř", "sśşšș", "tţťț", "uùúûüūůű", "yýÿ", "zźżž",
      "'’‘", "\"“”„", "-‐‑",
    ]
    var plain: [Character: String] = ["Æ": "AE", "Œ": "OE", "æ": "ae", "œ": "oe", "\t": " "]
    for group in groups {
      for other in group.dropFirst() { plain[other] = String(group.prefix(1)) }
    }
    return plain
  }()

  /// The glyph that a line of the table describes.
  private static func glyph(_ text: String) -> Glyph {
    let parts = text.split(separator: "|")
    let lines = parts.dropFirst().map { stroke in
      let fields = stroke.split(separator: " ")
      let numbers = fields.dropFirst().compactMap { Double($0) }
      let points = stride(from: 0, to: numbers.count - 1, by: 2).map {
        (x: numbers[$0], y: numbers[$0 + 1])
      }
      switch fields.first {
      case "c": return curve(points)
      case "o": return loop(points)
      default: return points
      }
    }
    return Glyph(advance: parts.first.flatMap { Double($0) } ?? 0, lines: Array(lines))
  }

  /// A quadratic B-spline from the first to the last of `points`, which bends it to the others.
  private static func curve(_ points: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
    guard let first = points.first, let last = points.last, points.count > 2 else { return points }
    var line = [first]
    var start = first
    for index in 1..<points.count - 1 {
      let bend = points[index]
      let next = points[index + 1]
      let end =
        index == points.count - 2 ? last : (x: (bend.x + next.x) / 2, y: (bend.y + next.y) / 2)
      line += arc(start, bend, end)
      start = end
    }
    return line
  }

  /// A closed quadratic B-spline that touches the middles of the sides of the polygon `points`.
  private static func loop(_ points: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
    guard let first = points.first, let last = points.last else { return points }
    let middle = (x: (first.x + last.x) / 2, y: (first.y + last.y) / 2)
    return curve([middle] + points + [middle])
  }

  private static func arc(
    _ start: (x: Double, y: Double), _ bend: (x: Double, y: Double), _ end: (x: Double, y: Double)
  ) -> [(x: Double, y: Double)] {
    (1...8).map { step in
      let t = Double(step) / 8
      let (a, b, c) = ((1 - t) * (1 - t), 2 * t * (1 - t), t * t)
      return (x: a * start.x + b * bend.x + c * end.x, y: a * start.y + b * bend.y + c * end.y)
    }
  }
}
