// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Matroska

/// Files that are written here, read by others.
@Suite(
  .tags(.system), .fullRunOnly,
  .enabled(if: MatroskaTools.areInstalled, "MKVToolNix or FFmpeg isn't installed"))
struct MatroskaOracleTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func written(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = folder.file(name)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func properties(_ facts: [String: Any]) throws -> [[String: Any]] {
    let tracks = try #require(facts["tracks"] as? [[String: Any]])
    return try tracks.map { try #require($0["properties"] as? [String: Any]) }
  }

  /// The frames of sound that FFmpeg encodes, as a track of our own.
  private func sound(
    _ codec: String, frame: Int64, delay: Int64, samples: Int64
  ) throws -> (track: MatroskaTrackEntry, blocks: [MatroskaBlock]) {
    let path = folder.file("\(codec).mka")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i",
      "anoisesrc=r=48000:a=0.3:seed=7,aformat=channel_layouts=stereo,atrim=end_sample=\(samples)",
      "-c:a", codec, "-frame_size", "\(frame)", path,
    ])
    let source = try MatroskaReader(MatroskaTools.source(path))
    let theirs = try #require(source.tracks.first)
    var track = MatroskaTrackEntry(number: 1, kind: .audio, codecID: theirs.codecID, uid: 5)
    track.codecPrivate = theirs.codecPrivate
    track.sound = MatroskaTrackEntry.Sound(
      rate: 48_000, channels: 2, bitDepth: codec == "flac" ? 16 : nil)
    track.defaultDuration = MediaTime(ticks: frame, rate: 48_000)
    track.codecDelay = MediaTime(ticks: delay, rate: 48_000)
    if codec == "libopus" { track.seekPreRoll = MediaTime(ticks: 80, rate: 1000) }
    var blocks: [MatroskaBlock] = []
    var place: Int64 = 0
    try source.forEachBlock {
      let left = min(frame, samples + delay - place)
      var block = MatroskaBlock(
        track: 1, time: MediaTime(ticks: place - delay, rate: 48_000), data: $0.data,
        duration: MediaTime(ticks: left, rate: 48_000))
      if left < frame, delay > 0 {
        block.discardPadding = MediaTime(ticks: frame - left, rate: 48_000)
      }
      blocks.append(block)
      place += frame
      return true
    }
    return (track, blocks)
  }

  private func decoded(_ path: String) throws -> Data {
    let raw = folder.file("raw-\(UUID().uuidString)")
    try Tool.ffmpeg(["-i", path, "-map", "0:a", "-f", "s16le", raw])
    return try Data(contentsOf: URL(fileURLWithPath: raw))
  }

  @Test("FLAC has the same samples in FFmpeg, and mkvextract gives its frames back")
  func flacIsExact() throws {
    let (track, blocks) = try sound("flac", frame: 4800, delay: 0, samples: 240_123)
    var segment = SampleFilm.segment([track])
    segment.info.timestampScale = TimestampScale.millisecond
    let bytes = try WrittenSegment.bytes(segment, blocks)
    #expect(MatroskaCheck(MatroskaBytes.source(bytes)).findings == [])
    let path = try written("own.mka", bytes)
    #expect(try decoded(path) == decoded(folder.file("flac.mka")))
    #expect(try decoded(path).count == 240_123 * 4)
    let theirs = try MatroskaTools.extracted(folder.file("flac.mka"), tracks: 1, attachments: 0)
    let ours = try MatroskaTools.extracted(path, tracks: 1, attachments: 0)
    #expect(ours["track0"] == theirs["track0"] && ours["track0"] != nil)
    let duration = try MatroskaTools.run(
      "ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path])
    #expect(duration.hasPrefix("5.00256"))
  }

  @Test("Opus has exactly its samples in FFmpeg, with start-up and padding taken off")
  func opusIsExact() throws {
    let (track, blocks) = try sound("libopus", frame: 960, delay: 312, samples: 240_123)
    for docType in [MatroskaDocType.matroska, .webm] {
      var segment = SampleFilm.segment([track])
      segment.docType = docType
      let bytes = try WrittenSegment.bytes(segment, blocks)
      #expect(MatroskaCheck(MatroskaBytes.source(bytes)).findings == [])
      let path = try written("own.\(docType)", bytes)
      #expect(try decoded(path).count == 240_123 * 4)
      let facts = try properties(MatroskaTools.facts(path))
      #expect(facts.first?["codec_delay"] as? Int == 6_500_000)
      #expect(facts.first?["default_duration"] as? Int == 20_000_000)
    }
  }

  /// A film whose parts state as much as they can.
  private var rich: MatroskaSegment {
    var pictures = SampleFilm.pictures
    pictures.roles = [.original, .forced]
    pictures.video?.displayWidth = 128
    pictures.video?.displayHeight = 36
    pictures.video?.projection = MatroskaVideo.Projection(roll: 90)
    pictures.video?.crop.left = 2
    var colour = MatroskaColour()
    colour.primaries = 9
    colour.transfer = 16
    colour.matrix = 9
    colour.range = 1
    colour.maxCLL = 1000
    colour.maxFALL = 400
    var screen = MatroskaColour.Mastering()
    (screen.redX, screen.redY, screen.greenX, screen.greenY) = (0.708, 0.292, 0.17, 0.797)
    (screen.blueX, screen.blueY, screen.whiteX, screen.whiteY) = (0.131, 0.046, 0.3127, 0.329)
    (screen.luminanceMax, screen.luminanceMin) = (1000, 0.005)
    colour.mastering = screen
    pictures.video?.colour = colour
    var texts = SampleFilm.texts
    texts.languageBCP47 = "de-AT"
    texts.language = "ger"
    texts.name = "Für alle"
    texts.roles = [.hearingImpaired, .textDescriptions]
    texts.isDefault = false
    var segment = SampleFilm.segment([pictures, SampleFilm.sound, texts])
    segment.info.title = "Titel"
    var chapter = MatroskaChapters.Chapter(
      uid: 11, start: .nanoseconds(0), titles: [.init("Eins", language: "ger", bcp47: "de")])
    chapter.chapters = [.init(uid: 12, start: .nanoseconds(500_000_001))]
    segment.chapters = .made(MatroskaChapters([.init([chapter])]))
    segment.tags = [
      .made([MatroskaTag(level: 70, [.init("TITLE", "The Series", entries: [.init("A", "b")])])])
    ]
    segment.attachments = [
      MatroskaAttachment(
        name: "a.ttf", mediaType: "font/ttf", uid: 21, description: "a font", .bytes([1, 2, 3]))
    ]
    return segment
  }

  @Test("mkvmerge and mkvinfo read a file with everything in it without a warning")
  func everythingIsRead() throws {
    let blocks = SampleFilm.interleaved([
      SampleFilm.pictureBlocks(groups: 4), SampleFilm.soundBlocks(samples: 192_000),
      [SampleFilm.textBlock("one", from: 500, to: 1500)],
    ])
    let bytes = try WrittenSegment.bytes(rich, blocks)
    #expect(MatroskaCheck(MatroskaBytes.source(bytes)).findings == [])
    let path = try written("whole.mkv", bytes)
    let facts = try MatroskaTools.facts(path)
    #expect((facts["warnings"] as? [Any])?.isEmpty == true)
    #expect((facts["errors"] as? [Any])?.isEmpty == true)
    let tracks = try properties(facts)
    #expect(tracks.map { $0["number"] as? Int } == [1, 2, 3])
    #expect(tracks.map { $0["uid"] as? Int } == [11, 12, 13])
    #expect(tracks[0]["display_dimensions"] as? String == "128x36")
    #expect(
      tracks[0]["flag_original"] as? Bool == true && tracks[0]["forced_track"] as? Bool == true)
    #expect(tracks[2]["language_ietf"] as? String == "de-AT")
    #expect(tracks[2]["language"] as? String == "ger")
    #expect(tracks[2]["track_name"] as? String == "Für alle")
    #expect(tracks[2]["flag_hearing_impaired"] as? Bool == true)
    #expect(tracks[2]["flag_text_descriptions"] as? Bool == true)
    #expect(tracks[2]["default_track"] as? Bool == false)
    let listed = try MatroskaTools.frames(path)
    #expect(try listed == MatroskaBytes.frames(bytes).map { .init($0, scale: SampleFilm.scale) })
    let extracted = try MatroskaTools.extracted(path, tracks: 0, attachments: 1)
    #expect(extracted["attachment0"] == Data([1, 2, 3]))
    let text = String(decoding: try #require(extracted["chapters"]), as: UTF8.self)
    #expect(text.contains("Eins") && text.contains("00:00:00.500000001"))
    #expect(
      String(decoding: try #require(extracted["tags"]), as: UTF8.self).contains("The Series"))
  }

  @Test("ffprobe sees colours, light and rotation of pictures, and roles of tracks")
  func picturesInFFprobe() throws {
    let path = try written(
      "rich.mkv", try WrittenSegment.bytes(rich, SampleFilm.pictureBlocks(groups: 1)))
    let text = try MatroskaTools.run("ffprobe", ["-v", "error", "-show_streams", path])
    let lines = Set(text.split(separator: "\n").map(String.init))
    #expect(
      lines.isSuperset(of: [
        "color_primaries=bt2020", "color_transfer=smpte2084", "color_space=bt2020nc",
        "color_range=tv", "max_content=1000", "max_average=400", "rotation=90",
        "DISPOSITION:forced=1", "DISPOSITION:original=1", "DISPOSITION:hearing_impaired=1",
        "TAG:title=Für alle", "codec_name=opus", "codec_name=subrip",
      ]), "\(lines.sorted())")
    #expect(lines.contains { $0.hasPrefix("max_luminance=") })
  }

  @Test("ffprobe sees texts at their exact times") func textsInFFprobe() throws {
    let path = try written("film.mkv", try SampleFilm.whole())
    let packets = try MatroskaTools.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "s", "-show_entries", "packet=pts_time,duration_time",
        "-of", "csv=p=0", path,
      ])
    #expect(packets.split(separator: "\n") == ["0.500000,1.000000", "7.000000,1.250000"])
  }

  @Test("FFmpeg finds every key frame by the cues") func seekingInFFmpeg() throws {
    let path = try written("film.mkv", try SampleFilm.whole())
    for second in [0, 3, 7, 11] {
      let text = try MatroskaTools.run(
        "ffprobe",
        [
          "-v", "error", "-select_streams", "v", "-read_intervals", "\(second)%+#1",
          "-show_entries", "packet=pts_time", "-of", "csv=p=0", path,
        ])
      // Key frames lie 25 × 1001 / 24000 s apart.
      let expected = Double(second * 24_000 / 25_025 * 25_025) / 24_000
      let time = try #require(
        text.split(whereSeparator: { "\n,".contains($0) }).first.flatMap { Double($0) })
      #expect(abs(time - expected) < 0.000_02)
    }
  }
}
