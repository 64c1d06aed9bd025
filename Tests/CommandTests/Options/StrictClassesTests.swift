// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Rendering
import TestSupport
import Testing

@testable import PinnaCLI

/// `--strict` fails a job for any degradation, or for those of some classes.
@Suite(.tags(.system), .fullRunOnly) struct StrictClassesTests {
  private static let all = "--strict=damage,doubt,level,loss"

  @Test(
    "--strict takes the classes that follow it, and no other word",
    arguments: [
      (["--strict"], [all]), (["--strict", "a.wav"], [all, "a.wav"]),
      (["--strict", "-y", "damage"], [all, "-y", "damage"]),
      (["--strict", "damage", "a.wav"], ["--strict=damage", "a.wav"]),
      (["a.wav", "--strict", "loss,damage"], ["a.wav", "--strict=loss,damage"]),
      (["--strict=level", "a.wav"], ["--strict=level", "a.wav"]),
      (["--strict", "./damage"], [all, "./damage"]),
      (
        ["--tap-exec", "item", "--", "x", "--strict"],
        ["--tap-exec", "item", "--", "x", "--strict"]
      ),
    ])
  func classesBelongToTheOption(words: [String], settled: [String]) {
    #expect(StrictClasses.settled(words) == settled)
  }

  @Test("a request is strict for all degradations, for those of some classes, or not at all")
  func requestsHaveTheClasses() throws {
    let rows: [(words: [String], isStrict: Bool, classes: [DegradationClass]?)] = [
      ([], false, nil), (["--strict"], true, nil),
      (["--strict", "loss,damage"], true, [.damage, .loss]),
      (["--strict=damage,doubt,level,loss"], true, nil),
    ]
    for row in rows {
      let requests = try RenderCommand.requests(row.words + ["a.wav", "-o", "/nowhere/o.wav"])
      let policy = try #require(requests.first).policy
      #expect(policy.isStrict == row.isStrict && policy.strictClasses == row.classes, "\(row)")
    }
    let error = #expect(throws: MediaError.self) {
      try RenderCommand.requests(["a.wav", "-o", "/nowhere/o.wav", "--strict=harm"])
    }
    #expect(error?.kind == .usage && error?.message.contains("damage, doubt, level, loss") == true)
  }

  /// Half a file is damaged and nothing else; nothing of it is limited at its own level.
  @Test(
    "a truncated file fails with 9 where damage isn't allowed, and is done where other classes aren't"
  )
  func aTruncatedFileFailsByItsClass() throws {
    let folder = try TemporaryFolder()
    let wav = TestProgramme.wav(channels: 2, seconds: 2)
    try wav.prefix(wav.count / 2).write(to: folder.url("half.wav"))
    let rows: [(strict: [String], status: Int32)] = [
      (["--strict"], 9), (["--strict", "damage"], 9), (["--strict", "loss,damage"], 9),
      (["--strict", "loss"], 0), (["--strict=level,doubt"], 0), ([], 0),
    ]
    for row in rows {
      let result = try Product.run(
        ["render"] + row.strict
          + [folder.file("half.wav"), "-e", "none", "-l", "off", "-o", folder.file("o.wav"), "-y"])
      #expect(result.status == row.status, "\(row): \(result.errors)")
      let words = row.status == 0 ? "(truncated, damage)" : "(truncated); --strict allows no"
      #expect(result.errors.contains(words), "\(row): \(result.errors)")
    }
  }
}
