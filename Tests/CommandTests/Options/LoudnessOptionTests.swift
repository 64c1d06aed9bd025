import Foundation
import TestSupport
import Testing

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

  /// What dialnorm asks for, and by how much the measurement asks for more or less.
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
      "asks for \(String(format: "%.2f", asked)) dB, the measurement for "
      + "\(String(format: "%.2f", abs(gain - asked))) dB \(word)"
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
    #expect(lower.errors.contains("gain 0.00 dB (lower-only)"), "\(lower.errors)")
    let capped = try render(["b.wav"], ["-l", "-5", "--max-gain", "1", "-v"])
    #expect(capped.errors.contains("gain 1.00 dB (max-gain)"), "\(capped.errors)")
  }
}
