// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Batch
import Platform
import Report

/// The folder with the pages of a batch's items, beside their index: `page.pages` beside `page.html`, with the files
/// `1.html`, `2.html` and so on.
struct PageFolder {
  private let index: String
  /// The last part of ``index``.
  private let file: String
  private let path: String
  /// The last part of ``path``.
  private let name: String

  /// The folder beside the index at `index`.
  init(index: String) {
    self.index = index
    let (folder, file) = PathParts.split(index)
    let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? ""
    self.file = file
    name = (stem.isEmpty ? file : stem) + ".pages"
    path = folder + name
  }

  /// Refuses a place that is something else, belongs to the batch, or has other files under the names of pages.
  /// - Throws: ``MediaError`` of kind `outputUnwritable` or `outputExists`.
  func check(_ plan: BatchPlan, overwrite: Bool) throws {
    if let role = plan.role(of: path, isFolder: true) {
      throw MediaError(.outputUnwritable, "--html \(index): \(path) is \(role); give another name")
    }
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return }
    guard facts.st_mode & S_IFMT == S_IFDIR else {
      throw MediaError(
        .outputUnwritable,
        "--html \(index): \(path) has to be a folder for its pages; give another name")
    }
    guard !overwrite else { return }
    for page in pages where !EarlierReport.mayBeReplaced(page.path, by: "--html") {
      throw OutputPlace(page.path, overwrite: false, as: "--html \(index): \(page.path)")
        .taken(" and isn't a page of a batch")
    }
  }

  /// Writes the pages and then the index; paths in reports are relative to `root`.
  /// - Throws: ``MediaError`` of kind `outputUnwritable` or `diskFull`, and what reading results throws.
  func write(_ page: BatchPage, root: String) throws {
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw OutputFailure.error(errno, path) }
    let links = ReportOutput(option: "--html", path: place(1)).links(from: root)
    let folder = PageLinks.encoded(name)
    try page.several(
      links: links, index: "../" + PageLinks.encoded(file),
      address: { "\(folder)/\($0).html" }, sibling: { "\($0).html" }
    ) { number, text in
      try TextOutput.write(to: number == 0 ? index : place(number)) { try $0(text) }
    }
    removePages(after: BatchPage.pages(items: page.batch.entries.count))
  }

  /// Removes pages of an earlier run that had more, and the folder when it is empty.
  func removePages(after count: Int) {
    var removed = 0
    for page in pages where page.number > count {
      guard EarlierReport.mayBeReplaced(page.path, by: "--html") else { continue }
      if unlink(page.path) == 0 { removed += 1 }
    }
    // A folder that never had pages is the user's own.
    if count == 0, removed > 0 { rmdir(path) }
  }

  private func place(_ number: Int) -> String { "\(path)/\(number).html" }

  /// Files in the folder that have the name of a page.
  private var pages: [(number: Int, path: String)] {
    FolderNames.of(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)).compactMap { name in
      guard name.hasSuffix(".html"), let number = Int(name.dropLast(5)), number > 0,
        name == "\(number).html"
      else { return nil }
      return (number, place(number))
    }
  }
}

/// Recognises a batch's report of an earlier run, which may be replaced without asking.
enum EarlierReport {
  /// Whether the file at `path` may be replaced by the report of `option`: it doesn't exist, is
  /// empty, or is such a report.
  static func mayBeReplaced(_ path: String, by option: String) -> Bool {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return true }
    // Folders and devices are refused or accepted when the file is opened.
    guard facts.st_mode & S_IFMT == S_IFREG, facts.st_size > 0 else { return true }
    guard let file = try? LocalFile(path: path) else { return false }
    let start = String(decoding: file.bytes(at: 0, count: 4096), as: UTF8.self)
    switch option {
    case "--report": return start.hasPrefix("{\n  \"counts\" : {") && namesItsSchema(file)
    case "--junit": return start.hasPrefix("<?xml") && start.contains("<testsuite name=\"batch ")
    case "--markdown":
      return start.hasPrefix("## ") && start.prefix { $0 != "\n" }.contains(" pinna batch ")
    case "--csv": return start.hasPrefix(ReportCSV.head)
    default: return start.contains("content=\"Pinna\"")
    }
  }

  /// Whether the file is a whole report of a batch as ``BatchJSON`` writes it: the file ends as one, and a line of its own names
  /// the schema. A file can be large, so it is read in pieces.
  private static func namesItsSchema(_ file: LocalFile) -> Bool {
    guard file.bytes(at: max(0, file.size - 3), count: 3) == Array("\n}\n".utf8) else {
      return false
    }
    // A string in JSON holds no line break, so that this line can't be text of an item.
    let line = Array("\n  \"schema\" : \"\(BatchReport.schemaName)\"".utf8)
    let step = 1 << 20
    return stride(from: Int64(0), to: file.size, by: step).contains { offset in
      file.bytes(at: offset, count: step + line.count).firstRange(of: line) != nil
    }
  }
}

/// Text that is written piece by piece: to a file, which appears when it is complete, or to standard output.
enum TextOutput {
  /// Bytes that are written at once.
  private static let most = 1 << 18

  /// Writes the pieces that `body` hands over to the file at `path`, or to standard output for `-`. Temporary files that
  /// killed processes left of the file are removed.
  /// - Throws: ``MediaError`` of kind `outputUnwritable` or `diskFull`, and what `body` throws.
  static func write(
    to path: String, _ body: @escaping ((String) throws -> Void) throws -> Void
  ) throws {
    guard path != "-" else { return try pieces(body) { Terminal.output(data: $0) } }
    Abandoned.remove([path])
    let file = try AtomicFile(target: path, overwrite: true)
    try pieces(body) {
      try OutputFailure.check(Descriptor.writeAll($0, to: file.descriptor), path)
    }
    try file.commit(overwrite: true)
  }

  private static func pieces(
    _ body: @escaping ((String) throws -> Void) throws -> Void, to sink: ([UInt8]) throws -> Void
  ) throws {
    var pending: [UInt8] = []
    try body { text in
      pending += text.utf8
      if pending.count >= most {
        try sink(pending)
        pending.removeAll(keepingCapacity: true)
      }
    }
    if !pending.isEmpty { try sink(pending) }
  }
}
