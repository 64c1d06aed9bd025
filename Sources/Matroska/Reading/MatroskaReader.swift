// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Reads the parts of a file around its blocks (RFC 9559, 5.1). Contents are read up to limits that real files stay far below;
/// clusters and attached files are passed over.
package struct MatroskaReader {
  /// Bytes of an element that is read whole.
  enum Limit {
    static let header = 1 << 12
    static let info = 1 << 20
    static let tracks = 1 << 24
    /// Chapters, or one element of tags.
    static let texts = 1 << 24
    static let seekHead = 1 << 20
    static let cues = 1 << 26
    /// A field of an attached file, except its bytes.
    static let field = 1 << 16
    /// All elements of Tags.
    static let allTags = 1 << 26
    static let mostTracks = 1000
    static let mostAttachments = 10_000
    static let mostSeeks = 10_000
    /// An entry for each second of twelve days.
    static let mostCues = 1 << 20
    /// Elements in front of the segment.
    static let front = 16
    /// Children of the segment that are neither clusters nor Void.
    static let mostChildren = 10_000
    /// Clusters of a third of a second fill two weeks.
    static let mostClusters = 1 << 22
  }

  package let docType: MatroskaDocType
  package private(set) var info: MatroskaInfo
  /// The tracks in file order, as they were found; see ``MatroskaTrackEntry/verbatim``.
  package private(set) var tracks: [MatroskaTrackEntry] = []
  /// The whole Chapters element; see ``MatroskaChapters/init(element:)``.
  package private(set) var chapters: [UInt8]?
  /// Whole Tags elements; see ``MatroskaTag/all(element:)``.
  package private(set) var tags: [[UInt8]] = []
  package private(set) var attachments: [MatroskaAttachmentPlace] = []
  package private(set) var cues: [MatroskaCue] = []
  /// Entries of all SeekHead elements.
  package private(set) var seeks: [MatroskaSeek] = []
  package let segment: EBMLPlace
  /// The segment's direct children that are neither clusters nor Void, in file order.
  package private(set) var children: [EBMLPlace] = []
  /// The clusters in file order; the last one may be cut.
  package private(set) var clusters: [EBMLPlace] = []
  /// Faults that kept parts from being read.
  package private(set) var findings: [MatroskaFinding] = []
  let scanner: EBMLScanner
  /// The fault behind which more clusters may lie.
  private(set) var lost: MatroskaFinding?

  /// Reads the file in `source`.
  /// - Throws: ``MatroskaFinding``: `notMatroska`, `unsupported`, and where no track can be found `truncated`,
  ///   `malformedElement`, `tooLarge` or `missing`.
  package init(_ source: ByteSource) throws(MatroskaFinding) {
    scanner = EBMLScanner(source)
    let header = try MatroskaReader.header(scanner)
    docType = header.docType
    segment = try MatroskaReader.segment(scanner, after: header.end)
    info = MatroskaInfo([])
    findChildren()
    var hasInfo = false
    for place in children { readChild(place, &hasInfo) }
    guard !tracks.isEmpty else {
      throw findings.first
        ?? MatroskaFinding(.missing, at: segment.offset, "the segment has no track")
    }
    if !hasInfo {
      findings.append(MatroskaFinding(.missing, at: segment.offset, "the segment has no Info"))
    }
  }

  /// The header of EBML at the beginning of a file, of any document type.
  static func headerPlace(_ scanner: EBMLScanner) throws(MatroskaFinding) -> EBMLPlace {
    guard scanner.size > 0, let place = try? scanner.cutElement(at: 0, before: scanner.size),
      place.known == .ebml, !place.isOpen
    else { throw MatroskaFinding(.notMatroska, at: 0, "the file has no header of EBML") }
    if let finding = scanner.cut(place) { throw finding }
    return place
  }

  /// Document type and end of the header of EBML (RFC 8794, 11.2).
  static func header(_ scanner: EBMLScanner) throws(MatroskaFinding)
    -> (docType: MatroskaDocType, end: Int64)
  {
    let place = try headerPlace(scanner)
    let bytes = try scanner.content(place, limit: Limit.header)
    let fields = EBMLElement.all(in: bytes[...])
    let name = fields[.docType]?.text ?? "matroska"
    guard let type = MatroskaDocType(rawValue: name) else {
      throw MatroskaFinding(.notMatroska, at: 0, "the document type is \(name)")
    }
    let bounds: [(EBMLID, UInt64)] = [
      (.ebmlReadVersion, 1), (.ebmlMaxIDLength, 4), (.ebmlMaxSizeLength, 8),
      (.docTypeReadVersion, 4),
    ]
    for (id, most) in bounds {
      let value = fields[id]?.unsigned ?? most
      guard value <= most else {
        throw MatroskaFinding(.unsupported, at: 0, "\(id.name) is \(value), more than \(most)")
      }
    }
    return (type, place.end)
  }

  /// The segment, one of the first elements after the header, which ends at `start`.
  static func segment(_ scanner: EBMLScanner, after start: Int64)
    throws(MatroskaFinding) -> EBMLPlace
  {
    var offset = start
    for _ in 0..<Limit.front where offset < scanner.size {
      let place = try scanner.cutElement(at: offset, before: scanner.size)
      if place.known == .segment { return place }
      offset = place.end
    }
    throw MatroskaFinding(.notMatroska, at: start, "no Segment follows the header")
  }

  /// Finds the segment's children up to its end, or to a fault.
  private mutating func findChildren() {
    if let finding = scanner.cut(segment) { findings.append(finding) }
    var offset = segment.body
    do throws(MatroskaFinding) {
      while offset < segment.end {
        guard children.count < Limit.mostChildren, clusters.count < Limit.mostClusters else {
          throw MatroskaFinding(.tooLarge, at: offset, "the segment has too many children")
        }
        let place = try scanner.cutElement(at: offset, before: segment.end)
        if let finding = scanner.cut(place) { findings.append(finding) }
        // A second file may be appended to a segment of unknown size.
        if place.known == .ebml || place.known == .segment { return }
        if place.known == .cluster {
          let end = try place.isOpen ? openEnd(place) : place.end
          clusters.append(place.ending(at: end))
          offset = end
        } else {
          guard !place.isOpen else {
            throw MatroskaFinding(
              .malformedElement, at: offset, "\(EBMLID.name(place.id)) states no size")
          }
          if !place.isCut, place.known != .void { children.append(place) }
          offset = place.end
        }
      }
    } catch {
      findings.append(error)
      lost = error
    }
  }

  /// Offset of the first element that is no child of a cluster that states no size.
  private func openEnd(_ cluster: EBMLPlace) throws(MatroskaFinding) -> Int64 {
    var offset = cluster.body
    while offset < cluster.end {
      guard let child = try? scanner.cutElement(at: offset, before: cluster.end),
        !child.isOpen || EBMLID.isTopLevel(child.id)
      else { return cluster.end }
      if EBMLID.isTopLevel(child.id) { return offset }
      offset = child.end
    }
    return offset
  }

  private mutating func readChild(_ place: EBMLPlace, _ hasInfo: inout Bool) {
    do throws(MatroskaFinding) {
      switch place.known {
      case .info where !hasInfo:
        hasInfo = true
        info = MatroskaInfo(try fields(place, Limit.info))
      case .tracks where tracks.isEmpty: try readTracks(place)
      case .chapters where chapters == nil:
        chapters = try scanner.whole(place, limit: Limit.texts)
      case .tags where tags.reduce(0, { $0 + $1.count }) < Limit.allTags:
        tags.append(try scanner.whole(place, limit: Limit.texts))
      case .attachments: try readAttachments(place)
      case .cues:
        for point in try fields(place, Limit.cues).all(.cuePoint) where cues.count < Limit.mostCues
        {
          cues += MatroskaCue.all(point)
        }
      case .seekHead where seeks.count < Limit.mostSeeks:
        seeks += MatroskaSeek.all(try fields(place, Limit.seekHead))
      default: break
      }
    } catch { findings.append(error) }
  }

  private func fields(_ place: EBMLPlace, _ limit: Int) throws(MatroskaFinding) -> [EBMLElement] {
    let bytes = try scanner.content(place, limit: limit)
    return EBMLElement.all(in: bytes[...])
  }

  private mutating func readTracks(_ place: EBMLPlace) throws(MatroskaFinding) {
    let entries = try fields(place, Limit.tracks).all(.trackEntry)
    guard entries.count <= Limit.mostTracks else {
      throw MatroskaFinding(.tooLarge, at: place.offset, "there are \(entries.count) tracks")
    }
    for entry in entries {
      guard let track = MatroskaTrackEntry(body: entry.body) else {
        throw MatroskaFinding(
          .malformedElement, at: place.offset, "a TrackEntry has no number, type or codec")
      }
      guard !tracks.contains(where: { $0.number == track.number }) else {
        throw MatroskaFinding(
          .unknownTrack, at: place.offset, "two tracks have number \(track.number)")
      }
      tracks.append(track)
    }
  }

  private mutating func readAttachments(_ place: EBMLPlace) throws(MatroskaFinding) {
    var offset = place.body
    while offset < place.end, attachments.count < Limit.mostAttachments {
      let file = try scanner.element(at: offset, before: place.end)
      if file.known == .attachedFile { attachments.append(try attachment(file)) }
      offset = file.end
    }
  }

  private func attachment(_ file: EBMLPlace) throws(MatroskaFinding)
    -> MatroskaAttachmentPlace
  {
    var fields: [EBMLID: EBMLElement] = [:]
    var data = file.end..<file.end
    var offset = file.body
    while offset < file.end {
      let child = try scanner.element(at: offset, before: file.end)
      offset = child.end
      if child.known == .fileData { data = child.body..<child.end }
      guard let id = child.known, id != .fileData, child.size <= Int64(Limit.field) else {
        continue
      }
      fields[id] = EBMLElement(try scanner.whole(child, limit: Limit.field + 16)[...])
    }
    return MatroskaAttachmentPlace(
      name: fields[.fileName]?.text ?? "", mediaType: fields[.fileMediaType]?.text ?? "",
      description: fields[.fileDescription]?.text, uid: fields[.fileUID]?.unsigned ?? 0,
      data: data, element: file)
  }
}

