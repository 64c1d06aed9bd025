import AudioCore

/// Which presentation of AC-4 or mix of IAMF is played (`--presentation`).
public enum PresentationChoice: Sendable, Hashable, Codable {
  /// The one with this id; in AC-4 else the one with this index from 0.
  case number(Int)
  /// One in the first of these languages (ISO 639 codes) that can be played; where there is none, the usual one.
  case languages([String])

  /// Parses a number or `lang:` with language codes, e.g. `lang:en,de`.
  /// - Throws: ``MediaError`` of kind `usage` for any other text.
  public init(_ text: String) throws {
    if let number = Int(text), number >= 0 {
      self = .number(number)
    } else if let languages = LanguageCodes.list(text) {
      self = .languages(languages)
    } else {
      throw MediaError(
        .usage,
        "\(setting: .presentation) \(text): not a presentation; give its id, see pinna probe, or "
          + "lang:en[,de]")
    }
  }
}
