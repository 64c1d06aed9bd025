@testable import MediaIn

/// The bytes are a file of Matroska with chapters.
func fuzzMatroska(_ bytes: [UInt8]) {
  guard let file = FuzzInput.file(bytes), let parts = MatroskaParts(file) else { return }
  let editions = MatroskaEditions(parts)
  // An atom has an identifier and a length.
  demand(editions.outermost * 2 <= bytes.count, "a chapter takes bytes of the file")
  demand(
    editions.nested.count * 2 <= bytes.count, "a chapter within another takes bytes of the file")
  demand(editions.refusal?.isEmpty != true, "a refusal has a reason")
}
