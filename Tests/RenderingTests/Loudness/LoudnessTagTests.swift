// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Inspection
import Loudness
import MediaOut
import Rendering
import Report
import TestSupport
import Testing

/// The levels that files state of themselves and of their album, as other programs read them, and as Pinna reads them.
@Suite(.tags(.system)) struct LoudnessTagTests {
  private static let containers: [String: Container] = [
    "flac": Container(.flac), "wav": Container(.wav), "bw64": Container(.bw64),
    "opus": Container(.ogg), "mp3": Container(.mp3),
    "m4a": Container(.mp4, OutputCoding(.alac)), "mp4": Container(.fmp4, OutputCoding(.aac)),
    "mka": Container(.matroska, OutputCoding(.flac)),
  ]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A tagged source at this level.
  private func source(_ name: String, _ level: Float) throws -> String {
    let (plain, tagged) = (folder.file(name + ".wav"), folder.file(name + ".flac"))
    try TestProgramme.wav(channels: 2, seconds: 3, level: level)
      .write(to: URL(fileURLWithPath: plain))
    try Tool.ffmpeg(["-i", plain, "-metadata", "title=T", tagged])
    return tagged
  }

  private func request(
    _ path: String, to name: String, _ container: Container, level: LoudnessTarget? = .standard
  ) -> RenderRequest {
    RenderRequest(
      .file(path),
      outputs: [
        OutputRequest(
          .file(folder.file(name)), Rendition(.channels(), level: level), container: container)
      ])
  }

  /// The texts about the level, as ffprobe reads Matroska and mutagen everything else.
  private func texts(_ name: String) throws -> [String: String] {
    var found: [String: [String]]
    if name.hasSuffix(".mka") {
      struct Probed: Decodable {
        struct Stream: Decodable { let tags: [String: String] }
        let streams: [Stream]
      }
      let read = try Tool.run(
        "ffprobe",
        ["-v", "error", "-show_entries", "stream_tags", "-of", "json", folder.file(name)])
      let probed = try JSONDecoder().decode(Probed.self, from: read.output)
      found = probed.streams.first?.tags.mapValues { [$0] } ?? [:]
    } else {
      let read = try Tool.run(
        TestPython.path, [TestPython.root + "/Tests/Tools/read_tags.py", folder.file(name)])
      found = try JSONDecoder().decode([String: [String]].self, from: read.output)
    }
    let named = found.map { (($0.split(separator: ":").last ?? "").uppercased(), $1) }
    return Dictionary(named.map { ($0, $1.joined()) }) { first, _ in first }
      .filter { $0.key.hasPrefix("REPLAYGAIN_") || $0.key.hasPrefix("R128_") }
  }

  @Test(
    "each container of an album states gains and peaks of track and album",
    .enabled(if: TestPython.has("mutagen"), "make setup-test installs mutagen"),
    arguments: ["flac", "wav", "bw64", "opus", "mp3", "m4a", "mp4", "mka"])
  func albumsAreTagged(ending: String) async throws {
    let container = try #require(Self.containers[ending])
    let requests = try [Float(0.2), 0.05].enumerated().map { index, level in
      request(try source("in\(index)", level), to: "\(index).\(ending)", container)
    }
    let reports = try await RenderPipeline().renderAlbum(requests)
    let album = try #require(reports.first?.loudness?.album?.integrated)
    let found = try (0..<2).map { try texts("\($0).\(ending)") }
    // A lossy encoding moves loudness and peaks a little.
    let isLossy = ["opus", "mp3", "mp4"].contains(ending)
    for (report, texts) in zip(reports, found) {
      let track = try #require(report.loudness?.output.integrated)
      for (scope, level) in [("TRACK", track), ("ALBUM", album)] {
        if ending == "opus" {
          let steps = try #require(texts["R128_\(scope)_GAIN"].flatMap(Double.init))
          #expect((steps / 256 + 23 + level).magnitude < 0.2)
          continue
        }
        let gain = try #require(texts["REPLAYGAIN_\(scope)_GAIN"])
        #expect(gain.hasSuffix(" dB"))
        let value = try #require(Double(gain.dropLast(3)))
        #expect((value + 18 + level).magnitude < (isLossy ? 0.4 : 0.011), "\(gain), \(level)")
      }
      guard ending != "opus" else { continue }
      let peak = try #require(texts["REPLAYGAIN_TRACK_PEAK"].flatMap(Double.init))
      let measured = try #require(report.loudness?.output.truePeak)
      #expect((20 * log10(peak) - measured).magnitude < (isLossy ? 1 : 0.011))
    }
    #expect(found.allSatisfy { $0.count == (ending == "opus" ? 2 : 4) }, "\(found)")
    let peaks = found.compactMap { $0["REPLAYGAIN_TRACK_PEAK"] }
    #expect(found.allSatisfy { $0["REPLAYGAIN_ALBUM_PEAK"] == peaks.max() })
  }

  @Test("a file by itself has no gain of an album, and a WAV file without tags no ID3 chunk")
  func filesAloneHaveNoAlbum() async throws {
    let input = folder.file("in.wav")
    try TestProgramme.wav(channels: 2, seconds: 2).write(to: URL(fileURLWithPath: input))
    _ = try await RenderPipeline().render(request(input, to: "out.wav", Container(.wav)))
    #expect(try Data(contentsOf: folder.url("out.wav")).range(of: Data("id3 ".utf8)) == nil)
    _ = try await RenderPipeline().render(request(input, to: "out.flac", Container(.flac)))
    let bytes = try Data(contentsOf: folder.url("out.flac"))
    #expect(bytes.range(of: Data("REPLAYGAIN_TRACK_GAIN=-2.0".utf8)) != nil)
    #expect(bytes.range(of: Data("ALBUM".utf8)) == nil)
  }

  @Test("MP4 states the loudness of track and album in boxes, which probe reads")
  func boxesAreProbed() async throws {
    let requests = try [Float(0.2), 0.05].enumerated().map { index, level in
      request(
        try source("in\(index)", level), to: "\(index).m4a", Container(.mp4, OutputCoding(.alac)))
    }
    let reports = try await RenderPipeline().renderAlbum(requests)
    for (index, report) in reports.enumerated() {
      let probed = try MediaProber().probe(path: folder.file("\(index).m4a")).track?.loudness
      let (stated, levels) = (try #require(probed), try #require(report.loudness))
      let pairs = [
        (stated.track?.integrated, levels.output.integrated),
        (stated.track?.range, levels.output.range),
        (stated.album?.integrated, levels.album?.integrated),
      ]
      for (stated, measured) in pairs {
        #expect((try #require(stated) - (try #require(measured))).magnitude < 0.126)
      }
      let peak = try #require(stated.album?.truePeak)
      #expect((peak - (try #require(levels.album?.truePeak))).magnitude < 0.016)
    }
    #expect(try MediaProber().probe(path: folder.file("in0.flac")).track?.loudness == nil)
  }

  @Test("the loudness that MP4 states is followed where it is asked for, and else compared")
  func statementsAreFollowed() async throws {
    let alac = Container(.mp4, OutputCoding(.alac))
    let path = try source("in", 0.1)
    _ = try await RenderPipeline().render(request(path, to: "a.m4a", alac))
    var target = LoudnessTarget.standard
    (target.integrated, target.mode) = (-20, .metadata)
    let report = try await RenderPipeline().render(
      request(folder.file("a.m4a"), to: "b.flac", Container(.flac), level: target))
    let loudness = try #require(report.loudness)
    #expect(loudness.outcome == .metadata && (loudness.gainDB + 4).magnitude < 0.126)
    #expect(loudness.stated?.layout == "stereo" && loudness.stated?.comparable == true)
    #expect(report.degradations.isEmpty, "\(report.degradations)")
    // A statement of −30 LUFS: the value is the second byte of the first figure.
    var bytes = try Data(contentsOf: folder.url("a.m4a"))
    let box = try #require(bytes.range(of: Data("tlou".utf8)))
    bytes[box.upperBound + 12] = 111
    try bytes.write(to: folder.url("wrong.m4a"))
    let wrong = try await RenderPipeline().render(
      request(folder.file("wrong.m4a"), to: "c.flac", Container(.flac), level: nil))
    let said = wrong.degradations.filter { $0.code == .loudnessInfoWrong }.map(\.message)
    #expect(said.count == 1 && said[0].contains("-30.00 LUFS for stereo"), "\(said)")
  }
}
