// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import Matroska

/// Values that are written and read back.
@Suite struct MatroskaPartsTests {
  private func readBack(_ track: MatroskaTrackEntry) throws -> MatroskaTrackEntry {
    var builder = EBMLBuilder()
    track.append(to: &builder)
    let element = try #require(EBMLElement(builder.bytes[...]))
    #expect(element.known == .trackEntry)
    return try #require(MatroskaTrackEntry(body: element.body))
  }

  /// A track of pictures with all that can be said of them.
  private var pictures: MatroskaTrackEntry {
    var track = SampleFilm.pictures
    track.isDefault = false
    track.roles = [.forced, .original, .commentary]
    track.language = "ger"
    track.languageBCP47 = "de-AT"
    track.name = "Bild"
    track.additionMappings = [
      MatroskaBytes.element(.blockAdditionMapping, [0x41, 0xA4, 0x81, 0x61])
    ]
    track.maxAdditionID = 4
    var video = MatroskaVideo(width: 1920, height: 1088)
    video.crop.bottom = 8
    video.displayWidth = 1920
    video.displayHeight = 800
    video.displayUnit = 0
    video.interlacing = 2
    video.stereoMode = 0
    video.projection = MatroskaVideo.Projection(roll: 90)
    var colour = MatroskaColour()
    colour.matrix = 9
    colour.bitsPerChannel = 10
    colour.range = 1
    colour.transfer = 16
    colour.primaries = 9
    colour.maxCLL = 1000
    colour.maxFALL = 400
    var mastering = MatroskaColour.Mastering()
    mastering.redX = 0.708
    mastering.luminanceMax = 1000
    mastering.luminanceMin = 0.005
    colour.mastering = mastering
    video.colour = colour
    track.video = video
    return track
  }

  @Test("a track of pictures is read as it was written") func picturesAreReadBack() throws {
    var found = try readBack(pictures)
    #expect(found.defaultDuration == .nanoseconds(41_708_333))
    found.defaultDuration = pictures.defaultDuration
    found.codecDelay = pictures.codecDelay
    found.seekPreRoll = pictures.seekPreRoll
    found.verbatim = nil
    #expect(found == pictures)
  }

  @Test("a track of sound is read as it was written, times to the nanosecond")
  func soundIsReadBack() throws {
    var track = SampleFilm.sound
    track.roles = [.hearingImpaired, .visualImpaired, .textDescriptions]
    track.sound = MatroskaTrackEntry.Sound(
      rate: 24_000, channels: 6, bitDepth: 24, outputRate: 48_000)
    let found = try readBack(track)
    #expect(found.codecDelay == .nanoseconds(6_500_000))
    #expect(found.seekPreRoll == .nanoseconds(80_000_000))
    #expect(found.defaultDuration == .nanoseconds(20_000_000))
    #expect(found.sound == track.sound && found.roles == track.roles)
    #expect(found.codecPrivate == track.codecPrivate && found.uid == 12 && found.isDefault)
  }

  @Test("an entry that was read is written as it was, but for number and default")
  func entriesAreVerbatim() throws {
    let rest =
      MatroskaBytes.unsigned(.trackUID, 77) + MatroskaBytes.unsigned(.trackType, 2)
      + MatroskaBytes.element(.codecID, Array("A_X".utf8), width: 3) + [0x42, 0x42, 0x81, 5]
    let body =
      MatroskaBytes.element(.crc32, [1, 2, 3, 4]) + rest.prefix(7)
      + MatroskaBytes.unsigned(.trackNumber, 9) + MatroskaBytes.unsigned(.flagDefault, 0)
      + rest.dropFirst(7)
    #expect(EBMLElement.all(in: body[...]).count == 6)
    var track = try #require(MatroskaTrackEntry(body: body[...]))
    #expect(!track.isDefault && track.number == 9)
    track.number = 3
    track.isDefault = true
    var builder = EBMLBuilder()
    track.append(to: &builder)
    let written = try #require(EBMLElement(builder.bytes[...]))
    let expected =
      MatroskaBytes.unsigned(.trackNumber, 3) + rest.prefix(7)
      + MatroskaBytes.unsigned(.flagDefault, 1) + rest.dropFirst(7)
    #expect(Array(written.body) == expected)
  }

  @Test("an entry without the flag states it, and English is the language that it doesn't state")
  func missingElementsHaveDefaults() throws {
    let body =
      MatroskaBytes.unsigned(.trackNumber, 1) + MatroskaBytes.unsigned(.trackType, 99)
      + MatroskaBytes.element(.codecID, Array("S_X".utf8))
    let track = try #require(MatroskaTrackEntry(body: body[...]))
    #expect(track.isDefault && track.language == "eng" && track.kind == .unknown)
    var builder = EBMLBuilder()
    track.append(to: &builder)
    #expect(builder.bytes.suffix(3) == MatroskaBytes.unsigned(.flagDefault, 1)[...])
    #expect(MatroskaTrackEntry(body: body.dropFirst(3)) == nil)
  }

