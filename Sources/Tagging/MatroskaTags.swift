// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Matroska
import Platform
import Signal

/// The tags of a Matroska or WebM file that are about the sound which Pinna plays, and where everything in the file lies.
///
/// TagLib has no Matroska. Files that can't be read to their end without a fault are refused: a place would be wrong.
struct MatroskaTags {
  /// A Tags element with its children as they stand.
  struct Element {
    let place: EBMLPlace
    let children: [EBMLElement]
    /// The Tag among the children of this index.
    let tags: [Int: MatroskaTag]
  }

  /// An entry of SeekHead.
  struct Seek: Hashable {
    let id: UInt32
    let offset: Int64
  }

  /// Whether a tag is about the sound.
  enum Relation {
    /// About this track alone.
    case own
    /// About the whole file, or about several tracks and this one among them.
    case shared
    case other
  }

  /// The track of sound that is played where the user chose none.
  let track: MatroskaTrackEntry
  /// Tracks of sound beside it.
  let otherSounds: Int
  let segment: EBMLPlace
  /// Children of the segment but for Void, in file order. Only Void lies between them.
  let parts: [EBMLPlace]
  /// The Tags elements, in file order.
  let elements: [Element]
  /// The SeekHead elements with their children, in file order.
  let heads: [(place: EBMLPlace, children: [EBMLElement])]
  /// Ends of what clusters of unknown size hold in front of their last Void, by the clusters' offsets.
  private let contentEnds: [Int64: Int64]
  /// Whether it has a track of pictures, as films do.
  let hasPictures: Bool

  /// Reads `file`; `name` appears in messages.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature`, `damaged` or `inputUnreadable`.
  init(_ file: LocalFile, _ name: String) throws {
    let source = file.source
    let reader: MatroskaReader
    do throws(MatroskaFinding) { reader = try MatroskaReader(source) } catch {
      try file.checkReads()
      throw MatroskaTags.refusal(error, name)
    }
    try file.checkReads()
    if let finding = reader.findings.first { throw MatroskaTags.refusal(finding, name) }
    let scanner = EBMLScanner(source)
    segment = reader.segment
    parts = (reader.children + reader.clusters).sorted { $0.offset < $1.offset }
    contentEnds = try MatroskaTags.checkExtent(reader, parts, scanner, name)
    (track, otherSounds) = try MatroskaTags.played(reader.tracks, name)
    hasPictures = reader.tracks.contains { $0.kind == .video }
    var masters = try MatroskaMasters(scanner, parts, name)
    elements = try parts.filter { $0.known == .tags }.map {
      let children = try masters.children(of: $0)
      return Element(place: $0, children: children, tags: MatroskaTags.tags(children))
    }
    heads = try parts.filter { $0.known == .seekHead }.map { ($0, try masters.children(of: $0)) }
    try file.checkReads()
  }

  static func refusal(_ finding: MatroskaFinding, _ name: String) -> MediaError {
    switch finding.code {
    case .notMatroska, .unsupported, .tooLarge, .missing:
      return MediaError(
        .unsupportedFeature, about: name,
        "its Matroska is of a kind whose tags can't be changed (\(finding.message)); leave it as it is"
      )
    default:
      return MediaError(
        .damaged, about: name,
        "its Matroska is damaged at byte \(finding.offset) (\(finding.message)); write it anew with mkvmerge"
      )
    }
  }

  /// Refuses a file whose segment isn't all of it, and one that has a checksum over everything.
  /// - Returns: where Void begins with which clusters of unknown size end, by their offsets.
  private static func checkExtent(
    _ reader: MatroskaReader, _ parts: [EBMLPlace], _ scanner: EBMLScanner, _ name: String
  ) throws -> [Int64: Int64] {
    func refusal(_ what: String) -> MediaError {
      MediaError(.unsupportedFeature, about: name, "\(what); write it anew with mkvmerge")
    }
    guard parts.first?.known != .crc32 else {
      throw refusal("has a checksum over its whole Segment, which can't be made anew")
    }
    // A reader takes all that follows an open cluster's broken child for a part of it, and so it would take tags.
    var contentEnds: [Int64: Int64] = [:]
    for cluster in reader.clusters where cluster.isOpen {
      var contentEnd = cluster.body
      let end = walked(from: cluster.body, to: cluster.end, scanner) {
        if $0.known != .void { contentEnd = $0.end }
        return true
      }
      if contentEnd < end { contentEnds[cluster.offset] = contentEnd }
      guard end == cluster.end else {
        throw MediaError(
          .damaged, about: name,
          "its Matroska is damaged at byte \(end), in a Cluster of unknown size; write it anew with mkvmerge"
        )
      }
    }
    let last = parts.last?.end ?? reader.segment.body
    let end = walked(from: last, to: reader.segment.end, scanner) { $0.known == .void }
    guard end == scanner.size else {
      throw refusal("has \(scanner.size - end) bytes after its Segment, where tags may have to go")
    }
    return contentEnds
  }

