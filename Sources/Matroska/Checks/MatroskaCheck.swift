// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Checks a file against itself: sizes, places, times and length (RFC 9559). The bounds are those of Pinna's own files; others
/// may state less exact lengths. At most ``limit`` findings are kept.
package struct MatroskaCheck {
  /// Findings kept at most.
  package static let limit = 1000

  /// A block that Cues name.
  private struct CueKey: Hashable {
    let cluster: Int64
    let track: Int
    let time: Int64
    /// `nil` where the cue names no block of its cluster.
    let block: Int64?
  }

  /// The faults found, in the order of the checks.
  package private(set) var findings: [MatroskaFinding] = []
  package private(set) var frameCount = 0
  /// The type that the header states; that of Matroska where none can be read.
  package private(set) var docType = MatroskaDocType.matroska
  private var tracks: [Int: TrackTimes] = [:]
  private var cues: Set<CueKey> = []

  /// Checks the file in `source`.
  package init(_ source: ByteSource) {
    let reader: MatroskaReader
    do throws(MatroskaFinding) { reader = try MatroskaReader(source) } catch {
      findings = [error]
      return
    }
    docType = reader.docType
    reader.findings.forEach { note($0) }
    checkType(reader)
    checkStructure(reader)
    checkSeekHead(reader)
    checkClusters(reader)
    checkBlocks(reader)
    checkDuration(reader)
  }

  private mutating func note(_ finding: MatroskaFinding) {
    // The reader and the walk through all elements may meet one fault, shortly after each other.
    guard findings.count < MatroskaCheck.limit, !findings.suffix(64).contains(finding) else {
      return
    }
    findings.append(finding)
  }

  private mutating func note(
    _ code: MatroskaFinding.Code, at offset: Int64, _ message: String, track: Int? = nil
  ) {
    note(MatroskaFinding(code, at: offset, message, track: track))
  }

  private mutating func checkType(_ reader: MatroskaReader) {
    let place = reader.segment.offset
    for track in reader.tracks where !docType.holds(codec: track.codecID) {
      note(
        .documentType, at: place, "\(docType.rawValue) files have no \(track.codecID)",
        track: track.number)
    }
    if !docType.holdsAttachments, !reader.attachments.isEmpty {
      note(.documentType, at: place, "\(docType.rawValue) files have no attachments")
    }
  }

  private mutating func checkStructure(_ reader: MatroskaReader) {
    var structure = EBMLStructureCheck(reader.scanner, limit: MatroskaCheck.limit)
    for place in reader.children + reader.clusters where place.known?.type == .master {
      structure.run(place)
    }
    structure.findings.forEach { note($0) }
    let size = reader.scanner.size
    if reader.segment.end < size {
      note(
        .malformedElement, at: reader.segment.end,
        "\(size - reader.segment.end) bytes follow the segment")
    }
  }

  private mutating func checkSeekHead(_ reader: MatroskaReader) {
    for seek in reader.seeks {
      let offset = Saturating.sum(reader.segment.body, seek.position)
      let found =
        offset < reader.segment.end
        ? try? reader.scanner.cutElement(at: offset, before: reader.segment.end) : nil
      guard found?.id != seek.id else { continue }
      note(.seekHead, at: offset, "no \(EBMLID.name(seek.id)) is there")
    }
  }

  /// Checks that the clusters' timestamps rise. With video they needn't: frames are stored in the order of decoding, and one may be
  /// presented longer before its cluster than the sixteen bits of a block's time reach.
  private mutating func checkClusters(_ reader: MatroskaReader) {
    guard !reader.tracks.contains(where: { $0.kind == .video }) else { return }
    var last: Int64 = -1
    for cluster in reader.clusters {
      guard let first = try? reader.scanner.element(at: cluster.body, before: cluster.end),
        first.known == .timestamp, let bytes = try? reader.scanner.content(first, limit: 8)
      else {
        // Other writers may put CRC-32 or Position in front.
        continue
      }
      let time = Int64(clamping: bytes.bigEndian(UInt64.self))
      if time < last {
        note(.clusterTime, at: cluster.offset, "begins at \(time), the one before at \(last)")
      }
      last = time
    }
  }

  private mutating func checkBlocks(_ reader: MatroskaReader) {
    for track in reader.tracks { tracks[track.number] = TrackTimes(track) }
    cues = Set(
      reader.cues.map {
        CueKey(
          cluster: Saturating.sum(reader.segment.body, $0.cluster), track: $0.track,
          time: $0.time, block: $0.block)
      })
    do {
      try reader.forEachBlock(as: .heads) { frame in
        check(frame)
        return findings.count < MatroskaCheck.limit
      }
    } catch let finding as MatroskaFinding { note(finding) } catch {
      // Nothing else is thrown.
    }
    for cue in cues.sorted(by: { ($0.time, $0.track) < ($1.time, $1.track) }) {
      note(
        .cue, at: cue.cluster,
        "the cue of track \(cue.track) at \(cue.time) ticks points at no such block")
    }
  }

  private mutating func check(_ frame: MatroskaFrame) {
    frameCount += 1
    guard var times = tracks[frame.track] else {
      return note(.unknownTrack, at: frame.offset, "a block of track \(frame.track)")
    }
    if times.isEmpty, times.track.kind == .video, !frame.isKey {
      note(
        .keyFrame, at: frame.offset, "track \(frame.track) begins with no key frame",
        track: frame.track)
    }
    if let bound = times.add(frame) {
      note(
        .blockTime, at: frame.offset,
        "track \(frame.track) goes back to \(frame.time) ns, from \(bound) ns at least",
        track: frame.track)
    }
    tracks[frame.track] = times
    guard frame.lace.index == 0, !cues.isEmpty else { return }
    // A cue may state the block's place in its cluster (CueRelativePosition), or not.
    for block in [frame.offset - frame.cluster.body, nil] {
      cues.remove(
        CueKey(
          cluster: frame.cluster.offset, track: frame.track, time: max(0, frame.ticks),
          block: block))
    }
  }

  /// Checks that the stated length is the end of what is presented, within a tick.
  private mutating func checkDuration(_ reader: MatroskaReader) {
    guard frameCount > 0 else { return }
    guard let stated = reader.info.duration else {
      return note(.duration, at: reader.segment.body, "no length is stated")
    }
    // A tick, and four nanoseconds for delays and durations that are rounded to them.
    let slack = 1 + 4 / Double(reader.info.timestampScale)
    let ends = tracks.values.filter { !$0.isEmpty }
    let scale = Double(reader.info.timestampScale)
    let least = (ends.map(\.leastEnd).max().map { Double($0) } ?? 0) / scale
    // The end of a track whose last frame has no known length may be any later one.
    let most = ends.contains { $0.end == nil } ? nil : least
    if stated < least - slack || most.map({ stated > $0 + slack }) == true {
      note(.duration, at: reader.segment.body, "\(stated) ticks, the blocks end at \(least)")
    }
  }
}

