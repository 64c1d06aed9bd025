import Platform
import Verify

/// Digests of files that decide what a tap does.
enum FileDigests {
  /// Most bytes of a file whose content is taken into account.
  private static let largest = 256 << 20

  /// SHA-256 over the contents of the files that `words` name, and over the words that name none.
  static func of(_ words: [String]) -> String {
    let digests = words.map { word -> String in
      guard let file = try? LocalFile(path: word), file.size <= Int64(largest) else { return word }
      return PCMDigest.of(file.bytes(at: 0, count: Int(file.size)))
    }
    return PCMDigest.of(Array(digests.joined(separator: "\n").utf8))
  }
}
