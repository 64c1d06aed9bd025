// SPDX-License-Identifier: Apache-2.0

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

/// The drawings of ``StrokeFont``.
///
/// Each begins with the distance to the next character; strokes follow: `l` joins its points (x y) by straight lines, `c` is
/// a curve that begins and ends at the outer points and is bent by the others, `o` is a loop in a
/// polygon.
enum StrokeGlyphs {
  /// Drawings by character.
  static let table = digits.merging(capitals) { $1 }.merging(small) { $1 }.merging(signs) { $1 }

  private static let digits: [Character: String] = [
    "0": "8|o 0 0 6 0 6 10 0 10",
    "1": "8|l 0.5 8 3 10 3 0",
    "2": "8|c 0 7.5 0 10 6 10 6 6.5 3 4 0 0|l 0 0 6 0",
    "3": "8|c 0 8.5 0.3 10 5.6 10 5.6 5.4 2.2 5.4|c 2.2 5.4 6 5.4 6 0 0 0 0 2",
    "4": "8|l 5 0 5 10 0 3 6.5 3",
    "5": "8|l 5.5 10 1 10 0.5 5|c 0.5 5 1.5 6.5 6 7.2 6 0 0 0 0 2",
    "6": "8|c 5.7 8.6 5.4 10 0 10 0 3.2|o 0 0 6 0 6 6.4 0 6.4",
    "7": "8|l 0 10 6 10 2 0",
    "8": "8|o 0.4 5.4 5.6 5.4 5.6 10 0.4 10|o 0 0 6 0 6 5.4 0 5.4",
    "9": "8|o 0 3.6 6 3.6 6 10 0 10|c 0.3 1.4 0.6 0 6 0 6 6.8",
  ]

  private static let capitals: [Character: String] = [
    "A": "9|l 0 0 3.5 10 7 0|l 1.2 3.4 5.8 3.4",
    "B":
      "9|l 0 5.3 3.5 5.3|l 3 10 0 10 0 0 3.5 0|c 3 10 6 10 6 5.3 3 5.3|c 3.5 5.3 7 5.3 7 0 3.5 0",
    "C": "9|c 7 7.4 6.4 10 0 10 0 0 6.4 0 7 2.6",
    "D": "9|l 3 10 0 10 0 0 3 0|c 3 10 7 10 7 0 3 0",
    "E": "8|l 6 10 0 10 0 0 6 0|l 0 5 5.4 5",
    "F": "8|l 6 10 0 10 0 0|l 0 5 5 5",
    "G": "10|c 7 7.6 6.4 10 0 10 0 0 7 0 7 2.6|l 4 5 7 5 7 0",
    "H": "9|l 0 0 0 10|l 7 0 7 10|l 0 5 7 5",
    "I": "4|l 1 0 1 10",
    "J": "6|l 4 10 4 3|c 4 3 4 0 0 0 0 3",
    "K": "9|l 0 0 0 10|l 6.5 10 0 3.6|l 2.4 6 7 0",
    "L": "7|l 0 10 0 0 5.4 0",
    "M": "10|l 0 0 0 10 4 1.5 8 10 8 0",
    "N": "9|l 0 0 0 10 7 0 7 10",
    "O": "10|o 0 0 8 0 8 10 0 10",
    "P": "8|l 0 0 0 10 3 10|c 3 10 6.3 10 6.3 5 3 5|l 3 5 0 5",
    "Q": "10|o 0 0 8 0 8 10 0 10|l 5 2.5 8 -0.8",
    "R": "9|l 0 0 0 10 3 10|c 3 10 6.3 10 6.3 5 3 5|l 3 5 0 5|l 3.2 5 6.6 0",
    "S": "8|c 6 7.8 5.6 10 0.2 10 0.2 5.6 6.2 5.4 6.2 0 0.2 0 0 2.4",
    "T": "8|l 0 10 6 10|l 3 10 3 0",
    "U": "9|l 0 10 0 3|c 0 3 0 0 7 0 7 3|l 7 3 7 10",
    "V": "9|l 0 10 3.5 0 7 10",
    "W": "12|l 0 10 2.5 0 5 9 7.5 0 10 10",
    "X": "9|l 0 0 7 10|l 0 10 7 0",
    "Y": "8|l 0 10 3 4.6 6 10|l 3 4.6 3 0",
    "Z": "8|l 0 10 6 10 0 0 6 0",
  ]

