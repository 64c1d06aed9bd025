/// Turns a value into text that is the same for the same value in every process.
enum SettingsText {
  /// The text of `value` and everything in it; dictionaries and sets are sorted.
  static func of(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case nil: return "\(value)"
    case .optional: return mirror.children.first.map { of($0.value) } ?? "nil"
    case .dictionary, .set:
      return "[" + mirror.children.map { of($0.value) }.sorted().joined(separator: ",") + "]"
    case .collection, .tuple:
      return "[" + mirror.children.map { of($0.value) }.joined(separator: ",") + "]"
    case .enum where mirror.children.isEmpty: return "\(value)"
    default:
      let parts = mirror.children.map { "\($0.label ?? ""):\(of($0.value))" }
      return "{" + parts.joined(separator: ",") + "}"
    }
  }
}
