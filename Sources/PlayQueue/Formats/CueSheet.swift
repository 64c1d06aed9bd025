// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A cue sheet: the tracks of a disc in one file or several.
///
/// Times are frames of 1/75 s and stay exact; they are rounded to samples by whoever places items.
package struct CueSheet: Sendable, Equatable {
  /// Frames in a second of a cue sheet.
  package static let framesPerSecond: Int64 = 75

  /// Names of people and works, of the disc or of a track.
  package struct Names: Sendable, Equatable {
    /// `TITLE`.
    package var title: String?
    /// `PERFORMER`.
    package var performer: String?
    /// `SONGWRITER`.
    package var songwriter: String?
  }

  /// `REM KEY VALUE`, such as DATE or REPLAYGAIN_TRACK_GAIN.
  package struct Remark: Sendable, Equatable {
    /// The key in capitals.
    package let key: String
    /// The value without quotes.
    package let value: String
    /// The track that it stands in; `nil` for the disc.
    package let track: Int?
  }

  /// A place on the disc.
  package struct Mark: Sendable, Equatable {
    /// The index of the file in ``CueSheet/files``.
    package let file: Int
    /// Frames of 1/75 s from the file's start, at least 0.
    package let frames: Int64

    /// The frames as an exact time.
    package var time: MediaTime { MediaTime(ticks: frames, rate: CueSheet.framesPerSecond) }
  }

  /// One track of sound.
  package struct Track: Sendable, Equatable {
    /// 1…99; numbers rise, and may begin above 1.
    package let number: Int
    /// The line of `TRACK`.
    package let line: Int
    package var names = Names()
    /// The recording's code of twelve characters, as it stands there.
    package var isrc: String?
    /// Whether it was recorded with pre-emphasis of 50/15 µs (`FLAGS PRE`).
    package var hasPreEmphasis = false
    /// Frames of silence in front of it that no file holds.
    package var pregap: Int64 = 0
    /// Frames of silence behind it that no file holds.
    package var postgap: Int64 = 0
    /// Start of its gap (`INDEX 00`); `nil` without one.
    package var gapStart: Mark?
    /// Start of its music (`INDEX 01`).
    package var start = Mark(file: 0, frames: 0)
    /// Places inside it (`INDEX 02` to `99`), in their order.
    package var marks: [Mark] = []
  }

  /// Names of the disc.
  package internal(set) var names = Names()
  /// The disc's number of 13 digits, as it stands there.
  package internal(set) var catalog: String?
  /// Remarks in their order, at most ``ListLimits/cueRemarks``.
  package internal(set) var remarks: [Remark] = []
  /// Paths of the files below the sheet's folder, in the order of their `FILE` lines; at least one. A file stands
  /// here once for all lines between which its times go on.
  package internal(set) var files: [String] = []
  /// The tracks, 1 to 99.
  package internal(set) var tracks: [Track] = []
  /// Notes on what was assumed, replaced or left out.
  package internal(set) var notes: [ListNote] = []

  /// Reads a sheet.
  /// - Parameter encoding: The declared encoding; `nil` for UTF-8, else Windows-1252 with a note.
  /// - Throws: ``ListError`` with the line for data tracks, headerless files, times out of range or order,
  ///   tracks without `INDEX 01`, files without a track, and names that aren't in the folder.
  package init(
    _ bytes: [UInt8], encoding: TextEncoding? = nil, in folder: ListFolder
  ) throws(ListError) {
    let text = try ListText(bytes, declared: encoding)
    var reader = CueReader(folder: folder, notes: text.notes)
    for line in text.lines { try reader.read(line) }
    self = try reader.finish()
  }

  init() {}

  /// The text of a sheet that was found inside the file called `name`, whatever it calls that file.
  /// - Throws: ``ListError`` for a sheet of several files.
  package static func text(_ text: String, about name: String) throws(ListError) -> String {
    let isFile = { (line: Substring) in ListWord.split(line).0.uppercased() == "FILE" }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map(ListWord.trimmed)
    // A sheet may name its one file again in front of each track.
    let files = PathSet(
      lines.filter(isFile).map { line in
        let rest = ListWord.split(line).rest
        return String(CueReader.file(rest)?.name ?? rest)
      })
    guard files.count == 1 else {
      throw ListError(
        .inputUnreadable,
        "the cue sheet inside names \(files.count) files, not this one alone; give it as a file of its own"
      )
    }
    return lines.map { line in
      guard isFile(line) else { return String(line) }
      // The kind tells whether times were counted with the delay of an MP3 file.
      return "FILE \"\(name)\" " + (line.uppercased().hasSuffix(" MP3") ? "MP3" : "WAVE")
    }.joined(separator: "\n")
  }
}

