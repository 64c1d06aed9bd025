import Report

/// Figures and strings as text for the terminal, and JSON lines.
enum Figures {
  /// A number with `digits` digits after the point.
  static func fixed(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite, value.magnitude < 1e12 else { return "-" }
    let scale = (0..<digits).reduce(1.0) { product, _ in product * 10 }
    let scaled = Int64((value * scale).rounded())
    let sign = scaled < 0 ? "-" : ""
    let whole = Int64(scaled.magnitude) / Int64(scale)
    guard digits > 0 else { return "\(sign)\(whole)" }
    let fraction = String(Int64(scaled.magnitude) % Int64(scale) + Int64(scale)).dropFirst()
    return "\(sign)\(whole).\(fraction)"
  }

  /// An optional figure; a dash when it is missing.
  static func fixed(_ value: Double?, _ digits: Int) -> String {
    value.map { fixed($0, digits) } ?? "-"
  }

  /// `value` rounded to `digits` digits after the point; 0 when it isn't finite or too large.
  static func rounded(_ value: Double, _ digits: Int) -> Double {
    Double(fixed(value, digits)) ?? 0
  }

  /// `value` as a line of JSON.
  static func line(_ value: some Encodable) -> String? {
    (try? ReportJSON.line(value)).map { $0 + "\n" }
  }

  /// Text padded with spaces to `width`.
  static func padded(_ text: String, _ width: Int, left: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return left ? space + text : text + space
  }
}