  @Test("languages have the codes of ISO 639-2/B") func languagesAreBibliographic() {
    let codes = ["de-AT", "fr", "zh-Hant", "en", "nld", "gsw", "eng"].map {
      MatroskaTrackEntry.bibliographic(LanguageTag($0))
    }
    #expect(codes == ["ger", "fre", "chi", "eng", "dut", "gsw", "eng"])
    #expect(MatroskaTrackEntry.bibliographic(LanguageTag("und")) == "und")
  }

  @Test("chapters within chapters, in several languages, are read as they were written")
  func chaptersAreReadBack() throws {
    var inner = MatroskaChapters.Chapter(
      uid: 12, start: .nanoseconds(1_000_000_001), end: .nanoseconds(1_500_000_001))
    inner.isEnabled = false
    var outer = MatroskaChapters.Chapter(
      uid: 11, start: .nanoseconds(0), end: .nanoseconds(1_500_000_001),
      titles: [.init("Eins", language: "ger", bcp47: "de"), .init("One", language: "eng")])
    outer.stringUID = "first"
    outer.chapters = [inner]
    var last = MatroskaChapters.Chapter(uid: 13, start: .nanoseconds(1_500_000_001))
    last.isHidden = true
    last.segmentUUID = Array(1...16)
    var edition = MatroskaChapters.Edition([outer, last])
    edition.uid = 5
    edition.isDefault = true
    edition.isOrdered = true
    let chapters = MatroskaChapters([edition])
    #expect(chapters.hasOrderedEdition)
    #expect(MatroskaChapters(element: chapters.encoded) == chapters)
    #expect(MatroskaChapters([]).encoded == [])
    #expect(MatroskaChapters(element: [1, 2, 3]) == nil)
  }

  @Test("chapters 5000 deep are read up to the sixteenth level") func deepChaptersAreCut() throws {
    var bytes = MatroskaBytes.unsigned(.chapterUID, 1)
    for _ in 0..<5000 { bytes = MatroskaBytes.element(.chapterAtom, bytes) }
    bytes = MatroskaBytes.element(.chapters, MatroskaBytes.element(.editionEntry, bytes))
    var level = 0
    var chapters = try #require(MatroskaChapters(element: bytes)).editions[0].chapters
    while let chapter = chapters.first {
      level += 1
      chapters = chapter.chapters
    }
    #expect(level == MatroskaChapters.deepest)
  }

  @Test("tags of levels and targets, within each other, are read as they were written")
  func tagsAreReadBack() throws {
    var director = MatroskaTag.Entry(
      "DIRECTOR", "Someone", entries: [.init("SORT_WITH", "One, Some")])
    director.language = "eng"
    director.languageBCP47 = "en-GB"
    director.isDefault = false
    var film = MatroskaTag(level: 50, [.init("TITLE", "The Film"), director])
    film.levelName = "MOVIE"
    var series = MatroskaTag(level: 70, [.init("TITLE", "The Series")])
    series.trackUIDs = [2, 3]
    series.editionUIDs = [4]
    series.chapterUIDs = [5]
    series.attachmentUIDs = [6]
    series.entries[0].value = .binary([1, 2])
    let bytes = MatroskaTag.encoded([film, series])
    var found = MatroskaTag.all(element: bytes)
    #expect(MatroskaTag.encoded(found) == bytes)
    for index in found.indices { found[index].verbatim = nil }
    #expect(found == [film, series])
    #expect(MatroskaTag.encoded([]) == [] && MatroskaTag.all(element: [0x80]) == [])
  }

  @Test("attached files are handed out in pieces, from memory, from a file and as elements")
  func attachmentsAreStreamed() throws {
    let font = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let source = MatroskaBytes.source([9, 9] + font + [9])
    func write(_ attachments: [MatroskaAttachment]) throws -> WrittenSegment {
      let written = WrittenSegment()
      var segment = SampleFilm.segment([SampleFilm.pictures])
      segment.attachments = attachments
      var builder = try written.builder(segment)
      written.apply(try builder.finish())
      return written
    }
    let first = try write([
      MatroskaAttachment(
        name: "a.txt", mediaType: "text/plain", uid: 21, description: "a text", .bytes([1, 2, 3])),
      MatroskaAttachment(
        name: "b.ttf", mediaType: "font/ttf", uid: 22, .part(of: source, offset: 2, size: 3_000_000)
      ),
    ])
    let reader = try MatroskaReader(MatroskaBytes.source(first.bytes))
    #expect(reader.attachments.map(\.name) == ["a.txt", "b.ttf"])
    #expect(reader.attachments.map(\.mediaType) == ["text/plain", "font/ttf"])
    #expect(reader.attachments.map(\.description) == ["a text", nil])
    #expect(reader.attachments.map(\.uid) == [21, 22] && first.largest <= 1 << 20)
    let data = reader.attachments[1].data
    #expect(Array(first.bytes[Int(data.lowerBound)..<Int(data.upperBound)]) == font)
    let again = try write(
      reader.attachments.map { MatroskaAttachment($0, of: MatroskaBytes.source(first.bytes)) })
    #expect(again.bytes == first.bytes)
    #expect(throws: MatroskaError.self) {
      _ = try write([
        MatroskaAttachment(
          name: "c", mediaType: "", uid: 1, .part(of: source, offset: 0, size: 1 << 40))
      ])
    }
  }
}
