import AudioCore
import CLilv

/// What the text of a setting means for a control port.
enum ControlText {
  /// Whether `text` is a word for on or off; `nil` for anything else.
  static func isOn(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "on", "yes", "true", "1": return true
    case "off", "no", "false", "0": return false
    default: return nil
    }
  }

  /// The value of `port` that `text` means.
  /// - Throws: ``MediaError`` of kind `usage` naming the port and what it takes.
  static func value(_ text: String, _ port: Port) throws -> Double {
    if let point = port.points.first(where: { $0.label.lowercased() == text.lowercased() }) {
      return point.value
    }
    if port.isToggled {
      guard let isOn = isOn(text) else { throw refusal(text, port, "on or off") }
      return isOn ? 1 : 0
    }
    let number = text.hasSuffix("dB") ? String(text.dropLast(2)) : text
    guard let value = Double(number.filter { $0 != " " }), value.isFinite else {
      throw refusal(
        text, port, port.points.isEmpty ? "a number" : "a number or one of \(names(port))")
    }
    if port.isEnumeration, !port.points.isEmpty {
      guard port.points.contains(where: { $0.value == value }) else {
        throw refusal(text, port, "one of \(names(port))")
      }
    }
    if port.isInteger, value != value.rounded() { throw refusal(text, port, "a whole number") }
    // Bounds are stated as single precision.
    if let least = port.range.least, Float(value) < Float(least) {
      throw refusal(text, port, bounds(port))
    }
    if let greatest = port.range.greatest, Float(value) > Float(greatest) {
      throw refusal(text, port, bounds(port))
    }
    return value
  }

  private static func names(_ port: Port) -> String {
    port.points.map { "'\($0.label)' (\(text($0.value)))" }.joined(separator: ", ")
  }

  private static func bounds(_ port: Port) -> String {
    let (least, greatest) = (
      port.range.least.map(text) ?? "any", port.range.greatest.map(text) ?? "any"
    )
    return "a value from \(least) to \(greatest)"
  }

  /// A value without needless digits.
  static func text(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e9 ? "\(Int(value))" : "\(Float(value))"
  }

  private static func refusal(_ text: String, _ port: Port, _ wanted: String) -> MediaError {
    MediaError(.usage, "\(port.symbol)=\(text) can't be: \(port.name) takes \(wanted)")
  }
}