  /// The offset behind the elements that follow each other from `start` on, as long as each is one that `isMeant`.
  private static func walked(
    from start: Int64, to end: Int64, _ scanner: EBMLScanner, _ isMeant: (EBMLPlace) -> Bool
  ) -> Int64 {
    var place = start
    while place < end, let next = try? scanner.element(at: place, before: end), isMeant(next) {
      place = next.end
    }
    return place
  }

  /// The track that is played by default: marked so, else the first without another mark, else the first.
  private static func played(
    _ tracks: [MatroskaTrackEntry], _ name: String
  ) throws -> (MatroskaTrackEntry, others: Int) {
    let sounds = tracks.filter { $0.kind == .audio }
    let marks: MatroskaTrackEntry.Roles = [
      .forced, .hearingImpaired, .visualImpaired, .commentary,
    ]
    let plain = sounds.first { $0.roles.isDisjoint(with: marks) }
    guard let track = sounds.first(where: \.isDefault) ?? plain ?? sounds.first else {
      throw MediaError(
        .unsupportedFeature, about: name, "has no track of sound that tags could be about")
    }
    let stated = EBMLElement.all(in: track.verbatim?[...] ?? [])[.trackUID]?.unsigned ?? 0
    guard stated > 0, tracks.filter({ $0.uid == stated }).count == 1 else {
      throw MediaError(
        .unsupportedFeature, about: name,
        "its track of sound has no TrackUID of its own that tags could refer to; write it anew with mkvmerge"
      )
    }
    return (track, sounds.count - 1)
  }

  /// All elements that `body` consists of, Void and checksums included; `nil` where bytes are left over.
  static func split(_ body: ArraySlice<UInt8>) -> [EBMLElement]? {
    var found: [EBMLElement] = []
    var rest = body
    while !rest.isEmpty {
      guard let element = EBMLElement(rest) else { return nil }
      found.append(element)
      rest = rest[element.bytes.endIndex...]
    }
    return found
  }
}

// Places in the file.
extension MatroskaTags {
  /// The index of the first part that begins behind `offset`.
  func index(after offset: Int64) -> Int {
    var range = 0..<parts.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        parts[middle].offset > offset
        ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }

  /// The entry of SeekHead that `child` is; `nil` for another element.
  func seek(_ child: EBMLElement) -> Seek? {
    guard child.known == .seek else { return nil }
    let fields = child.children
    guard let id = fields[.seekID]?.body, let place = fields[.seekPosition]?.integer else {
      return nil
    }
    return Seek(id: id.bigEndian(), offset: Saturating.sum(segment.body, place))
  }

  /// Entries of SeekHead that point at no element of their kind.
  var wrongSeeks: Set<Seek> {
    Set(heads.flatMap { $0.children.compactMap(seek) }).filter { seek in
      let index = index(after: seek.offset) - 1
      guard parts.indices.contains(index) else { return true }
      return parts[index].offset != seek.offset || parts[index].id != seek.id
    }
  }

  /// Parts of the file that no change of tags touches or moves. Void behind a cluster of unknown size belongs to it.
  var untouched: [Range<Int64>] {
    [0..<segment.offset]
      + parts.filter { $0.known != .tags && $0.known != .seekHead }.map {
        $0.offset..<contentEnds[$0.offset, default: $0.end]
      }
  }
}

// Tags among the elements.
extension MatroskaTags {
  /// The parsed tags of a Tags element by the index of their Tag among its children.
  private static func tags(_ children: [EBMLElement]) -> [Int: MatroskaTag] {
    let places = children.indices.filter { children[$0].known == .tag }
    var builder = EBMLBuilder()
    builder.master(.tags) { for place in places { $0.append(children[place].bytes) } }
    return Dictionary(
      zip(places, MatroskaTag.all(element: builder.bytes)), uniquingKeysWith: { first, _ in first })
  }

  func relation(of tag: MatroskaTag) -> Relation {
    guard tag.editionUIDs.isEmpty, tag.chapterUIDs.isEmpty, tag.attachmentUIDs.isEmpty else {
      return .other
    }
    guard tag.trackUIDs.contains(track.uid) else {
      return tag.trackUIDs.isEmpty ? .shared : .other
    }
    return isOfOthersToo(tag) ? .shared : .own
  }

  /// Whether a tag names other tracks.
  private func isOfOthersToo(_ tag: MatroskaTag) -> Bool {
    tag.trackUIDs.contains { $0 != track.uid }
  }

  /// Whether a tag states loudness of the sound.
  private func statesLoudness(_ tag: MatroskaTag) -> Bool {
    relation(of: tag) != .other
      && tag.entries.contains { LoudnessFields.isOne($0.name, in: .matroska) }
  }

  /// Texts of tags that are about the sound.
  var fields: [TagField] {
    elements.flatMap { $0.tags.sorted { $0.key < $1.key } }.flatMap { _, tag -> [TagField] in
      let relation = relation(of: tag)
      guard relation != .other else { return [] }
      return tag.entries.map { entry in
        let value: String
        if case .text(let text)? = entry.value { value = text } else { value = "" }
        return TagField(
          name: entry.name, value: value, place: relation == .own ? .own : .beside)
      }
    }
  }

