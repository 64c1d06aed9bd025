import AudioCore
import MediaOut
import Platform

/// The forms in which chapters are written into a file of their own, by its extension.
enum ChapterSheet: String, CaseIterable {
  /// A cue sheet.
  case cue
  /// Chapters of podcasts (JSON chapters 1.2).
  case json
  /// Labels of Audacity.
  case txt

  /// The form of the file at `path`.
  /// - Throws: ``MediaError`` of kind `usage` for another extension.
  init(path: String) throws {
    let name = PathParts.of(path).last ?? ""
    let suffix = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard let form = ChapterSheet(rawValue: suffix), name.contains(".") else {
      throw MediaError(
        .usage, about: path,
        "isn't a name for chapters; give one that ends in .cue, .json or .txt")
    }
    self = form
  }

  /// The text of `sheet`; chapters that the form doesn't hold are told in `log`.
  func text(_ sheet: MarkerSheet, _ log: DiagnosticLog) -> String {
    switch self {
    case .cue:
      if sheet.markers.count > MarkerSheet.cueLimit {
        log.degrade(
          .chaptersCut,
          "a cue sheet holds \(MarkerSheet.cueLimit) of the \(sheet.markers.count) chapters; .json holds all"
        )
      }
      return sheet.cueSheet
    case .json: return sheet.podcastChapters
    case .txt: return sheet.labels
    }
  }
}
