/// What a typeLabel says: how channels and blocks are to be understood (BS.2076-2, table 10).
package enum ContentKind: Int, Sendable, CaseIterable {
  /// Channels of loudspeakers.
  case directSpeakers = 1
  /// Mixes of other channels.
  case matrix
  /// Sources with a position.
  case objects
  /// Components of a sound field.
  case hoa
  /// The signals of two ears.
  case binaural

  /// The typeDefinition.
  package var definition: String {
    switch self {
    case .directSpeakers: return "DirectSpeakers"
    case .matrix: return "Matrix"
    case .objects: return "Objects"
    case .hoa: return "HOA"
    case .binaural: return "Binaural"
    }
  }

  /// The kind that the first four digits of an identifier state, e.g. of `AP_00031001`.
  init?(_ id: ElementID) {
    guard let digits = id.text.split(separator: "_").dropFirst().first?.prefix(4),
      digits.count == 4, let value = Int(digits, radix: 16)
    else { return nil }
    self.init(rawValue: value)
  }
}
