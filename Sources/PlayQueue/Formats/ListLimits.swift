/// What a list may ask for at most. Real lists stay far below; hostile ones don't.
package enum ListLimits {
  /// Bytes of a list of lines.
  package static let documentBytes = 16 << 20
  /// Bytes of one line.
  package static let lineBytes = 64 << 10
  /// Lines that aren't empty.
  package static let lines = 400_000
  /// Items of one list.
  package static let entries = 100_000
  /// Notes that are kept of one list.
  package static let notes = 100_000
  /// Tracks of a cue sheet; `TRACK` has two digits.
  package static let cueTracks = 99
  /// FILE lines of a cue sheet: one for each track, and as many again for gaps of their own.
  package static let cueFiles = 198
  /// Remarks that are kept of a cue sheet.
  package static let cueRemarks = 10_000
}
