// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LibAV

@Suite struct DictionaryTests {
  /// The entries of a dictionary that was made of these values.
  private func read(_ values: [String: String]) throws -> [String: String] {
    let options = try OpenOptions(values)
    // The dictionary is freed with its owner.
    return withExtendedLifetime(options) { TagText().entries(of: options.handle) }
  }

  @Test("no dictionary and an empty one have no entries and no unused options")
  func nothingHasNoEntries() throws {
    #expect(TagText().entries(of: nil).isEmpty && TagText.isUTF8(nil))
    #expect(try read([:]).isEmpty)
    #expect(try OpenOptions([:]).unused.isEmpty)
  }

  @Test("entries of a dictionary with any text read back")
  func entriesComeOutAsTheyWentIn() throws {
    let values = [
      "title": "Ærø = 1;2:3", "Empty": "", "key with spaces": "a\nb", "ümläut": "🎵", "a": "1",
      "ab": "2", "abc": "3",
    ]
    #expect(try read(values) == values)
  }

  @Test("options that nobody took are named in order") func whatIsntTakenIsNamedInOrder() throws {
    #expect(try OpenOptions(["b": "1", "a": "2", "c": "3"]).unused == ["a", "b", "c"])
  }
}
