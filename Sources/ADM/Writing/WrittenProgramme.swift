/// A programme that ``ADMWriter`` describes.
package struct WrittenProgramme: Sendable, Hashable {
  /// Its name.
  package var name: String
  /// Its language, as ISO 639 has it; `nil` writes none.
  package var language: String?
  /// Samples per second, at least 1.
  package var sampleRate: Int
  /// Samples of each track, at least 1.
  package var length: Int64
  /// Bits per sample of the file; `nil` writes none.
  package var bitDepth: Int?
  /// What the tracks hold, in the file's order.
  package var elements: [WrittenElement]

  /// A programme from its values.
  package init(
    name: String, language: String? = nil, sampleRate: Int, length: Int64, bitDepth: Int? = nil,
    elements: [WrittenElement]
  ) {
    self.name = name
    self.language = language
    self.sampleRate = sampleRate
    self.length = length
    self.bitDepth = bitDepth
    self.elements = elements
  }
}
