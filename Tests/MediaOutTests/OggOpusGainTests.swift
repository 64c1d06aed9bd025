// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import ISOBMFF
import Testing

@testable import MediaOut

/// The gain that players of Ogg Opus read (RFC 7845, 5.2.1): from what is stored to −23 LUFS, in 1/256 dB.
@Suite struct OggOpusGainTests {
  @Test(
    "the R128 gain is −23 LUFS less the loudness in 1/256 dB, rounded and saturated",
    arguments: [
      (-16, "-1792"), (-23, "0"), (-24, "256"), (-16.05, "-1779"), (-15.95, "-1805"),
      (-30.01, "1795"),
      (-200, "32767"), (200, "-32768"),
    ] as [(Double, String)])
  func theGainIsRoundedToTheNearestStep(integrated: Double, text: String) throws {
    #expect(try comments(integrated).contains("R128_TRACK_GAIN=\(text)"))
  }

  @Test("Ogg Opus without loudness has no output gain") func withoutLoudnessThereIsNone() throws {
    #expect(try !comments(nil).contains { $0.hasPrefix("R128") })
  }

  @Test("the gain of the album stands beside that of the track")
  func theAlbumStandsBesideTheTrack() throws {
    let found = try comments(-16, album: -24).filter { $0.hasPrefix("R128") }
    #expect(found == ["R128_TRACK_GAIN=-1792", "R128_ALBUM_GAIN=256"])
  }

  /// The comments of a file whose programme has this loudness, and its album that one.
  private func comments(_ integrated: Double?, album: Double? = nil) throws -> [String] {
    let sound = try MarkedSound(frames: 4800, markers: [])
    var settings = sound.settings(OutputCoding(.opus))
    settings.texts.loudness = TrackLoudness(integrated: integrated)
    settings.texts.albumLoudness = album.map { TrackLoudness(integrated: $0) }
    let path = try sound.file("a.opus") {
      try OggOpusWriter(descriptor: $0, name: $1, settings: settings)
    }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let start = try #require(bytes.range(of: Data("OpusTags".utf8))?.upperBound)
    var place = start
    func number() -> Int {
      defer { place += 4 }
      return bytes[place..<place + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    func text() -> String {
      let length = number()
      defer { place += length }
      return String(decoding: bytes[place..<place + length], as: UTF8.self)
    }
    _ = text()
    return (0..<number()).map { _ in text() }
  }
}
