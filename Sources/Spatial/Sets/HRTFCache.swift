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

  /// A cache in `folder` of at most `limit` bytes.
  package init(folder: String, limit: Int64 = 256 << 20) {
    self.folder = folder
    self.limit = limit
  }

  /// An unfinished file is abandoned after an hour.
  private var files: CacheFolder {
    CacheFolder(path: folder, suffix: ".measurements", patience: 3600)
  }

  /// What was kept of the file with this SHA-256; `nil` when the cache has no intact entry.
  func find(sha256: String) -> CachedMeasurements? {
    guard let file = files.find(sha256), file.size <= limit,
      let found = CachedMeasurements(bytes: file.bytes(at: 0, count: Int(file.size)), sha256)
    else { return nil }
    files.markUsed(file)
    return found
  }

  /// Keeps `content` for the file with this SHA-256, replacing what is there.
  func keep(_ content: CachedMeasurements, sha256: String) {
    let bytes = content.bytes(sha256)
    guard CacheFolder.isDigest(sha256), bytes.count <= limit, let file = files.begin(),
      bytes.withUnsafeBytes({ file.store($0, at: 0) }), file.place(as: sha256)
    else { return }
    files.trim(to: limit)
  }
}
