/// A colour of a picture (sRGB).
package struct Colour: Sendable, Equatable {
  /// Red, 0…255.
  package var red: UInt8
  /// Green, 0…255.
  package var green: UInt8
  /// Blue, 0…255.
  package var blue: UInt8

  /// A colour of its parts.
  package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  static let white = Colour(255, 255, 255)
  /// Text and ticks; the same as in the plots of reports.
  static let ink = Colour(31, 41, 55)
  /// Text that matters less.
  static let faded = Colour(107, 114, 128)
}

/// A picture of RGB pixels, with what plots are drawn of.
package struct Picture: Sendable, Equatable {
  /// Width in pixels.
  package let width: Int
  /// Height in pixels.
  package let height: Int
  /// Rows from the top, three bytes (red, green, blue) for each pixel.
  package private(set) var pixels: [UInt8]

  /// A white picture.
  package init(width: Int, height: Int) {
    self.width = max(1, width)
    self.height = max(1, height)
    pixels = Array(repeating: 255, count: 3 * self.width * self.height)
  }

  /// The colour of the pixel at column `x` and row `y`; `nil` outside.
  package func colour(x: Int, y: Int) -> Colour? {
    guard let index = index(x, y) else { return nil }
    return Colour(pixels[index], pixels[index + 1], pixels[index + 2])
  }

  /// Covers a share (0…1) of a pixel with `colour`; outside the picture it does nothing.
  mutating func blend(_ colour: Colour, x: Int, y: Int, share: Double = 1) {
    guard share > 0, let index = index(x, y) else { return }
    let parts = [colour.red, colour.green, colour.blue]
    for part in 0..<3 {
      let old = Double(pixels[index + part])
      pixels[index + part] = UInt8((old + (Double(parts[part]) - old) * min(1, share)).rounded())
    }
  }

  /// Fills the pixels of `columns` and `rows`.
  mutating func fill(_ colour: Colour, columns: Range<Int>, rows: Range<Int>) {
    for y in rows {
      for x in columns { blend(colour, x: x, y: y) }
    }
  }

  /// Draws a frame one pixel wide around `columns` and `rows`.
  mutating func frame(_ colour: Colour, columns: Range<Int>, rows: Range<Int>) {
    let (left, right) = (columns.lowerBound - 1, columns.upperBound)
    let (top, bottom) = (rows.lowerBound - 1, rows.upperBound)
    for y in [top, bottom] { fill(colour, columns: left..<right + 1, rows: y..<y + 1) }
    for x in [left, right] { fill(colour, columns: x..<x + 1, rows: top..<bottom + 1) }
  }

  private func index(_ x: Int, _ y: Int) -> Int? {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return nil }
    return 3 * (y * width + x)
  }
}

/// Where a text lies at the point that it is drawn at.
enum TextAnchor {
  case left, middle, right
}

extension Picture {
  /// Draws a line of text with its baseline on row `y`; `scale` 1 has capitals ten pixels high.
  mutating func draw(
    _ text: String, x: Double, y: Int, anchor: TextAnchor = .left, scale: Double = 1,
    colour: Colour = .ink
  ) {
    let width = StrokeFont.width(text, scale: scale)
    let start =
      switch anchor {
      case .left: x
      case .middle: x - width / 2
      case .right: x - width
      }
    // Whole pixels keep upright strokes sharp.
    var pen = start.rounded()
    for glyph in StrokeFont.glyphs(text) {
      draw(glyph, x: pen, y: Double(y), scale: scale, colour)
      pen += glyph.advance * scale
    }
  }

  private mutating func draw(
    _ glyph: StrokeFont.Glyph, x: Double, y: Double, scale: Double, _ colour: Colour
  ) {
    let lines = glyph.lines.map { line in
      line.map { ($0.x * scale + x + StrokeFont.bearing * scale, y - $0.y * scale) }
    }
    let points = lines.joined()
    guard let left = points.map(\.0).min(), let right = points.map(\.0).max(),
      let top = points.map(\.1).min(), let bottom = points.map(\.1).max()
    else { return }
    let reach = StrokeFont.weight * scale / 2 + 0.5
    for row in Int(top - reach)...Int(bottom + reach + 1) {
      for column in Int(left - reach)...Int(right + reach + 1) {
        let distance = StrokeFont.distance(Double(column), Double(row), lines)
        blend(colour, x: column, y: row, share: min(1, reach - distance))
      }
    }
  }
}