/// One item that a cue sheet makes: a track, or what lies before the first.
package struct CueItem: Sendable, Equatable {
  /// A stretch of an item.
  package enum Piece: Sendable, Equatable {
    /// Part of the file of this index in ``CueSheet/files``.
    ///
    /// Times are in the file, at 75 ticks a second; `end` is `nil` for the file's end.
    case file(index: Int, start: MediaTime, end: MediaTime?)
    /// Silence that no file holds.
    case silence(MediaTime)
  }

  /// The track's number; 0 for what lies before the first track.
  package let number: Int
  /// The stretches in their order; at least one.
  package let pieces: [Piece]
}

/// The place of the gap in front of a track.
public enum CueGaps: String, Sendable, CaseIterable, Codable {
  /// To the end of the track before, as disc players count.
  case append
  /// To the track itself.
  case prepend
  /// Nowhere: gaps are left out.
  case drop
}

extension CueSheet {
  /// The items of the disc in their order.
  ///
  /// With ``CueGaps/append`` and ``CueGaps/prepend`` they hold every sample of the files once.
  package func items(gaps: CueGaps = .append) -> [CueItem] {
    guard let first = tracks.first else { return [] }
    let before = lead(of: first)
    let opening = gap(of: first)
    // Sound in front of track 1 is a hidden track; silence alone isn't, and stays with the track.
    let isHidden = gaps == .append && (!before.isEmpty || opening.contains { $0.isFile })
    let hidden = isHidden ? before + opening : before
    var items = hidden.isEmpty ? [] : [CueItem(number: 0, pieces: hidden)]
    for (index, track) in tracks.enumerated() {
      let next = index + 1 < tracks.count ? tracks[index + 1] : nil
      var pieces = span(from: track.start, to: next.map { $0.gapStart ?? $0.start })
      if gaps != .drop { pieces += CueSheet.silence(track.postgap) }
      switch gaps {
      case .append:
        if index == 0 && !isHidden { pieces = opening + pieces }
        if let next { pieces += gap(of: next) }
      case .prepend: pieces = gap(of: track) + pieces
      case .drop: break
      }
      items.append(CueItem(number: track.number, pieces: pieces))
    }
    return items
  }

  /// Sound before the first track's gap. A disc whose only `INDEX` is 01 has no gap of its own there.
  private func lead(of first: Track) -> [CueItem.Piece] {
    let end = first.gapStart ?? first.start
    return span(from: Mark(file: 0, frames: 0), to: end)
  }

  private func gap(of track: Track) -> [CueItem.Piece] {
    let silence = CueSheet.silence(track.pregap)
    guard let gapStart = track.gapStart else { return silence }
    return silence + span(from: gapStart, to: track.start)
  }

  private static func silence(_ frames: Int64) -> [CueItem.Piece] {
    frames > 0 ? [.silence(MediaTime(ticks: frames, rate: framesPerSecond))] : []
  }

  /// The stretches between two places; `nil` is the end of the last file.
  private func span(from start: Mark, to end: Mark?) -> [CueItem.Piece] {
    let lastFile = end?.file ?? files.count - 1
    guard start.file <= lastFile else { return [] }
    return (start.file...lastFile).compactMap { file in
      let from = file == start.file ? start.frames : 0
      let to = file == end?.file ? end?.frames : nil
      // A place at the very start of a file takes nothing of it.
      guard to.map({ $0 > from }) ?? true else { return nil }
      return .file(
        index: file, start: Mark(file: file, frames: from).time,
        end: to.map { Mark(file: file, frames: $0).time })
    }
  }
}

extension CueItem.Piece {
  /// Whether a file holds it.
  fileprivate var isFile: Bool {
    if case .file = self { return true }
    return false
  }
}
