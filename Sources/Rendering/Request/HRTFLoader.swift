import AudioCore
import LibAV
import Platform
import Report
import Spatial
import Verify

/// Loads HRTF sets with the fingerprints that reports name them by.
package struct HRTFLoader {
  /// Keeps what was read of SOFA files; `nil` reads them every time.
  package var cache: HRTFCache?
  /// Where SOFA files are parsed.
  package var reading: SOFAReading

  /// A loader that keeps what it reads in `cache` and parses SOFA files with `reading`.
  package init(cache: HRTFCache? = nil, reading: SOFAReading = .inProcess) {
    self.cache = cache
    self.reading = reading
  }

  /// A set ready for rendering.
  package struct Loaded {
    /// The set.
    package let set: HRTFSet
    /// SHA-256 of the file or of the built-in data.
    package let sha256: String
  }

  /// Refuses options that the set can't follow.
  /// - Throws: ``MediaError`` of kind `usage` when the built-in set is to stay uneven: only its left
  ///   half was measured; and for a head that nobody has.
  package static func check(_ hrtf: HRTFRequest) throws {
    try hrtf.options.check()
    guard hrtf.options.isSymmetrised || hrtf.choice != .builtIn else {
      throw MediaError(
        .usage,
        "\(setting: .symmetry) off: only the left half of the built-in set was measured, its right half "
          + "is the mirror image; give a SOFA file")
    }
  }

  /// Loads a set.
  /// - Throws: what ``check(_:)``, ``HRTFSet/load(path:options:)`` and ``LocalFile/init(path:)``
  ///   throw.
  package func load(_ hrtf: HRTFRequest) throws -> Loaded {
    try HRTFLoader.check(hrtf)
    switch hrtf.choice {
    case .builtIn:
      return Loaded(
        set: try HRTFSet.builtIn(options: hrtf.options), sha256: PCMDigest.of(HRTFSet.builtInBytes))
    case .file(let path):
      let file = try LocalFile(path: path)
      let sha256 = PCMDigest.of(file.bytes(at: 0, count: Int(file.size)))
      let set = try HRTFSet.load(
        file, sha256: sha256, options: hrtf.options, cache: cache, reading: reading)
      return Loaded(set: set, sha256: sha256)
    }
  }
}
