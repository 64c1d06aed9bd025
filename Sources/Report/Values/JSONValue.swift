import Essentials

/// Any JSON value, for content whose type this module doesn't know.
public enum JSONValue: Sendable, Hashable, Codable {
  /// JSON's `null`.
  case null
  /// `true` or `false`.
  case flag(Bool)
  /// A whole number.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A text.
  case text(String)
  /// A list.
  case list([JSONValue])
  /// An object.
  case object([String: JSONValue])

  /// The JSON that `value` encodes to.
  /// - Throws: `EncodingError`.
  public init(encoding value: some Encodable) throws {
    self = try JSONValue(json: Array(JSONEncoder().encode(value)))
  }

  /// The value that `json` holds in UTF-8.
  /// - Throws: `DecodingError.dataCorrupted`, which states the offset of the fault.
  public init(json: [UInt8]) throws {
    self = try json.withUnsafeBufferPointer { try JSONReader.value($0) }
  }

  /// Reads any value. `init(json:)` is much faster where the bytes are at hand.
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // Each wrong type costs an error, so the most frequent ones come first.
    if container.decodeNil() {
      self = .null
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let whole = try? container.decode(Int64.self) {
      self = .integer(whole)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let list = try? container.decode([JSONValue].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Writes the value.
  /// - Throws: `EncodingError`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .flag(let flag): try container.encode(flag)
    case .integer(let whole): try container.encode(whole)
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .list(let list): try container.encode(list)
    case .object(let members): try container.encode(members)
    }
  }
}
