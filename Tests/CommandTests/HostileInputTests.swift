// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Inputs that expand, send escapes to the terminal or crash a library do no harm.
@Suite(.tags(.system), .fullRunOnly) struct HostileInputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("an output larger than --max-output-size ends with 6 and is removed")
  func anOutputBeyondItsLimitIsRefusedAndRemoved() throws {
    try TestProgramme.wav(channels: 2, seconds: 4).write(to: folder.url("in.wav"))
    let output = folder.file("out.wav")
    let report = folder.file("r.json")
    let render = { (size: String) in
      try Product.run([
        "render", folder.file("in.wav"), "-o", output, "--report", report, "-q", "-y",
        "--max-output-size", size,
      ])
    }
    let refused = try render("1M")
    #expect(refused.status == 6)
    #expect(refused.errors.contains("--max-output-size"))
    #expect(try String(contentsOfFile: report, encoding: .utf8).contains("output-limit"))
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(left == ["in.wav", "r.json"])
    #expect(try render("2M").status == 0)
  }

  @Test("control characters in a file's name don't reach the sentence")
  func aNameCantBreakTheSentence() async throws {
    let name = "a\nb\u{202E}c\u{1B}[2J.wav"
    try Data("no sound".utf8).write(to: folder.url(name))
    let result = try await InProcess.run(["render", folder.file(name), "-o", folder.file("o.wav")])
    #expect(result.status == 3)
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(!result.errors.contains("\u{1B}") && !result.errors.contains("\u{202E}"))
  }

  @Test("a sentence about a broken file holds no memory address")
  func sentencesHoldNoAddresses() async throws {
    try Data("RIFF\0\0\0\0WAVEdata\0\0\0\0".utf8).write(to: folder.url("a.wav"))
    let result = try await InProcess.run([
      "render", folder.file("a.wav"), "-o", folder.file("o.wav"),
    ])
    #expect(result.status == 3)
    #expect(!result.errors.contains("0x"))
  }
}
