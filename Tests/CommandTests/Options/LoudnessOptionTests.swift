// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Rendering
import TestSupport
import Testing

@testable import PinnaCLI

/// `render`'s loudness options as a user gives them.
@Suite(.tags(.system), .fullRunOnly) struct LoudnessOptionTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 3, level: 0.05).write(to: folder.url("a.wav"))
    try TestProgramme.wav(channels: 2, seconds: 4, level: 0.2).write(to: folder.url("b.wav"))
    try FileManager.default.createDirectory(
      at: folder.url("out"), withIntermediateDirectories: false)
  }

  private func render(_ names: [String], _ extra: [String]) throws -> Tool.Result {
    try Product.run(
      ["render"] + names.map { folder.file($0) } + ["-o", folder.file("out"), "-e", "none"] + extra)
  }

  private func refusal(_ names: [String], _ extra: [String]) async throws -> Tool.Result {
    try await InProcess.run(
      ["render"] + names.map { folder.file($0) } + ["-o", folder.file("out"), "-e", "none"] + extra)
  }

  @Test("a wrong loudness option is refused in one sentence that names the allowed values")
  func badValuesAreNamed() async throws {
    let cases: [([String], String)] = [
      (["--max-gain", "-1"], "--max-gain -1.00: give 0 to 100 dB"),
      (["--max-gain", "much"], "--max-gain much"), (["--threshold", "30"], "--threshold"),
      (["--loudness-mode", "guessed"], "measured, metadata"), (["--loudest-track"], "--album"),
      (["--album", "-l", "off"], "--album"),
      (["--album", "--loudness-mode", "metadata"], "--album"),
      (["-l", "3"], "give −70 to 0 LUFS"), (["--true-peak", "1"], "give −30 to 0 dBTP"),
      (["--lfe-gain", "40"], "give −40 to 20 dB"),
    ]
    for (extra, words) in cases {
      let result = try await refusal(["a.wav"], extra)
      #expect(result.status == 2, "\(extra): \(result.errors)")
      #expect(result.errors.contains(words), "\(extra): \(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("out")).isEmpty)
  }

  /// Masters are passed on as they are; what plays somewhere gets the usual loudness.
  @Test(
    "BW64 and IAMF have no loudness target unless -l or a preset names one, other outputs have -16 LUFS"
  )
  func mastersKeepTheirLevel() throws {
    let preset = folder.file("loud.yaml")
    try Data("loudness: -23\n".utf8).write(to: folder.url("loud.yaml"))
    try Data("true-peak: -2\n".utf8).write(to: folder.url("peak.yaml"))
    let rows: [(options: [String], target: Double?)] = [
      (["-f", "bw64"], nil), (["-o", folder.file("o.bw64")], nil), (["-f", "iamf"], nil),
      (["-f", "fmp4", "-c:a", "iamf-opus"], nil), (["-f", "bw64", "--layout", "mono"], nil),
      (["-f", "bw64", "-l", "-18"], -18), (["-f", "iamf", "-l", "-16"], -16),
      (["-f", "bw64", "-l", "off"], nil), (["-f", "bw64", "--preset", preset], -23),
      (["-f", "bw64", "--preset", preset, "-l", "off"], nil),
      (["-f", "bw64", "--preset", folder.file("peak.yaml")], nil),
      (["-f", "bw64", "--preset", "ebu-r128"], -23),
      (["-f", "bw64", "-l", "-20", "--true-peak", "-2"], -20),
      (["-f", "iamf", "-e", "headphones"], -16), (["-f", "wav", "-e", "none"], -16),
      (["-f", "fmp4"], -16),
    ]
    for row in rows {
      let name = row.options.contains("-o") ? [] : ["-o", folder.file("o.x")]
      let requests = try RenderCommand.requests([folder.file("a.wav")] + name + row.options)
      let rendition = try #require(requests.first?.outputs.first?.rendition)
      #expect(rendition.level?.integrated == row.target, "\(row)")
    }
  }

  @Test(
    "options for a level that BW64 leaves alone are refused without -l, and count for another output"
  )
  func optionsForNoLevelAreRefused() async throws {
    for extra in [
      ["--true-peak", "-2"], ["--peak-policy", "lower"], ["--loudness-mode", "metadata"],
      ["--lower-only"], ["--max-gain", "6"], ["--threshold", "1"], ["--album"], ["--same-gain"],
      ["--queue-loudness", "item"], ["--loudness-layout", "5.1"],
    ] {
      let result = try await InProcess.run(
        ["render", folder.file("a.wav"), "-f", "bw64", "-o", folder.file("out")] + extra)
      #expect(result.status == 2, "\(extra): \(result.errors)")
      #expect(
        result.errors.contains(extra[0] + ":") && result.errors.contains("--loudness"),
        "\(extra): \(result.errors)")
    }
    let requests = try RenderCommand.requests([
      folder.file("a.wav"), "-o", folder.file("a.bw64"), "--true-peak", "-2", "--also",
      "headphones:" + folder.file("h.wav"),
    ])
    let levels = try #require(requests.first).outputs.map { $0.rendition?.level?.truePeak }
    #expect(levels == [nil, -2])
  }

  /// The samples of a WAV file of floats come back to the bit.
  @Test("a bed comes through BW64 at its own level, and the report says why")
  func aBedKeepsItsLevelInBW64() throws {
    let output = folder.file("out/a.bw64")
    let result = try Product.run([
      "render", folder.file("a.wav"), "-o", output, "-b", "32f", "--json", "-q",
    ])
    #expect(result.status == 0, "\(result.errors)")
    let report = try #require(
      JSONSerialization.jsonObject(with: result.output) as? [String: Any])
    let decisions = report["decisions"] as? [[String: Any]] ?? []
    let reason = decisions.first { $0["code"] as? String == "loudness" }?["why"] as? String
    #expect(reason?.contains("keeps its level in BW64") == true, "\(reason ?? "")")
    let planes = try #require(WAVPlanes(Data(contentsOf: URL(fileURLWithPath: output)))).planes
    let wanted = try #require(WAVPlanes(Data(contentsOf: folder.url("a.wav")))).planes
    #expect(planes == wanted)
  }

  @Test("two inputs whose HLS files would have the same name are refused")
  func playlistsOfTwoInputsNeverMeet() async throws {
    try TestProgramme.wav(channels: 2, seconds: 1).write(to: folder.url("a-audio.wav"))
    let result = try await refusal(["a.wav", "a-audio.wav"], ["-f", "hls", "-y"])
    #expect(result.status == 2 && result.errors.contains("same name"), "\(result.errors)")
    let report = try await InProcess.run([
      "render", folder.file("a.wav"), "-o", folder.file("a.m3u8"), "-y", "--report",
      folder.file("a.mp4"),
    ])
    #expect(report.status == 6, "\(report.errors)")
  }

  @Test("--loudness-mode metadata without dialnorm ends with exit code 5")
  func dialnormThatIsMissingIsNamed() async throws {
    let result = try await refusal(["a.wav"], ["--loudness-mode", "metadata"])
    #expect(result.status == 5)
    #expect(result.errors.contains("a.wav: --loudness-mode metadata"), "\(result.errors)")
  }

  /// Gain that dialnorm asks for, and by how much the measurement asks for more or less.
  @Test(
    "dialnorm's gain stands beside the measured gain in the summary",
    arguments: [("-12", "more"), ("-31", "less")])
  func dialnormIsSetAgainstTheMeasurement(level: String, word: String) throws {
    try FixtureStore.ffmpeg([
      "-y", "-f", "lavfi", "-i", "sine=f=997:d=3:r=48000", "-ac", "2", "-c:a", "ac3", "-dialnorm",
      level, folder.file("a.ac3"),
    ])
    let result = try render(["a.ac3"], ["--json"])
    #expect(result.status == 0, "\(result.errors)")
    let report = try #require(
      try JSONSerialization.jsonObject(with: result.output) as? [String: Any])
    let outputs = try #require(report["outputs"] as? [[String: Any]])
    let loudness = try #require(outputs.first?["loudness"] as? [String: Any])
    let asked = try #require(loudness["dialnormGainDB"] as? Double)
    let gain = try #require(loudness["gainDB"] as? Double)
    #expect(asked == -16 - (Double(level) ?? 0))
    #expect((gain > asked) == (word == "more"))
    let line =
      "by the file's own figure the gain would be \(String(format: "%.2f", asked)) dB; what was measured asks for "
      + "\(String(format: "%.2f", gain)) dB"
    #expect(result.errors.contains(line), "\(result.errors)")
  }

  @Test("two files of an album get one gain")
  func anAlbumKeepsItsLevels() throws {
    let result = try render(["a.wav", "b.wav"], ["--album", "--loudest-track", "--json"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("one gain for 2 files"))
    let reports = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
    let gains = try reports.map { line -> Double in
      let report = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let output = (report?["outputs"] as? [[String: Any]])?.first
      return (output?["loudness"] as? [String: Any])?["gainDB"] as? Double ?? 0
    }
    #expect(gains.count == 2 && gains[0] == gains[1] && gains[0] != 0)
  }

  @Test("--lower-only and --max-gain are named beside the gain that they limit")
  func lowerOnlyAndMaxGainSayWhatTheyDid() throws {
    let lower = try render(["a.wav"], ["--lower-only", "-v"])
    #expect(lower.errors.contains("no gain (lower-only)"), "\(lower.errors)")
    let capped = try render(["b.wav"], ["-l", "-5", "--max-gain", "1", "-v"])
    #expect(capped.errors.contains("gain 1.00 dB (max-gain)"), "\(capped.errors)")
  }
}
