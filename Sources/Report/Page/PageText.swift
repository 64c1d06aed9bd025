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
    let rest = padded(whole % 60)
    guard whole >= 3600 else { return "\(whole / 60):\(rest)" }
    return "\(whole / 3600):\(padded(whole / 60 % 60)):\(rest)"
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
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private static func padded(_ value: Int64) -> String { (value < 10 ? "0" : "") + String(value) }
}

extension String {
  /// `44.10 kHz` without its last zero.
  fileprivate var replacingZero: String { replacing("0 kHz", with: " kHz") }
}
