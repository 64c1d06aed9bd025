// SPDX-License-Identifier: Apache-2.0

/// The track of the file, the channel and the pack that each audioTrackUID stands for.
struct TrackIndex {
  /// One audioTrackUID.
  struct Entry: Sendable {
    let uid: ElementID
    /// Track of the file, from 0.
    let track: Int
    let channel: ElementID
    /// `nil` when no pack is stated.
    let pack: ElementID?
  }

  /// All of them, in the order of `chna`.
  let entries: [Entry]
  private let places: [ElementID: Int]

  /// Joins the elements of a document with the rows of `chna`.
  /// - Parameter fileChannels: channels of the file, for files without `chna`.
  /// - Throws: ``ADMError`` for what contradicts, is missing or leads nowhere.
  init(
    _ index: ElementIndex, _ table: ChannelTable?, fileChannels: Int, findings: FindingLog
  ) throws(ADMError) {
    let elements = Dictionary(
      index.document.tracks.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var rows = table?.rows ?? []
    if table == nil {
      rows = try TrackIndex.numberedRows(index.document.tracks, fileChannels, findings)
    }
    var entries: [Entry] = []
    var places: [ElementID: Int] = [:]
    for row in rows {
      guard places[row.uid] == nil else {
        throw ADMError(.duplicate, "chna gives the audioTrackUID \(row.uid) a track twice")
      }
      places[row.uid] = entries.count
      entries.append(try TrackIndex.entry(row, elements[row.uid], index))
    }
    self.entries = entries
    self.places = places
  }

  /// The entry that an object refers to.
  func entry(_ uid: ElementID, of object: ElementID) throws(ADMError) -> Entry {
    guard let place = places[uid] else {
      throw ADMError(
        .reference, "\(object) refers to the audioTrackUID \(uid), which has no track of the file")
    }
    return entries[place]
  }

  /// Rows for a file without `chna`: the number in an identifier is the track's.
  private static func numberedRows(
    _ tracks: [AudioTrackUID], _ fileChannels: Int, _ findings: FindingLog
  ) throws(ADMError) -> [ChannelTable.Row] {
    var rows: [ChannelTable.Row] = []
    for track in tracks {
      guard let number = Int(track.id.text.dropFirst(4), radix: 16),
        (1...fileChannels).contains(number)
      else {
        throw ADMError(
          .tracks, "the file has no chna chunk, and the number of \(track.id) is none of its tracks"
        )
      }
      rows.append(ChannelTable.Row(track: number - 1, uid: track.id, format: nil, pack: nil))
    }
    findings.note(
      .channelTable, kind: "missing",
      "the file has no chna chunk; numbers of audioTrackUIDs are taken as tracks")
    return rows
  }

  private static func entry(
    _ row: ChannelTable.Row, _ element: AudioTrackUID?, _ index: ElementIndex
  ) throws(ADMError) -> Entry {
    var channel: ElementID?
    for id in [row.format, element?.channel, element?.format].compactMap(\.self) {
      let found = try index.channel(ofFormat: id, of: row.uid)
      guard channel == nil || channel == found else {
        throw ADMError(
          .reference,
          "the audioTrackUID \(row.uid) leads to the channels \(channel?.text ?? "") and \(found)")
      }
      channel = found
    }
    guard let channel else {
      throw ADMError(.reference, "the audioTrackUID \(row.uid) leads to no audioChannelFormat")
    }
    if let stated = row.pack, let other = element?.pack, stated != other {
      throw ADMError(
        .reference, "the audioTrackUID \(row.uid) belongs to the packs \(stated) and \(other)")
    }
    let pack = row.pack ?? element?.pack
    if let pack { _ = try index.pack(pack, of: row.uid) }
    return Entry(uid: row.uid, track: row.track, channel: channel, pack: pack)
  }
}

/// Finds the packs of tracks of which only `chna` speaks (BS.2127, 5.2.4).
struct TablePacks {
  /// Channels of all packs together.
  private static let mostChannels = 1 << 20

  /// The packs that the tracks fill, each as often as its channels recur.
  /// - Throws: ``ADMError`` of code `tracks` for tracks without a pack.
  static func packs(_ tracks: [TrackIndex.Entry], _ index: ElementIndex) throws(ADMError)
    -> [ElementID]
  {
    var order: [ElementID] = []
    /// Tracks of each channel, by pack.
    var counts: [ElementID: [ElementID: Int]] = [:]
    for track in tracks {
      guard let pack = track.pack else {
        throw ADMError(
          .tracks, "the audioTrackUID \(track.uid) names no pack, and no object does either")
      }
      if counts[pack] == nil { order.append(pack) }
      counts[pack, default: [:]][track.channel, default: 0] += 1
    }
    // The packs of higher orders of a sound field hold those of lower orders; the outermost one counts.
    var inner = Set<ElementID>()
    var channels = 0
    for id in order {
      let leaves = try PackTree(id, of: id, index).leaves
      channels += leaves.count
      guard channels <= mostChannels else {
        throw ADMError(.limit, "the packs that chna names have more than \(mostChannels) channels")
      }
      for leaf in leaves {
        inner.formUnion(leaf.packs.dropFirst().filter { counts[$0] != nil })
      }
    }
    return order.filter { !inner.contains($0) }.flatMap { id in
      [ElementID](repeating: id, count: counts[id]?.values.max() ?? 1)
    }
  }
}
