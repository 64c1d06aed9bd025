import LibAV
import Report
import Spatial
import Verify

/// Loads HRTF sets with the fingerprints that reports name them by.
struct HRTFLoader {
  /// Keeps what was read of SOFA files; `nil` reads them every time.
  var cache: HRTFCache?

  /// A set ready for rendering.
  struct Loaded {
    /// The set.
    let set: HRTFSet
    /// SHA-256 of the file or of the built-in data.
    let sha256: String
  }

  /// Loads the set of `choice`.
  /// - Throws: what ``HRTFSet/load(path:options:)`` and ``LocalFile/init(path:)`` throw.
  func load(_ choice: RenderJob.HRTFChoice) throws -> Loaded {
    switch choice {
    case .builtIn:
      return Loaded(
        set: try HRTFSet.builtIn(), sha256: PCMDigest.of(HRTFSet.builtInBytes))
    case .file(let path):
      let file = try LocalFile(path: path)
      let sha256 = PCMDigest.of(file.bytes(at: 0, count: Int(file.size)))
      guard let cache else { return Loaded(set: try HRTFSet.load(path: path), sha256: sha256) }
      return Loaded(set: try HRTFSet.load(file, sha256: sha256, cache: cache), sha256: sha256)
    }
  }
}
