// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Rendering
import TestSupport
import Testing

/// The name of an output and the container that it holds.
@Suite struct OutputExtensionTests {
  @Test("a request whose output's extension stands for another container is refused")
  func extensionsAreChecked() throws {
    let aac = Container(.mp4)
    let rows: [(name: String, container: Container, isRight: Bool)] = [
      ("out.m4a", Container(.wav), false), ("out.wav", Container(.flac), false),
      ("out.flac", Container(.ogg), false), ("out.bw64", Container(.wav), false),
      ("out.mp3", aac, false), ("out.mpd", aac, false), ("out.WAV", aac, false),
      ("out.mp4", Container(.hls), false), ("out.m3u8", aac, false),
      ("out.wav", Container(.wav), true), ("out.rf64", Container(.wav), true),
      ("out.m4b", aac, true), ("out.MOV", aac, true), ("out.mov", Container(.fmp4), true),
      ("out.m4b", Container(.fmp4), true),
      ("out.wav", Container(.fmp4), false), ("out.opus", Container(.ogg), true),
      ("out", aac, true), ("out.take2", Container(.flac), true), (".wav", aac, true),
      ("a.wav/out", aac, true), ("/dev/stdout", aac, true),
    ]
    for row in rows {
      let request = RenderRequest(
        .file("in.wav"),
        outputs: [
          OutputRequest(.file(row.name), Rendition(.channels(.stereo)), container: row.container)
        ])
      var failure: MediaError?
      do { try request.validate() } catch { failure = error as? MediaError }
      #expect(failure?.kind == (row.isRight ? nil : .usage), "\(row.name)")
      #expect(row.isRight || failure?.message.contains("doesn't stand for") == true)
    }
  }

  @Test("a folder's files keep the lossless family of their sources")
  func losslessNames() {
    let names = ["a.flac", "b/A.FLAC", "c.wv", "d.tta", "e.ape", "https://h/x.flac?k=.mp3"]
    for name in names { #expect(LosslessFamily.holds(name), "\(name)") }
    for name in ["a.wav", "a.mp3", "flac", "a.ogg", "a.m4a", "a.flac.wav"] {
      #expect(!LosslessFamily.holds(name), "\(name)")
    }
  }

  @Test("pictures are left out of .m4a and .m4b and kept in .mp4")
  func picturesFollowTheName() {
    for (name, holdsVideo) in [("a.m4a", false), ("a.M4B", false), ("a.mp4", true), ("a", true)] {
      let output = OutputRequest(.file(name), Rendition(), container: Container(.mp4))
      #expect(OutputFiles(output).holds.contains(.video) == holdsVideo, "\(name)")
    }
  }
}