/// Times of one track's frames.
private struct TrackTimes {
  /// Pictures that may lie between a picture's place in decoding order and in that of presentation: the largest buffers of
  /// decoded pictures hold 16 (ITU-T H.264, A.3.1; H.265, A.4.2).
  private static let mostReordered = 16

  let track: MatroskaTrackEntry
  private(set) var isEmpty = true
  /// The latest times so far, ascending.
  private var latest: [Int64] = []
  /// Nanoseconds at which the frame that ends last ends, or begins where that isn't known.
  private(set) var leastEnd: Int64 = 0
  /// Nanoseconds at which the frame that begins last ends; `nil` where its length isn't known.
  private(set) var end: Int64?

  init(_ track: MatroskaTrackEntry) { self.track = track }

  /// Adds a frame.
  /// - Returns: the time that it mustn't precede, where it does.
  mutating func add(_ frame: MatroskaFrame) -> Int64? {
    let begin = Saturating.difference(frame.time, track.codecDelay.nanoseconds)
    let length = length(frame)
    let isLast = latest.last.map { frame.time >= $0 } ?? true
    leastEnd = isEmpty ? begin : leastEnd
    leastEnd = max(leastEnd, Saturating.sum(begin, length ?? 0))
    if isLast { end = length.map { Saturating.sum(begin, $0) } }
    isEmpty = false
    let most = track.kind == .video ? TrackTimes.mostReordered + 1 : 1
    let bound = latest.count == most ? latest.first : nil
    let place = latest.lastIndex { $0 <= frame.time }.map { $0 + 1 } ?? 0
    latest.insert(frame.time, at: place)
    if latest.count > most { latest.removeFirst() }
    return bound.flatMap { frame.time < $0 ? $0 : nil }
  }

  /// Nanoseconds of a frame that are presented; `nil` where its length isn't known.
  private func length(_ frame: MatroskaFrame) -> Int64? {
    // BlockDuration counts without what is discarded, DefaultDuration with it.
    if let duration = frame.duration { return duration }
    guard let usual = track.defaultDuration?.nanoseconds else { return nil }
    return max(0, Saturating.difference(usual, max(0, frame.discardPadding)))
  }
}

