import MediaIn
import Platform
import SegmentStore

/// The cache of a run: where it lies, what its items depend on, and the digests of their files.
struct QueueMemory {
  let policy: SegmentPolicy
  let run: RunIdentity
  let digests: SourceDigests

  /// The cache that `policy` describes, for items that are read as `clip` says.
  /// - Throws: ``MediaError`` when the settings can't be put into words.
  init(_ policy: SegmentPolicy, _ clip: Clip, isPortable: Bool) throws {
    self.policy = policy
    run = try RunIdentity(clip, isPortable: isPortable)
    digests = SourceDigests(path: policy.folder, isRemembering: !policy.isVerified)
  }

  /// The digest of the file of each of `entries`; empty for silence.
  func digests(_ entries: [QueueEntry]) -> [String] {
    entries.enumerated().map { index, entry in
      guard case .sound(let key, let track, _) = entry else { return "" }
      // What isn't known by its bytes counts as changed each time.
      guard track.isOneFile, let digest = try? digests.digest(of: key.path) else {
        return "unknown at \(SystemClock.steady), item \(index + 1)"
      }
      return digest
    }
  }
}
