// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import MediaIn

@Suite(.tags(.system), .fullRunOnly) struct TrackChoiceTests {
  /// A Matroska file with one audio track for each row of language and disposition.
  private func media(_ rows: [(language: String, marks: String)]) throws -> MadeMedia {
    var arguments: [String] = []
    for (index, row) in rows.enumerated() {
      arguments += ["-map", "0:a", "-metadata:s:a:\(index)", "language=\(row.language)"]
      arguments += ["-disposition:a:\(index)", row.marks]
    }
    return try MadeMedia(
      "a.mkv", arguments + ["-c:a", "flac", "-default_mode", "passthrough"], seconds: 1)
  }

  private func pick(_ media: MadeMedia, _ choice: String) throws -> (index: Int, why: String) {
    let log = DiagnosticLog()
    let stream = try withExtendedLifetime(media.folder) {
      try TrackOpener(MediaFile(path: media.path)).select(TrackChoice(choice), log: log)
    }
    #expect(log.decisions.count == 1)
    #expect(log.decisions.first?.code == .track)
    return (stream.index, log.decisions.first?.why ?? "")
  }

  private func refusal(_ media: MadeMedia, _ choice: String) -> MediaError? {
    do {
      _ = try pick(media, choice)
      return nil
    } catch { return error as? MediaError }
  }

  @Test(
    "track numbers, default and lists of languages are parsed, and other texts are usage errors")
  func choicesAreParsed() throws {
    #expect(try TrackChoice("default") == .automatic)
    #expect(try TrackChoice("0") == .index(0))
    #expect(try TrackChoice("12") == .index(12))
    #expect(try TrackChoice("lang:en") == .languages(["en"]))
    #expect(try TrackChoice("lang:de,eng") == .languages(["de", "eng"]))
    for text in ["", "-1", "one", "lang", "lang:", "lang:,", "lang:,,", "en", "1.0"] {
      let error = #expect(throws: MediaError.self) { try TrackChoice(text) }
      #expect(error?.kind == .usage)
    }
  }

  @Test(
    "a track number counts audio tracks from 0, and one too large is a usage error with the range")
  func anIndexCountsAudioTracks() throws {
    let media = try self.media([("eng", "0"), ("ger", "0"), ("fre", "0")])
    #expect(try pick(media, "0").index == 0)
    #expect(try pick(media, "2").index == 2)
    let error = refusal(media, "3")
    #expect(error?.kind == .usage)
    #expect(error?.message.contains("0 to 2") == true)
  }

  @Test(
    "languages choose a track in the order asked for, in two or three letters, or are refused by name"
  )
  func languagesGoByPreferenceAndEitherCode() throws {
    let media = try self.media([("eng", "0"), ("ger", "0"), ("fre", "0")])
    #expect(try pick(media, "lang:de").index == 1)
    #expect(try pick(media, "lang:deu").index == 1)
    #expect(try pick(media, "lang:DE-at").index == 1)
    #expect(try pick(media, "lang:ja,fr,en").index == 2)
    let error = refusal(media, "lang:ja,ko")
    #expect(error?.kind == .usage)
    #expect(error?.message.contains("ja or ko") == true)
  }

  @Test("of tracks in one language the default one is chosen, and commentary only if it is alone")
  func amongOneLanguageTheDefaultWinsAndCommentaryLoses() throws {
    let marked = try media([("eng", "0"), ("eng", "default"), ("eng", "0")])
    #expect(try pick(marked, "lang:en").index == 1)
    let commented = try media([("eng", "comment"), ("eng", "0")])
    #expect(try pick(commented, "lang:en").index == 1)
    let only = try media([("ger", "0"), ("eng", "comment")])
    #expect(try pick(only, "lang:en").index == 1)
  }

  @Test("the track with the default disposition is chosen before the first one")
  func theDefaultDispositionDecides() throws {
    let media = try self.media([("eng", "0"), ("ger", "default")])
    let picked = try pick(media, "default")
    #expect(picked.index == 1)
    #expect(picked.why == "default disposition")
  }

  @Test("without a default the first plain track is chosen, and the first of all if none is plain")
  func withoutDefaultTheFirstPlainTrackDecides() throws {
    #expect(try pick(media([("eng", "0"), ("ger", "0")]), "default").index == 0)
    #expect(try pick(media([("eng", "comment"), ("ger", "0")]), "default").index == 1)
    #expect(try pick(media([("eng", "visual_impaired"), ("ger", "0")]), "default").index == 1)
    #expect(try pick(media([("eng", "comment"), ("ger", "dub")]), "default").index == 0)
  }

  @Test("a picture attached to an MP3 counts as picture, and the sound as the only audio track")
  func anAttachedPictureNeverCounts() throws {
    let folder = try TemporaryFolder()
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "testsrc=size=64x64", "-frames:v", "1", folder.file("c.png"),
    ])
    let media = try MadeMedia(
      "a.mp3", ["-i", folder.file("c.png"), "-map", "1", "-map", "0", "-c:a", "libmp3lame"],
      seconds: 1)
    let file = try withExtendedLifetime(media.folder) { try MediaFile(path: media.path) }
    #expect(file.streams.contains { $0.kind == .picture })
    #expect(!file.streams.contains { $0.kind == .video })
    #expect(try pick(media, "default").why == "only audio track")
    #expect(try media.decode().count == 48_000)
  }

  @Test("a file without audio is refused as having none")
  func aFileWithoutAudioSaysSo() throws {
    let media = try MadeMedia(
      "v.mkv", ["-f", "lavfi", "-i", "testsrc=size=64x64:d=1", "-map", "1", "-c:v", "mpeg4"],
      seconds: 1)
    #expect(refusal(media, "default")?.kind == .noAudio)
  }
}
