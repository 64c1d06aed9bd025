// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// A scale along an edge of a picture, with ticks at round numbers.
struct PictureAxis {
  /// A mark on the scale.
  struct Tick: Equatable {
    /// Value at which the mark stands.
    let value: Double
    /// Its name; `nil` for a short mark without one.
    let label: String?
  }

  /// First value shown.
  let first: Double
  /// Last value shown.
  let last: Double
  /// Whether equal ratios have equal lengths.
  let isLogarithmic: Bool
  /// The marks, in order.
  let ticks: [Tick]
  /// Unit of the numbers, e.g. `kHz`.
  let unit: String

  /// The place of `value`, 0 for ``first`` to 1 for ``last``.
  func place(_ value: Double) -> Double {
    guard last > first else { return 0 }
    return isLogarithmic
      ? log(value / first) / log(last / first) : (value - first) / (last - first)
  }

  /// The value at a place from 0 to 1.
  func value(_ place: Double) -> Double {
    isLogarithmic
      ? first * pow(last / first, place) : first + place * (last - first)
  }

  /// Seconds from 0 to `seconds`, as seconds, `m:ss` or `h:mm`, with at most `most` labels.
  static func time(_ seconds: Double, most: Int = 12) -> PictureAxis {
    let wanted = seconds / Double(most)
    let clock = [1.0, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600]
    let step =
      seconds < 60
      ? roundStep(wanted) : clock.first { $0 >= wanted } ?? (wanted / 86_400).rounded(.up) * 86_400
    let count = step > 0 ? Int((seconds / step + 1e-9).rounded(.down)) : 0
    let ticks = (0...count).map { index in
      let value = Double(index) * step
      return Tick(value: value, label: name(value, step, of: seconds))
    }
    let unit = seconds < 60 ? "seconds" : seconds < 3600 ? "min:s" : "h:min"
    return PictureAxis(first: 0, last: seconds, isLogarithmic: false, ticks: ticks, unit: unit)
  }

  /// kHz from 0 to half of `sampleRate`, or with equal octaves from 20 Hz on.
  static func frequency(sampleRate: Int, isLogarithmic: Bool, most: Int = 13) -> PictureAxis {
    let top = Double(sampleRate) / 2000
    guard isLogarithmic, top > 0.1 else {
      let ticks = linear(0, top, step: roundStep(top / Double(most)))
      return PictureAxis(first: 0, last: top, isLogarithmic: false, ticks: ticks, unit: "kHz")
    }
    let marks = (-2...3).flatMap { power in
      (1...9).map { digit in
        let value = Double(digit) * pow(10, Double(power))
        let isNamed = [1, 2, 5].contains(digit)
        return Tick(value: value, label: isNamed ? number(value, places: max(0, -power)) : nil)
      }
    }
    return PictureAxis(
      first: 0.02, last: top, isLogarithmic: true,
      ticks: marks.filter { (0.02...top).contains($0.value) }, unit: "kHz")
  }

  /// dBFS from −`range` to 0.
  static func level(range: Double) -> PictureAxis {
    PictureAxis(
      first: -range, last: 0, isLogarithmic: false,
      ticks: linear(-range, 0, step: roundStep(range / 13)), unit: "dBFS")
  }

  /// Marks at multiples of `step`.
  private static func linear(_ first: Double, _ last: Double, step: Double) -> [Tick] {
    let low = Int((first / step - 1e-9).rounded(.up))
    let high = Int((last / step + 1e-9).rounded(.down))
    return (low...max(low, high)).map {
      Tick(value: Double($0) * step, label: number(Double($0) * step, places: places(step)))
    }
  }

  /// The smallest of 1, 2 or 5 times a power of ten that is no less than `wanted`.
  private static func roundStep(_ wanted: Double) -> Double {
    guard wanted > 0 else { return 1 }
    let power = pow(10, log10(wanted).rounded(.down))
    return [1.0, 2, 5, 10].map { $0 * power }.first { $0 >= wanted * (1 - 1e-9) } ?? 10 * power
  }

  /// Decimals that multiples of `step` need.
  private static func places(_ step: Double) -> Int {
    min(6, max(0, Int((-log10(step) - 1e-9).rounded(.up))))
  }

  private static func number(_ value: Double, places: Int) -> String {
    let text = TableText.number(value.magnitude, places: places)
    return value < 0 ? "\u{2212}" + text : text
  }

  private static func name(_ value: Double, _ step: Double, of seconds: Double) -> String {
    guard seconds >= 60 else { return number(value, places: places(step)) }
    let whole = Int(value.rounded())
    let (large, small) =
      seconds < 3600 ? (whole / 60, whole % 60) : (whole / 3600, whole / 60 % 60)
    return "\(large):\(small.padded(2))"
  }
}