/// An entry of Cues for one track (RFC 9559, 5.1.5.1).
package struct MatroskaCue: Sendable, Equatable {
  /// Ticks, with the track's encoder delay as blocks have it.
  package let time: Int64
  package let track: Int
  /// Offset of the cluster from the segment's first child on.
  package let cluster: Int64
  /// Offset of the block from the cluster's first child on; `nil` where it isn't stated.
  package let block: Int64?

  /// The entries of one point, which has one for each track; of a point with more than any file has tracks, the first ones.
  static func all(_ point: EBMLElement) -> [MatroskaCue] {
    let fields = point.children
    let time = fields[.cueTime]?.integer ?? 0
    return fields.all(.cueTrackPositions).prefix(1000).map {
      let place = $0.children
      return MatroskaCue(
        time: time, track: Int(place[.cueTrack]?.integer ?? 0),
        cluster: place[.cueClusterPosition]?.integer ?? 0,
        block: place[.cueRelativePosition]?.integer)
    }
  }
}

/// An entry of a SeekHead (RFC 9559, 5.1.1.1).
package struct MatroskaSeek: Sendable, Equatable {
  /// The identifier of the element.
  package let id: UInt32
  /// Its offset from the segment's first child on.
  package let position: Int64

  static func all(_ entries: [EBMLElement]) -> [MatroskaSeek] {
    entries.all(.seek).map {
      let fields = $0.children
      return MatroskaSeek(
        id: fields[.seekID]?.body.bigEndian() ?? 0, position: fields[.seekPosition]?.integer ?? 0)
    }
  }
}

extension EBMLPlace {
  /// This element with another end.
  fileprivate func ending(at end: Int64) -> EBMLPlace {
    EBMLPlace(id: id, offset: offset, body: body, end: end, isOpen: isOpen, isCut: isCut)
  }
}
