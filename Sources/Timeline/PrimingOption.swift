import AudioCore

/// What the user asks to be done with start-up samples (`--priming`).
public enum PrimingOption: Sendable, Hashable, Codable {
  /// As many are trimmed as the file, the codec or Pinna's table of codec delays states.
  case automatic
  /// Nothing is trimmed.
  case keep
  /// Exactly this many samples per channel are trimmed, 0…2,147,483,647.
  case samples(Int)

  /// Parses `auto`, `none` or a count.
  /// - Throws: ``MediaError`` of kind `usage` for any other text.
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
