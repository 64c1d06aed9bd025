// SPDX-License-Identifier: Apache-2.0
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

  private static func targets(_ tracks: [UInt64]) -> [UInt8] {
    var builder = EBMLBuilder()
    builder.master(.targets) { for track in tracks { $0.unsigned(.tagTrackUID, track) } }
    return builder.bytes
  }

  private static func entry(_ name: String, _ text: String) -> [UInt8] {
    var builder = EBMLBuilder()
    builder.master(.simpleTag) {
      $0.text(.tagName, name)
      $0.text(.tagString, text)
    }
    return builder.bytes
  }

  private static func tag(_ parts: [UInt8]...) -> [UInt8] {
    EBMLBuilder.header(.tag, size: Int64(parts.joined().count)) + parts.joined()
  }

  @Test("a Tag of several tracks keeps all for the others", arguments: [0, 400])
  func sharedTags(room: Int) throws {
    let (one, two) = (MadeMatroska.uid, MadeMatroska.uid + 1)
    var made = MadeMatroska()
    made.sounds = 2
    made.tagRoom = room
    let gain = MatroskaTagTests.entry("REPLAYGAIN_TRACK_GAIN", "9.00 dB")
    let artist = MatroskaTagTests.entry("ARTIST", "B")
    made.moreTags =
      MatroskaTagTests.tag(MatroskaTagTests.targets([one, two]), gain)
      + MatroskaTagTests.tag(MatroskaTagTests.targets([one, two]), gain, artist)
    let old = MatroskaFacts(try write(made))
    func names(_ facts: MatroskaFacts, _ track: UInt64) -> [String] {
      facts.tags.filter { $0.trackUIDs == [track] }.flatMap(\.entries).map(\.name).sorted()
    }
    try apply()
    let tagged = MatroskaFacts(try content)
    #expect(texts(tagged) == MatroskaTagTests.texts)
    #expect(names(tagged, two) == ["ARTIST", "REPLAYGAIN_TRACK_GAIN", "REPLAYGAIN_TRACK_GAIN"])
    #expect(names(tagged, one).filter { !$0.hasPrefix("REPLAY") } == ["ARTIST"])
    #expect(tagged.rest == old.rest)
    #expect(try apply() == .unchanged)
    try apply(.none)
    #expect(names(MatroskaFacts(try content), one) == ["ARTIST"])

    // Removal alone does the same.
    _ = try write(made)
    try apply(.none)
    let removed = MatroskaFacts(try content)
    #expect(names(removed, one) == ["ARTIST"])
    #expect(names(removed, two) == ["ARTIST", "REPLAYGAIN_TRACK_GAIN", "REPLAYGAIN_TRACK_GAIN"])
  }

  @Test("gains and peaks under the names that Matroska lists go, but for those of other tracks")
  func listedNames() throws {
    var made = MadeMatroska()
    made.sounds = 2
    made.tagRoom = 400
    let old =
      MatroskaTagTests.entry("REPLAYGAIN_GAIN", "9 dB")
      + MatroskaTagTests.entry("REPLAYGAIN_PEAK", "2")
    for number: UInt64 in 0..<2 {
      made.moreTags += MatroskaTagTests.tag(
        MatroskaTagTests.targets([MadeMatroska.uid + number]), old)
    }
    for tags in [MatroskaTagTests.tags, .none] {
      _ = try write(made)
      try apply(tags)
      let facts = MatroskaFacts(try content)
      #expect(texts(facts) == (tags == .none ? [] : MatroskaTagTests.texts))
      #expect(
        texts(facts, track: MadeMatroska.uid + 1) == ["REPLAYGAIN_GAIN=9 dB", "REPLAYGAIN_PEAK=2"])
    }
  }

  @Test("tags of too many elements or bytes are refused at once")
  func boundsOfTags() throws {
    let void: [UInt8] = [0xEC, 0x80]
    let unknown: [UInt8] = [0x4F, 0xFF, 0x80]
    let elements = "more than 100000 elements in its tags"
    let inner = MatroskaTagTests.tag(Array([[UInt8]](repeating: void, count: 100_000).joined()))
    let large = EBMLBuilder.void(length: 15 << 20)
    let cases: [(more: [UInt8], count: Int, words: String)] = [
      (Array([[UInt8]](repeating: void, count: 100_000).joined()), 1, elements),
      (Array([[UInt8]](repeating: unknown, count: 100_000).joined()), 1, elements),
      (inner, 1, elements), (large, 5, "bytes of tags, more than 67108864"),
    ]
    for (more, count, words) in cases {
      var made = MadeMatroska()
      made.moreTags = more
      made.copiesOfTags = count
      let bytes = made.bytes
      try Data(bytes).write(to: folder.url("a.mka"))
      let error = #expect(throws: MediaError.self) { try apply() }
      #expect(error?.kind == .unsupportedFeature)
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
      #expect(throws: MediaError.self) { try StoredLoudness(path: path) }
      #expect(try Data(content) == Data(bytes))
    }
    // A Tag that would become two has too many elements then.
    var shared = MadeMatroska()
    let entries = (0..<14_000).flatMap { _ in
      MatroskaTagTests.entry("REPLAYGAIN_TRACK_GAIN", "1") + MatroskaTagTests.entry("A", "2")
    }
    shared.moreTags = MatroskaTagTests.tag(
      MatroskaTagTests.targets([MadeMatroska.uid, 7]), entries)
    _ = try write(shared)
    let error = #expect(throws: MediaError.self) { try apply() }
    #expect(error?.message.contains(elements) == true, "\(error?.message ?? "")")
    // Fewer are taken.
    var made = MadeMatroska()
    made.moreTags = Array([[UInt8]](repeating: unknown, count: 90_000).joined())
    _ = try write(made)
    try apply()
    #expect(texts(MatroskaFacts(try content)) == MatroskaTagTests.texts)
  }

  @Test("a SeekHead that gets empty goes with the entry that names it", arguments: [false, true])
  func namedSeekHeads(isOpen: Bool) throws {
    // Behind the clusters lie a SeekHead and the Tags that it names; the one in front names it.
    var made = MadeMatroska(tags: nil)
    made.isOpen = isOpen
    made.hasLastSeekHead = true
    let old = MatroskaFacts(try write(made))
    #expect(old.places(of: .seekHead).count == 2)
    try apply(.none)
    let facts = MatroskaFacts(try content)
    #expect(facts.places(of: .seekHead).count == 1 && facts.places(of: .tags).isEmpty)
    #expect(facts.wrongSeeks == 0 && old.wrongSeeks == 0)
    // Void behind a cluster of unknown size belongs to it.
    #expect(zip(facts.rest, old.rest).allSatisfy { $0.starts(with: $1) })
    #expect(facts.rest.count == old.rest.count && (isOpen || facts.rest == old.rest))
  }

  private func isSame(_ changed: [UInt8], as bytes: [UInt8]) throws -> Bool {
    try Data(bytes).write(to: folder.url("old.mka"))
    try Data(changed).write(to: folder.url("new.mka"))
    let old = try LocalFile(path: folder.file("old.mka"))
    let new = try LocalFile(path: folder.file("new.mka"))
    return try SoundBytes.areSame(old, TaggableFile(old), new, TaggableFile(new))
  }

  @Test("the proof sees parts that moved, and wrong places in SeekHead") func proofOfPlaces() throws
  {
    var made = MadeMatroska()
    made.frontRoom = 60
    let bytes = made.bytes
    #expect(try isSame(bytes, as: bytes))
    var moved = made
    moved.frontRoom = 61
    #expect(try !isSame(moved.bytes, as: bytes))
    let place = try #require(MatroskaFacts(bytes).firstSeekPosition)
    var wrong = bytes
    wrong[place] += 1
    #expect(try !isSame(wrong, as: bytes))
    // A place that was wrong before is no fault of the change.
    #expect(try isSame(wrong, as: wrong))
    #expect(try isSame(bytes, as: wrong))
  }

  @Test("a film is Matroska with a track of pictures") func films() throws {
    var made = MadeMatroska()
    for isFilm in [false, true] {
      made.hasPictures = isFilm
      _ = try write(made)
      #expect(try StoredLoudness(path: path).isFilm == isFilm)
    }
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
      (MadeMatroska().bytes + [1, 2, 3], .unsupportedFeature, "3 bytes after its Segment"),
      (MadeMatroska().bytes + MadeMatroska().bytes, .unsupportedFeature, "after its Segment"),
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
