// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The tracks of a file with their audioTrackUIDs (`chna` chunk, ITU-R BS.2088, 8).
package struct ChannelTable: Sendable, Equatable {
  package struct Row: Sendable, Equatable {
    /// Channel of the WAV file, from 0.
    package let track: Int
    /// The audioTrackUID.
    package let uid: ElementID
    /// The audioTrackFormat, or the audioChannelFormat where its identifier begins with `AC_`; `nil` when
    /// none is stated.
    package let format: ElementID?
    /// The audioPackFormat; `nil` when none is stated.
    package let pack: ElementID?
  }

  private static let rowBytes = 40

  /// Rows in order.
  package let rows: [Row]

  /// A table with these rows.
  package init(rows: [Row]) { self.rows = rows }

  /// The payload of a `chna` chunk with these rows; texts that are too long for their fields are cut.
  package var bytes: [UInt8] {
    func number(_ value: Int) -> [UInt8] { UInt16(truncatingIfNeeded: value).littleEndianBytes }
    func text(_ id: ElementID?, _ count: Int) -> [UInt8] {
      let kept = (id?.text ?? "").utf8.prefix(count)
      return Array(kept) + [UInt8](repeating: 0, count: count - kept.count)
    }
    let head = number(Set(rows.map(\.track)).count) + number(rows.count)
    return rows.reduce(into: head) { bytes, row in
      bytes += number(row.track + 1) + text(row.uid, 12) + text(row.format, 14)
      bytes += text(row.pack, 11) + [0]
    }
  }

  /// Reads the payload of a `chna` chunk of a file with `channels` channels.
  /// - Throws: ``ADMError`` of code `tracks` or `container`.
  package init(_ payload: [UInt8], channels: Int, findings: FindingLog) throws(ADMError) {
    guard payload.count >= 4 else {
      throw ADMError(.container, "the chna chunk has \(payload.count) bytes, and 4 are needed")
    }
    let tracks = Int(payload.littleEndian(UInt16.self, at: 0))
    var count = Int(payload.littleEndian(UInt16.self, at: 2))
    let held = (payload.count - 4) / ChannelTable.rowBytes
    guard count <= held else {
      throw ADMError(.container, "the chna chunk states \(count) rows and holds \(held)")
    }
    // Some programs count only some of the rows that they fill in; those are told by their identifiers.
    if count == 0, held > 0 { count = held }
    var rows: [Row] = []
    for number in 0..<count {
      let place = 4 + number * ChannelTable.rowBytes
      if let row = try ChannelTable.row(payload, at: place, number: number + 1, channels: channels)
      {
        rows.append(row)
      }
    }
    self.rows = rows
    let used = Set(rows.map(\.track)).count
    if used != tracks {
      findings.note(
        .channelTable, kind: "tracks", "chna states \(tracks) tracks, but its rows name \(used)")
    }
  }

  private static func row(
    _ payload: [UInt8], at place: Int, number: Int, channels: Int
  ) throws(ADMError) -> Row? {
    let index = Int(payload.littleEndian(UInt16.self, at: place))
    let uid = payload.paddedText(place + 2..<place + 14)
    if index == 0, uid.isEmpty { return nil }
    guard index > 0 else {
      throw ADMError(.tracks, "row \(number) of chna gives \(uid) track 0; tracks count from 1")
    }
    guard index <= channels else {
      throw ADMError(
        .tracks, "row \(number) of chna gives \(uid) track \(index), but the file has \(channels)")
    }
    guard !uid.isEmpty, let id = ElementID(uid) else {
      throw ADMError(.tracks, "row \(number) of chna gives track \(index) no audioTrackUID")
    }
    guard id != .silentTrack else {
      throw ADMError(
        .tracks, "row \(number) of chna gives track \(index) the identifier \(id), which is silence"
      )
    }
    return Row(
      track: index - 1, uid: id, format: ElementID(payload.paddedText(place + 14..<place + 28)),
      pack: ElementID(payload.paddedText(place + 28..<place + 39)))
  }
}
