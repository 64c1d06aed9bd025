/// Where a batch's jobs come from.
package enum BatchSource: Sendable, Equatable {
  /// A manifest.
  case manifest(String)
  /// A folder, walked with everything below it.
  case folder(String)
  /// Files or URLs by name.
  case list([String], name: String)

  /// The manifest or folder at `path`.
  package init(path: String) {
    self =
      FolderListing.kind(path, followingLinks: true) == .folder ? .folder(path) : .manifest(path)
  }

  /// What it is called in reports.
  var name: String {
    switch self {
    case .manifest(let path), .folder(let path): return path
    case .list(_, let name): return name
    }
  }
}
