import AudioCore
import Foundation
import Matroska
import Platform
import TestSupport
import Testing

@testable import Tagging

/// Loudness tags in Matroska: places, SeekHead, sizes and checksums follow, and all else stays.
@Suite struct MatroskaTagTests {
  private static let tags = LoudnessTags(
    trackGain: -3.446, trackPeak: 0.9771321, albumGain: 1, albumPeak: 1.25)
  private static let texts = [
    "REPLAYGAIN_ALBUM_GAIN=1.00 dB", "REPLAYGAIN_ALBUM_PEAK=1.250000",
    "REPLAYGAIN_TRACK_GAIN=-3.45 dB", "REPLAYGAIN_TRACK_PEAK=0.977132",
  ]

  private let folder: TemporaryFolder
  private var path: String { folder.file("a.mka") }

  init() throws { folder = try TemporaryFolder() }

  private func write(_ made: MadeMatroska) throws -> [UInt8] {
    let bytes = made.bytes
    try Data(bytes).write(to: folder.url("a.mka"))
    return bytes
  }

  private var content: [UInt8] { get throws { Array(try TaggedMedia.bytes(path)) } }

  @discardableResult
  private func apply(_ tags: LoudnessTags = tags) throws -> TagReplacement.Outcome {
    try TagReplacement(tags).apply(to: path) { _ in [] }
  }

  /// The loudness texts of the track with this number.
  private func texts(_ facts: MatroskaFacts, track: UInt64 = MadeMatroska.uid) -> [String] {
    facts.tags.filter { $0.trackUIDs == [track] }.flatMap(\.entries).compactMap { entry in
      guard case .text(let text)? = entry.value, entry.name.hasPrefix("REPLAYGAIN") else {
        return nil
      }
      return "\(entry.name)=\(text)"
    }.sorted()
  }

  @Test("tags are added, found again and removed in every layout", arguments: MadeMatroska.layouts)
  func layouts(made: MadeMatroska) throws {
    let old = MatroskaFacts(try write(made))
    let outcome = try apply()
    let bytes = try content
    let new = MatroskaFacts(bytes)
    #expect(texts(new) == MatroskaTagTests.texts)
    #expect(new.faults == old.faults)
    #expect(new.rest == old.rest)
    #expect(new.others == old.others)
    #expect(new.wrongChecksums == 0)
    #expect(new.checksums == old.checksums)
    #expect(bytes.count - made.bytes.count == made.growth, "\(made)")
    #expect(new.listsTags == made.isListed)
    #expect(outcome == .replaced(notes: made.notes))
    #expect(
      try StoredLoudness(path: path).replayGain
        == LoudnessTags(trackGain: -3.45, trackPeak: 0.977132, albumGain: 1, albumPeak: 1.25))

    #expect(try apply() == .unchanged)
    #expect(try content == bytes)
    #expect(try apply(.none) == .replaced(notes: []))
    let removed = MatroskaFacts(try content)
    #expect(removed.others == old.others)
    #expect(removed.rest == old.rest)
    #expect(removed.faults == old.faults)
    #expect(removed.wrongChecksums == 0)
    #expect(try StoredLoudness(path: path).replayGain == .none)
    if made.comesBack { #expect(try content == made.bytes) }
    #expect(try apply(.none) == .unchanged)
  }

  @Test("many changes don't let a file grow", arguments: MadeMatroska.layouts)
  func filesDoNotGrow(made: MadeMatroska) throws {
    _ = try write(made)
    try apply()
    let size = try content.count
    for number in 0..<20 {
      try apply(number % 2 == 0 ? .none : MatroskaTagTests.tags)
      #expect(try content.count <= size)
    }
  }

  @Test("tags of others in front stay there where no SeekHead would name a new place")
  func foreignTagsStay() throws {
    var made = MadeMatroska()
    made.hasSeekHead = false
    let old = try write(made)
    let front = MatroskaFacts(old).places(of: .tags)
    try apply()
    let tagged = try content
    let places = MatroskaFacts(tagged).places(of: .tags)
    #expect(places.first == front.first && places.count == 2)
    #expect(tagged[places[0]] == old[front[0]])
    #expect(places[1].upperBound == tagged.count)
    // Other figures take the place of the first ones, and removal gives the old bytes back.
    try apply(LoudnessTags(trackGain: 2, trackPeak: 0.5))
    #expect(MatroskaFacts(try content).places(of: .tags).first == front.first)
    #expect(texts(MatroskaFacts(try content)).count == 2)
    try apply(.none)
    #expect(try content == old)
  }

