import AudioCore
import Audition
import Platform
import Rendering
import Report

/// Where a listening page and its media go.
struct AuditionOutput {
  /// Bytes of media that one page can hold: browsers read a page as a whole.
  private static let largestPage = 256 << 20

  private let page: String
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
    for input in inputs where MediaLocation.file(page).isSameFile(as: input) {
      throw MediaError(
        .outputUnwritable, "-o \(page): is one of the media; give the page another name")
    }
    for place in [page, folder].compactMap({ $0 }) where !overwrite && access(place, F_OK) == 0 {
      throw MediaError(.outputExists, "-o \(page): \(place) exists already; add -y to replace it")
    }
    let parent = page.lastIndex(of: "/").map { String(page[...$0]) } ?? "."
    guard access(parent, W_OK) == 0 else {
      throw MediaError(.outputUnwritable, "-o \(page): its folder can't be written; check the path")
    }
  }

  /// Writes the media, then the page, so that no page lacks its media.
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
    report.folder = folder.split(separator: "/").last.map(String.init)
    guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
      throw OutputFailure.error(errno, folder)
    }
    for medium in made.media {
      try TextFile.write(medium.script, to: "\(folder)/\(medium.key).js", overwrite: overwrite)
    }
    try TextFile.write(try AuditionPage(report).html(), to: page, overwrite: overwrite)
    return report
  }
}
