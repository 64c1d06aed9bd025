// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import Batch

/// Files whose names are the same letters in other bytes are two files.
@Suite struct TwinNamesTests {
  /// "é" of one scalar and of two.
  private static let twins = ["\u{E9}", "e\u{301}"]
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in TwinNamesTests.twins {
      try touch("in/\(name).wav")
      try touch("in/\(name).txt")
      try touch("in/sub\(name)/x.wav")
    }
  }

  private func touch(_ name: String) throws {
    // Not by a URL, which could spell the name anew.
    let path = folder.path + "/" + name
    try FileManager.default.createDirectory(
      atPath: PathParts.split(path).folder, withIntermediateDirectories: true)
    try #require(FileManager.default.createFile(atPath: path, contents: Data(name.utf8)))
  }

  private func plan(_ source: BatchSource, name: String? = nil) throws -> BatchPlan {
    var planner = BatchPlanner(
      engine: ScriptedEngine(), root: folder.path + "/out", options: OptionValues(),
      name: try name.map { try NameTemplate($0) }, isAlbum: false)
    return try planner.plan(source)
  }

  private func bytes(_ names: [String]) -> [[UInt8]] { names.map { Array($0.utf8) } }

  @Test("a folder with both names is planned as two items, with two outputs and two results")
  func bothArePlanned() throws {
    let made = try plan(.folder(folder.path + "/in"))
    let wanted = ["e\u{301}.wav", "sube\u{301}/x.wav", "sub\u{E9}/x.wav", "\u{E9}.wav"]
    #expect(bytes(made.items.map(\.id)) == bytes(wanted))
    #expect(bytes(made.items.flatMap(\.files)) == bytes(wanted))
    #expect(Set(made.items.map { ResultStore.place($0.id) }).count == 4)
    // One key would hide the second of the two that were left aside.
    #expect(made.skipped.count == 2)
    #expect(made.skipped.values.allSatisfy { $0.contains(".txt") })
    try FileManager.default.createDirectory(
      atPath: folder.path + "/out", withIntermediateDirectories: false)
    for name in TwinNamesTests.twins {
      #expect(made.role(of: folder.path + "/out/\(name).wav") == "an output")
    }
  }

  @Test("a pattern, a list and a manifest find both")
  func patternsFindBoth() throws {
    let glob = Glob("*.wav")
    #expect(bytes(glob.files(in: folder.path + "/in")) == bytes(["e\u{301}.wav", "\u{E9}.wav"]))
    // A name that is typed means these bytes alone.
    for name in TwinNamesTests.twins {
      let own = Glob("sub\(name)/x.wav").files(in: folder.path + "/in")
      #expect(bytes(own) == bytes(["sub\(name)/x.wav"]))
    }
    let paths = TwinNamesTests.twins.map { folder.path + "/in/\($0).wav" }
    #expect(try plan(.list(paths, name: "list"), name: "{stem}.{ext}").items.count == 2)
    let lines = ["schema: pinna.manifest/1", "jobs:", "  - input: \"in/**/*.wav\""]
    try Data(lines.joined(separator: "\n").utf8).write(to: folder.url("m.yaml"))
    #expect(try plan(.manifest(folder.file("m.yaml"))).items.count == 4)
  }

  @Test("an output that is listed twice is still refused")
  func sameBytesAreRefused() throws {
    let path = folder.path + "/in/\u{E9}.wav"
    #expect(throws: BatchFaults.self) { try plan(.list([path, path], name: "list")) }
    #expect(throws: BatchFaults.self) {
      try plan(.folder(folder.path + "/in"), name: "same.{ext}")
    }
  }

  @Test("a link into the folder whose name has other bytes leads out of it")
  func linksAreJudgedByBytes() throws {
    let (one, other) = (folder.path + "/in/sub\u{E9}", folder.path + "/in/sube\u{301}")
    try FileManager.default.createSymbolicLink(
      atPath: one + "/link.wav", withDestinationPath: other + "/x.wav")
    let walk = try FolderWalk(root: one, outputs: folder.path + "/out")
    #expect(walk.files == ["x.wav"])
    #expect(walk.skipped == ["link.wav": "link out of the folder"])
  }

  @Test("names that aren't UTF-8 are left aside one by one, each by its name")
  func brokenNamesStayTwo() throws {
    let script = "cd \"$0\" && for i in 351 350; do : > \"$(printf \"caf\\\\$i.wav\")\"; done"
    #expect(try Tool.run("bash", ["-c", script, folder.path + "/in"]).status == 0)
    let made = try plan(.folder(folder.path + "/in"))
    let odd = made.skipped.filter { $0.value == FolderListing.unnamedReason }
    #expect(odd.count == 2 && odd.keys.allSatisfy { $0.hasSuffix(" caf\u{FFFD}.wav") }, "\(odd)")
    let glob = Glob("*.wav")
    #expect(glob.unnamed(in: folder.path + "/in").count == 2)
    #expect(glob.files(in: folder.path + "/in").count == 2)
  }
}
