import Platform

/// Where a batch's jobs come from.
package enum BatchSource: Sendable, Equatable {
  /// A manifest.
  case manifest(String)
  /// A folder, walked with everything below it.
  case folder(String)
  /// Files or URLs by name.
  case list([String], name: String)

  /// The manifest or folder at `path`. What isn't there counts as a manifest, whose reader says so.
  /// - Throws: ``MediaError`` of kind `inputUnreadable` or `outOfResources` when it can't be looked at.
  package init(path: String) throws {
    let kind = FolderListing.kind(path, followingLinks: true)
    let code = errno
    guard kind != nil || code == ENOENT || code == ENOTDIR else {
      throw LocalFile.openFailure(path, code)
    }
    self = kind == .folder ? .folder(path) : .manifest(path)
  }

  /// What it is called in reports.
  var name: String {
    switch self {
    case .manifest(let path), .folder(let path): return path
    case .list(_, let name): return name
    }
  }
}
