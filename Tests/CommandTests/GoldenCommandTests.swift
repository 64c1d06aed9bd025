// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `pinna golden` passes while nothing changes, and refuses to record wrong cases.
@Suite(.tags(.system), .fullRunOnly) struct GoldenCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 3).write(to: folder.url("in.wav"))
  }

  private var cases: String { folder.file("cases") }

  private func golden(_ arguments: [String]) throws -> Tool.Result {
    try Product.run(
      ["golden"] + arguments.prefix(1) + ["--cases", cases, "--media", folder.path]
        + arguments.dropFirst())
  }

  private func record(
    _ id: String, input: String = "in.wav", _ command: [String] = ["-e", "none", "-l", "off"],
    exit: Int = 0
  ) throws -> Tool.Result {
    try golden(
      ["record", id, "--input", input, "--why", "it stays", "--oracle", "the programme"]
        + (exit == 0 ? [] : ["--expect-exit", "\(exit)"]) + [
          "--", "render", "{input}", "-o", "{out}/out.wav",
        ] + command)
  }

  private func edit(_ id: String, _ name: String, _ change: (inout [String: Any]) -> Void) throws {
    let url = folder.url("cases/\(id)/\(name)")
    var object = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
    change(&object)
    try JSONSerialization.data(withJSONObject: object).write(to: url)
  }

  private func editOutput(_ id: String, _ change: (inout [String: Any]) -> Void) throws {
    try edit(id, "expected.json") { expected in
      var outputs = expected["outputs"] as? [[String: Any]] ?? []
      change(&outputs[0])
      expected["outputs"] = outputs
    }
  }

  @Test("golden record ends with 7, and golden verify passes after that")
  func recordingFailsAndVerifyingPasses() throws {
    let first = try record("walk")
    #expect(first.status == 7)
    #expect(first.errors.contains("recording fails the run it records in"))
    let verified = try golden(["verify", "-j", "2", "--junit", folder.file("junit.xml")])
    #expect(verified.status == 0, "\(verified.errors)")
    #expect(String(decoding: verified.output, as: UTF8.self).contains("1 of 1"))
    let junit = try String(contentsOf: folder.url("junit.xml"), encoding: .utf8)
    #expect(junit.contains("tests=\"1\" failures=\"0\"") && junit.contains("name=\"walk\""))
    let told = try golden(["verify", "--json"])
    let report = try #require(
      JSONSerialization.jsonObject(with: told.output) as? [String: Any])
    let entries = try #require(report["entries"] as? [[String: Any]])
    #expect(entries.map { $0["why"] as? String } == ["it stays"])
    #expect(entries.map { $0["status"] as? String } == ["passed"])
    #expect(try record("walk").status == 6)
    #expect(try golden(["record", "walk"]).status == 6)
    #expect(try golden(["record"]).status == 0)
  }

  @Test("golden verify ends with 7 and names what differs")
  func changesAreFound() throws {
    _ = try record("walk")
    let changes: [(String, (inout [String: Any]) -> Void)] = [
      ("samples: got 144000, want 143999", { $0["samples"] = 143_999 }),
      ("hash", { $0["pcmSHA256"] = String(repeating: "0", count: 64) }),
      ("integrated", { $0["integrated"] = -3 }),
      ("layout", { $0["layout"] = "mono" }),
      ("structure", { $0["structure"] = ["box moov"] }),
    ]
    let url = folder.url("cases/walk/expected.json")
    let good = try Data(contentsOf: url)
    for (words, change) in changes {
      try editOutput("walk", change)
      let verified = try golden(["verify", "--junit", folder.file("junit.xml")])
      #expect(verified.status == 7)
      #expect(verified.errors.contains(words), "\(verified.errors)")
      let junit = try String(contentsOf: folder.url("junit.xml"), encoding: .utf8)
      #expect(junit.contains("<failure"))
      try good.write(to: url)
    }
    try FileManager.default.removeItem(at: url)
    let missing = try golden(["verify", "--json"])
    #expect(missing.status == 7)
    #expect(String(decoding: missing.output, as: UTF8.self).contains("is missing"))
  }

  @Test("with another libavcodec the hash isn't compared, but levels are")
  func otherLibrariesAreJudgedByLevels() throws {
    _ = try record("walk")
    try edit("walk", "case.json") { golden in
      var recording = golden["recordedBy"] as? [String: Any] ?? [:]
      recording["libraries"] = ["libavcodec": "1.2.3"]
      golden["recordedBy"] = recording
    }
    try editOutput("walk") { $0["pcmSHA256"] = String(repeating: "0", count: 64) }
    let verified = try golden(["verify"])
    #expect(verified.status == 0, "\(verified.errors)")
    #expect(verified.errors.contains("hash not compared: libavcodec is"))
    try editOutput("walk") { output in
      var print = output["fingerprint"] as? [String: Any] ?? [:]
      var rows = print["channels"] as? [[Double]] ?? []
      rows[1][0] -= 3
      print["channels"] = rows
      output["fingerprint"] = print
    }
    let off = try golden(["verify"])
    #expect(off.status == 7)
    #expect(off.errors.contains("3.0 dB louder at 0:01, in channel 1"), "\(off.errors)")
  }

  @Test("an oracle that contradicts the output fails verify and bless")
  func oraclesHoldForEveryRun() throws {
    _ = try record("walk")
    try edit("walk", "case.json") { $0["oracle"] = ["name": "a clock", "samples": 1] }
    let verified = try golden(["verify"])
    #expect(verified.status == 7)
    #expect(verified.errors.contains("samples by the oracle (a clock): got 144000, want 1"))
    #expect(try golden(["bless", "walk", "--reason", "so"]).status == 7)
  }

  @Test("golden bless keeps the reason in the case")
  func blessingsKeepTheirReason() throws {
    _ = try record("walk")
    try edit("walk", "case.json") {
      $0["command"] = [
        "render", "{input}", "-o", "{out}/out.wav", "-e", "none", "-l", "-23",
      ]
    }
    #expect(try golden(["verify"]).status == 7)
    #expect(try golden(["bless", "walk", "--reason", " "]).status == 2)
    let blessed = try golden(["bless", "walk", "--reason", "-23 is wanted now"])
    #expect(blessed.status == 0, "\(blessed.errors)")
    #expect(try golden(["verify"]).status == 0)
    let text = try String(contentsOf: folder.url("cases/walk/case.json"), encoding: .utf8)
    #expect(text.contains("-23 is wanted now"))
    let list = try Product.run(["golden", "list", "--cases", cases])
    #expect(String(decoding: list.output, as: UTF8.self).contains("walk  recorded  it stays"))
  }

  @Test("silence, NaN and outputs outside of {out} aren't recorded")
  func whatIsNoGoldenIsRefused() throws {
    let silence = [[Float]](repeating: [Float](repeating: 0, count: 48_000), count: 2)
    try WAVBytes.float32(silence, rate: 48_000).write(to: folder.url("silent.wav"))
    var broken = TestProgramme.planes(channels: 1, seconds: 1)
    broken[0][777] = .nan
    try WAVBytes.float32(broken, rate: 48_000).write(to: folder.url("nan.wav"))
    for (input, words) in [("silent.wav", "silent"), ("nan.wav", "finite")] {
      let result = try record("x", input: input)
      #expect(result.status == 7)
      #expect(result.errors.contains(words) && result.errors.contains("nothing was recorded"))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("cases/x")))
    let stray = try golden([
      "record", "x", "--input", "in.wav", "--why", "a", "--oracle", "b", "--", "render", "{input}",
      "-o", folder.file("stray.wav"), "-e", "none",
    ])
    #expect(stray.status == 2 && stray.errors.contains("{out}"))
    #expect(!folder.contents.contains("stray.wav"))
  }

  @Test("a missing input is one line, another input is named first, and GitHub gets an annotation")
  func theFirstLineSaysWhatHappened() throws {
    _ = try record("walk")
    try TestProgramme.wav(channels: 2, seconds: 2).write(to: folder.url("in.wav"))
    let other = try golden(["verify"])
    let first = try #require(other.errors.split(separator: "\n").first)
    #expect(
      first.hasPrefix("FAILED  walk  the input is another file than the one recorded: SHA-256"))
    try FileManager.default.removeItem(at: folder.url("in.wav"))
    let missing = try golden(["verify"])
    #expect(missing.status == 7)
    #expect(
      missing.errors
        == "FAILED  walk  the input in.wav is missing: neither in \(folder.path), nor in the case's folder\n"
    )
    let annotated = try Product.run(
      ["golden", "verify", "--cases", cases, "--media", folder.path],
      environment: ["GITHUB_ACTIONS": "true"])
    #expect(annotated.errors.contains("\n::error title=golden walk::the input in.wav is missing"))
  }

  @Test("a refusal is recorded and verified with its kind")
  func refusalsAreGoldensToo() throws {
    try Data("no media".utf8).write(to: folder.url("text.wav"))
    let refused = try record("no-media", input: "text.wav")
    #expect(refused.status == 2 && refused.errors.contains("--expect-exit 3"), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("cases/no-media")))
    _ = try record("no-media", input: "text.wav", exit: 3)
    _ = try record("no-layout", ["--layout", "9.9"], exit: 2)
    #expect(try golden(["verify"]).status == 0)
    for (id, kind) in [("no-media", "input-unreadable"), ("no-layout", "usage")] {
      let text = try String(contentsOf: folder.url("cases/\(id)/expected.json"), encoding: .utf8)
      #expect(text.contains("\"error\" : \"\(kind)\""), "\(text)")
    }
  }

  @Test("a repository with changes isn't recorded without --allow-dirty")
  func unsettledRepositoriesAreRefused() throws {
    let git = { (arguments: [String]) in
      let who = ["-c", "user.name=a", "-c", "user.email=a@b", "-C", folder.path]
      let result = try Tool.run("git", who + arguments)
      #expect(result.status == 0, "\(result.errors)")
    }
    try Data("1".utf8).write(to: folder.url("tracked"))
    try git(["init", "-q"])
    try git(["add", "tracked"])
    try git(["commit", "-q", "-m", "a"])
    try FileManager.default.createDirectory(atPath: cases, withIntermediateDirectories: true)
    #expect(try record("clean").errors.contains("recorded  clean"))
    let text = try String(contentsOf: folder.url("cases/clean/case.json"), encoding: .utf8)
    #expect(text.contains("\"commit\""))
    try Data("2".utf8).write(to: folder.url("tracked"))
    let dirty = try record("dirty")
    #expect(dirty.errors.contains("--allow-dirty"), "\(dirty.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("cases/dirty")))
    let blessed = try golden(["bless", "clean", "--reason", "so", "--allow-dirty"])
    #expect(blessed.status == 0, "\(blessed.errors)")
  }
}
