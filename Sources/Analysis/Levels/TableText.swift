/// Fields and lines of CSV (RFC 4180) with numbers in them.
package enum TableText {
  /// `value` with a fixed number of `places` after the point, 0 to 6; never as `-0`.
  static func number(_ value: Double, places: Int) -> String {
    guard value.isFinite, value.magnitude < 1e9 else { return "\(value)" }
    let scale = (0..<places).reduce(1) { power, _ in power * 10 }
    let units = Int((value.magnitude * Double(scale)).rounded())
    let sign = value < 0 && units > 0 ? "-" : ""
    guard places > 0 else { return sign + String(units) }
    let fraction = String(units % scale)
    let zeros = String(repeating: "0", count: places - fraction.count)
    return "\(sign)\(units / scale).\(zeros)\(fraction)"
  }

  /// A level in dB with two decimals, and `-inf` for silence.
  static func level(_ value: Double?) -> String {
    value.map { number($0, places: 2) } ?? "-inf"
  }

  /// A reading with so many decimals, and an empty field where there is none.
  static func reading(_ value: Double?, places: Int) -> String {
    value.map { number($0, places: places) } ?? ""
  }

  /// A time in seconds with milliseconds.
  package static func time(_ seconds: Double) -> String { number(seconds, places: 3) }
}
