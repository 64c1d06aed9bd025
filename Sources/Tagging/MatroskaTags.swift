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

  /// Whether a tag is about the sound.
  enum Relation {
    /// About this track alone.
    case own
    /// About the whole file, or about several tracks and this one among them.
    case shared
    case other
  }

  /// Bytes of a Tags or SeekHead element at most.
  private static let limit = 1 << 24
  /// Levels of elements in these; files have five.
  private static let deepest = 20

  /// The track of sound that is played where the user chose none.
  let track: MatroskaTrackEntry
  /// Tracks of sound beside it.
  let otherSounds: Int
  let segment: EBMLPlace
  /// Children of the segment but for Void, in file order. Only Void lies between them.
  let parts: [EBMLPlace]
  /// The Tags elements, in file order.
  let elements: [Element]
  private let scanner: EBMLScanner
  private let name: String

  /// Reads `file`; `name` appears in messages.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature`, `damaged` or `inputUnreadable`.
  init(_ file: LocalFile, _ name: String) throws {
    let source = ByteSource(size: file.size, fetch: file.bytes)
    let reader: MatroskaReader
    do throws(MatroskaFinding) { reader = try MatroskaReader(source) } catch {
      try file.checkReads()
      throw MatroskaTags.refusal(error, name)
    }
    try file.checkReads()
    if let finding = reader.findings.first { throw MatroskaTags.refusal(finding, name) }
    scanner = EBMLScanner(source)
    self.name = name
    segment = reader.segment
    parts = (reader.children + reader.clusters).sorted { $0.offset < $1.offset }
    try MatroskaTags.checkExtent(reader, parts, scanner, name)
    (track, otherSounds) = try MatroskaTags.played(reader.tracks, name)
    let (scanner, parts) = (scanner, parts)
    elements = try parts.filter { $0.known == .tags }.map {
      let children = try MatroskaTags.children(of: $0, scanner, name)
      return Element(place: $0, children: children, tags: MatroskaTags.tags(children))
    }
  }

  private static func refusal(_ finding: MatroskaFinding, _ name: String) -> MediaError {
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
  private static func checkExtent(
    _ reader: MatroskaReader, _ parts: [EBMLPlace], _ scanner: EBMLScanner, _ name: String
  ) throws {
    func refusal(_ what: String) -> MediaError {
      MediaError(.unsupportedFeature, about: name, "\(what); write it anew with mkvmerge")
    }
    guard parts.first?.known != .crc32 else {
      throw refusal("has a checksum over its whole Segment, which can't be made anew")
    }
    // A reader takes all that follows an open cluster's broken child for a part of it, and so it would take tags.
    for cluster in reader.clusters where cluster.isOpen {
      let end = walked(from: cluster.body, to: cluster.end, scanner) { _ in true }
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
      throw refusal("has \(scanner.size - end) bytes behind its Segment, where tags may have to go")
    }
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

  /// The children of an element, Void and checksums included.
  func children(of place: EBMLPlace) throws -> [EBMLElement] {
    try MatroskaTags.children(of: place, scanner, name)
  }

  private static func children(
    of place: EBMLPlace, _ scanner: EBMLScanner, _ name: String
  ) throws -> [EBMLElement] {
    let body: [UInt8]
    do throws(MatroskaFinding) { body = try scanner.content(place, limit: limit) } catch {
      throw refusal(error, name)
    }
    guard let children = split(body[...]), children.allSatisfy({ isWhole($0, depth: 1) }) else {
      throw MediaError(
        .damaged, about: name,
        "its \(place.known?.name ?? "element") at byte \(place.offset) is damaged; write the file anew with mkvmerge"
      )
    }
    return children
  }

  /// Whether elements lie in each other without bytes left over.
  private static func isWhole(_ element: EBMLElement, depth: Int) -> Bool {
    guard element.known?.type == .master else { return true }
    guard depth < deepest, let children = split(element.body) else { return false }
    return children.allSatisfy { isWhole($0, depth: depth + 1) }
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
    if tag.trackUIDs == [track.uid] { return .own }
    return tag.trackUIDs.isEmpty || tag.trackUIDs.contains(track.uid) ? .shared : .other
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
  func withoutLoudness(_ element: Element) -> [ArraySlice<UInt8>]? {
    var isChanged = false
    let kept = element.children.enumerated().compactMap { index, child -> ArraySlice<UInt8>? in
      guard let tag = element.tags[index], relation(of: tag) != .other,
        tag.entries.contains(where: { LoudnessFields.isOne($0.name, in: .matroska) }),
        let inner = MatroskaTags.split(child.body)
      else { return child.bytes }
      isChanged = true
      let left = inner.filter { !MatroskaTags.isLoudness($0) }
      guard left.contains(where: { $0.known == .simpleTag }) else { return nil }
      return MatroskaTags.master(.tag, left.map(\.bytes))[...]
    }
    return isChanged ? kept : nil
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
      element.children.enumerated().flatMap { index, child -> [(String, [UInt8])] in
        guard let tag = element.tags[index] else {
          let isContent = child.known != .void && child.known != .crc32
          return isContent ? [("an unknown element", Array(child.bytes))] : []
        }
        let isOther = relation(of: tag) == .other
        let inner = MatroskaTags.split(child.body) ?? []
        let targets = inner.filter { $0.known == .targets }.flatMap(\.bytes)
        return inner.filter { $0.known == .simpleTag }.compactMap { entry in
          let name = entry.children[.tagName]?.text ?? ""
          let isOne = LoudnessFields.isOne(name, in: .matroska)
          guard isOther || !isOne else { return nil }
          return (isOne ? name + " of another target" : name, targets + entry.bytes)
        }
      }
    }
  }

  /// Parts of the file that no change of tags touches or moves.
  var untouched: [Range<Int64>] {
    [0..<segment.offset]
      + parts.filter { $0.known != .tags && $0.known != .seekHead }.map { $0.offset..<$0.end }
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
