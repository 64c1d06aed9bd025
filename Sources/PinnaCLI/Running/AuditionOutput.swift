import AudioCore
import Audition
import Platform
import Report

/// Where a listening page and its media go.
struct AuditionOutput {
  /// Bytes of media that one page can hold: browsers read a page as a whole.
  private static let largestPage = 256 << 20

  private let page: String
  private let parent: String
  private let folder: String?
  private let overwrite: Bool

  /// A page at `page`, with a folder beside it where one is wanted.
  /// - Throws: ``MediaError`` when it would replace one of `inputs` or, without `overwrite`, any file.
  init(page: String, hasFolder: Bool, inputs: [String], overwrite: Bool) throws {
    self.page = page
    self.overwrite = overwrite
    let stem = page.lowercased().hasSuffix(".html") ? String(page.dropLast(5)) : page
    folder = hasFolder ? stem + "-media" : nil
    guard page != "-" else {
      throw MediaError(.usage, "-o -: a listening page needs a file name, such as page.html")
    }
    try PlotPlace.check(page, inputs, overwrite, option: "-o")
    parent = PathParts.folder(of: page)
    guard let folder else { return }
    guard overwrite || access(folder, F_OK) != 0 else {
      throw MediaError(
        .outputExists, "-o \(page): \(folder) exists already; add -y to replace it")
    }
    try AuditionOutput.checkFolder(folder, page)
  }

  /// Refuses a folder that holds anything but the media of a page.
  private static func checkFolder(_ folder: String, _ page: String) throws {
    var facts = stat()
    guard lstat(folder, &facts) == 0 else { return }
    guard facts.st_mode & S_IFMT == S_IFDIR else {
      throw MediaError(
        .outputUnwritable, "-o \(page): \(folder) is no folder; give the page another name")
    }
    let start = Array(AuditionPage.Medium.scriptStart.utf8)
    for name in FolderNames.of(path: folder) {
      guard let file = try? LocalFile(path: folder + "/" + name), name.hasSuffix(".js"),
        file.bytes(at: 0, count: start.count) == start
      else {
        throw MediaError(
          .outputUnwritable,
          "-o \(page): \(folder)/\(name) is no medium of a page, and isn't replaced; give the page another name"
        )
      }
    }
  }

  /// Writes the media, then the page, so that no page lacks its media. The folder appears as a whole.
  /// - Returns: the report as the page holds it.
  /// - Throws: ``MediaError``.
  func write(_ made: AuditionMaker.Made) throws -> AuditionReport {
    var report = made.report
    guard let folder else {
      let size = made.media.reduce(0) { $0 + $1.bytes.count } / 3 * 4
      guard size <= AuditionOutput.largestPage else {
        throw MediaError(
          .outputLimit, about: page,
          "\(size >> 20) MiB of media are too much for one page; add --folder, or take fewer excerpts"
        )
      }
      try TextFile.write(
        try AuditionPage(report, media: made.media).html(), to: page, overwrite: overwrite)
      return report
    }
    report.folder = PathParts.of(folder).last
    let (fresh, old) = (try ScratchFolder(in: parent), try ScratchFolder(in: parent))
    for medium in made.media {
      try TextFile.write(medium.script(of: report.id), to: "\(fresh.path)/\(medium.key).js")
    }
    // Rendering took a while, in which somebody could have put files of their own there.
    try AuditionOutput.checkFolder(folder, page)
    // The old media go when `old` does, which must not be before the new ones are in place.
    defer { withExtendedLifetime(old) {} }
    guard chmod(fresh.path, 0o755) == 0 else { throw OutputFailure.error(errno, folder) }
    try FolderReplacement.put(fresh.path, at: folder, orMovingOldTo: old.path)
    try TextFile.write(try AuditionPage(report).html(), to: page, overwrite: overwrite)
    return report
  }
}
