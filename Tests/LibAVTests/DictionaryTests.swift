import Testing

@testable import LibAV

@Suite struct DictionaryTests {
  /// The entries of a dictionary that was made of these values.
  private func read(_ values: [String: String]) -> [String: String] {
    let options = OpenOptions(values)
    // The dictionary is freed with its owner.
    return withExtendedLifetime(options) { entries(of: options.handle) }
  }

  @Test func nothingHasNoEntries() {
    #expect(entries(of: nil).isEmpty)
    #expect(read([:]).isEmpty)
    #expect(OpenOptions([:]).unused.isEmpty)
  }

  @Test func entriesComeOutAsTheyWentIn() {
    let values = [
      "title": "Ærø = 1;2:3", "Empty": "", "key with spaces": "a\nb", "ümläut": "🎵", "a": "1",
      "ab": "2", "abc": "3",
    ]
    #expect(read(values) == values)
  }

  @Test func whatIsntTakenIsNamedInOrder() {
    #expect(OpenOptions(["b": "1", "a": "2", "c": "3"]).unused == ["a", "b", "c"])
  }
}