  /// The children of `element` without loudness of the sound; `nil` where it states none. A Tag of nothing else goes.
  ///
  /// A Tag of several tracks keeps all for the others. What else it says of this track is in `own`, as Tags that belong
  /// somewhere, too.
  func withoutLoudness(
    _ element: Element
  ) -> (kept: [ArraySlice<UInt8>], own: [ArraySlice<UInt8>])? {
    var isChanged = false
    var own: [ArraySlice<UInt8>] = []
    let kept = element.children.enumerated().compactMap { index, child -> ArraySlice<UInt8>? in
      guard let tag = element.tags[index], statesLoudness(tag),
        let inner = MatroskaTags.split(child.body)
      else { return child.bytes }
      isChanged = true
      var left = inner.filter { !MatroskaTags.isLoudness($0) }
      let isOfOthers = isOfOthersToo(tag)
      if isOfOthers { left = targeted(left, atOthers: false) }
      let rest =
        left.contains { $0.known == .simpleTag }
        ? MatroskaTags.master(.tag, left.map(\.bytes))[...] : nil
      guard isOfOthers else { return rest }
      if let rest { own.append(rest) }
      return MatroskaTags.master(.tag, targeted(inner, atOthers: true).map(\.bytes))[...]
    }
    return isChanged ? (kept, own) : nil
  }

  /// The children of a Tag of several tracks, about the other ones or about this one alone.
  private func targeted(_ inner: [EBMLElement], atOthers: Bool) -> [EBMLElement] {
    inner.compactMap { child in
      // Room needs no copy.
      guard child.known != .void else { return atOthers ? child : nil }
      guard child.known == .targets, let targets = MatroskaTags.split(child.body) else {
        return child
      }
      let kept = targets.filter { target in
        guard target.known != .void else { return atOthers }
        guard target.known == .tagTrackUID, let uid = target.unsigned, uid > 0 else { return true }
        return (uid != track.uid) == atOthers
      }
      return EBMLElement(MatroskaTags.master(.targets, kept.map(\.bytes))[...])
    }
  }

  private static func isLoudness(_ element: EBMLElement) -> Bool {
    guard element.known == .simpleTag, let name = element.children[.tagName]?.text else {
      return false
    }
    return LoudnessFields.isOne(name, in: .matroska)
  }

  /// All tags that say nothing of the sound's loudness: names, and what they hold with their targets.
  var others: [(name: String, bytes: [UInt8])] {
    elements.flatMap { element in
      element.children.enumerated().flatMap { index, child -> [(name: String, bytes: [UInt8])] in
        guard let tag = element.tags[index] else {
          let isContent = child.known != .void && child.known != .crc32
          return isContent ? [(name: "an unknown element", bytes: Array(child.bytes))] : []
        }
        let inner = MatroskaTags.split(child.body) ?? []
        guard statesLoudness(tag), isOfOthersToo(tag) else {
          return MatroskaTags.entries(inner, isOther: relation(of: tag) == .other)
        }
        // A Tag of several tracks counts as the two that it becomes.
        return MatroskaTags.entries(targeted(inner, atOthers: false), isOther: false)
          + MatroskaTags.entries(targeted(inner, atOthers: true), isOther: true)
      }
    }
  }

  /// Entries among the children of a Tag: all of one that `isOther`, else those that say nothing of loudness.
  private static func entries(
    _ inner: [EBMLElement], isOther: Bool
  ) -> [(name: String, bytes: [UInt8])] {
    // Targets may be long, and there may be many entries.
    let targets = Array(
      Digest.sha256(inner.filter { $0.known == .targets }.flatMap(\.bytes)).utf8)
    return inner.filter { $0.known == .simpleTag }.compactMap { entry in
      let name = entry.children[.tagName]?.text ?? ""
      let isOne = LoudnessFields.isOne(name, in: .matroska)
      guard isOther || !isOne else { return nil }
      return (name: isOne ? name + " of another target" : name, bytes: targets + entry.bytes)
    }
  }

  /// Sentences on tracks and tags that a user has to know.
  var notes: [String] {
    var notes: [String] = []
    if otherSounds > 0 {
      notes.append(
        "Its other tracks of sound (\(otherSounds)) get no tags; players may level them by these.")
    }
    return notes
  }
}

// Elements that are built.
extension MatroskaTags {
  /// The checksum of an element's other children (RFC 8794, 11.3.1).
  private static let checksum = CRC<UInt32>(0x04C1_1DB7, isReflected: true)

  /// An element of `children`. A checksum in front is made anew. `padding` bytes more than needed go into the size.
  static func master(
    _ id: EBMLID, _ children: [ArraySlice<UInt8>], padding: Int = 0
  ) -> [UInt8] {
    var body = children.flatMap(\.self)
    if children.first?.first == UInt8(EBMLID.crc32.rawValue), let first = children.first {
      let sum = ~checksum.of(body.dropFirst(first.count), from: ~0)
      var builder = EBMLBuilder()
      builder.binary(.crc32, sum.littleEndianBytes)
      body = builder.bytes + body.dropFirst(first.count)
    }
    let size = UInt64(body.count)
    let width = VariableInteger.width(of: size) + padding
    return id.bytes + VariableInteger.bytes(size, width: width) + body
  }
}