  @Test("stale loudness of the file and of the track goes, and that of other tracks stays")
  func staleTagsGo() throws {
    var made = MadeMatroska()
    made.sounds = 2
    made.hasStaleTags = true
    let old = MatroskaFacts(try write(made))
    let outcome = try apply()
    let new = MatroskaFacts(try content)
    #expect(
      outcome
        == .replaced(notes: [
          "Its other tracks of sound (1) get no tags; players may level them by these."
        ]))
    #expect(texts(new) == MatroskaTagTests.texts)
    #expect(texts(new, track: MadeMatroska.uid + 1) == ["REPLAYGAIN_TRACK_GAIN=9.00 dB"])
    #expect(new.tags.filter(\.trackUIDs.isEmpty).flatMap(\.entries).map(\.name) == ["TITLE"])
    #expect(new.rest == old.rest)
  }

  @Test("files whose places can't be known are refused with a reason, and stay as they are")
  func refusals() throws {
    var sealed = MadeMatroska()
    sealed.hasSegmentChecksum = true
    var nameless = MadeMatroska()
    nameless.hasUID = false
    var silent = MadeMatroska()
    silent.sounds = 0
    var narrow = MadeMatroska(tags: nil)
    narrow.sizeWidth = 2
    narrow.blockLength = 8050
    let cases: [([UInt8], MediaError.Kind, String)] = [
      (sealed.bytes, .unsupportedFeature, "checksum over its whole Segment"),
      (MadeMatroska().bytes + [1, 2, 3], .unsupportedFeature, "3 bytes behind its Segment"),
      (MadeMatroska().bytes + MadeMatroska().bytes, .unsupportedFeature, "behind its Segment"),
      (nameless.bytes, .unsupportedFeature, "no TrackUID of its own"),
      (silent.bytes, .unsupportedFeature, "no track of sound"),
      (narrow.bytes, .unsupportedFeature, "the size of its Segment has no room"),
      (MadeMatroska().bytes.dropLast(3), .damaged, "is damaged"),
    ]
    for (bytes, kind, words) in cases {
      try Data(bytes).write(to: folder.url("a.mka"))
      let error = #expect(throws: MediaError.self) { try apply() }
      #expect(error?.kind == kind, "\(words)")
      #expect(error?.message.contains(words) == true, "\(words): \(error?.message ?? "")")
      #expect(try content == bytes)
      #expect(folder.contents == ["a.mka"])
    }
  }

  @Test("random faults: a file is tagged or refused, and a refused one stays as it is")
  func randomFaults() throws {
    var state: UInt64 = 1
    func next(below limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(limit))
    }
    var tagged = 0
    let rounds = Soak.rounds(400, soak: 40_000)
    for round in 0..<rounds {
      let layouts = MadeMatroska.layouts
      var bytes = layouts[round % layouts.count].bytes
      for _ in 0..<1 + next(below: 4) {
        bytes[next(below: bytes.count)] = [0, 0xFF, UInt8(next(below: 256))][next(below: 3)]
      }
      try Data(bytes).write(to: folder.url("a.mka"))
      do {
        _ = try apply()
        #expect(try apply() == .unchanged, "round \(round)")
        #expect(MatroskaFacts(try content).rest == MatroskaFacts(bytes).rest, "round \(round)")
        tagged += 1
      } catch let error as MediaError {
        #expect(error.kind != .internal && error.kind != .verificationFailed, "\(error)")
        #expect(try content == bytes, "round \(round)")
      }
      #expect(folder.contents == ["a.mka"])
    }
    #expect(tagged > rounds / 10)
  }
}

/// A small file in Matroska, laid out in one of the ways that writers have.
struct MadeMatroska: Sendable, CustomTestStringConvertible {
  static let uid: UInt64 = 0x1234_5678_9ABC

  /// The place of other tags.
  enum Place { case front, end }

  var testDescription: String { name }
  var name = "usual"
  /// Place of a Tags element with a title; `nil` for none.
  var tags: Place? = .front
  /// Bytes of Void behind the tags in front, behind SeekHead, and before Tracks; 0 for none.
  var tagRoom = 0
  var seekRoom = 40
  var frontRoom = 0
  var hasSeekHead = true
  var listsOldTags = true
  var hasChecksums = false
  var isOpen = false
  var sizeWidth = 8
  var blockLength = 200
  var sounds = 1
  var hasUID = true
  var hasStaleTags = false
  var hasSegmentChecksum = false

  /// Bytes by which tags of four fields make the file longer.
  var growth = 0
  /// Whether SeekHead names each Tags element then.
  var isListed = true
  var notes: [String] = []
  /// Whether removal gives the old bytes back.
  var comesBack = true

