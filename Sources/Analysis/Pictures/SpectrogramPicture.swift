// SPDX-License-Identifier: Apache-2.0
import Platform

/// Draws a spectrogram: time to the right, frequency upwards, level as colour.
package struct SpectrogramPicture {
  /// How a picture is drawn.
  package struct Style: Sendable, Equatable {
    /// Width of the picture in pixels, at least 480.
    package var width = 1280
    /// Height of the picture in pixels, at least 320.
    package var height = 640
    /// Levels that have colours, in dB below a sine at full scale.
    package var rangeDB = 120.0
    /// Whether octaves are equally high, from 20 Hz on.
    package var isLogarithmic = false

    /// The usual style.
    package init() {}
  }

  // Pixels around the area of the spectrogram.
  private static let (left, right) = (72, 112)
  private static let (top, bottom) = (80, 60)
  /// Width of the bar of colours, and its distance from the area.
  private static let (barWidth, barGap) = (16, 24)
  private static let tickLength = 5
  /// Half the height of capitals, by which labels beside a tick are lowered.
  private static let halfCapital = 5

  private let spectrogram: Spectrogram
  private let title: String
  private let detail: String
  private let style: Style
  private let columns: Range<Int>
  private let rows: Range<Int>

  /// A picture of `spectrogram` with a title, such as a file's name, and a second line of `detail`.
  package init(
    _ spectrogram: Spectrogram, title: String, detail: String = "", style: Style = Style()
  ) {
    self.spectrogram = spectrogram
    self.title = title
    self.detail = detail
    self.style = style
    columns = SpectrogramPicture.left..<max(480, style.width) - SpectrogramPicture.right
    rows = SpectrogramPicture.top..<max(320, style.height) - SpectrogramPicture.bottom
  }

  package var picture: Picture {
    var picture = Picture(width: max(480, style.width), height: max(320, style.height))
    let time = PictureAxis.time(spectrogram.seconds, most: max(2, columns.count / 90))
    let frequency = PictureAxis.frequency(
      sampleRate: spectrogram.sampleRate, isLogarithmic: style.isLogarithmic,
      most: max(2, rows.count / 36))
    drawTitle(&picture)
    drawArea(&picture, frequency)
    drawTime(&picture, time)
    drawScale(&picture, frequency, x: columns.lowerBound - 1, isLeft: true)
    drawBar(&picture)
    return picture
  }
}

// MARK: - The area

extension SpectrogramPicture {
  private func drawArea(_ picture: inout Picture, _ axis: PictureAxis) {
    picture.frame(.ink, columns: columns, rows: rows)
    picture.fill(ColourMap.colour(0), columns: columns, rows: rows)
    guard spectrogram.columns > 0 else { return }
    let bands = rows.map { band(row: $0, axis) }
    for x in columns {
      let levels = levels(column: x)
      for (y, band) in zip(rows, bands) {
        let colour = ColourMap.colour(level(levels, band) / style.rangeDB + 1)
        picture.blend(colour, x: x, y: y)
      }
    }
  }

  /// Levels of all lines in dB, the mean power of what falls into one column of pixels.
  private func levels(column x: Int) -> [Double] {
    // Columns are as long as the first ones; the last may be cut off by the end.
    let whole = spectrogram.seconds / spectrogram.columnSeconds / Double(columns.count)
    let place = Double(x - columns.lowerBound)
    let (from, to) = (place * whole, (place + 1) * whole)
    var sums = [Double](repeating: 0, count: spectrogram.lines)
    var weight = 0.0
    for column in Int(from)...max(Int(from), Int(to.rounded(.up)) - 1) {
      let share = min(to, Double(column + 1)) - max(from, Double(column))
      let start = min(column, spectrogram.columns - 1) * spectrogram.lines
      weight += share
      spectrogram.powers.withUnsafeBufferPointer { powers in
        for line in 0..<spectrogram.lines { sums[line] += share * Double(powers[start + line]) }
      }
    }
    return sums.map { 10 * log10(max($0 / max(weight, 1e-12), 1e-30)) }
  }

