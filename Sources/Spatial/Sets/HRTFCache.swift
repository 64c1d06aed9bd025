import Essentials
import LibAV
import Platform

/// A folder that keeps the measurements of SOFA files as they were read, because reading them takes
/// most of the time until a renderer is ready.
///
/// Only what a file states is kept. Everything derived from it is computed each time, so that no
/// other version or option can leave a stale result. Files are named for the SHA-256 of their
/// source and appear whole or not at all; a file with any fault counts as absent. A failure here
/// costs time, never a render.
package struct HRTFCache: Sendable {
  /// Where the files lie; made on first use.
  package let folder: String
  /// Bytes that all files may take; the ones unused for longest go first.
  package let limit: Int64

  private static let suffix = ".measurements"
  private static let unfinished = ".unfinished-"
  /// Age in seconds at which an unfinished file counts as abandoned.
  private static let abandoned = 3600

  /// A cache in `folder` of at most `limit` bytes.
  package init(folder: String, limit: Int64 = 256 << 20) {
    self.folder = folder
    self.limit = limit
  }

  /// What was kept of the file with this SHA-256; `nil` when the cache has no intact entry.
  func find(sha256: String) -> CachedMeasurements? {
    guard HRTFCache.isDigest(sha256) else { return nil }
    let path = place(sha256)
    guard let file = try? LocalFile(path: path), file.size <= limit,
      let found = CachedMeasurements(bytes: file.bytes(at: 0, count: Int(file.size)), sha256)
    else { return nil }
    // `trim()` first removes the files with the oldest time.
    utimensat(AT_FDCWD, path, nil, 0)
    return found
  }

  /// Keeps `content` for the file with this SHA-256, replacing what is there.
  func keep(_ content: CachedMeasurements, sha256: String) {
    guard HRTFCache.isDigest(sha256) else { return }
    let bytes = content.bytes(sha256)
    guard bytes.count <= limit, makeFolder() else { return }
    let name = (0..<12).compactMap { _ in "abcdefghijklmnopqrstuvwxyz".randomElement() }
    let path = folder + "/" + HRTFCache.unfinished + String(name)
    guard write(bytes, to: path), rename(path, place(sha256)) == 0 else {
      unlink(path)
      return
    }
    trim()
  }

  /// Whether `text` is a digest. Any other text could name a file outside the folder.
  private static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  private func place(_ sha256: String) -> String { folder + "/" + sha256 + HRTFCache.suffix }

  private func makeFolder() -> Bool {
    var part = folder.hasPrefix("/") ? "" : "."
    for name in folder.split(separator: "/") {
      part += "/" + name
      // A parent folder that can't be made has to exist and be passable; it may be read-only.
      guard mkdir(part, 0o700) == 0 || errno == EEXIST || access(part, X_OK) == 0 else {
        return false
      }
    }
    return access(folder, W_OK) == 0
  }

  /// Writes a file that must not be there yet.
  private func write(_ bytes: [UInt8], to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    let code = Descriptor.writeAll(bytes, to: descriptor)
    return close(descriptor) == 0 && code == 0
  }

  /// Removes abandoned files, and those unused for longest until the rest fits the limit.
  private func trim() {
    var kept: [(path: String, size: Int64, used: Int)] = []
    let now = time(nil)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      let path = folder + "/" + name
      var facts = stat()
      guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { continue }
      if name.hasPrefix(HRTFCache.unfinished) {
        if now - facts.modified.tv_sec > HRTFCache.abandoned { unlink(path) }
      } else if name.hasSuffix(HRTFCache.suffix) {
        let used = facts.modified.tv_sec * 1000 + facts.modified.tv_nsec / 1_000_000
        kept.append((path, Int64(facts.st_size), used))
      }
    }
    var total = kept.reduce(0) { $0 + $1.size }
    for file in kept.sorted(by: { $0.used < $1.used }) where total > limit {
      unlink(file.path)
      total -= file.size
    }
  }
}
