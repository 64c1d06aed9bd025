// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The played part of a file: its rendering items, with the choice that led to them (ITU-R BS.2127, 5.2).
package struct Selection: Sendable {
  /// The programme; `nil` when the file has none.
  package let programme: AudioProgramme?
  /// Items to render, in the order of the document.
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

/// The choice of what to play of a document.
package struct SelectionRequest: Sendable {
  /// Identifier, name or language of a programme; `nil` for the only one, or the one of the lowest
  /// identifier.
  package var programme: String?
  /// Objects that are played instead of the roots of their groups.
  package var complements: [ElementID] = []
  /// Items that are less important than this, 0…10, are left out; `nil` for none.
  package var importance: Int?
  /// Objects that sound, by identifier, name or kind of content; empty for all.
  package var only: [String] = []
  /// Changes by a listener, within what the file allows.
  package var changes: [ObjectChange] = []

  /// The usual choice.
  package init() {}
}

/// Something to render: samples with the blocks that say how (ITU-R BS.2127, 5.2).
package struct RenderingItem: Sendable {
  /// Channels of an item: one, or all of a sound field.
  package struct Channel: Sendable {
    /// Source of the samples.
    package var samples: SampleSource
    package var format: AudioChannelFormat
  }

  /// The names and the allowed changes of an item, for a listener.
  package struct Handles: Sendable, Equatable {
    /// The kinds of its content.
    package var kinds: [String] = []
    /// Changes allowed about its object; `nil` when that isn't stated.
    package var interaction: ObjectInteraction?
  }

  /// How the blocks are to be understood.
  package var kind: ContentKind
  package var channels: [Channel]
  /// When the object begins.
  package var start: ADMTime
  /// When the object ends; `nil` at the end of the samples.
  package var end: ADMTime?
  /// Amplitude of the object; 0 when it is muted.
  package var gain: Double
  /// Offset added to positions; `nil` for nothing.
  package var offset: PositionOffset?
  /// The least importance of the objects and of the packs on the way here, 0…10.
  package var importance: Int
  /// From the outermost to the innermost pack.
  package var packs: [ElementID]
  /// For HOA, what the pack says for all channels.
  package var scene: SceneDetails
  package var screen: ReferenceScreen
  /// Blocks that are less important than this are silent; 0 when none is.
  package var blockThreshold: Int
  /// Whether the object moves with the head.
  package var isHeadLocked: Bool
  /// The content it belongs to, its object, both `nil` when there is none.
  package var content: ElementID?
  package var object: ElementID?
  /// Names and allowed changes for a listener.
  package var listener = Handles()

}

/// The source of a channel's samples.
package indirect enum SampleSource: Sendable, Equatable {
  /// One term of a mix.
  package struct Term: Sendable, Equatable {
    package var gain: Double
    /// Delay in milliseconds; samples are ⌈delay · rate / 1000 − ½⌉.
    package var delay: Double
    package var source: SampleSource
  }

  /// A track of the file, from 0.
  case track(Int)
  case silence
  /// A sum.
  case mix([Term])

  /// Adds the tracks that are needed.
  func collectTracks(into tracks: inout Set<Int>) {
    switch self {
    case .track(let track): tracks.insert(track)
    case .silence: break
    case .mix(let terms): for term in terms { term.source.collectTracks(into: &tracks) }
    }
  }
}
