// SPDX-License-Identifier: Apache-2.0
import Platform

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

/// The place of a text at the point that it is drawn at.
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

/// Colours for levels, from near black by violet, red and orange to pale yellow, in steps that look even.
///
/// The lightness of Oklab (B. Ottosson, 2020) rises evenly, so that the map tells levels apart in print and for
/// the colour-blind, too; hue and saturation only help.
package enum ColourMap {
  /// Number of colours.
  package static let count = 256

  /// The colours, darkest first.
  package static let colours: [Colour] = (0..<count).map { index in
    let place = Double(index) / Double(count - 1)
    let position = place * Double(knots.count - 1)
    let first = min(knots.count - 2, Int(position))
    let part = position - Double(first)
    let (low, high) = (knots[first], knots[first + 1])
    let lightness = lightest.low + place * (lightest.high - lightest.low)
    return colour(
      lightness, low.a + part * (high.a - low.a), low.b + part * (high.b - low.b))
  }

  /// The colour of a level of `share` of the range, 0…1; levels outside get the nearest one.
  package static func colour(_ share: Double) -> Colour {
    let index = (min(1, max(0, share)) * Double(count - 1)).rounded()
    return colours[share.isNaN ? 0 : Int(index)]
  }

  /// Lightness of the first and the last colour.
  private static let lightest = (low: 0.13, high: 0.97)

  /// Green to red (a) and blue to yellow (b) of Oklab at equal distances. They were chosen by eye inside what
  /// sRGB can show.
  private static let knots: [(a: Double, b: Double)] = [
    (0.000, -0.030), (0.045, -0.095), (0.095, -0.110), (0.140, -0.060), (0.165, 0.010),
    (0.155, 0.080), (0.115, 0.130), (0.055, 0.150), (0.000, 0.140), (-0.020, 0.060),
  ]

  /// The sRGB colour of Oklab values.
  private static func colour(_ lightness: Double, _ a: Double, _ b: Double) -> Colour {
    let l = lightness + 0.3963377774 * a + 0.2158037573 * b
    let m = lightness - 0.1055613458 * a - 0.0638541728 * b
    let s = lightness - 0.0894841775 * a - 1.2914855480 * b
    let (l3, m3, s3) = (l * l * l, m * m * m, s * s * s)
    return Colour(
      byte(4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3),
      byte(-1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3),
      byte(-0.0041960863 * l3 - 0.7034186147 * m3 + 1.7076147010 * s3))
  }

  /// A part of linear light as a byte of sRGB (IEC 61966-2-1).
  private static func byte(_ linear: Double) -> UInt8 {
    let value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055
    return UInt8(min(255, max(0, (value * 255).rounded())))
  }
}