  init(tags: Place? = .front) { self.tags = tags }

  private static func made(_ name: String, _ change: (inout MadeMatroska) -> Void) -> MadeMatroska {
    var made = MadeMatroska()
    made.name = name
    change(&made)
    return made
  }

  /// Bytes of a Tag with four fields of loudness.
  private static let own = 191

  /// The note on tags that no SeekHead names.
  static let hidden =
    "No SeekHead has room for a place behind the clusters, where the tags lie, so that some players don't find them."

  static let layouts = [
    made("room behind the tags") { $0.tagRoom = 400 },
    made("room for all but one byte of Void") { $0.tagRoom = own + 1 + 1 },
    made("tags in front without room") {
      $0.growth = own + 37
      $0.comesBack = false
    },
    made("tags at the end") {
      $0.tags = .end
      $0.growth = own + 1
    },
    made("tags at the end, with checksums") {
      $0.tags = .end
      $0.hasChecksums = true
      $0.growth = own + 1
    },
    made("tags in front without room, with checksums") {
      $0.hasChecksums = true
      $0.growth = own + 43
      $0.comesBack = false
    },
    made("no tags, Void in front") {
      $0.tags = nil
      $0.frontRoom = 400
    },
    made("no tags") {
      $0.tags = nil
      $0.growth = own + 6
    },
    made("no tags, no room in SeekHead") {
      $0.tags = nil
      $0.seekRoom = 0
      $0.growth = own + 6
      $0.isListed = false
      $0.notes = [hidden]
    },
    made("no tags, no SeekHead, a small Void in front") {
      $0.tags = nil
      $0.hasSeekHead = false
      $0.frontRoom = 60
      $0.growth = own + 6
      $0.comesBack = false
    },
    made("tags in front without room, no SeekHead") {
      $0.hasSeekHead = false
      $0.growth = own + 6
      $0.isListed = false
      $0.notes = [hidden]
    },
    made("tags in front that an old SeekHead without room doesn't name") {
      $0.listsOldTags = false
      $0.seekRoom = 0
      $0.growth = own + 6
      $0.isListed = false
      $0.notes = [hidden]
    },
    made("segment and last cluster of unknown size") {
      $0.tags = nil
      $0.isOpen = true
      $0.growth = own + 6
    },
  ]

  var bytes: [UInt8] {
    var head = EBMLBuilder()
    head.append(MatroskaDocType.matroska.header)
    let body = segment
    let size =
      isOpen
      ? VariableInteger.unknown() : VariableInteger.bytes(UInt64(body.count), width: sizeWidth)
    return head.bytes + EBMLID.segment.bytes + size + body
  }

  private var segment: [UInt8] {
    let front = hasSegmentChecksum ? MadeMatroska.sealed([]) : []
    let info = master(.info) { $0.float(.duration, 10) }
    var parts: [(id: EBMLID?, bytes: [UInt8])] = [
      (.info, info), (nil, MadeMatroska.void(frontRoom)), (.tracks, tracks),
    ]
    if tags == .front { parts += [(.tags, otherTags), (nil, MadeMatroska.void(tagRoom))] }
    parts.append((nil, clusters))
    if tags == .end { parts.append((.tags, otherTags)) }
    // Places of four bytes make all SeekHeads equally long.
    var offset = front.count + seekHead(parts.compactMap(\.id).map { ($0, 0) }).count
    var places: [(EBMLID, Int)] = []
    for (id, bytes) in parts {
      if let id { places.append((id, offset)) }
      offset += bytes.count
    }
    return front + seekHead(places) + parts.flatMap(\.bytes)
  }

  private func seekHead(_ places: [(EBMLID, Int)]) -> [UInt8] {
    guard hasSeekHead else { return [] }
    return master(.seekHead) {
      for (id, offset) in places where listsOldTags || id != .tags {
        $0.master(.seek) { seek in
          seek.binary(.seekID, id.bytes)
          seek.binary(.seekPosition, UInt32(offset).bigEndianBytes)
        }
      }
    } + MadeMatroska.void(seekRoom)
  }

  private var tracks: [UInt8] {
    master(.tracks) {
      for number in 0..<max(1, sounds) {
        $0.master(.trackEntry) { entry in
          entry.unsigned(.trackNumber, number + 1)
          if hasUID { entry.unsigned(.trackUID, MadeMatroska.uid + UInt64(number)) }
          entry.unsigned(.trackType, sounds == 0 ? 17 : 2)
          entry.text(.codecID, "A_PCM/INT/LIT")
        }
      }
    }
  }

