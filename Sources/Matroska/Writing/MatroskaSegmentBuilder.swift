// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The parts of a file in front of its blocks.
package struct MatroskaSegment {
  package var docType: MatroskaDocType
  package var info: MatroskaInfo
  package var tracks: [MatroskaTrackEntry]
  package var chapters: MatroskaContent<MatroskaChapters>?
  package var attachments: [MatroskaAttachment] = []
  /// Tags, one Tags element for each; verbatim ones are whole elements.
  package var tags: [MatroskaContent<[MatroskaTag]>] = []

  /// A file of these tracks.
  package init(
    _ docType: MatroskaDocType = .matroska, info: MatroskaInfo, tracks: [MatroskaTrackEntry]
  ) {
    self.docType = docType
    self.info = info
    self.tracks = tracks
  }
}

/// Bytes in place of as many that were handed out before.
package struct MatroskaPatch: Sendable, Equatable {
  /// Offset in the file.
  package let offset: Int64
  package let bytes: [UInt8]
}

/// Builds a file: header, Info, Tracks, Chapters, Attachments, Tags, clusters and Cues. SeekHead, size and length are patched at
/// the end. Blocks come in the order in which they shall lie; a cluster of them is in memory at most.
package struct MatroskaSegmentBuilder {
  /// Time between blocks of sound alone that Cues name.
  private static let cueDistance = MediaTime(ticks: 5, rate: 1)

  private let segment: MatroskaSegment
  private let entries: [Int: MatroskaTrackEntry]
  private let emit: ([UInt8]) throws -> Void
  private let hole: SeekHeadHole
  /// Bytes handed out.
  private var position: Int64 = 0
  /// Offset of the segment's first child, from which places are counted.
  private var origin: Int64 = 0
  private var durationOffset: Int64 = 0
  private var places: [(id: EBMLID, offset: Int64)] = []
  private var cluster = ClusterBuilder()
  /// Whether the cluster has been begun and not been written.
  private var isOpen = false
  private var index = CueIndex()
  /// The timestamp of the last cluster that was closed.
  private var former: Int64 = 0
  /// When the last block of sound alone begins that Cues name.
  private var lastCue: MediaTime?
  private var end = MediaTime(ticks: 0, rate: 1)
  /// The track whose key frames clusters begin with: the first of pictures, else the first of sound.
  private let leader: Int?
  private let hasPictures: Bool

  /// Hands out everything in front of the blocks. `emit` gets all bytes in order, here and later.
  /// - Throws: ``MatroskaError`` for parts that the document type doesn't have or that contradict each other, and what `emit`
  ///   throws.
  package init(_ segment: MatroskaSegment, emit: @escaping ([UInt8]) throws -> Void) throws {
    try MatroskaSegmentBuilder.check(segment)
    self.segment = segment
    self.emit = emit
    entries = Dictionary(
      segment.tracks.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    let pictures = segment.tracks.first { $0.kind == .video }
    hasPictures = pictures != nil
    leader = (pictures ?? segment.tracks.first { $0.kind == .audio })?.number
    // Info, Tracks, Chapters, Attachments, Cues.
    hole = SeekHeadHole(entries: 5 + segment.tags.count)
    try writeHead()
  }

  private static func check(_ segment: MatroskaSegment) throws {
    let tracks = segment.tracks
    guard !tracks.isEmpty, tracks.allSatisfy({ $0.number > 0 && $0.uid > 0 }),
      Set(tracks.map(\.number)).count == tracks.count, Set(tracks.map(\.uid)).count == tracks.count
    else { throw MatroskaError(.tracks, "the numbers of tracks aren't above 0 and different") }
    if let other = tracks.first(where: { !segment.docType.holds(codec: $0.codecID) }) {
      throw MatroskaError(
        .trackEntry, "\(segment.docType.rawValue) files have no \(other.codecID)")
    }
    guard segment.docType.holdsAttachments || segment.attachments.isEmpty else {
      throw MatroskaError(.attachments, "webm files have none")
    }
    guard segment.info.timestampScale > 0 else {
      throw MatroskaError(.timestampScale, "a tick of \(segment.info.timestampScale) ns")
    }
  }

  private mutating func writeHead() throws {
    try write(segment.docType.header)
    // A file that is cut off here has a segment of unknown size, which readers take to its end.
    try write(EBMLID.segment.bytes + VariableInteger.unknown())
    origin = position
    try write(hole.empty)
    try write(.info, segment.info.encoded(ticks: 0))
    durationOffset = position - 8
    var tracks = EBMLBuilder()
    tracks.master(.tracks) { for track in segment.tracks { track.append(to: &$0) } }
    try write(.tracks, tracks.bytes)
    switch segment.chapters {
    case .made(let chapters)?: try write(.chapters, chapters.encoded)
    case .verbatim(let element)?: try write(.chapters, element)
    case nil: break
    }
    let start = position
    try MatroskaAttachment.write(segment.attachments) {
      position += Int64($0.count)
      try emit($0)
    }
    if position > start { places.append((.attachments, start - origin)) }
    for tags in segment.tags {
      switch tags {
      case .made(let tags): try write(.tags, MatroskaTag.encoded(tags))
      case .verbatim(let element): try write(.tags, element)
      }
    }
  }

  /// Adds a block behind those before.
  /// - Throws: ``MatroskaError`` where its track isn't one of the file, or it is too early to be stored, and what `emit` throws.
  package mutating func add(_ block: MatroskaBlock) throws {
    guard let track = entries[block.track] else {
      throw MatroskaError(.block, "there is no track \(block.track)")
    }
    let scale = segment.info.timestampScale
    let ticks = (block.time + track.codecDelay).units(nanoseconds: scale)
    let leads = block.isKey && (block.track == leader || !hasPictures)
    let size = block.data.count + block.additions.count
    if isOpen, cluster.ends(before: ticks, block.time, size: size, mayEnter: leads) {
      try closeCluster()
    }
    if !isOpen { cluster.begin(ticks: ticks, start: block.time, former: former) }
    isOpen = true
    // A new cluster can hold each time from 32,768 ticks before zero on.
    guard let relative = cluster.relative(ticks) else {
      throw MatroskaError(.block, "\(ticks) ticks, which is too early")
    }
    let isFound = isFound(block, track, in: cluster)
    if isFound { lastCue = block.time }
    cluster.add(
      block, relative: relative, durationTicks: durationTicks(block, track, start: ticks),
      scale: scale, cue: isFound ? (ticks, block.track) : nil)
    end = max(end, block.time + MatroskaSegmentBuilder.shown(block, track))
  }

  /// Time of a block that is presented.
  private static func shown(_ block: MatroskaBlock, _ track: MatroskaTrackEntry) -> MediaTime {
    if let duration = block.duration { return duration }
    let whole = track.defaultDuration ?? .nanoseconds(0)
    guard let padding = block.discardPadding, padding.ticks > 0 else { return whole }
    return whole + -padding
  }

  /// Ticks that BlockDuration states; `nil` where the block doesn't state it.
  private func durationTicks(
    _ block: MatroskaBlock, _ track: MatroskaTrackEntry, start: Int64
  ) -> Int64? {
    guard let duration = block.duration else { return nil }
    let scale = segment.info.timestampScale
    let ticks = duration.units(nanoseconds: scale)
    if track.kind == .audio {
      let isUsual = track.defaultDuration.map { $0.units(nanoseconds: scale) == ticks } ?? true
      // A length of 0 would mean a frame without sound.
      return block.statesDuration || !isUsual ? max(1, ticks) : nil
    }
    // Texts end at the nearest tick to their end, so that one that follows doesn't overlap.
    let end = (block.time + track.codecDelay + duration).units(nanoseconds: scale)
    return block.statesDuration ? max(0, end - start) : nil
  }

  /// Whether Cues name the block: key frames of the first pictures, texts, and without pictures the sound that begins the first
  /// cluster after ``cueDistance``.
  private func isFound(
    _ block: MatroskaBlock, _ track: MatroskaTrackEntry, in cluster: ClusterBuilder
  ) -> Bool {
    switch track.kind {
    case .subtitle: return true
    case .video: return block.isKey && block.track == leader
    case .audio:
      guard !hasPictures, cluster.isEmpty else { return false }
      return lastCue.map { block.time >= $0 + MatroskaSegmentBuilder.cueDistance } ?? true
    default: return false
    }
  }

  /// Completes the file.
  /// - Parameter duration: when the presentation ends; `nil` for the end of the block that ends last.
  /// - Returns: bytes to be replaced.
  /// - Throws: what `emit` throws.
  package mutating func finish(duration: MediaTime? = nil) throws -> [MatroskaPatch] {
    try closeCluster()
    if !index.isEmpty { try write(.cues, index.encoded) }
    let scale = segment.info.timestampScale
    let ticks = (duration ?? end).exactUnits(nanoseconds: scale)
    let size = VariableInteger.bytes(UInt64(position - origin), width: VariableInteger.widest)
    return [
      MatroskaPatch(offset: origin - Int64(size.count), bytes: size),
      MatroskaPatch(offset: origin, bytes: hole.filled(places)),
      MatroskaPatch(offset: durationOffset, bytes: ticks.bitPattern.bigEndianBytes),
    ]
  }

  private mutating func closeCluster() throws {
    guard isOpen else { return }
    isOpen = false
    former = cluster.timestamp
    index.add(cluster, at: position - origin)
    try write(cluster.header)
    try write(cluster.body)
  }

  /// Hands out an element that SeekHead shall name; no bytes are no element.
  private mutating func write(_ id: EBMLID, _ element: [UInt8]) throws {
    guard !element.isEmpty else { return }
    guard let whole = EBMLElement(element[...]), whole.known == id,
      whole.bytes.count == element.count
    else { throw MatroskaError(id, "its copied bytes aren't one whole element") }
    places.append((id, position - origin))
    try write(element)
  }

  private mutating func write(_ bytes: [UInt8]) throws {
    position += Int64(bytes.count)
    try emit(bytes)
  }
}
