import AudioCore

/// Chapters as the CUESHEET block of a FLAC file (RFC 9639, 8.7), which states them in samples. It has no titles.
package struct FLACCueSheet {
  /// Tracks that a sheet holds besides the lead-out, as on a CD; more have comments only.
  package static let limit = 99
  /// Number of the track that states where the last one ends.
  private static let leadOut: UInt8 = 255

  private let starts: [Int64]
  private let frames: Int64

  /// The sheet of the settings' chapters; `nil` without chapters, and where they are more than ``limit``.
  init?(_ settings: FLACSettings) {
    guard (1...FLACCueSheet.limit).contains(settings.chapters.count) else { return nil }
    starts = settings.chapters.map { max(0, $0.time.samples(at: settings.format.sampleRate)) }
    frames = settings.frames
  }

  /// The content of the block: no catalogue number, no lead-in, not a CD.
  var content: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 128 + 8 + 259)
    bytes.append(UInt8(clamping: starts.count + 1))
    for (index, start) in starts.enumerated() {
      bytes += FLACCueSheet.track(UInt8(clamping: index + 1), at: start, points: 1)
      // The one index point: at the track's beginning, number 1.
      bytes += [UInt8](repeating: 0, count: 8) + [1, 0, 0, 0]
    }
    return bytes + FLACCueSheet.track(FLACCueSheet.leadOut, at: frames, points: 0)
  }

  /// A track of sound without ISRC and pre-emphasis, up to the number of its index points.
  private static func track(_ number: UInt8, at sample: Int64, points: UInt8) -> [UInt8] {
    bigEndian(sample) + [number] + [UInt8](repeating: 0, count: 12 + 14) + [points]
  }

  private static func bigEndian(_ value: Int64) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }
}
