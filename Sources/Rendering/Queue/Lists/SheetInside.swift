import AudioCore
import Essentials
import LibAV
import MediaIn
import Platform
import PlayQueue

/// The cue sheet inside a media file, which the input `cue:FILE` asks for: a tag called CUESHEET, or the block of a
/// FLAC file.
enum SheetInside {
  private static let prefix = "cue:"

  /// The media file that `path` asks for the sheet of; `nil` for any other input.
  static func media(of path: String) -> String? {
    path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : nil
  }

  /// Reads the sheet inside the file at `media`, whose name in the queue is `name`.
  /// - Throws: ``MediaError`` when there is none, or it can't be read.
  static func read(_ media: String, as name: String, _ clip: Clip) throws -> ReadQueue {
    let file = try clip.decoding.bounds.open(media)
    do {
      if let text = try MediaFile(file: file).cueSheet {
        let bytes = try CueSheet.text(text, about: name)
        let folder = ListFolder(exists: { _ in true }, list: { _ in [] })
        return ReadQueue(
          try CueSheet(Array(bytes.utf8), encoding: .utf8, in: folder), gaps: clip.joining.cueGaps)
      }
      if let sheet = try FLACSheet({ file.bytes(at: $0, count: $1) }) {
        return ReadQueue(sheet, path: name, gaps: clip.joining.cueGaps)
      }
    } catch let error as ListError {
      throw error.about(media)
    }
    throw MediaError(
      .inputUnreadable, about: media,
      "has no cue sheet inside; give the sheet's own file, or \(media) alone")
  }
}

extension MediaFile {
  /// The text of the tag that holds a cue sheet; `nil` without one.
  fileprivate var cueSheet: String? {
    ([metadata] + streams.map(\.metadata)).compactMap { $0["cuesheet"] }.first { !$0.isEmpty }
  }
}
