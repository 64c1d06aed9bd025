// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import MediaOut

@Suite struct AtomicFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func put(_ text: String, into file: AtomicFile) {
    let bytes = Array(text.utf8)
    #expect(write(file.descriptor, bytes, bytes.count) == bytes.count)
  }

  private func text(_ name: String) -> String? {
    try? String(contentsOf: folder.url(name), encoding: .utf8)
  }

  private func kind(_ body: () throws -> Void) -> MediaError.Kind? {
    do {
      try body()
      return nil
    } catch { return (error as? MediaError)?.kind }
  }

  @Test("a dropped output leaves no file") func nothingIsLeftWhenItIsDropped() throws {
    do {
      let file = try AtomicFile(target: folder.file("out.wav"), overwrite: false)
      put("half", into: file)
      #expect(folder.contents.count == 1)
      #expect(!folder.contents.contains("out.wav"))
    }
    #expect(folder.contents.isEmpty)
  }

  @Test("an output appears when committed", arguments: [false, true]) func itAppearsWhenCommitted(
    overwrite: Bool
  ) throws {
    let file = try AtomicFile(target: folder.file("out.wav"), overwrite: overwrite)
    put("whole", into: file)
    #expect(folder.contents != ["out.wav"])
    try file.commit(overwrite: overwrite)
    #expect(folder.contents == ["out.wav"])
    #expect(text("out.wav") == "whole")
  }

  @Test("an existing file is refused without overwrite and replaced with it when committed")
  func anExistingFileNeedsPermission() throws {
    try "old".write(to: folder.url("out.wav"), atomically: false, encoding: .utf8)
    let target = folder.file("out.wav")
    #expect(kind { _ = try AtomicFile(target: target, overwrite: false) } == .outputExists)
    let file = try AtomicFile(target: target, overwrite: true)
    put("new", into: file)
    #expect(text("out.wav") == "old")
    try file.commit(overwrite: true)
    #expect(text("out.wav") == "new")
    #expect(folder.contents == ["out.wav"])
  }

  @Test("a file that appeared meanwhile is kept, and the commit is refused")
  func aFileThatAppearedMeanwhileIsNotReplaced() throws {
    do {
      let file = try AtomicFile(target: folder.file("out.wav"), overwrite: false)
      put("ours", into: file)
      try "theirs".write(to: folder.url("out.wav"), atomically: false, encoding: .utf8)
      #expect(kind { try file.commit(overwrite: false) } == .outputExists)
    }
    #expect(text("out.wav") == "theirs")
    #expect(folder.contents == ["out.wav"])
  }

  @Test("a folder and /dev/null are refused as outputs")
  func foldersAndDevicesAreRefused() throws {
    #expect(kind { _ = try AtomicFile(target: folder.path, overwrite: true) } == .outputUnwritable)
    #expect(
      kind { _ = try AtomicFile(target: folder.path + "/", overwrite: true) } == .outputUnwritable)
    #expect(kind { _ = try AtomicFile(target: "/dev/null", overwrite: true) } == .outputUnwritable)
    #expect(folder.contents.isEmpty)
  }

  @Test("an output in a missing folder is refused as unwritable")
  func aMissingFolderIsNamed() {
    let target = folder.file("no/such/out.wav")
    #expect(kind { _ = try AtomicFile(target: target, overwrite: true) } == .outputUnwritable)
  }

  @Test("a folder that took the output's name meanwhile is kept, and the commit is refused")
  func aFolderThatTookTheNameMeanwhileIsAnError() throws {
    do {
      let file = try AtomicFile(target: folder.file("out.wav"), overwrite: true)
      try FileManager.default.createDirectory(
        atPath: folder.file("out.wav"), withIntermediateDirectories: false)
      #expect(kind { try file.commit(overwrite: true) } == .outputUnwritable)
    }
    #expect(folder.contents == ["out.wav"])
  }

  @Test("a name of 250 characters is written")
  func longNamesWork() throws {
    let name = String(repeating: "x", count: 250)
    let file = try AtomicFile(target: folder.file(name), overwrite: false)
    try file.commit(overwrite: false)
    #expect(folder.contents == [name])
  }

  @Test("a relative name is written")
  func relativeNamesWork() throws {
    let name = "pinna-\(UUID().uuidString)"
    let file = try AtomicFile(target: name, overwrite: false)
    try file.commit(overwrite: false)
    #expect(FileManager.default.fileExists(atPath: name))
    try FileManager.default.removeItem(atPath: name)
  }

  @Test("a new output has the mode of any new file")
  func theModeIsThatOfAnyNewFile() throws {
    let plain = open(folder.file("plain"), O_CREAT | O_WRONLY, 0o666)
    close(plain)
    try AtomicFile(target: folder.file("ours"), overwrite: false).commit(overwrite: false)
    #expect(try mode("ours") == mode("plain"))
  }

  @Test("a replaced file keeps its mode 0640")
  func aReplacedFileKeepsItsMode() throws {
    try "old".write(to: folder.url("out.wav"), atomically: false, encoding: .utf8)
    chmod(folder.file("out.wav"), 0o640)
    try AtomicFile(target: folder.file("out.wav"), overwrite: true).commit(overwrite: true)
    #expect(try mode("out.wav") == 0o640)
  }

  private func mode(_ name: String) throws -> Int {
    let facts = try FileManager.default.attributesOfItem(atPath: folder.file(name))
    return try #require(facts[.posixPermissions] as? Int)
  }

  @Test("a symbolic link is replaced by the output, and its target keeps its content")
  func aLinkIsReplacedNotFollowed() throws {
    try "far".write(to: folder.url("far"), atomically: false, encoding: .utf8)
    symlink(folder.file("far"), folder.file("out.wav"))
    let file = try AtomicFile(target: folder.file("out.wav"), overwrite: true)
    put("new", into: file)
    try file.commit(overwrite: true)
    #expect(text("far") == "far")
    #expect(text("out.wav") == "new")
    #expect(
      (try? FileManager.default.destinationOfSymbolicLink(atPath: folder.file("out.wav"))) == nil)
  }

  @Test("a dangling link is refused without overwrite and replaced with it")
  func aDanglingLinkCountsAsThere() throws {
    symlink(folder.file("nowhere"), folder.file("out.wav"))
    let target = folder.file("out.wav")
    #expect(kind { _ = try AtomicFile(target: target, overwrite: false) } == .outputExists)
    #expect(folder.contents == ["out.wav"])
    let file = try AtomicFile(target: target, overwrite: true)
    put("new", into: file)
    try file.commit(overwrite: true)
    #expect(text("out.wav") == "new")
    #expect(folder.contents == ["out.wav"])
  }

  @Test("a name of 300 characters is refused when the output is opened")
  func namesThatCantExistAreRefusedAtOnce() throws {
    let target = folder.file(String(repeating: "n", count: 300))
    #expect(kind { _ = try AtomicFile(target: target, overwrite: false) } == .outputUnwritable)
  }

  @Test(
    "an output whose folder is moved is committed there, and a dropped one leaves nothing",
    arguments: [false, true])
  func aMovedFolderTakesTheFileAlong(overwrite: Bool) throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder.file("old"), withIntermediateDirectories: false)
    do {
      let dropped = try AtomicFile(target: folder.file("old/none.wav"), overwrite: overwrite)
      let kept = try AtomicFile(target: folder.file("old/out.wav"), overwrite: overwrite)
      put("whole", into: kept)
      put("half", into: dropped)
      try manager.moveItem(atPath: folder.file("old"), toPath: folder.file("new"))
      try kept.commit(overwrite: overwrite)
    }
    #expect(try manager.contentsOfDirectory(atPath: folder.file("new")) == ["out.wav"])
    #expect(text("new/out.wav") == "whole")
    #expect(folder.contents == ["new"])
  }

  @Test("a text file written twice has the second text, and no other file is left")
  func textFilesAppearWhole() throws {
    try TextFile.write("{}\n", to: folder.file("report.json"))
    try TextFile.write("{\"a\": 1}\n", to: folder.file("report.json"))
    #expect(text("report.json") == "{\"a\": 1}\n")
    #expect(folder.contents == ["report.json"])
  }
}
