import FoundationEssentials

/// Encodes reports the same way everywhere: sorted keys, no escaped slashes.
public enum ReportJSON {
  /// Pretty-printed JSON with a final newline.
  public static func pretty<Value: Encodable>(_ value: Value) throws -> String {
    try text(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]) + "\n"
  }

  /// One line of JSON without a newline.
  public static func line<Value: Encodable>(_ value: Value) throws -> String {
    try text(value, [.sortedKeys, .withoutEscapingSlashes])
  }

  private static func text<Value: Encodable>(
    _ value: Value, _ formatting: JSONEncoder.OutputFormatting
  ) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
