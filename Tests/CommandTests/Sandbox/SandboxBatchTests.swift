// SPDX-License-Identifier: Apache-2.0
import Foundation
import Platform
import TestSupport
import Testing

/// Workers of a batch are in the sandbox unless that is switched off.
@Suite(
  .tags(.system), .fullRunOnly,
  .enabled(if: Sandbox.possible.landlock > 0, "this kernel has no Landlock"))
struct SandboxBatchTests {
  private let place: BatchFolder

  init() throws {
    place = try BatchFolder()
    for (name, level) in [("a.wav", 0.1), ("b.wav", 0.2), ("sub/c.wav", 0.05)] {
      try place.programme(name, level: Float(level))
    }
    for name in ["tmp", "far"] {
      try FileManager.default.createDirectory(
        atPath: place.folder.file(name), withIntermediateDirectories: false)
    }
    try TestProgramme.wav(channels: 2, seconds: 0.3).write(to: place.folder.url("far/far.wav"))
  }

  private func batch(_ output: String, _ more: [String] = []) throws -> Tool.Result {
    try Product.run(
      ["batch", place.folder.file("in"), "-O", place.folder.file(output), "-j", "2"] + more,
      environment: ["TMPDIR": place.folder.file("tmp")])
  }

  /// The media files in the folder `output`.
  private func media(_ output: String) throws -> [String: Data] {
    try place.content(output).filter { !$0.key.hasPrefix(".pinna") }
  }

  /// The results of the items, as text.
  private func results(_ output: String) throws -> [String] {
    try place.content(output).filter { $0.key.hasPrefix(".pinna/items/") }
      .map { String(decoding: $0.value, as: UTF8.self) }
  }

  private var left: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: place.folder.file("tmp"))) ?? []
  }

  @Test("workers in the sandbox write the same bytes as workers without one")
  func twoWorkersWriteTheSameBytes() throws {
    let kept = try batch("kept")
    #expect(kept.status == 0, "\(kept.errors)")
    let plain = try batch("plain", ["--no-sandbox"])
    #expect(plain.status == 0, "\(plain.errors)")
    #expect(try media("kept").count == 3)
    #expect(try media("kept") == media("plain"))
    #expect(try results("kept").allSatisfy { $0.contains("\"sandbox\"") })
    #expect(try results("plain").allSatisfy { !$0.contains("\"sandbox\"") })
    #expect(left.isEmpty)
    // A second run finds everything done, whether or not it is in the sandbox.
    #expect(try batch("kept", ["--no-sandbox"]).errors.contains("3"))
  }

  @Test("an equaliser and a preset outside of the folders are read in the sandbox")
  func sideFilesOfManifestsAreRead() throws {
    try Data("Preamp: -3 dB\nFilter 1: ON PK Fc 1000 Hz Gain 3 dB Q 1\n".utf8)
      .write(to: place.folder.url("far/hp.txt"))
    let eq = ["--eq", place.folder.file("far/hp.txt"), "--preset", "podcast"]
    let kept = try batch("kept", eq)
    #expect(kept.status == 0, "\(kept.errors)")
    #expect(try batch("plain", eq + ["--no-sandbox"]).status == 0)
    #expect(try media("kept") == media("plain"))
  }

  /// By default, what a batch could do it still can; who asks for the sandbox gets less.
  @Test("a list may name files elsewhere; with --sandbox only those of --sandbox-read")
  func aListMayNameFilesElsewhereUnlessTheSandboxIsAskedFor() throws {
    try Data("a.wav\nlinked.wav\n".utf8).write(to: place.folder.url("in/list.m3u"))
    try FileManager.default.createSymbolicLink(
      atPath: place.folder.file("in/linked.wav"),
      withDestinationPath: place.folder.file("far/far.wav"))
    let list = ["--input-list", place.folder.file("names")]
    try Data((place.folder.file("in/list.m3u") + "\n").utf8)
      .write(to: place.folder.url("names"))
    func run(_ output: String, _ more: [String]) throws -> Tool.Result {
      try Product.run(
        ["batch", "-O", place.folder.file(output)] + list + more,
        environment: ["TMPDIR": place.folder.file("tmp")])
    }
    let usual = try run("usual", [])
    #expect(usual.status == 0, "\(usual.errors)")
    let refused = try run("refused", ["--sandbox"])
    #expect(refused.status == 10)
    #expect(refused.errors.contains("the sandbox doesn't let it be read"))
    let allowed = try run("allowed", ["--sandbox", "--sandbox-read", place.folder.file("far")])
    #expect(allowed.status == 0, "\(allowed.errors)")
    #expect(try media("usual") == media("allowed"))
    #expect(try batch("folder").status == 0)
  }
}
