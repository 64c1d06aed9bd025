// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// A linear or logarithmic scale of a plot with round ticks.
struct PlotAxis {
  /// First value shown.
  let first: Double
  /// Last value shown.
  let last: Double
  /// Distance of the ticks.
  let step: Double
  /// Pixel of ``first``.
  let start: Double
  /// Pixel of ``last``.
  let end: Double
  /// Whether equal ratios have equal lengths.
  var isLogarithmic = false

  /// Seconds from 0 to `duration`, between the pixels `start` and `end`.
  static func time(duration: Double, start: Double, end: Double) -> PlotAxis {
    let steps = [
      0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600,
      43_200,
    ]
    let wanted = duration / 10
    let step = steps.first { $0 >= wanted } ?? (wanted / 86_400).rounded(.up) * 86_400
    return PlotAxis(first: 0, last: duration, step: step, start: start, end: end)
  }

  /// Hz from 20 to 20,000 on a logarithmic scale, between the pixels `start` and `end`.
  static func frequency(start: Double, end: Double) -> PlotAxis {
    PlotAxis(first: 20, last: 20_000, step: 10, start: start, end: end, isLogarithmic: true)
  }

  /// LUFS or dB covering `lowest` to `highest` and at least 20 of them, between the pixels `top` and `bottom`.
  static func level(lowest: Double, highest: Double, top: Double, bottom: Double) -> PlotAxis {
    let floor = min(lowest, highest - 20)
    let step = [2.0, 5, 10].first { (highest - floor) / $0 <= 10 } ?? 20
    return PlotAxis(
      first: (floor / step).rounded(.down) * step, last: (highest / step).rounded(.up) * step,
      step: step, start: bottom, end: top)
  }

  /// The pixel of `value`.
  func position(_ value: Double) -> Double {
    let part =
      isLogarithmic ? log(value / first) / log(last / first) : (value - first) / (last - first)
    return start + part * (end - start)
  }

  /// Whether `value` lies on the scale.
  func contains(_ value: Double) -> Bool { value >= first && value <= last }

  /// The values of all ticks; on a logarithmic scale 1 to 9 times every power of ten.
  var ticks: [Double] {
    guard !isLogarithmic else { return decades }
    let lowest = Int((first / step).rounded(.up))
    let highest = Int((last / step + 1e-9).rounded(.down))
    return lowest <= highest ? (lowest...highest).map { Double($0) * step } : []
  }

  private var decades: [Double] {
    var ticks: [Double] = []
    var power = 1.0
    while power * 10 <= first { power *= 10 }
    while power <= last {
      ticks += (1...9).map { Double($0) * power }.filter(contains)
      power *= 10
    }
    return ticks
  }

  /// A frequency as `200 Hz` or `2 kHz`; `nil` for ticks whose labels would overlap their
  /// neighbours'.
  static func hertz(_ frequency: Double) -> String? {
    var digit = frequency
    while digit >= 9.5 { digit /= 10 }
    guard [1, 2, 5].contains(Int(digit.rounded())) else { return nil }
    return frequency < 1000
      ? "\(Int(frequency)) Hz" : "\(Int((frequency / 1000).rounded())) kHz"
  }

  /// Name of a time axis with the form of its figures, as ``clock(_:)`` writes them.
  var timeName: String {
    "Time, " + (last >= 3600 ? "h:mm:ss" : "m:ss") + (step < 1 ? " with tenths" : "")
  }

  /// A time as `m:ss`, `h:mm:ss` when the axis reaches an hour, with tenths when ticks need them.
  func clock(_ seconds: Double) -> String {
    let tenths = Int64((seconds * 10).rounded())
    let whole = tenths / 10
    let rest = (whole % 60).padded(2)
    let fraction = step < 1 ? "." + String(tenths % 10) : ""
    guard last >= 3600 else { return "\(whole / 60):\(rest)\(fraction)" }
    return "\(whole / 3600):\((whole / 60 % 60).padded(2)):\(rest)\(fraction)"
  }
}
