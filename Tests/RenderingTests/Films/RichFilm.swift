// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Matroska
import MediaIn
import Platform
import TestSupport

@testable import Rendering

/// A film in Matroska with everything that a copy must keep: pictures with HDR and a mapping, three languages of sound, subtitles of
/// pictures, styled and plain texts, chapters inside chapters, attached files, tags at three levels. ffmpeg makes pictures and sound;
/// the rest is made of elements here.
struct RichFilm {
  let path: String

  /// Elements that lie in the file as they stand here.
  static let chapters = element(
    0x1043_A770,
    element(
      0x45B9,
      unsigned(0x45BC, 5) + unsigned(0x45DB, 1)
        + element(
          0xB6,
          unsigned(0x73C4, 11) + unsigned(0x91, 0) + title("Eins", "ger") + title("One", "eng")
            + element(
              0xB6, unsigned(0x73C4, 12) + unsigned(0x91, 1_000_000_000) + title("inside", "eng")))
        + element(
          0xB6,
          unsigned(0x73C4, 13) + unsigned(0x91, 1_500_000_001) + unsigned(0x98, 1)
            + title("hidden", "eng"))))
  /// The last element is one that no standard lists.
  static let tags = element(
    0x1254_C367,
    element(0x7373, element(0x63C0, unsigned(0x68CA, 50)) + tag("TITLE", "The Film"))
      + element(0x7373, element(0x63C0, unsigned(0x68CA, 70)) + tag("TITLE", "The Series"))
      + element(0x7373, element(0x63C0, unsigned(0x63C4, 11)) + tag("TITLE", "of a chapter"))
      + element(
        0x7373, element(0x63C0, unsigned(0x63C5, 3)) + tag("REPLAYGAIN_TRACK_GAIN", "-3 dB"))
      + element(0x7F77, [1, 2, 3]))
  static let font = [UInt8](0...255) + [UInt8](0...255)

  init(_ folder: TemporaryFolder, name: String = "rich.mkv") throws {
    let base = folder.file("base.mkv")
    try RichFilm.makeBase(base)
    path = folder.file(name)
    let file = try MediaFile.locate(base)
    let reader = try MatroskaReader(file.source)
    var segment = MatroskaSegment(
      info: MatroskaInfo(maker: "a maker", title: "The Title"), tracks: reader.tracks)
    for index in segment.tracks.indices {
      segment.tracks[index].verbatim = nil
      segment.tracks[index].uid = UInt64(index + 1)
    }
    RichFilm.enrich(&segment)
    segment.chapters = .verbatim(RichFilm.chapters)
    segment.attachments = [
      MatroskaAttachment(
        name: "My Font.ttf", mediaType: "font/ttf", uid: 21, description: "a font",
        .bytes(RichFilm.font))
    ]
    segment.tags = [.verbatim(RichFilm.tags)]
    var bytes = Data()
    var builder = try MatroskaSegmentBuilder(segment) { bytes.append(contentsOf: $0) }
    var extra = RichFilm.blocks
    try reader.forEachBlock { frame in
      let time = MediaTime.nanoseconds(
        frame.time - reader.tracks[frame.track - 1].codecDelay.nanoseconds)
      while let next = extra.first, next.time <= time { try builder.add(extra.removeFirst()) }
      var block = MatroskaBlock(track: frame.track, time: time, data: frame.data)
      block.isKey = frame.isKey
      try builder.add(block)
      return true
    }
    for patch in try builder.finish(duration: .nanoseconds(2_000_000_000)) {
      bytes.replaceSubrange(
        Int(patch.offset)..<Int(patch.offset) + patch.bytes.count, with: patch.bytes)
    }
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  /// Pictures and three tracks of sound, two seconds long.
  private static func makeBase(_ path: String) throws {
    func tone(_ hertz: Int) -> [String] {
      ["-f", "lavfi", "-i", "sine=\(hertz):r=48000:d=2,volume=0.2,aformat=channel_layouts=stereo"]
    }
    try FixtureStore.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=2"] + tone(300) + tone(400) + tone(500)
        + [
          "-map", "0", "-map", "1", "-map", "2", "-map", "3", "-c:v", "libx264", "-bf", "2", "-g",
          "20",
        ]
        + ["-c:a:0", "ac3", "-c:a:1", "flac", "-c:a:2", "libopus"]
        + ["-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=ger"]
        + ["-metadata:s:a:2", "language=eng", "-metadata:s:a:2", "title=Commentary"]
        + ["-disposition:a:0", "default", path])
  }

  private static func enrich(_ segment: inout MatroskaSegment) {
    segment.tracks[0].video?.colour = MatroskaColour()
    segment.tracks[0].video?.colour?.maxCLL = 1000
    segment.tracks[0].additionMappings = [
      element(0x41E4, unsigned(0x41E7, 0x6476_6343) + element(0x41ED, [1, 0, 16, 53]))
    ]
    segment.tracks[2].languageBCP47 = "de-AT"
    segment.tracks[3].roles = [.commentary]
    func track(_ number: Int, _ codec: String, _ language: String) -> MatroskaTrackEntry {
      var entry = MatroskaTrackEntry(number: number, kind: .subtitle, codecID: codec)
      entry.language = language
      entry.isDefault = false
      return entry
    }
    var pictures = track(5, "S_HDMV/PGS", "fre")
    pictures.roles = [.forced, .hearingImpaired]
    pictures.isDefault = true
    var styled = track(6, "S_TEXT/ASS", "ger")
    styled.codecPrivate = Array(
      "[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\n\n[Events]\n".utf8)
    segment.tracks += [
      pictures, styled, track(7, "S_TEXT/UTF8", "chi"), track(8, "S_VOBSUB", "eng"),
    ]
  }

  /// Blocks of the subtitles, of which two overlap.
  private static var blocks: [MatroskaBlock] {
    func block(_ track: Int, _ start: Int64, _ length: Int64?, _ data: [UInt8]) -> MatroskaBlock {
      var block = MatroskaBlock(
        track: track, time: MediaTime(ticks: start, rate: 1000), data: data,
        duration: length.map { MediaTime(ticks: $0, rate: 1000) })
      block.statesDuration = length != nil
      return block
    }
    return [
      block(5, 200, nil, [0x16, 0, 0]),
      block(6, 500, 1250, Array("0,0,Default,,0,0,0,,{\\b1}Grüße".utf8)),
      block(6, 750, 250, Array("1,1,Default,,0,0,0,,overlap".utf8)),
      block(7, 800, 700, Array("<i>你好</i>".utf8)), block(8, 900, 500, [0, 4, 0, 2]),
      block(5, 1500, nil, [0x16, 0, 1]),
    ]
  }

  private static func element(_ id: UInt32, _ body: [UInt8]) -> [UInt8] {
    let name = [24, 16, 8, 0].map { UInt8(id >> UInt32($0) & 0xFF) }.drop { $0 == 0 }
    let size = [UInt8(0x40 | body.count >> 8), UInt8(body.count & 0xFF)]
    return Array(name) + size + body
  }

  private static func unsigned(_ id: UInt32, _ value: UInt64) -> [UInt8] {
    element(id, withUnsafeBytes(of: value.bigEndian, Array.init))
  }

  private static func title(_ text: String, _ language: String) -> [UInt8] {
    element(0x80, element(0x85, Array(text.utf8)) + element(0x437C, Array(language.utf8)))
  }

  private static func tag(_ name: String, _ text: String) -> [UInt8] {
    element(0x67C8, element(0x45A3, Array(name.utf8)) + element(0x4487, Array(text.utf8)))
  }
}
