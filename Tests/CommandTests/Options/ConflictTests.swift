// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Different names of one file, and values that make no sense, are refused.
@Suite(.tags(.system), .fullRunOnly) struct ConflictTests {
  private let folder: TemporaryFolder
  private let source: String

  init() throws {
    folder = try TemporaryFolder()
    source = folder.file("in.wav")
    try TestProgramme.wav(channels: 2, seconds: 1).write(to: folder.url("in.wav"))
  }

  @Test("a report at the place of an input, an output or another file is refused")
  func reportsNeverReplaceInputOrOutputs() async throws {
    let before = try Data(contentsOf: folder.url("in.wav"))
    let output = folder.file("out.wav")
    try Data("notes".utf8).write(to: folder.url("notes.json"))
    try FileManager.default.linkItem(atPath: source, toPath: folder.file("link.json"))
    for (report, code) in [
      (source, 6), (output, 6), (folder.path + "/./out.wav", 6), (folder.file("link.json"), 6),
      (folder.file("notes.json"), 6), ("/no/such/folder/r.json", 6),
    ] as [(String, Int32)] {
      let result = try await InProcess.run(["render", source, "-o", output, "--report", report])
      #expect(result.status == code, "\(report): \(result.errors)")
      #expect(!FileManager.default.fileExists(atPath: output))
    }
    #expect(try Data(contentsOf: folder.url("in.wav")) == before)
    #expect(try Data(contentsOf: folder.url("notes.json")) == Data("notes".utf8))
  }

  @Test("two spellings of one output file are refused")
  func outputsAreComparedByPlaceNotBySpelling() async throws {
    let twin = "none:" + folder.path + "/./a.wav"
    let result = try await InProcess.run([
      "render", source, "-y", "-o", folder.file("a.wav"), "--also", twin,
    ])
    #expect(result.status == 2, "\(result.errors)")
    #expect(folder.contents == ["in.wav"])
  }

  @Test("two things for standard output are refused")
  func standardOutputHoldsOneThing() throws {
    for extra in [
      ["-o", "-", "--json"], ["-o", folder.file("a.wav"), "--also", "none:-", "--json"],
    ] {
      let result = try Product.run(["render", source] + extra)
      #expect(result.status == 2, "\(result.errors)")
      #expect(result.output.isEmpty)
    }
  }

  @Test("a dry run refuses an output that exists or is the input")
  func dryRunsFindTheSameConflicts() async throws {
    try Data("x".utf8).write(to: folder.url("old.wav"))
    for name in ["in.wav", "old.wav"] {
      let result = try await InProcess.run(["render", source, "-n", "-o", folder.file(name)])
      #expect(result.status == 6, "\(name): \(result.errors)")
    }
  }

  @Test("a range beyond the end renders what is there and reports range-short")
  func rangesBeyondTheEndAreTold() throws {
    let result = try Product.run([
      "render", source, "-o", folder.file("a.wav"), "--end", "20s", "--json",
    ])
    #expect(result.status == 0)
    #expect(String(decoding: result.output, as: UTF8.self).contains("range-short"))
  }

  @Test("a value out of range is refused with exit code 2")
  func absurdValuesAreUsageErrors() async throws {
    let cases = [
      ["--start", "9223372036854775807S"], ["--start", "-5s"], ["--priming", "-1"],
      ["--layout-in", "FR+FR"], ["-l", "off", "--peak-policy", "bogus"],
      ["-l", "off", "--true-peak", "99"], ["--duration", "-1"],
    ]
    for extra in cases {
      let result = try await InProcess.run(["render", source, "-o", folder.file("a.wav")] + extra)
      #expect(result.status == 2, "\(extra): \(result.errors)")
      #expect(result.errors.hasPrefix("pinna: "), "\(result.errors)")
    }
    #expect(folder.contents == ["in.wav"])
  }

  @Test("a time reference of 2^63 − 1 doesn't overflow")
  func aDamagedTimeReferenceDoesNoHarm() throws {
    try FixtureStore.ffmpeg([
      "-i", source, "-metadata", "time_reference=9223372036854775807", "-c", "copy",
      folder.file("t.mkv"),
    ])
    let result = try Product.run([
      "render", folder.file("t.mkv"), "-o", folder.file("a.wav"), "--start", "1000S",
    ])
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test("the progress of a render with two outputs never goes back")
  func progressOfSeveralOutputsNeverGoesBack() throws {
    let result = try Product.run([
      "render", source, "-o", folder.file("a.wav"), "--also", "none:" + folder.file("b.wav"),
      "--progress", "ndjson", "-q",
    ])
    var last: [String: Int] = [:]
    for line in result.errors.split(separator: "\n") {
      let event = try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let (pass, done) = (event["pass"] as? String ?? "", event["done"] as? Int ?? -1)
      #expect(done >= last[pass] ?? 0)
      last[pass] = done
    }
    #expect(last == ["render": 48_000, "finish": 96_000, "verify": 96_000])
  }

  /// When another output can't hold what was asked for the first one, that is a decision about the other.
  @Test("-b 32f with a FLAC output chooses 24 bits and reports the decision")
  func whatAFurtherOutputCannotHoldIsReported() throws {
    let result = try Product.run([
      "render", source, "-o", folder.file("a.wav"), "--also", "none:" + folder.file("b.flac"),
      "-b", "32f", "-q", "--json",
    ])
    #expect(result.status == 0, "\(result.errors)")
    let report = try #require(
      JSONSerialization.jsonObject(with: result.output) as? [String: Any])
    let decisions = try #require(report["decisions"] as? [[String: String]])
    let found = decisions.filter { $0["code"] == "bits" && $0["subject"] == "output:1" }
    #expect(found.first?["chose"] == "24")
    #expect(found.first?["why"] == "FLAC doesn't hold what -b 32f asks for")
  }
}