  private var otherTags: [UInt8] {
    func entry(_ builder: inout EBMLBuilder, _ name: String, _ text: String) {
      builder.master(.simpleTag) {
        $0.text(.tagName, name)
        $0.text(.tagString, text)
      }
    }
    return master(.tags) {
      $0.master(.tag) { tag in
        tag.master(.targets) { $0.unsigned(.targetTypeValue, 50) }
        entry(&tag, "TITLE", "A title")
        if hasStaleTags { entry(&tag, "replaygain_track_gain", "+9.99 dB") }
      }
      guard hasStaleTags else { return }
      for number: UInt64 in 0..<2 {
        $0.master(.tag) { tag in
          tag.master(.targets) { $0.unsigned(.tagTrackUID, MadeMatroska.uid + number) }
          entry(&tag, "REPLAYGAIN_TRACK_GAIN", "9.00 dB")
        }
      }
    }
  }

  private var clusters: [UInt8] {
    var body = EBMLBuilder()
    body.unsigned(.timestamp, 0)
    body.binary(.simpleBlock, [0x81, 0, 0, 0x80] + (0..<blockLength).map { UInt8($0 & 0xFF) })
    let last =
      isOpen
      ? EBMLID.cluster.bytes + VariableInteger.unknown() + body.bytes
      : EBMLBuilder.header(.cluster, size: Int64(body.bytes.count)) + body.bytes
    return EBMLBuilder.header(.cluster, size: Int64(body.bytes.count)) + body.bytes + last
  }

  private func master(_ id: EBMLID, _ fill: (inout EBMLBuilder) -> Void) -> [UInt8] {
    var inner = EBMLBuilder()
    fill(&inner)
    let isSealed = hasChecksums && (id == .tags || id == .seekHead)
    let body = isSealed ? MadeMatroska.sealed(inner.bytes) : inner.bytes
    return EBMLBuilder.header(id, size: Int64(body.count)) + body
  }

  /// `body` behind its checksum.
  private static func sealed(_ body: [UInt8]) -> [UInt8] {
    [0xBF, 0x84] + MatroskaFacts.checksum(body).littleEndianBytes + body
  }

  private static func void(_ length: Int) -> [UInt8] {
    length == 0 ? [] : EBMLBuilder.void(length: length)
  }
}

/// A file as another reader than the writer of tags sees it.
struct MatroskaFacts {
  let tags: [MatroskaTag]
  /// Codes of the faults that a check of the file finds.
  let faults: [MatroskaFinding.Code]
  /// All that isn't tags, SeekHead or Void, and the header.
  private(set) var rest: [[UInt8]] = []
  private(set) var checksums = 0
  private(set) var wrongChecksums = 0
  /// Whether SeekHead names each Tags element.
  let listsTags: Bool
  private var parts: [EBMLPlace] = []

  /// Places of the segment's children of this kind.
  func places(of id: EBMLID) -> [Range<Int>] {
    parts.filter { $0.known == id }.map { Int($0.offset)..<Int($0.end) }
  }

  init(_ bytes: [UInt8]) {
    let source = ByteSource(size: Int64(bytes.count)) {
      Array(bytes[Int($0)..<min(bytes.count, Int($0) + $1)])
    }
    // Blocks of the same time are no fault of tags.
    faults = MatroskaCheck(source).findings.map(\.code)
    guard let reader = try? MatroskaReader(source) else {
      (tags, listsTags) = ([], false)
      return
    }
    tags = reader.tags.flatMap { MatroskaTag.all(element: $0) }
    let listed = Set(
      reader.seeks.filter { $0.id == EBMLID.tags.rawValue }.map {
        reader.segment.body + $0.position
      })
    listsTags = Set(reader.children.filter { $0.known == .tags }.map(\.offset)) == listed
    parts = (reader.children + reader.clusters).sorted { $0.offset < $1.offset }
    for place in parts {
      let body = Array(bytes[Int(place.body)..<Int(place.end)])
      if place.known != .tags && place.known != .seekHead {
        rest.append(Array(bytes[Int(place.offset)..<Int(place.end)]))
      } else if body.starts(with: [0xBF, 0x84]) {
        checksums += 1
        let stated = Array(body[2..<6])
        if stated != MatroskaFacts.checksum(Array(body[6...])).littleEndianBytes {
          wrongChecksums += 1
        }
      }
    }
  }

  /// Entries that aren't about loudness.
  var others: [String] { tags.flatMap(\.entries).map(\.name).filter { !$0.hasPrefix("REPLAY") } }

  /// CRC-32 of IEEE 802.3, bit by bit.
  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0 as UInt32) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
        sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1
      }
    }
  }
}