  private static let small: [Character: String] = [
    "a": "7|c 0.3 5.5 0.6 7 5 7 5 4.5|l 5 4.5 5 0|c 5 4.2 0 4.2 0 0 4.4 -0.2 5 1.8",
    "b": "8|l 0 10 0 0|o 0 0 6 0 6 7 0 7",
    "c": "7|c 5 5.3 4.6 7 0 7 0 0 4.6 0 5 1.7",
    "d": "8|l 6 10 6 0|o 0 0 6 0 6 7 0 7",
    "e": "8|l 0 3.7 5.8 3.7|c 5.8 3.7 5.8 7 0 7 0 0 5.4 0 5.7 1.6",
    "f": "5|c 3.6 10 1 10 1 7.5|l 1 7.5 1 0|l 0 7 3.2 7",
    "g": "8|o 0 0 6 0 6 7 0 7|l 6 7 6 0|c 6 0 6 -3 0.5 -3 0.3 -1.5",
    "h": "7|l 0 10 0 0|c 0 4 0.4 7 5 7.4 5 4|l 5 4 5 0",
    "i": "3|l 0 7 0 0|l 0 9.6 0 10",
    "j": "3|c -1.5 -3 0 -3 0 -1|l 0 -1 0 7|l 0 9.6 0 10",
    "k": "7|l 0 10 0 0|l 4.8 7 0 2.6|l 1.9 4.3 5 0",
    "l": "3|l 0 10 0 0",
    "m": "10|l 0 7 0 0|c 0 4 0.3 7 4 7.4 4 4|l 4 4 4 0|c 4 4 4.3 7 8 7.4 8 4|l 8 4 8 0",
    "n": "7|l 0 7 0 0|c 0 4 0.4 7 5 7.4 5 4|l 5 4 5 0",
    "o": "8|o 0 0 6 0 6 7 0 7",
    "p": "8|l 0 7 0 -3|o 0 0 6 0 6 7 0 7",
    "q": "8|l 6 7 6 -3|o 0 0 6 0 6 7 0 7",
    "r": "5|l 0 7 0 0|c 0 3.8 0.3 7 3.4 7",
    "s": "7|c 4.7 5.4 4.4 7 0.3 7 0.3 4 5 3.8 5 0 0.3 0 0 1.8",
    "t": "5|l 1 9 1 2|c 1 2 1 0 3.4 0|l 0 7 3.2 7",
    "u": "7|l 5 7 5 0|c 5 3 4.6 0 0 -0.4 0 3|l 0 3 0 7",
    "v": "7|l 0 7 2.5 0 5 7",
    "w": "10|l 0 7 2 0 4 6.5 6 0 8 7",
    "x": "7|l 0 0 5 7|l 0 7 5 0",
    "y": "7|l 0 7 2.6 0|l 5 7 2.2 -1|c 2.2 -1 1.5 -3 0 -2.9",
    "z": "7|l 0 7 5 7 0 0 5 0",
    "ß": "8|l 0 0 0 7|c 0 7 0 10 5 10 5 6 2.5 5.6|c 2.5 5.6 6 5.4 6 0 2 0",
  ]

  private static let signs: [Character: String] = [
    " ": "4",
    ".": "4|l 1 0 1 0.4",
    ",": "4|l 1 0.4 0.4 -2",
    ":": "4|l 1 0 1 0.4|l 1 6.2 1 6.6",
    ";": "4|l 1 0.4 0.4 -2|l 1 6.2 1 6.6",
    "!": "4|l 1 10 1 3|l 1 0 1 0.4",
    "?": "8|c 0 8 0 10 5.5 10 5.5 6 2.8 6 2.8 3|l 2.8 0 2.8 0.4",
    "'": "3|l 0.5 10 0.5 7.5",
    "\"": "5|l 0.5 10 0.5 7.5|l 2.5 10 2.5 7.5",
    "`": "4|l 0 10 1.5 8",
    "-": "6|l 0.5 4 3.5 4",
    "\u{2212}": "8|l 0.5 5 5.5 5",
    "\u{2013}": "9|l 0 4 7 4",
    "\u{2014}": "12|l 0 4 10 4",
    "+": "8|l 3 2 3 8|l 0 5 6 5",
    "=": "8|l 0 3.5 6 3.5|l 0 6.5 6 6.5",
    "*": "6|l 2 10 2 6|l 0.2 9 3.8 7|l 0.2 7 3.8 9",
    "\u{D7}": "8|l 0.5 2.5 5.5 7.5|l 0.5 7.5 5.5 2.5",
    "/": "6|l 0 -1 4 11",
    "\\": "6|l 0 11 4 -1",
    "|": "4|l 1 11 1 -2",
    "(": "5|c 2.5 11.5 0 9 0 0 2.5 -2.5",
    ")": "5|c 0 11.5 2.5 9 2.5 0 0 -2.5",
    "[": "5|l 2.5 11 0 11 0 -2 2.5 -2",
    "]": "5|l 0 11 2.5 11 2.5 -2 0 -2",
    "{": "5|c 3 11.5 1 11.5 1.5 5 0 4.5|c 0 4.5 1.5 4 1 -2.5 3 -2.5",
    "}": "5|c 0 11.5 2 11.5 1.5 5 3 4.5|c 3 4.5 1.5 4 2 -2.5 0 -2.5",
    "<": "8|l 6 1.5 0 5 6 8.5",
    ">": "8|l 0 1.5 6 5 0 8.5",
    "_": "8|l 0 -2 6 -2",
    "~": "8|c 0 4 1.5 6.5 4.5 2.5 6 5",
    "^": "6|l 0 7 2 10 4 7",
    "#": "8|l 1 0 2.2 10|l 4 0 5.2 10|l 0 3 6 3|l 0.5 7 6.5 7",
    "$": "8|c 6 7.8 5.6 10 0.2 10 0.2 5.6 6.2 5.4 6.2 0 0.2 0 0 2.4|l 3 11.5 3 -1.5",
    "%": "11|o 0 5.5 3.5 5.5 3.5 10 0 10|o 5.5 0 9 0 9 4.5 5.5 4.5|l 7.5 10 1.5 0",
    "&": "9|c 7 0 0.8 6.5 1 10.3 4.6 10.3 4.6 6.5 0 5 0 0 5 -0.5 6.6 4",
    "@": "12|o 0 -1 10 -1 10 10 0 10|o 3 2.5 7 2.5 7 7 3 7|c 7 7 6.8 2.5 9.3 2.5",
    "\u{B7}": "4|l 1 4.8 1 5.2",
    "\u{B0}": "5|o 0 6.8 3 6.8 3 10 0 10",
    "\u{2026}": "12|l 1 0 1 0.4|l 5 0 5 0.4|l 9 0 9 0.4",
  ]
}
