extension Unicode.Scalar {
  /// Whether a terminal shows it and does nothing else: no control character, no line or paragraph separator, and no mark
  /// that turns the direction of the text beside it.
  package var isPlain: Bool {
    if isASCII { return (0x20..<0x7F).contains(value) }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return false
    default: return !properties.isBidiControl
    }
  }
}
