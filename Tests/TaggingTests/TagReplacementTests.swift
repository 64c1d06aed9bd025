// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import Tagging

/// A file is replaced as a whole, with all that the system knows of it.
@Suite struct TagReplacementTests {
  static let tags = LoudnessTags(trackGain: -3.45, trackPeak: 0.5)

  private let folder: TemporaryFolder
  private var path: String { folder.file("a.mp3") }

  init() throws {
    folder = try TemporaryFolder()
    try PlainSound.write(to: path)
  }

  @discardableResult
  private func apply(
    _ tags: LoudnessTags = tags, to name: String = "a.mp3",
    _ options: TagReplacement.Options = .init()
  ) throws -> TagReplacement.Outcome {
    try TagReplacement(tags, options: options).apply(
      to: folder.file(name), digest: PlainSound.digest)
  }

  private func facts(_ name: String = "a.mp3") -> stat {
    var facts = stat()
    #expect(lstat(folder.file(name), &facts) == 0)
    return facts
  }

  private func refusal(_ body: () throws -> Void) -> MediaError? {
    #expect(throws: MediaError.self, performing: body)
  }

  @Test("the sound stays byte for byte, and removal gives the old file back")
  func soundStays() throws {
    let sound = PlainSound.bytes()
    #expect(try apply() == .replaced(notes: []))
    let tagged = try TaggedMedia.bytes(path)
    #expect(tagged.starts(with: "ID3".utf8))
    #expect(tagged.suffix(sound.count).elementsEqual(sound))
    // No ID3v1 appears behind.
    #expect(!tagged.suffix(128).starts(with: "TAG".utf8))
    #expect(try apply(.none) == .replaced(notes: []))
    #expect(try TaggedMedia.bytes(path).elementsEqual(sound))
  }

  @Test("mode, and as root the owner, stay; the time of change is new unless it is to be kept")
  func attributesStay() throws {
    #expect(chmod(path, 0o640) == 0)
    let isRoot = geteuid() == 0
    if isRoot { #expect(chown(path, 1234, 2345) == 0) }
    let old = [timespec(tv_sec: 1_000_000, tv_nsec: 7), timespec(tv_sec: 2_000_000, tv_nsec: 9)]
    #expect(utimensat(AT_FDCWD, path, old, 0) == 0)
    try apply()
    #expect(facts().st_mode & 0o7777 == 0o640)
    if isRoot { #expect(facts().st_uid == 1234 && facts().st_gid == 2345) }
    #expect(facts().modified.tv_sec > 2_000_000)

    #expect(utimensat(AT_FDCWD, path, old, 0) == 0)
    try apply(.none, .init(keepsTimes: true))
    #expect(facts().modified.tv_sec == 2_000_000)
    #expect(facts().modified.tv_nsec == 9)
  }

  /// Gives a file an attribute of the user and an access list for user 1234, or says that the file system has none.
  private static func setAttributes(_ path: String) -> Bool {
    let script = """
      import os, struct, sys
      entries = [(1, 6, 2**32 - 1), (2, 4, 1234), (4, 4, 2**32 - 1), (16, 4, 2**32 - 1), (32, 0, 2**32 - 1)]
      os.setxattr(sys.argv[1], "user.note", b"a\\0b")
      os.setxattr(sys.argv[1], "system.posix_acl_access", struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *one) for one in entries))
      """
    return (try? Tool.run("python3", ["-c", script, path]))?.status == 0
  }

  private static let hasAttributes: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    try? Data().write(to: folder.url("a"))
    return setAttributes(folder.file("a"))
  }()

  private func attributes() throws -> String {
    let script =
      "import os, sys; f = sys.argv[1]; print([(n, os.getxattr(f, n)) for n in sorted(os.listxattr(f))])"
    return String(decoding: try Tool.run("python3", ["-c", script, path]).output, as: UTF8.self)
  }

  @Test(
    "extended attributes and access lists stay", .tags(.system), .fullRunOnly,
    .enabled(if: TagReplacementTests.hasAttributes, "this file system has no attributes"))
  func extendedAttributesStay() throws {
    #expect(TagReplacementTests.setAttributes(path))
    let before = try attributes()
    #expect(before.contains("user.note"))
    #expect(before.contains("posix_acl_access"))
    let mode = facts().st_mode
    #expect(try apply() == .replaced(notes: []))
    #expect(try attributes() == before)
    #expect(facts().st_mode == mode)
  }

  @Test("a file of several names is refused, unless they may part")
  func hardLinks() throws {
    try FileManager.default.linkItem(atPath: path, toPath: folder.file("b.mp3"))
    let before = try TaggedMedia.bytes(path)
    let error = refusal { try apply() }
    #expect(error?.kind == .outputUnwritable)
    #expect(error?.message.contains("has 2 names (hard links)") == true)
    #expect(try TaggedMedia.bytes(path) == before)

    #expect(try apply(tags(), .init(breaksHardLinks: true)) == .replaced(notes: []))
    #expect(try StoredLoudness(path: path).replayGain == TagReplacementTests.tags)
    #expect(try TaggedMedia.bytes(folder.file("b.mp3")) == before)
    // Nothing is to be done to a file that has the tags, so that its names don't matter.
    try FileManager.default.linkItem(atPath: path, toPath: folder.file("c.mp3"))
    #expect(try apply() == .unchanged)
  }

  private func tags() -> LoudnessTags { TagReplacementTests.tags }

  @Test("a symbolic link stays, and the file that it leads to is replaced")
  func symbolicLinks() throws {
    try FileManager.default.createDirectory(at: folder.url("d"), withIntermediateDirectories: false)
    try FileManager.default.moveItem(atPath: path, toPath: folder.file("d/a.mp3"))
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: "d/a.mp3")
    try apply()
    #expect(facts().st_mode & S_IFMT == S_IFLNK)
    #expect(try StoredLoudness(path: folder.file("d/a.mp3")).replayGain == tags())
    #expect(folder.contents == ["a.mp3", "d"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("d")) == ["a.mp3"])
  }

