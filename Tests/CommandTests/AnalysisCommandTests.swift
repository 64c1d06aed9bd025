// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Analyses of the samples that are written.
@Suite(.tags(.system)) struct AnalysisCommandTests {
  /// Two seconds of noise below 8 kHz, three of silence, and one more of the noise; the right channel is the left one
  /// turned over.
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "anoisesrc=r=48000:d=6:a=0.3:seed=1", "-af",
      "volume=0:enable='between(t,2,5)',pan=stereo|c0=c0|c1=-1*c0", "-c:a", "pcm_f32le",
      folder.file("in.wav"),
    ])
    return folder
  }

  private func render(_ folder: TemporaryFolder, _ more: [String]) throws -> Tool.Result {
    try Product.run(
      ["render", folder.file("in.wav"), "-o", folder.file("out.wav"), "-e", "none", "-l", "off"]
        + more)
  }

  /// How a render of a short programme is refused.
  private func refusal(_ folder: TemporaryFolder, _ more: [String]) async throws -> Tool.Result {
    try await InProcess.run(
      ["render", folder.file("in.wav"), "-o", folder.file("out.wav"), "-e", "none", "-l", "off"]
        + more)
  }

  /// A folder with a short programme.
  private func shortFolder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 0.2).write(to: folder.url("in.wav"))
    return folder
  }

  @Test("--analyze writes phase, silence, levels and a spectrogram to the report and to files")
  func findingsAreInTheReportAndInFiles() throws {
    let folder = try folder()
    let files = ["s.png", "l.csv", "p.csv", "parts.txt"].map { folder.file($0) }
    let result = try render(
      folder,
      [
        "--json", "--analyze",
        "spectrogram=\(files[0]),levels=\(files[1]),phase=\(files[2]),silence=\(files[3]),bandlimit",
      ])
    #expect(result.status == 0, "\(result.errors)")
    let report = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
    let outputs = report?["outputs"] as? [[String: Any]]
    let found = try #require(outputs?.first?["analysis"] as? [String: Any])
    let phase = try #require(found["phase"] as? [String: Any])
    #expect(try #require(phase["mean"] as? Double) < -0.999)
    let silence = try #require(found["silence"] as? [String: Any])
    let runs = try #require(silence["runs"] as? [[String: Int]])
    #expect(runs.count == 1)
    // The filter works on whole frames, so its edges are near 2 and 5 s.
    #expect(abs(try #require(runs.first?["first"]) - 96_000) <= 2048)
    let levels = try #require(found["levels"] as? [[String: Any]])
    #expect(levels.map { $0["name"] as? String } == ["FL", "FR"])
    let picture = try Data(contentsOf: folder.url("s.png"))
    #expect(picture.prefix(8).elementsEqual([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    let table = try String(contentsOfFile: files[1], encoding: .utf8).split(separator: "\n")
    #expect(table.first == "time_s,peak_FL,rms_FL,crest_FL,peak_FR,rms_FR,crest_FR")
    #expect(table.count == 61)
    #expect(table.contains { $0.hasPrefix("3.000,-inf,-inf,") })
    let lines = try String(contentsOfFile: files[2], encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 61 && lines[1].hasPrefix("0.000,-1.000,"))
    let parts = try String(contentsOfFile: files[3], encoding: .utf8)
    #expect(parts.contains("Part 1") && parts.contains("Part 2") && !parts.contains("Part 3"))
  }

  @Test("--analyze doesn't change the samples")
  func theSamplesStayWhatTheyAre() throws {
    let folder = try folder()
    let plain = try render(folder, ["--json"])
    let watched = try render(
      folder, ["-y", "--json", "--analyze", "levels,phase,silence,bandlimit"])
    func digest(_ result: Tool.Result) throws -> String? {
      let report = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
      return (report?["outputs"] as? [[String: Any]])?.first?["pcmSHA256"] as? String
    }
    #expect(try digest(plain) == digest(watched))
    #expect(folder.contents == ["in.wav", "out.wav"])
    let summary = try render(folder, ["-y", "--analyze", "levels,silence,bandlimit"]).errors
    #expect(summary.contains("found     peak / RMS in dBFS: FL "))
    #expect(summary.contains("1 silent part of at least 2.0 s below -60 dBFS"))
  }

  @Test(
    "a wrong --analyze is refused and writes nothing",
    arguments: [
      ("loudness", 2, "unknown value"), ("spectrogram", 2, "give its file"),
      ("levels=x.png", 2, "ends in .csv"), ("bandlimit=x.csv", 2, "it has no file"),
      ("levels,levels", 2, "give each kind once"),
      ("levels=/nowhere/there/x.csv", 6, "/nowhere/there/x.csv"),
    ]) func wrongWordsAreRefused(words: String, status: Int32, text: String) async throws
  {
    let folder = try shortFolder()
    let result = try await refusal(folder, ["--analyze", words])
    #expect(result.status == status)
    #expect(result.errors.contains(text), "\(result.errors)")
    #expect(folder.contents == ["in.wav"])
  }

  @Test("two options with the same file are refused")
  func noFileIsWrittenTwice() async throws {
    let folder = try shortFolder()
    let both = folder.file("parts.txt")
    let result = try await refusal(
      folder, ["--analyze", "silence=\(both)", "--chapters-out", both])
    #expect(result.status == 2)
    #expect(result.errors.contains("two outputs are the same file"))
    #expect(folder.contents == ["in.wav"])
  }

  @Test("a file of --analyze replaces another one only with -y")
  func noFileIsReplacedWithoutBeingAsked() async throws {
    let folder = try shortFolder()
    let mark = Data("mine".utf8)
    try mark.write(to: folder.url("l.csv"))
    let words = ["--analyze", "levels=\(folder.file("l.csv"))"]
    #expect(try await refusal(folder, words).status == 6)
    #expect(try Data(contentsOf: folder.url("l.csv")) == mark)
    #expect(folder.contents == ["in.wav", "l.csv"])
    #expect(try render(folder, ["--analyze", "levels=\(folder.file("in.wav.csv"))"]).status == 0)
  }

  @Test("a failing tap ends the render with 5, or is left out with --on-tap-failure bypass")
  func aTapThatFailsMayBeLeftOut() throws {
    let folder = try folder()
    let plain = try render(folder, ["-b", "32f"])
    #expect(plain.status == 0)
    let wanted = try Data(contentsOf: folder.url("out.wav"))
    func run(_ policy: String) throws -> Tool.Result {
      try render(
        folder,
        [
          "-b", "32f", "-y", "--json", "--on-tap-failure", policy, "--tap-exec", "post", "--",
          "false",
        ])
    }
    #expect(try run("fail").status == 5)
    let bypassed = try run("bypass")
    #expect(bypassed.status == 0, "\(bypassed.errors)")
    #expect(try Data(contentsOf: folder.url("out.wav")) == wanted)
    #expect(String(decoding: bypassed.output, as: UTF8.self).contains("tap-bypassed"))
  }
}
