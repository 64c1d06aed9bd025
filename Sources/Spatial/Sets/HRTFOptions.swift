import AudioCore

/// What can be chosen about a set of head-related responses.
public struct HRTFOptions: Sendable, Hashable, Codable {
  /// Whose head the interaural delays belong to. The filters of the ears stay as they were measured.
  public enum Head: Sendable, Hashable, Codable {
    /// That on which the set was measured.
    case measured
    /// One whose delays are so many times as long.
    case scaled(Double)
    /// One of this circumference in cm, measured above ears and eyebrows.
    case circumference(Double)

    /// Scales that can be chosen.
    public static let scales = 0.6...1.5
    /// Circumferences in cm that can be chosen.
    public static let circumferences = 40.0...70.0
  }

  /// Whether each response is averaged with its mirror image, delay included, so that left and
  /// right are equal. Sets in which fewer than half of the directions have a mirror image stay as
  /// measured. The built-in set is one half mirrored, so this doesn't change it.
  public var isSymmetrised: Bool
  /// Whether the diffuse field is made flat and the bass extended. Without it responses are played as they were measured,
  /// at the level of other sets.
  public var isProcessed: Bool
  /// Whose head the delays belong to.
  public var head: Head

  /// Options; symmetric by default, because differences between the sides of a measurement mostly
  /// come from how the head stood.
  public init(isSymmetrised: Bool = true, isProcessed: Bool = true, head: Head = .measured) {
    self.isSymmetrised = isSymmetrised
    self.isProcessed = isProcessed
    self.head = head
  }

  private enum CodingKeys: CodingKey {
    case isSymmetrised, isProcessed, head
  }

  /// Reads options; those that were written before sets could be left unprocessed don't say so.
  /// - Throws: `DecodingError`.
  public init(from decoder: Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    isSymmetrised = try values.decode(Bool.self, forKey: .isSymmetrised)
    isProcessed = try values.decodeIfPresent(Bool.self, forKey: .isProcessed) ?? true
    head = try values.decode(Head.self, forKey: .head)
  }

  /// Writes options; processing is only named where it is left out, so that keys of batches stay as they were.
  /// - Throws: `EncodingError`.
  public func encode(to encoder: Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(isSymmetrised, forKey: .isSymmetrised)
    if !isProcessed { try values.encode(isProcessed, forKey: .isProcessed) }
    try values.encode(head, forKey: .head)
  }

  /// Refuses heads that nobody has.
  /// - Throws: ``MediaError`` of kind `usage`.
  package func check() throws {
    switch head {
    case .measured: return
    case .scaled(let scale):
      guard !Head.scales.contains(scale) else { return }
      throw MediaError(.usage, "\(setting: .delayScale) \(scale): give 0.6 to 1.5")
    case .circumference(let length):
      guard !Head.circumferences.contains(length) else { return }
      throw MediaError(.usage, "\(setting: .headCircumference) \(length): give 40 to 70 cm")
    }
  }
}