  @Test("read-only files and files of no kind are refused, and left alone")
  func protectedFilesAreRefused() throws {
    #expect(chmod(path, 0o444) == 0)
    #expect(refusal { try apply() }?.kind == .outputUnwritable)
    #expect(refusal { try apply(to: "no such.mp3") }?.kind == .inputMissing)
    try Data("text".utf8).write(to: folder.url("b.mp3"))
    #expect(refusal { try apply(to: "b.mp3") }?.kind == .unsupportedFeature)
    #expect(folder.contents == ["a.mp3", "b.mp3"])
    #expect(try TaggedMedia.bytes(path).elementsEqual(PlainSound.bytes()))
  }

  @Test("a copy whose sound differs, and a digest that fails, leave the old file")
  func proofsAreNeeded() throws {
    var calls = 0
    let wrong = refusal {
      _ = try TagReplacement(tags()).apply(to: path) { _ in
        calls += 1
        return [UInt8(calls)]
      }
    }
    #expect(wrong?.kind == .verificationFailed)
    let failed = refusal {
      _ = try TagReplacement(tags()).apply(to: path) { _ in throw MediaError(.noAudio, "none") }
    }
    #expect(failed?.kind == .noAudio)
    #expect(folder.contents == ["a.mp3"])
    #expect(try TaggedMedia.bytes(path).elementsEqual(PlainSound.bytes()))
  }

  @Test("a file that changes or moves away meanwhile isn't replaced", arguments: [false, true])
  func changesMeanwhileAreSeen(isMoved: Bool) throws {
    let other = folder.file("b.mp3")
    let error = refusal {
      _ = try TagReplacement(tags()).apply(to: path) { file in
        if isMoved {
          rename(path, other)
          try PlainSound.write(to: path, frames: 9)
        } else {
          let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
          try handle.seekToEnd()
          try handle.write(contentsOf: Data([0]))
        }
        return []
      }
    }
    #expect(error?.kind == .busy)
    #expect(folder.contents == (isMoved ? ["a.mp3", "b.mp3"] : ["a.mp3"]))
  }
}
