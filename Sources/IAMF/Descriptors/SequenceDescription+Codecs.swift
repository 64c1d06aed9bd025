extension SequenceDescription {
  /// The value of the `codecs` parameter (6.4), such as `iamf.000.000.Opus`: both profiles in three digits, and the
  /// codec of the elements that can be played.
  package var codecsText: String {
    func digits(_ number: Int) -> String {
      String(repeating: "0", count: max(0, 3 - String(number).count)) + String(number)
    }
    let first = elements.lazy.compactMap { self.playableElements[$0.id] }.first
    let codec = first?.codec.codecID ?? ""
    return "iamf.\(digits(header.primaryProfile)).\(digits(header.additionalProfile))."
      + (codec == "mp4a" ? "mp4a.40.2" : codec)
  }
}
