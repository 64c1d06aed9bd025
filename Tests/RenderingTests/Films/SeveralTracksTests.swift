// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Inspection
import Matroska
import MediaIn
import Platform
import Report
import TestSupport
import Testing

@testable import Rendering

extension OutputCoding {
  /// AAC in segments that are files.
  fileprivate static var inSegments: OutputCoding {
    var coding = OutputCoding(.aac)
    coding.hasSegmentFiles = true
    return coding
  }
}

/// Several tracks of sound are rendered into one file, each as if it were alone.
@Suite(.tags(.system), .fullRunOnly) struct SeveralTracksTests {
  private let folder: TemporaryFolder
  private let film: RichFilm

  init() throws {
    folder = try TemporaryFolder()
    film = try RichFilm(folder)
  }

  private func render(
    _ name: String, _ track: TrackChoice, _ form: RenderJob.Form,
    _ change: (inout RenderJob) -> Void = { _ in }
  ) async throws -> RenderReport {
    var test = try RenderCase(path: film.path)
    test.job.outputs = [.init(endpoint: .headphones, location: .file(folder.file(name)))]
    test.job.form = form
    test.job.clip.decoding.track = track
    test.job.carriage.subtitles = .dropped
    change(&test.job)
    return try await test.run()
  }

  /// The samples of a track of sound as ffmpeg plays them.
  private func samples(_ name: String, _ track: Int) throws -> Data {
    try Tool.run(
      "ffmpeg",
      ["-v", "error", "-i", folder.file(name), "-map", "0:a:\(track)", "-f", "f32le", "-"]
    ).output
  }

  private func floats(_ name: String) throws -> [Float] {
    try samples(name, 0).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  @Test(
    "each track is the very sound of a render of its own",
    arguments: [
      ("mkv", RenderJob.Form.matroska(.flac, bitRate: nil)),
      ("mkv", .matroska(.opus, bitRate: nil)), ("mp4", .progressiveMP4(.flac, bitRate: nil)),
      ("mp4", .progressiveMP4(.aac, bitRate: nil)), ("mp4", .fragmentedMP4(.flac, bitRate: nil)),
    ])
  func tracksAreThoseOfSingleRenders(ending: String, form: RenderJob.Form) async throws {
    let report = try await render("all.\(ending)", .languages(["de", "en"]), form)
    #expect(report.inputs.map(\.language) == ["de-AT", "eng"])
    #expect(report.outputs.map(\.path) == Array(repeating: folder.file("all.\(ending)"), count: 2))
    for (place, number) in [1, 0].enumerated() {
      let single = "one\(number).\(ending)"
      let alone = try await render(single, .index(number), form)
      #expect(report.outputs[place].pcmSHA256 == alone.outputs[0].pcmSHA256)
      let isLossless = [
        .matroska(.flac, bitRate: nil), .progressiveMP4(.flac, bitRate: nil),
        .fragmentedMP4(.flac, bitRate: nil),
      ].contains(form)
      #expect(abs(try #require(report.outputs[place].integrated) + 16) <= (isLossless ? 0.05 : 0.5))
      // ffmpeg 5.1 plays start-up samples of AAC as far as they lie after zero, which depends on the other tracks.
      if form != .progressiveMP4(.aac, bitRate: nil) {
        #expect(try samples("all.\(ending)", place) == samples(single, 0))
      }
    }
    #expect(
      try OutputValidator().validate(path: folder.file("all.\(ending)")).findings.isEmpty)
  }

  @Test("the first one plays by itself, and each states its own level") func tracksAreNamed()
    async throws
  {
    _ = try await render("all.mkv", .all, .matroska(.flac, bitRate: nil)) {
      $0.carriage.keptAudio = .none
    }
    let file = try MediaFile.locate(folder.file("all.mkv"))
    let reader = try MatroskaReader(file.source)
    let sounds = reader.tracks.filter { $0.kind == .audio }
    #expect(sounds.map(\.isDefault) == [true, false, false])
    #expect(sounds.map(\.language) == ["eng", "ger", "eng"])
    #expect(sounds.map(\.languageBCP47) == ["en", "de-AT", "en"])
    #expect(reader.tracks.map(\.kind) == [.audio, .audio, .audio, .video])
    let levels = reader.tags.flatMap { MatroskaTag.all(element: $0) }
      .filter { $0.entries.contains { $0.name == "REPLAYGAIN_TRACK_GAIN" } }
    #expect(levels.map(\.trackUIDs) == sounds.map { [$0.uid] })
  }

  @Test("late tracks keep their distance to each other", arguments: ["mkv", "mp4"])
  func distancesStay(ending: String) async throws {
    let source = folder.file("late.mkv")
    try FixtureStore.ffmpeg([
      "-i", film.path, "-itsoffset", "0.5", "-i", film.path, "-map", "0:a:1", "-map", "1:a:1", "-c",
      "copy", source,
    ])
    var test = try RenderCase(path: source)
    test.job.outputs = [.init(endpoint: .none, location: .file(folder.file("out.\(ending)")))]
    test.job.form =
      ending == "mkv" ? .matroska(.flac, bitRate: nil) : .progressiveMP4(.flac, bitRate: nil)
    test.job.clip.decoding.track = .several([1, 0])
    test.job.carriage.keptAudio = .none
    _ = try await test.run()
    let starts = try (0...1).map { track in
      let text = try Tool.run(
        "ffprobe",
        [
          "-v", "error", "-select_streams", "a:\(track)", "-show_entries", "packet=pts_time",
          "-read_intervals", "%+#1", "-of", "csv=p=0", folder.file("out.\(ending)"),
        ]
      ).output
      return try #require(
        Double(
          String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)))
    }
    #expect(abs(starts[0] - starts[1] - 0.5) < 0.001)
  }

  @Test("a range begins at zero in all of them", arguments: ["mkv", "mp4"])
  func rangesBeginAtZero(ending: String) async throws {
    let form: RenderJob.Form =
      ending == "mkv" ? .matroska(.flac, bitRate: nil) : .progressiveMP4(.flac, bitRate: nil)
    _ = try await render("range.\(ending)", .several([1, 0]), form) {
      $0.clip.range = Clip.Range(start: .samples(24_000))
      $0.carriage.keepsVideo = false
    }
    for track in 0...1 {
      let text = try Tool.run(
        "ffprobe",
        [
          "-v", "error", "-select_streams", "a:\(track)", "-show_entries", "packet=pts_time",
          "-read_intervals", "%+#1", "-of", "csv=p=0", folder.file("range.\(ending)"),
        ]
      ).output
      let start = Double(
        String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
      #expect(abs(try #require(start)) < 0.02)
    }
  }

  @Test(
    "HLS has a file for each track, beside the pictures, and one group of all",
    arguments: [false, true])
  func tracksAreRenditions(hasSegmentFiles: Bool) async throws {
    let form = RenderJob.Form.hls(.flac, bitRate: nil)
    let report = try await render("all.m3u8", .several([1, 0]), form) {
      $0.hasSegmentFiles = hasSegmentFiles
    }
    #expect(report.outputs.map(\.verified) == [true, true])
    let playlist = try String(contentsOfFile: folder.file("all.m3u8"), encoding: .utf8)
    let sounds = playlist.split(separator: "\n").filter { $0.contains("TYPE=AUDIO") }
    #expect(sounds.map { $0.contains("DEFAULT=YES") } == [true, false])
    #expect(zip(sounds, ["de-AT", "en"]).allSatisfy { $0.contains("LANGUAGE=\"\($1)\"") })
    #expect(
      zip(sounds, ["all-audio.m3u8", "all-audio-2.m3u8"]).allSatisfy {
        $0.contains("URI=\"\($1)\"")
      })
    for (place, number) in [1, 0].enumerated() {
      let single = "one\(number).m3u8"
      _ = try await render(single, .index(number), form)
      let own = try floats(place == 0 ? "all-audio.m3u8" : "all-audio-2.m3u8")
      let alone = try floats("one\(number)-audio.m3u8")
      // Beside tracks that begin earlier, there is more silence in front, which moves the blocks of the meter.
      let isSame = zip(own.suffix(alone.count), alone).allSatisfy { abs($0 - $1) < 2e-3 }
      #expect(isSame && own.dropLast(alone.count).allSatisfy { $0 == 0 })
      #expect(abs(try #require(report.outputs[place].integrated) + 16) <= 0.05)
    }
    let check = try OutputValidator().validate(path: folder.file("all.m3u8"))
    #expect(check.findings.isEmpty, "\(check.findings)")
  }

  @Test(
    "outputs with the name of one presentation are groups of the same tracks",
    arguments: [false, true])
  func outputsAreGroups(hasSegmentFiles: Bool) async throws {
    let form = RenderJob.Form.hls(.flac, bitRate: nil)
    let report = try await render("all.m3u8", .several([1, 0]), form) {
      $0.hasSegmentFiles = hasSegmentFiles
      $0.outputs.append(
        .init(endpoint: .none, location: .file(folder.path + "/./all.m3u8")))
    }
    #expect(report.outputs.map(\.verified) == [true, true, true, true])
    let text = try String(contentsOfFile: folder.file("all.m3u8"), encoding: .utf8)
    let sounds = text.split(separator: "\n").filter { $0.contains("TYPE=AUDIO") }
    let expected = [
      ("audio", "de-AT", "all-audio.m3u8"), ("audio", "en", "all-audio-3.m3u8"),
      ("audio-2", "de-AT", "all-audio-2.m3u8"), ("audio-2", "en", "all-audio-4.m3u8"),
    ]
    #expect(sounds.count == 4)
    for (line, (group, language, playlist)) in zip(sounds, expected) {
      #expect(
        line.contains("GROUP-ID=\"\(group)\"") && line.contains("LANGUAGE=\"\(language)\"")
          && line.contains("URI=\"\(playlist)\"")
          && line.contains("DEFAULT=\(language == "de-AT" ? "YES" : "NO")"), "\(line)")
    }
    let variants = text.split(separator: "\n").filter { $0.hasPrefix("#EXT-X-STREAM-INF") }
    #expect(zip(variants, ["audio", "audio-2"]).allSatisfy { $0.contains("AUDIO=\"\($1)\"") })
    for (place, (number, endpoint)) in [
      (1, Endpoint.Kind.headphones), (1, .none), (0, .headphones), (0, .none),
    ].enumerated() {
      let single = "one\(place).m3u8"
      _ = try await render(single, .index(number), form) { $0.outputs[0].endpoint = endpoint }
      let own = try floats(place == 0 ? "all-audio.m3u8" : "all-audio-\(place + 1).m3u8")
      let alone = try floats("one\(place)-audio.m3u8")
      let isSame = zip(own.suffix(alone.count), alone).allSatisfy { abs($0 - $1) < 2e-3 }
      #expect(isSame && own.dropLast(alone.count).allSatisfy { $0 == 0 })
    }
    let check = try OutputValidator().validate(path: folder.file("all.m3u8"))
    #expect(check.findings.isEmpty, "\(check.findings)")
  }

  @Test("groups differ in their sound alone") func groupsShareTheRest() async throws {
    func outputs(_ change: (inout OutputRequest) -> Void) throws -> RenderRequest {
      var outputs = [96_000, 64_000].map { rate in
        OutputRequest(
          .file(folder.file("all.m3u8")),
          container: Container(.hls, OutputCoding(.aac, bitRate: rate)))
      }
      change(&outputs[1])
      return RenderRequest(clips: [Clip(MediaLocation(film.path))], outputs: outputs)
    }
    try RequestRules.check(outputs { _ in })
    let changes: [(inout OutputRequest) -> Void] = [
      { $0.carriage.keepsVideo = false },
      { $0.work = .render(Rendition(), Container(.hls, OutputCoding.inSegments)) },
      { $0.items = ItemSpan(1, 1) }, { $0.work = .render(Rendition(), Container(.wav)) },
    ]
    for change in changes {
      #expect(throws: MediaError.self) { try RequestRules.check(outputs(change)) }
    }
  }

  @Test("each gets a file in a folder, called by number and language") func foldersHoldEach() throws
  {
    var clip = Clip(MediaLocation(film.path))
    clip.decoding.track = .languages(["de", "en"])
    func files(_ kind: ContainerKind) -> [String]? {
      let output = OutputRequest(MediaLocation("out/film"), container: Container(kind))
      return OutputNames.perTrack(clip, [output], "out/film")?.map(\.path)
    }
    #expect(files(.flac) == ["out/film-1-de-AT.flac", "out/film-0-en.flac"])
    #expect(files(.matroska) == nil)
    clip.decoding.track = .index(1)
    #expect(files(.flac) == nil)
    let input = folder.file("film-1-de-AT.flac")
    try Data([1]).write(to: URL(fileURLWithPath: input))
    for files in [["a-0.flac", "a-0.flac"], ["a-0.flac", input]] {
      #expect(throws: MediaError.self) {
        try OutputNames.check(files, of: [film.path, input], in: folder.path)
      }
    }
    try OutputNames.check(["a-0.flac", "a-1.flac"], of: [film.path, input], in: folder.path)
  }

  @Test("where one track goes in, several are refused") func othersRefuse() async throws {
    for choice in [TrackChoice.all, .several([0, 2])] {
      await #expect(throws: RenderFailure.self) {
        _ = try await render("out.flac", choice, .flac)
      }
    }
    // Languages are a preference there, as ever.
    let report = try await render("out.flac", .languages(["fr", "de"]), .flac)
    #expect(report.inputs.map(\.language) == ["de-AT"])
    await #expect(throws: RenderFailure.self) {
      _ = try await render("out.mkv", .several([0, 7]), .matroska(.flac, bitRate: nil))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("out.mkv")))
  }

  @Test(
    "texts name tracks",
    arguments: [
      ("all", TrackChoice.all), ("0,2", .several([0, 2])), ("1", .index(1)),
      ("default", .automatic),
      ("lang:en,de", .languages(["en", "de"])),
    ])
  func textsNameTracks(text: String, choice: TrackChoice) throws {
    #expect(try TrackChoice(text) == choice)
  }

  @Test("other texts are refused", arguments: ["", "0,", "0,0", "-1", "0,-1", "both", ","])
  func otherTextsAreRefused(text: String) {
    #expect(throws: MediaError.self) { try TrackChoice(text) }
  }
}
