import AudioCore

/// A sound field in spherical harmonics whose file doesn't say so: its order, and how its channels are ordered and
/// scaled.
public struct FieldInput: Sendable, Hashable, Codable, CustomStringConvertible {
  /// How channels are ordered and scaled.
  public enum Convention: Sendable, Hashable, CaseIterable {
    /// ACN order, SN3D: AmbiX, and what ITU-R BS.2076 takes for granted.
    case ambix
    /// ACN order, N3D.
    case ambixN3D
    /// Furse and Malham's order and factors, for orders 1 to 3: W X Y Z R S T U V K L M N O P Q.
    case fuMa

    /// The orders that it is defined for.
    var orders: ClosedRange<Int> {
      self == .fuMa ? 1...normalization.highestOrder : 0...normalization.highestOrder
    }

    /// The factors.
    var normalization: SceneNormalization {
      switch self {
      case .ambix: return .sn3d
      case .ambixN3D: return .n3d
      case .fuMa: return .fuMa
      }
    }
  }

  /// The first order in ACN and SN3D.
  public static let firstOrder = FieldInput(known: 1, .ambix)

  /// The order, 0…7.
  public let order: Int
  /// How channels are ordered and scaled.
  public let convention: Convention

  private init(known order: Int, _ convention: Convention) {
    (self.order, self.convention) = (order, convention)
  }

  /// A sound field of `order`: 0…7, in FuMa 1…3; `nil` for any other.
  public init?(order: Int, convention: Convention = .ambix) {
    guard convention.orders.contains(order) else { return nil }
    self.order = order
    self.convention = convention
  }

  /// The sound field of this name, in any letter case: `ambix0` to `ambix7`, `ambix0-n3d` to
  /// `ambix7-n3d`, `fuma1` to `fuma3`; `nil` for any other text.
  public init?(name: String) {
    let wanted = name.lowercased()
    let known = Convention.allCases.lazy.flatMap { convention in
      convention.orders.compactMap { FieldInput(order: $0, convention: convention) }
    }
    guard let match = known.first(where: { $0.name == wanted }) else { return nil }
    self = match
  }

  /// Reads a sound field from its name.
  /// - Throws: `DecodingError` when none has this name.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let field = FieldInput(name: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(text) is no sound field")
    }
    self = field
  }

  /// Writes the sound field's name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }

  /// Number of channels, (order + 1)².
  public var channels: Int { (order + 1) * (order + 1) }

  /// Its name, e.g. `ambix3`, `ambix3-n3d` or `fuma3`.
  public var name: String {
    switch convention {
    case .ambix: return "ambix\(order)"
    case .ambixN3D: return "ambix\(order)-n3d"
    case .fuMa: return "fuma\(order)"
    }
  }

  /// Same as ``name``.
  public var description: String { name }
}
