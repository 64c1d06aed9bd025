import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaIn

/// The frame without sound in front of that of an MP3, and tags after it. Two seconds are encoded, so that LAME's numbers
/// (mp3infotag.html) leave 96,000 samples: 85 frames of 1152, without 576 + 529 in front and what fills up the last one.
@Suite(.tags(.system)) struct InfoFrameTests {
  private static let bare = Result {
    try MadeMedia("a.mp3", ["-c:a", "libmp3lame", "-b:a", "64k", "-map_metadata", "-1"])
  }

  /// Bytes of every frame at 64 kbit/s and 48 kHz.
  private static let frameSize = 192

  /// The file, and where its first frame begins.
  private static func parts() throws -> (media: MadeMedia, data: Data, start: Int) {
    let media = try bare.get()
    let data = try media.bytes()
    let name = try #require(data.range(of: Data("Info".utf8)))
    let start = name.lowerBound - 36
    #expect(data[start] == 0xFF && (data.count - start) % frameSize == 0)
    return (media, data, start)
  }

  private static func little(_ value: Int) -> Data {
    Data((0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
  }

  private static func ape(_ content: Data) -> Data {
    let item = little(content.count) + little(2) + Data("Cover Art (Front)\0".utf8) + content
    let part = { (flags: Int) in
      Data("APETAGEX".utf8) + little(2000) + little(item.count + 32) + little(1) + little(flags)
        + Data(count: 8)
    }
    return part(0xA000_0000) + item + part(0x8000_0000)
  }

  private static func footed(_ content: Data) -> Data {
    let size = Data([0, 0, UInt8(content.count >> 7), UInt8(content.count & 0x7F)])
    return Data("ID3".utf8) + [4, 0, 0x10] + size + content + Data("3DI".utf8) + [4, 0, 0x10] + size
  }

  private static func lyrics(_ content: Data) -> Data {
    let body = Data("LYRICSBEGIN".utf8) + content
    return body + Data(String(format: "%06d", body.count).utf8) + Data("LYRICS200".utf8)
  }

  private static let old = Data("TAG".utf8) + Data(count: 125)

  /// Tags that hold `content`.
  private static func tags(_ content: Data) -> [(String, Data)] {
    [
      ("APE", ape(content)), ("APE and ID3v1", ape(content) + old), ("Lyrics3", lyrics(content)),
      ("Lyrics3 and ID3v1", lyrics(content) + old), ("ID3v1", old),
      ("ID3v2 with a footer", footed(content)),
      ("enhanced ID3v1", Data("TAG+".utf8) + Data(count: 223) + old),
      ("all of them", old + ape(content) + footed(content) + lyrics(content) + old),
      (
        "Lyrics3, version 1",
        Data("LYRICSBEGIN".utf8) + content.prefix(900) + Data("LYRICSEND".utf8)
      ),
    ]
  }

  /// A cover picture may hold anything, frames of MP3 as well, and be longer than the sound.
  @Test("an MP3 with tags after its sound has its exact length, whatever they hold")
  func tagsAreNoSound() throws {
    let (media, data, start) = try InfoFrameTests.parts()
    let right = try media.decode()
    #expect(right.count == 96_000 && right.degradations.isEmpty)
    let frames = data[(start + InfoFrameTests.frameSize)...].prefix(40 * InfoFrameTests.frameSize)
    for content in [Data(count: 100), Data(frames)] {
      for (name, tag) in InfoFrameTests.tags(content) {
        let track = try media.altered { $0 += tag }.decode()
        #expect(track.planes == right.planes, "\(name), \(content.count)")
        #expect(track.degradations.isEmpty, "\(name), \(content.count)")
      }
    }
  }

  @Test("junk in front of an MP3 and tags after it leave its exact length")
  func junkAndTags() throws {
    let (media, _, start) = try InfoFrameTests.parts()
    let track = try media.altered { data in
      data.insert(contentsOf: [UInt8](repeating: 0xA5, count: 3000), at: start)
      data += InfoFrameTests.ape(Data(count: 9000)) + InfoFrameTests.old
    }.decode()
    #expect(track.count == 96_000 && track.kinds == ["garbage-skipped"])
  }

  /// Copies `media` to another container with its header frame as first packet, as mkvmerge does.
  private func wrapped(_ ending: String) throws -> DecodedTrack {
    let (_, data, start) = try InfoFrameTests.parts()
    let size = InfoFrameTests.frameSize
    let (info, sound) = (data[start..<start + size], data[(start + size)...])
    let first = Data(sound.prefix(size))
    let plain = try MadeMedia("b.mp3", bytes: first + sound)
    let path = plain.folder.file("c." + ending)
    try FixtureStore.ffmpeg(["-f", "mp3", "-i", plain.path, "-c", "copy", path])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let place = try #require(bytes.range(of: first))
    bytes.replaceSubrange(place, with: info)
    return try MadeMedia("d." + ending, bytes: bytes).decode()
  }

  /// The judge is the bare file.
  @Test(
    "the header frame of an MP3 is no sound in any container, and states start and end there",
    arguments: ["mka", "mp4", "mov", "avi", "wav"])
  func theHeaderFrameIsNoSound(ending: String) throws {
    let track = try wrapped(ending)
    let right = try InfoFrameTests.parts().media.decode()
    #expect(track.planes == right.planes)
    #expect(track.summary.plan.primingSource == .lame && track.summary.plan.paddingSource == .lame)
    // Its time passes all the same: the sound is as late as a player that decodes it plays it.
    #expect(track.summary.plan.start == 1152 + 1105)
    #expect(track.kinds.subtracting(["start-up-uncertain"]).isEmpty && track.summary.gaps.isEmpty)
  }

  /// Changes the number of frames, of which 85 are there.
  private func counted(_ frames: Int) throws -> DecodedTrack {
    let (media, _, start) = try InfoFrameTests.parts()
    return try media.altered { data in
      data.replaceSubrange(
        start + 44..<start + 48, with: Data(InfoFrameTests.little(frames).reversed()))
    }.decode()
  }

  @Test(
    "padding is left out where the header counts the frames that are there or itself too, else all samples stay",
    arguments: [(85, 96_000), (86, 96_000), (40, 96_815), (84, 96_815), (200, 96_815)])
  func thePaddingNeedsTheCount(frames: Int, samples: Int) throws {
    let track = try counted(frames)
    #expect(track.count == samples)
    #expect(track.decisions.contains { $0.code == .end } == (frames < 85))
  }

  /// Neither states start-up samples: those of the table stay.
  @Test(
    "Xing's header without numbers and Fraunhofer's are no sound", arguments: ["Xing", "VBRI"])
  func headersWithoutNumbers(name: String) throws {
    let (media, _, start) = try InfoFrameTests.parts()
    let track = try media.altered { data in
      data.replaceSubrange(start + 36..<start + 192, with: Data(name.utf8) + Data(count: 152))
      // Version 1, 85 frames.
      if name == "VBRI" { (data[start + 41], data[start + 53]) = (1, 85) }
    }.decode()
    #expect(track.count == 85 * 1152 - 1105)
    #expect(track.summary.plan.primingSource == .codecTable)
  }
}
