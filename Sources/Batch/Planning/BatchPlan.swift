import AudioCore
import Platform

/// Everything that a batch will do, determined before the first item is rendered.
package struct BatchPlan: Sendable {
  /// The output folder.
  package let root: String
  /// The manifest or folder, as it was named.
  package let source: String
  /// All items, in the order of the manifest, or sorted.
  package let items: [BatchItem]
  /// Files of the folder that are left out, with the reason.
  package let skipped: [String: String]

  /// Digest of all ids and what is asked for.
  package var digest: String {
    FileDigest.of(items.flatMap { [$0.id, $0.job] })
  }

  /// The role of the file at `path` in this batch, such as `an input`; `nil` when it has none. With `isFolder` it
  /// is that of the files in the folder at `path`, too.
  package func role(of path: String, isFolder: Bool = false) -> String? {
    if let identity = FolderListing.identity(path) {
      if FolderListing.identity(source) == identity {
        return PathParts.isFolder(source) ? "the input folder" : "the manifest"
      }
      if items.contains(where: { FolderListing.identity($0.source) == identity }) {
        return "an input"
      }
    }
    let folder = PathParts.folder(of: LocalPath.absolute(path))
    guard let above = PathParts.real(folder), let real = PathParts.real(root),
      let own = PathParts.rest(of: above + "/" + LocalPath.name(of: path), below: real)
    else { return nil }
    let place = own.lowercased()
    let results = ResultStore.folderName
    if place.hasPrefix(results + "/items/") || place.hasPrefix(results + "/shards/")
      || isFolder && place == results
    {
      return "a result of the batch"
    }
    let isTaken = items.contains { item in
      item.files.contains {
        let file = $0.lowercased()
        return PathName(file) == PathName(place)
          || isFolder && PathParts.rest(of: file, below: place) != nil
      }
    }
    return isTaken ? "an output" : nil
  }

  /// The items of `shard`; all of them without one.
  package func items(of shard: Shard?) -> [BatchItem] {
    shard.map { shard in items.filter { shard.contains($0) } } ?? items
  }
}