  /// The lines, as a fractional range, that a row of pixels stands for.
  private func band(row: Int, _ axis: PictureAxis) -> ClosedRange<Double> {
    let fromBottom = Double(rows.upperBound - 1 - row)
    let scale = 1000 / spectrogram.lineHz
    let low = axis.value(fromBottom / Double(rows.count)) * scale
    let high = axis.value((fromBottom + 1) / Double(rows.count)) * scale
    return low...max(low, high)
  }

  /// The greatest level of the lines in `band`, so that tones keep their level; between two lines where
  /// it has none.
  private func level(_ levels: [Double], _ band: ClosedRange<Double>) -> Double {
    let first = Int(band.lowerBound.rounded(.up))
    let last = min(levels.count - 1, Int(band.upperBound.rounded(.down)))
    if first <= last { return levels[first...last].max() ?? -.infinity }
    let middle = (band.lowerBound + band.upperBound) / 2
    let below = min(levels.count - 1, max(0, Int(middle)))
    let above = min(levels.count - 1, below + 1)
    return levels[below] + (middle - Double(below)) * (levels[above] - levels[below])
  }
}

// MARK: - What surrounds it

extension SpectrogramPicture {
  private func drawTitle(_ picture: inout Picture) {
    let room = Double(picture.width - 2 * 24)
    let x = Double(columns.lowerBound - 1)
    let name = StrokeFont.fitted(title, scale: 1.4, room: room - x)
    picture.draw(name, x: x, y: 32, scale: 1.4)
    let line = StrokeFont.fitted(detail, scale: 1, room: room - x)
    picture.draw(line, x: x, y: 55, colour: .faded)
  }

  private func drawTime(_ picture: inout Picture, _ axis: PictureAxis) {
    let bottom = rows.upperBound
    let middle = Double(columns.lowerBound + columns.upperBound) / 2
    picture.draw(axis.unit, x: middle, y: bottom + 48, anchor: .middle, colour: .faded)
    for tick in axis.ticks {
      let x =
        columns.lowerBound - 1 + Int((axis.place(tick.value) * Double(columns.count + 1)).rounded())
      picture.fill(
        .ink, columns: x..<x + 1, rows: bottom..<bottom + 1 + SpectrogramPicture.tickLength)
      if let label = tick.label {
        picture.draw(label, x: Double(x), y: bottom + 24, anchor: .middle)
      }
    }
  }

  /// Draws the marks of an upright scale, on the left or on the right of column `x`.
  private func drawScale(_ picture: inout Picture, _ axis: PictureAxis, x: Int, isLeft: Bool) {
    let length = SpectrogramPicture.tickLength
    for tick in axis.ticks {
      let height = Int((axis.place(tick.value) * Double(rows.count + 1)).rounded())
      let y = rows.upperBound - height
      let reach = tick.label == nil ? length - 2 : length
      let marks = isLeft ? x - reach..<x : x + 1..<x + 1 + reach
      picture.fill(.ink, columns: marks, rows: y..<y + 1)
      guard let label = tick.label else { continue }
      picture.draw(
        label, x: Double(isLeft ? x - length - 3 : x + length + 4),
        y: y + SpectrogramPicture.halfCapital, anchor: isLeft ? .right : .left)
    }
    let end = Double(isLeft ? x - length - 3 : x)
    picture.draw(
      axis.unit, x: end, y: rows.lowerBound - 15, anchor: isLeft ? .right : .left, colour: .faded)
  }

  private func drawBar(_ picture: inout Picture) {
    let start = columns.upperBound + SpectrogramPicture.barGap
    let bar = start..<start + SpectrogramPicture.barWidth
    picture.frame(.ink, columns: bar, rows: rows)
    for y in rows {
      let place = (Double(rows.upperBound - y) - 0.5) / Double(rows.count)
      picture.fill(ColourMap.colour(place), columns: bar, rows: y..<y + 1)
    }
    drawScale(&picture, .level(range: style.rangeDB), x: bar.upperBound, isLeft: false)
  }
}
