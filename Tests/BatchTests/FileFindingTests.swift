// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Batch

@Suite struct FileFindingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in [
      "b.wav", "a.flac", "notes.txt", ".hidden.wav", "sub/c.wav", "sub/deep/d.mp3", "x[1].wav",
    ] {
      let url = folder.url(name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("x".utf8).write(to: url)
    }
  }

  @Test(
    "a pattern finds the files that match it",
    arguments: [
      ("*.wav", ["b.wav", "x[1].wav"]), ("**/*.wav", ["b.wav", "sub/c.wav", "x[1].wav"]),
      ("sub/*", ["sub/c.wav"]), ("**/d.*", ["sub/deep/d.mp3"]), ("?.flac", ["a.flac"]),
      ("[ab].*", ["a.flac", "b.wav"]), ("no*", ["notes.txt"]), ("*.ogg", []),
    ])
  func patternsFindFiles(pattern: String, names: [String]) {
    #expect(Glob(pattern).files(in: folder.path) == names)
  }

  @Test("a walk takes media, and reports links that lead out and other files")
  func aWalkTakesMediaAndSaysWhatItLeft() throws {
    let manager = FileManager.default
    let other = try TemporaryFolder()
    try Data("x".utf8).write(to: other.url("far.wav"))
    try manager.createSymbolicLink(
      atPath: folder.file("far.wav"), withDestinationPath: other.file("far.wav"))
    try manager.createSymbolicLink(
      atPath: folder.file("near.wav"), withDestinationPath: folder.file("b.wav"))
    try manager.createSymbolicLink(atPath: folder.file("loop"), withDestinationPath: folder.path)
    try manager.createDirectory(atPath: folder.file("out"), withIntermediateDirectories: false)
    try Data("x".utf8).write(to: folder.url("out/b.wav"))
    let walk = try FolderWalk(root: folder.path, outputs: folder.file("out"))
    #expect(
      walk.files == ["a.flac", "b.wav", "near.wav", "sub/c.wav", "sub/deep/d.mp3", "x[1].wav"])
    #expect(walk.skipped["far.wav"] == "link out of the folder")
    #expect(walk.skipped["loop"] == "link that doesn't lead to a file")
    #expect(walk.skipped["out"] == "the output folder")
    #expect(walk.skipped[".hidden.wav"] == "hidden")
    #expect(walk.skipped["notes.txt"]?.contains(".txt") == true)
    #expect(walk.skipped.count == 5)
  }

  @Test("a list has one path on each line, or paths that end in zero bytes")
  func listsHaveLinesOrZeroBytes() throws {
    #expect(try InputList.paths(Array("a\nb c\r\n\n".utf8), name: "l") == ["a", "b c"])
    #expect(try InputList.paths(Array("a\nb\0c\0".utf8), name: "l") == ["a\nb", "c"])
    // Editors write a byte order mark without being asked.
    #expect(try InputList.paths(Array("\u{FEFF}a\r\nb\n".utf8), name: "l") == ["a", "b"])
    #expect(
      try InputList.paths(Array("\u{FEFF}a\0\u{FEFF}b\0".utf8), name: "l") == ["a", "\u{FEFF}b"])
    for bytes in [[], [10, 10], [0xFF, 0xFE, 10], [0xEF, 0xBB, 0xBF, 10]] as [[UInt8]] {
      #expect(throws: (any Error).self) { try InputList.paths(bytes, name: "l") }
    }
  }

  /// A missing path may be a manifest that is missing; a path that can't be looked at is reported at once.
  @Test("a folder is a folder, anything else a manifest")
  func sourcesAreKnownByWhatIsThere() throws {
    #expect(try BatchSource(path: folder.path) == .folder(folder.path))
    for name in ["notes.txt", "none.yaml", "notes.txt/none.yaml"] {
      #expect(try BatchSource(path: folder.file(name)) == .manifest(folder.file(name)))
    }
    // No file system takes names as long as this.
    let long = folder.file(String(repeating: "x", count: 5000))
    let error = #expect(throws: MediaError.self) { try BatchSource(path: long) }
    #expect(error?.kind == .inputUnreadable)
  }
}
