// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Matroska

/// Files of mkvmerge and FFmpeg, read as mkvinfo reads them, and copied.
@Suite(
  .tags(.system), .fullRunOnly,
  .enabled(if: MatroskaTools.areInstalled, "MKVToolNix or FFmpeg isn't installed"))
struct MatroskaStrangerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Pictures with B-frames, and sound of three codecs, by FFmpeg.
  private func film(_ name: String = "film.mkv") throws -> String {
    let path = folder.file(name)
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=24000/1001:d=4",
      "-f", "lavfi", "-i", "sine=440:d=4:r=48000", "-map", "0", "-map", "1", "-map", "1", "-map",
      "1", "-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "24", "-c:a:0", "aac",
      "-c:a:1", "libopus", "-c:a:2", "flac", path,
    ])
    return path
  }

  private func expectSameFrames(_ path: String, laced: Bool = false) throws {
    let reader = try MatroskaReader(MatroskaTools.source(path))
    #expect(reader.findings == [])
    var found: [MatroskaTools.ListedFrame] = []
    var longest = 1
    try reader.forEachBlock(as: .stored) {
      found.append(.init($0, scale: reader.info.timestampScale))
      longest = max(longest, $0.lace.count)
      return true
    }
    #expect(try found == MatroskaTools.frames(path) && found.count > 40)
    #expect((longest > 1) == laced)
  }

  @Test("films of FFmpeg, live ones of unknown size too, have the frames that mkvinfo finds")
  func filmsOfFFmpeg() throws {
    let path = try film()
    try expectSameFrames(path)
    let live = folder.file("live.mkv")
    try Tool.ffmpeg(["-i", path, "-map", "0", "-c", "copy", "-live", "1", live])
    let reader = try MatroskaReader(MatroskaTools.source(live))
    #expect(reader.segment.isOpen && reader.tracks.count == 4)
    try expectSameFrames(live)
  }

  @Test("a copy of a film has the packets, times and flags that ffprobe finds in the source")
  func copiesOfFilms() throws {
    let path = try film()
    let copy = folder.file("copy.mkv")
    let bytes = try MatroskaTools.copied(MatroskaTools.source(path))
    try Data(bytes).write(to: URL(fileURLWithPath: copy))
    #expect(try MatroskaTools.packets(path) == MatroskaTools.packets(copy))
    #expect(MatroskaCheck(MatroskaBytes.source(bytes)).findings == [])
  }

  @Test("frames are those that ffprobe reads, with their times") func framesOfFFprobe() throws {
    let path = try film()
    let text = try MatroskaTools.run(
      "ffprobe",
      [
        "-v", "error", "-show_packets", "-show_data_hash", "adler32", "-show_entries",
        "packet=stream_index,pts,data_hash", "-of", "csv=p=0", path,
      ])
    let packets = text.replacing(/,Skip Samples,0,\d+,0,0\n/, with: "").split(separator: "\n")
      .map(String.init)
    var found: [String] = []
    let reader = try MatroskaReader(MatroskaTools.source(path))
    // FFmpeg takes the delay off, rounded to a tick.
    let delays = Dictionary(
      uniqueKeysWithValues: reader.tracks.map {
        ($0.number, $0.codecDelay.units(nanoseconds: 1_000_000))
      })
    try reader.forEachBlock {
      let time = $0.time / 1_000_000 - (delays[$0.track] ?? 0)
      let sum = String(MatroskaTools.adler($0.data), radix: 16)
      let padded = String(repeating: "0", count: 8 - sum.count) + sum
      found.append("\($0.track - 1),\(time),adler32:\(padded)")
      return true
    }
    #expect(found == packets)
  }

  @Test("sound that mkvmerge laces has the frames that mkvinfo and mkvextract find")
  func lacedSound() throws {
    for codec in ["mp3", "ac3"] {
      try Tool.ffmpeg([
        "-f", "lavfi", "-i", "sine=440:d=3:r=48000", "-ac", "2", folder.file("a.\(codec)"),
      ])
    }
    let path = folder.file("laced.mka")
    try MatroskaTools.run(
      "mkvmerge", ["-o", path, folder.file("a.mp3"), folder.file("a.ac3")])
    try expectSameFrames(path, laced: true)
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    var joined: [Int: [UInt8]] = [:]
    for frame in try MatroskaBytes.frames(bytes) { joined[frame.track, default: []] += frame.data }
    let extracted = try MatroskaTools.extracted(path, tracks: 2, attachments: 0)
    #expect(joined[1].map { Data($0) } == extracted["track0"])
    #expect(joined[2].map { Data($0) } == extracted["track1"])
    #expect(
      joined[2].map { Data($0) } == FileManager.default.contents(atPath: folder.file("a.ac3")))
    let copy = folder.file("copy.mka")
    try Data(MatroskaTools.copied(MatroskaBytes.source(bytes))).write(
      to: URL(fileURLWithPath: copy))
    #expect(try MatroskaTools.extracted(copy, tracks: 2, attachments: 0) == extracted)
    try expectSameFrames(copy)
  }

  /// The bytes of pictures aren't looked at: mkvmerge 74 stores memory that it has given back in place of stripped frames.
  @Test("stripped headers are put back as ffprobe does it, and compression is named")
  func strippedHeaders() throws {
    let movie = folder.file("a.mp4")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2", "-c:v", "mpeg4", "-g", "10", movie,
    ])
    for method in ["none", "mpeg4_p2", "zlib"] {
      let path = folder.file("\(method).mkv")
      try MatroskaTools.run("mkvmerge", ["-o", path, "--compression", "0:\(method)", movie])
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      let restored = try MatroskaBytes.frames(bytes)
      let stored = try MatroskaBytes.frames(bytes, as: .stored)
      #expect(restored.count == 50)
      switch method {
      case "mpeg4_p2":
        #expect(stored.allSatisfy { $0.encoding == .headerStripping([0, 0, 1]) })
        #expect(restored.map(\.data) == stored.map { [0, 0, 1] + $0.data })
      case "zlib": #expect(restored.allSatisfy { $0.encoding == .zlib })
      default: #expect(restored.allSatisfy { $0.encoding == nil })
      }
      try expectSameFrames(path)
      guard method != "zlib" else { continue }
      let text = try MatroskaTools.run(
        "ffprobe",
        [
          "-v", "quiet", "-show_packets", "-show_data_hash", "adler32", "-show_entries",
          "packet=data_hash", "-of", "csv=p=0", path,
        ])
      let sums = text.split(separator: "\n").compactMap { UInt32($0.dropFirst(8), radix: 16) }
      #expect(restored.map { MatroskaTools.adler($0.data) } == sums)
    }
  }

  /// Sound, texts, a font and chapters within chapters, by mkvmerge.
  private func rich() throws -> String {
    let chapters = """
      <?xml version="1.0"?><Chapters><EditionEntry><EditionUID>5</EditionUID><ChapterAtom>
      <ChapterUID>11</ChapterUID><ChapterTimeStart>00:00:00.000000000</ChapterTimeStart>
      <ChapterDisplay><ChapterString>Eins</ChapterString>
      <ChapterLanguage>ger</ChapterLanguage></ChapterDisplay>
      <ChapterDisplay><ChapterString>One</ChapterString>
      <ChapterLanguage>eng</ChapterLanguage></ChapterDisplay>
      <ChapterAtom><ChapterUID>12</ChapterUID>
      <ChapterTimeStart>00:00:00.500000001</ChapterTimeStart>
      <ChapterFlagHidden>1</ChapterFlagHidden></ChapterAtom></ChapterAtom>
      </EditionEntry></Chapters>
      """
    let tags = """
      <?xml version="1.0"?><Tags><Tag><Targets><TargetTypeValue>70</TargetTypeValue></Targets>
      <Simple><Name>TITLE</Name><String>The Series</String>
      <Simple><Name>SORT_WITH</Name><String>Series, The</String></Simple></Simple></Tag></Tags>
      """
    let texts = "1\n00:00:00,500 --> 00:00:01,500\nOne\n\n2\n00:00:01,500 --> 00:00:02,000\nTwo\n"
    let font = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    for (name, text) in [("c.xml", chapters), ("t.xml", tags), ("a.srt", texts)] {
      try Data(text.utf8).write(to: folder.url(name))
    }
    try font.write(to: folder.url("My Font.ttf"))
    let path = folder.file("rich.mkv")
    try MatroskaTools.run(
      "mkvmerge",
      [
        "-o", path, "--disable-lacing", "--title", "The Film", "--chapters", folder.file("c.xml"),
        "--global-tags",
        folder.file("t.xml"), "--attachment-description", "a font", "--attach-file",
        folder.file("My Font.ttf"), "--language", "1:de-AT", "--commentary-flag", "2:1",
        "--default-track-flag", "3:0", try film(), "--language", "0:zh-Hant",
        "--hearing-impaired-flag", "0:1", "--compression", "0:zlib", folder.file("a.srt"),
      ])
    return path
  }

  @Test("chapters, tags, attachments and flags of mkvmerge are read") func richFiles() throws {
    let reader = try MatroskaReader(MatroskaTools.source(try rich()))
    #expect(reader.info.title == "The Film" && reader.tracks.count == 5)
    let chapters = try #require(reader.chapters.flatMap { MatroskaChapters(element: $0) })
    let first = try #require(chapters.editions.first?.chapters.first)
    #expect(first.titles.map(\.text) == ["Eins", "One"])
    #expect(first.titles.map(\.languages) == [["ger"], ["eng"]])
    #expect(first.chapters.first?.start == .nanoseconds(500_000_001))
    #expect(first.chapters.first?.isHidden == true && !chapters.hasOrderedEdition)
    let tags = reader.tags.flatMap { MatroskaTag.all(element: $0) }
    let series = try #require(tags.first { $0.level == 70 })
    #expect(series.entries.first?.entries.first?.value == .text("Series, The"))
    #expect(reader.attachments.map(\.name) == ["My Font.ttf"])
    #expect(reader.attachments.map(\.description) == ["a font"])
    #expect(reader.attachments.first?.data.count == 100_000)
    #expect(reader.tracks[1].languageBCP47 == "de-AT" && reader.tracks[1].language == "ger")
    #expect(reader.tracks[2].roles == .commentary && !reader.tracks[3].isDefault)
    #expect(reader.tracks[4].roles == .hearingImpaired)
    #expect(reader.tracks[4].contentEncodings.map(\.method) == [.zlib])
  }

  @Test("a copy has what mkvextract finds in its source, and what mkvmerge says of it")
  func copiesAreWhole() throws {
    let path = try rich()
    let bytes = try MatroskaTools.copied(MatroskaTools.source(path))
    let copy = folder.file("copy.mkv")
    try Data(bytes).write(to: URL(fileURLWithPath: copy))
    let extracted = try MatroskaTools.extracted(path, tracks: 5, attachments: 1)
    let found = try MatroskaTools.extracted(copy, tracks: 5, attachments: 1)
    #expect(extracted.count == 8)
    // mkvextract makes an Ogg file of Opus, with another serial number each time.
    for (name, bytes) in extracted where name != "track2" {
      #expect(found[name] == bytes, "\(name)")
    }
    let (source, facts) = (try MatroskaTools.facts(path), try MatroskaTools.facts(copy))
    for key in ["tracks", "attachments", "chapters", "global_tags", "track_tags"] {
      #expect(source[key] as? NSArray == facts[key] as? NSArray, "\(key)")
    }
    #expect((facts["warnings"] as? [Any])?.isEmpty == true)
    #expect((facts["errors"] as? [Any])?.isEmpty == true)
    let frames = try MatroskaTools.frames(copy)
    #expect(try frames == MatroskaTools.frames(path))
    let again = try MatroskaTools.copied(MatroskaBytes.source(bytes))
    #expect(again == bytes)
  }
}
