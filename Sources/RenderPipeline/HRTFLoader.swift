import LibAV
import Report
import Spatial
import Verify

/// Loads HRTF sets with the fingerprints that reports name them by.
struct HRTFLoader {
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
      let set = try HRTFSet.load(path: path)
      return Loaded(set: set, sha256: PCMDigest.of(file.bytes(at: 0, count: Int(file.size))))
    }
  }
}
