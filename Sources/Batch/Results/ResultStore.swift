import AudioCore
import Essentials
import MediaOut
import Platform
import Report

/// The results of a batch's items: one file each, in `.pinna/items` of the output folder.
package struct ResultStore: Sendable {
  /// Name of Pinna's own folder in the output folder.
  package static let folderName = ".pinna"

  /// The batch's output folder.
  package let root: String

  /// The results in the output folder `root`.
  package init(root: String) { self.root = root }

  /// The file with an item's result, relative to the output folder: readable, and no two ids share one.
  package static func place(_ id: String) -> String {
    let plain = id.unicodeScalars.suffix(60).map {
      isPlain($0) ? UInt8($0.value) : UInt8(ascii: "_")
    }
    let digits = FileDigest.of([id]).prefix(16)
    return "\(folderName)/items/\(String(decoding: plain, as: UTF8.self))-\(digits).json"
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-": return true
    default: return false
    }
  }

  /// Makes the folders that results lie in.
  /// - Throws: ``MediaError`` of kind `outputUnwritable` or `diskFull`.
  package func prepare() throws {
    for name in ["items", "shards"] {
      let folder = LocalPath.joined(root, "\(ResultStore.folderName)/\(name)")
      let code = FolderListing.make(folder)
      guard code == 0 else { throw OutputFailure.error(code, folder) }
    }
  }

  /// An item's result; `nil` when there is none, or none that can be read.
  package func read(_ id: String) -> ItemReport? {
    let path = LocalPath.joined(root, ResultStore.place(id))
    guard let data = FileManager.default.contents(atPath: path),
      let report = try? JSONDecoder().decode(ItemReport.self, from: data),
      report.schema == ItemReport(id: id, input: "", job: "").schema, report.id == id
    else { return nil }
    return report
  }

  /// Stores a result: its file appears complete or not at all, and is synced to the disk.
  /// - Throws: ``MediaError`` of kind `outputUnwritable` or `diskFull`.
  package func write(_ report: ItemReport) throws {
    try TextFile.write(
      ReportJSON.pretty(report), to: LocalPath.joined(root, ResultStore.place(report.id)),
      removesAbandoned: false)
  }

  /// Removes temporary files of these items' outputs and results that killed processes left.
  @discardableResult
  package func removeAbandoned(_ items: [BatchItem]) -> Int {
    let files = items.flatMap { $0.files + [ResultStore.place($0.id)] }
    return Abandoned.remove(files.map { LocalPath.joined(root, $0) })
  }
}
