/// Figures in sentences.
enum Decimals {
  /// `value` with `digits` digits after the point; a dash for what isn't finite.
  static func text(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite, value.magnitude < 1e12 else { return "-" }
    let scale = (0..<digits).reduce(Int64(1)) { product, _ in product * 10 }
    let scaled = Int64((value * Double(scale)).rounded())
    let sign = scaled < 0 ? "-" : ""
    let whole = Int64(scaled.magnitude) / scale
    guard digits > 0 else { return "\(sign)\(whole)" }
    return "\(sign)\(whole)." + String(Int64(scaled.magnitude) % scale + scale).dropFirst()
  }

  /// Samples and the milliseconds they last.
  static func samples(_ count: Int64, _ rate: Int) -> String {
    let milliseconds = Double(count) * 1000 / Double(max(1, rate))
    return "\(count) sample\(count == 1 ? "" : "s") (\(text(milliseconds, 3)) ms)"
  }

  /// A place in seconds.
  static func place(_ sample: Int64, _ rate: Int) -> String {
    text(Double(sample) / Double(max(1, rate)), 3) + " s"
  }
}
