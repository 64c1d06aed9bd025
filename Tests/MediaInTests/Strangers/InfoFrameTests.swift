// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaIn

/// The frame without sound in front of that of an MP3, and tags after it. Two seconds are encoded, so that LAME's numbers
/// (mp3infotag.html) leave 96,000 samples: 85 frames of 1152, without 576 + 529 in front and what fills up the last one.
@Suite(.tags(.system)) struct InfoFrameTests {
  private static func lyrics(_ content: Data) -> Data {
    let body = Data("LYRICSBEGIN".utf8) + content
    return body + Data(String(format: "%06d", body.count).utf8) + Data("LYRICS200".utf8)
  }

  /// Tags that hold `content`.
  private static func tags(_ content: Data) -> [(String, Data)] {
    [
      ("APE", MP3Bytes.ape(content)), ("APE and ID3v1", MP3Bytes.ape(content) + MP3Bytes.old),
      ("Lyrics3", lyrics(content)),
      ("Lyrics3 and ID3v1", lyrics(content) + MP3Bytes.old), ("ID3v1", MP3Bytes.old),
      ("ID3v2 with a footer", MP3Bytes.footed(content)),
      ("enhanced ID3v1", Data("TAG+".utf8) + Data(count: 223) + MP3Bytes.old),
      (
        "all of them",
        MP3Bytes.old + MP3Bytes.ape(content) + MP3Bytes.footed(content) + lyrics(content)
          + MP3Bytes.old
      ),
      (
        "Lyrics3, version 1",
        Data("LYRICSBEGIN".utf8) + content.prefix(900) + Data("LYRICSEND".utf8)
      ),
    ]
  }

  /// A cover picture may hold anything, frames of MP3 as well, and be longer than the sound.
  @Test("an MP3 with tags after its sound has its exact length, whatever they hold")
  func tagsAreNoSound() throws {
    let (media, data, start) = try MP3Bytes.parts()
    let right = try media.decode()
    #expect(right.count == 96_000 && right.degradations.isEmpty)
    let frames = data[(start + MP3Bytes.frameSize)...].prefix(40 * MP3Bytes.frameSize)
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
    let (media, _, start) = try MP3Bytes.parts()
    let track = try media.altered { data in
      data.insert(contentsOf: [UInt8](repeating: 0xA5, count: 3000), at: start)
      data += MP3Bytes.ape(Data(count: 9000)) + MP3Bytes.old
    }.decode()
    #expect(track.count == 96_000 && track.kinds == ["garbage-skipped"])
  }

  /// Copies `media` to another container with its header frame as first packet, as mkvmerge does.
  private func wrapped(_ ending: String) throws -> DecodedTrack {
    let (_, data, start) = try MP3Bytes.parts()
    let size = MP3Bytes.frameSize
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
    let right = try MP3Bytes.parts().media.decode()
    #expect(track.planes == right.planes)
    #expect(track.summary.plan.primingSource == .lame && track.summary.plan.paddingSource == .lame)
    // Its time passes all the same: the sound is as late as a player that decodes it plays it.
    #expect(track.summary.plan.start == 1152 + 1105)
    #expect(track.kinds.subtracting(["start-up-uncertain"]).isEmpty && track.summary.gaps.isEmpty)
  }

  /// Changes the number of frames, of which 85 are there.
  private func counted(_ frames: Int) throws -> DecodedTrack {
    let (media, _, start) = try MP3Bytes.parts()
    return try media.altered { data in
      data.replaceSubrange(
        start + 44..<start + 48, with: Data(MP3Bytes.little(frames).reversed()))
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
    let (media, _, start) = try MP3Bytes.parts()
    let track = try media.altered { data in
      data.replaceSubrange(start + 36..<start + 192, with: Data(name.utf8) + Data(count: 152))
      // Version 1, 85 frames.
      if name == "VBRI" { (data[start + 41], data[start + 53]) = (1, 85) }
    }.decode()
    #expect(track.count == 85 * 1152 - 1105)
    #expect(track.summary.plan.primingSource == .codecTable)
  }
}
