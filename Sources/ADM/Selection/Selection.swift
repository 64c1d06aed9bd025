/// What is played of a file: its rendering items, with the choice that led to them (ITU-R BS.2127, 5.2).
package struct Selection: Sendable {
  /// The programme; `nil` when the file has none.
  package let programme: AudioProgramme?
  /// What to render, in the order of the document.
  package let items: [RenderingItem]
  /// Tracks of the file that no item uses, from 0.
  package let unusedTracks: [Int]

  /// Turns a document and the rows of `chna` into rendering items.
  /// - Parameters:
  ///   - document: `nil` for a file that has only `chna`.
  ///   - table: `nil` for a file without `chna`.
  ///   - channels: channels of the file, at least 1.
  /// - Throws: ``ADMError`` of any code but `container`, `syntax` and `documentType`.
  package init(
    _ document: ADMDocument?, _ table: ChannelTable?, channels: Int,
    request: SelectionRequest = SelectionRequest(), findings: FindingLog
  ) throws(ADMError) {
    let index = try ElementIndex(document ?? ADMDocument(), findings: findings)
    try index.checkReferences()
    try CycleCheck.check(index)
    let programme = try Selection.programme(index.document.programmes, request.programme, findings)
    let paths = try ObjectPaths(programme, index, findings: findings).paths
    let tracks = try TrackIndex(index, table, fileChannels: channels, findings: findings)
    var maker = ItemMaker(index, tracks, programme, request, findings)
    if index.document.objects.isEmpty {
      try maker.addTable()
    } else {
      try maker.add(paths)
    }
    self.programme = programme
    items = maker.items
    let used = items.reduce(into: maker.unwantedTracks) { used, item in
      for channel in item.channels { channel.samples.collectTracks(into: &used) }
    }
    unusedTracks = (0..<channels).filter { !used.contains($0) }
    if !unusedTracks.isEmpty {
      let shown = unusedTracks.prefix(16).map { String($0 + 1) }.joined(separator: ", ")
      findings.note(
        .unused, kind: "tracks",
        "nothing plays \(unusedTracks.count) of the \(channels) tracks: \(shown)"
          + (unusedTracks.count > 16 ? ", …" : ""))
    }
  }

  /// The programme that is asked for, else the only one, else the one of the lowest identifier.
  private static func programme(
    _ programmes: [AudioProgramme], _ wanted: String?, _ findings: FindingLog
  ) throws(ADMError) -> AudioProgramme? {
    guard let wanted else {
      let lowest = programmes.min { $0.id < $1.id }
      if programmes.count > 1, let lowest {
        findings.note(
          .choice, kind: "programme",
          "of \(programmes.count) programmes, \(lowest.id) \"\(lowest.name)\" has the lowest identifier"
        )
      }
      return lowest
    }
    let id = ElementID(wanted)
    let found =
      programmes.first { $0.id == id } ?? programmes.first { $0.name == wanted }
      ?? programmes.first { $0.language == wanted }
    guard let found else {
      let known = programmes.prefix(16).map(\.id.text).joined(separator: ", ")
      throw ADMError(
        .request,
        "no programme has the identifier, name or language \"\(wanted.prefix(80))\"; there "
          + (known.isEmpty ? "are none" : "are \(known)"))
    }
    return found
  }
}
