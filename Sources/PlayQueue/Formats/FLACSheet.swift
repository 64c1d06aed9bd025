// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The CUESHEET block of a FLAC file (RFC 9639, 8.7): tracks by their samples, without names.
package struct FLACSheet: Sendable, Equatable {
  /// One track of sound.
  package struct Track: Sendable, Equatable {
    /// Its number, 1…254.
    package let number: Int
    /// The first sample of its gap (index point 0); `nil` without one.
    package let gapStart: Int64?
    /// The first sample of its music (index point 1).
    package let start: Int64
    /// The recording's code of twelve characters; `nil` without one.
    package let isrc: String?
    /// Whether it was recorded with pre-emphasis of 50/15 µs.
    package let hasPreEmphasis: Bool
  }

  /// The tracks in the order of their samples, at least one.
  package let tracks: [Track]

  /// Blocks in front of the sound that are looked at; files have a handful.
  private static let mostBlocks = 1000

  /// Finds the block in a file, whose bytes `read` delivers by offset and number; `nil` for no FLAC, and without
  /// such a block.
  /// - Throws: ``ListError`` for a block that breaks the standard, and for data tracks.
  package init?(_ read: (Int64, Int) -> [UInt8]) throws(ListError) {
    guard read(0, 4) == Array("fLaC".utf8) else { return nil }
    var offset: Int64 = 4
    for _ in 0..<FLACSheet.mostBlocks {
      let head = read(offset, 4)
      guard head.count == 4 else { return nil }
      let length = head[1...].bigEndian(Int.self)
      // Type 5 is the sheet; the highest bit marks the last block.
      if head[0] & 0x7F == 5 {
        try self.init(block: read(offset + 4, length))
        return
      }
      guard head[0] & 0x80 == 0 else { return nil }
      offset += 4 + Int64(length)
    }
    return nil
  }

  /// Reads the content of the block.
  private init(block: [UInt8]) throws(ListError) {
    // Catalogue number, lead-in, flags, and at last the number of tracks with the lead-out.
    var reader = BlockReader(block)
    try reader.skip(128 + 8 + 259)
    var tracks: [Track] = []
    for _ in 0..<(try reader.number(1)) {
      let (track, isSound) = try FLACSheet.track(&reader)
      guard let track else { continue }
      guard isSound else {
        throw ListError(
          .unsupportedFeature,
          "track \(track.number) of the cue sheet inside holds data, not sound")
      }
      guard track.start >= tracks.last?.start ?? 0, track.gapStart ?? track.start <= track.start
      else {
        throw ListError(
          .inputUnreadable, "the tracks of the cue sheet inside aren't in order; correct it")
      }
      tracks.append(track)
    }
    guard !tracks.isEmpty else {
      throw ListError(.inputUnreadable, "the cue sheet inside has no track")
    }
    self.tracks = tracks
  }

  /// The next track, and whether it is sound; no track for the lead-out.
  private static func track(
    _ reader: inout BlockReader
  ) throws(ListError) -> (track: Track?, isSound: Bool) {
    let offset = try reader.number(8)
    let number = try reader.number(1)
    let code = try reader.text(12)
    let flags = try reader.number(1)
    try reader.skip(13)
    var points: [Int64: Int64] = [:]
    for _ in 0..<(try reader.number(1)) {
      let place = try reader.number(8)
      let (sample, isTooLarge) = offset.addingReportingOverflow(place)
      points[try reader.number(1)] = isTooLarge ? -1 : sample
      try reader.skip(3)
    }
    // 170 ends a CD, 255 any other sheet.
    guard let start = points[1], number != 170, number != 255 else { return (nil, true) }
    guard start >= 0, points[0] ?? 0 >= 0 else {
      throw ListError(.inputUnreadable, "track \(number) of the cue sheet inside begins nowhere")
    }
    return (
      Track(
        number: Int(number), gapStart: points[0], start: start, isrc: code.isEmpty ? nil : code,
        hasPreEmphasis: flags & 0x40 != 0), flags & 0x80 == 0
    )
  }
}

/// Reads a block from its beginning on.
private struct BlockReader {
  private var bytes: ByteReader

  init(_ block: [UInt8]) { bytes = ByteReader(block[...]) }

  /// A number of `count` bytes, the highest first.
  mutating func number(_ count: Int) throws(ListError) -> Int64 {
    try take(count).bigEndian()
  }

  /// Text of `count` bytes up to the first zero.
  mutating func text(_ count: Int) throws(ListError) -> String {
    String(decoding: try take(count).prefix { $0 != 0 }, as: UTF8.self)
  }

  mutating func skip(_ count: Int) throws(ListError) { _ = try take(count) }

  private mutating func take(_ count: Int) throws(ListError) -> ArraySlice<UInt8> {
    guard let taken = bytes.take(count) else {
      throw ListError(.inputUnreadable, "the cue sheet inside ends too early; remove it")
    }
    return taken
  }
}

extension ReadQueue {
  /// The queue of the sheet in the file at `path`. Its ranges are in samples; the last track ends with the file.
  package init(_ sheet: FLACSheet, path: String, gaps: CueGaps) {
    let tracks = sheet.tracks
    // Samples at which an item begins, and at which the one before it ends.
    let starts = tracks.map { gaps == .prepend ? $0.gapStart ?? $0.start : $0.start }
    let ends = tracks.map { gaps == .append ? $0.start : $0.gapStart ?? $0.start }
    func item(_ start: Int64, _ end: Int64?) -> QueueItem {
      QueueItem(
        .file(
          path: path, track: nil,
          range: QueueRange(start: .samples(start), end: end.map { .samples($0) })))
    }
    var items: [QueueItem] = []
    var notes: [ListNote] = []
    let hidden = gaps == .append ? starts[0] : ends[0]
    if hidden > 0 {
      var lead = item(0, hidden)
      lead.title = "Hidden track"
      items.append(lead)
      notes.append(
        ListNote(.hiddenTrack, "sound lies before track \(tracks[0].number); it is item 0"))
    }
    for (index, track) in tracks.enumerated() {
      var item = item(starts[index], index + 1 < tracks.count ? ends[index + 1] : nil)
      item.title = "Track \(track.number)"
      item.tags["isrc"] = track.isrc
      items.append(item)
      if track.hasPreEmphasis {
        notes.keep(
          ListNote(
            .preEmphasis, "track \(track.number) was recorded with pre-emphasis (50/15 µs)"))
      }
    }
    self.init(PlayQueue(items), lines: items.map { _ in nil }, notes: notes, title: nil)
  }
}
