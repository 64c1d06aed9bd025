import AudioCore

/// The user's word on start-up samples (`--priming`).
public enum PrimingOption: Sendable, Hashable, Codable {
  /// As the file, the codec or the table says.
  case automatic
  /// Nothing is trimmed.
  case keep
  /// Exactly this many samples.
  case samples(Int)

  /// Parses `auto`, `none` or a count.
  /// - Throws: ``MediaError`` of kind `usage`.
  public init(_ text: String) throws {
    switch text {
    case "auto": self = .automatic
    case "none": self = .keep
    default:
      guard let count = Int(text), (0...Int(Int32.max)).contains(count) else {
        throw MediaError(
          .usage, "\(setting: .priming) \(text): give auto, none or a number of samples")
      }
      self = .samples(count)
    }
  }
}