extension MatroskaReader {
  /// The first fault inside the parts that a copy takes over as bytes: tracks, chapters, tags and attached files; `nil` for none.
  package var partFault: MatroskaFinding? {
    var structure = EBMLStructureCheck(scanner, limit: 1)
    let parts: Set<EBMLID> = [.tracks, .chapters, .tags, .attachments]
    for place in children where place.known.map(parts.contains) == true { structure.run(place) }
    return structure.findings.first
  }
}

/// Checks that elements fill their parents exactly, and that contents have sizes of their types (RFC 8794, 6 and 7).
struct EBMLStructureCheck {
  /// Levels that are checked; this bounds the recursion. Chapters and tags may lie in each other.
  private static let deepest = 24
  /// Elements visited in all; this bounds the time that a file full of empty elements takes.
  private static let mostElements = 100_000_000

  private let scanner: EBMLScanner
  private let limit: Int
  private var seen = 0
  private(set) var findings: [MatroskaFinding] = []

  init(_ scanner: EBMLScanner, limit: Int) {
    self.scanner = scanner
    self.limit = limit
  }

  /// Checks what lies in `parent`, whose own size has been found right.
  mutating func run(_ parent: EBMLPlace, depth: Int = 0) {
    var offset = parent.body
    while offset < parent.end, seen < EBMLStructureCheck.mostElements, findings.count < limit {
      do throws(MatroskaFinding) {
        let child = try scanner.element(at: offset, before: parent.end)
        seen += 1
        offset = child.end
        try check(child)
        if child.known?.type == .master, depth < EBMLStructureCheck.deepest {
          run(child, depth: depth + 1)
        }
      } catch {
        findings.append(error)
        // Only a fault of the content leaves the place of the next element known.
        guard offset > error.offset else { return }
      }
    }
  }

  private func check(_ place: EBMLPlace) throws(MatroskaFinding) {
    guard let known = place.known else { return }
    let isRight: Bool
    switch known.type {
    case .unsigned, .signed: isRight = place.size <= 8
    case .float: isRight = [0, 4, 8].contains(place.size)
    case .date: isRight = [0, 8].contains(place.size)
    case .text, .binary, .master: isRight = true
    }
    guard !isRight else { return }
    throw MatroskaFinding(
      .malformedElement, at: place.offset, "\(known.name) has \(place.size) bytes")
  }
}

/// A fault of a file, with its place.
package struct MatroskaFinding: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Code: String, Sendable, Codable, CaseIterable {
    /// The file doesn't begin with a header of EBML, has no Segment, or is of another document type.
    case notMatroska = "not-matroska"
    /// The header demands a reader of a later version, or longer identifiers or sizes than Matroska has.
    case unsupported
    /// An element reaches beyond its parent, leaves bytes over, or its content is none of its type.
    case malformedElement = "malformed-element"
    /// The file ends within an element.
    case truncated
    /// An element that has to be read whole is larger than any real one, or there are too many.
    case tooLarge = "too-large"
    /// The document type has no such track or part.
    case documentType = "document-type"
    /// A required element is missing.
    case missing
    /// A block, or an entry of an index, belongs to no track, or two tracks have one number.
    case unknownTrack = "unknown-track"
    /// The sizes of laced frames don't fit their block.
    case lacing
    /// An entry of SeekHead points at something else than it names.
    case seekHead = "seek-head"
    /// An entry of Cues points at no block of its track and time.
    case cue
    /// A cluster begins earlier than the one before, or states no time.
    case clusterTime = "cluster-time"
    /// A block is earlier than the reordering of pictures allows.
    case blockTime = "block-time"
    /// A track of pictures begins with no key frame.
    case keyFrame = "key-frame"
    /// The first block of pictures can't be decoded alone.
    case entry
    /// The stated length isn't that of the presentation.
    case duration
  }

  package let code: Code
  /// Offset of the element in the file.
  package let offset: Int64
  /// A sentence with figures.
  package let message: String
  /// Number of the track that it is about; `nil` where it is about none.
  package let track: Int?

  init(_ code: Code, at offset: Int64, _ message: String, track: Int? = nil) {
    self.code = code
    self.offset = offset
    self.message = message
    self.track = track
  }

  package var description: String { "\(code.rawValue): at \(offset): \(message)" }
}
