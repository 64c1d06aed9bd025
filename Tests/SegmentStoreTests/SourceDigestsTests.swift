// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import Rendering

/// A remembered digest is that of the file's bytes, and nothing but a sound memo is believed.
@Suite struct SourceDigestsTests {
  private let folder: TemporaryFolder
  /// A time at which every file of the tests counts as old.
  private static let later = time(nil) + 100_000

  init() throws { folder = try TemporaryFolder() }

  private var cache: String { folder.file("cache") }

  private var memo: String { "\(cache)/digests/\(DigestMemo.name)" }

  private func digests(on isRemembering: Bool = true, now: Int = later) -> SourceDigests {
    SourceDigests(path: cache, isRemembering: isRemembering) { now }
  }

  private func write(_ text: String, _ name: String = "a") throws -> String {
    try Data(text.utf8).write(to: folder.url(name))
    return folder.file(name)
  }

  /// Puts a wrong digest in place of every remembered one, which shows when it is used.
  private func falsify() {
    let files = CacheFolder(path: cache + "/digests", patience: 3600)
    DigestMemo.write(
      DigestMemo.entries(in: files).map {
        DigestMemo.Entry(file: $0.file, digest: SourceDigestsTests.wrong)
      }, in: files)
  }

  private static let wrong = String(repeating: "0", count: 64)
  /// FIPS 180-2, appendix B.1.
  private static let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

  @Test("the digest of a file is its SHA-256, also of a million bytes")
  func theDigestIsTheStandards() throws {
    #expect(try digests().digest(of: write("abc")) == SourceDigestsTests.abc)
    #expect(
      try digests().digest(of: write(""))
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    // FIPS 180-2, appendix B.3; longer than what is read at once.
    #expect(
      try digests().digest(of: write(String(repeating: "a", count: 1_000_000)))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test("the digest of an unchanged file is remembered") func whatWasHashedIsRemembered() throws {
    let path = try write("abc")
    let first = digests()
    #expect(try first.digest(of: path) == SourceDigestsTests.abc)
    first.save()
    #expect(try digests().digest(of: path) == SourceDigestsTests.abc)
    falsify()
    #expect(try digests().digest(of: path) == SourceDigestsTests.wrong)
    // Switched off, or with a changed file, the bytes count.
    #expect(try digests(on: false).digest(of: path) == SourceDigestsTests.abc)
    let other = try write("abc", "b")
    #expect(try digests().digest(of: other) == SourceDigestsTests.abc)
    chmod(path, 0o640)
    #expect(try digests().digest(of: path) == SourceDigestsTests.abc)
  }

  @Test("other content with the size and time of a remembered file has its own digest")
  func otherContentOfTheSameSizeAndTimeIsSeen() throws {
    let path = try write("abd")
    let old = [timespec(tv_sec: 1_000_000, tv_nsec: 5), timespec(tv_sec: 1_000_000, tv_nsec: 5)]
    utimensat(AT_FDCWD, path, old, 0)
    let first = digests()
    #expect(try first.digest(of: path) != SourceDigestsTests.abc)
    first.save()
    let descriptor = open(path, O_WRONLY)
    #expect(Descriptor.writeAll(Array("abc".utf8), to: descriptor) == 0)
    close(descriptor)
    utimensat(AT_FDCWD, path, old, 0)
    #expect(try digests().digest(of: path) == SourceDigestsTests.abc)
    #expect(try first.digest(of: path) == SourceDigestsTests.abc)
  }

  @Test(
    "a digest is remembered for a file changed 3 s ago, and not for one changed 2 s ago or later")
  func aFileThatWasJustChangedIsNotRemembered() throws {
    let path = try write("abc")
    var facts = stat()
    #expect(stat(path, &facts) == 0)
    for (age, isKept) in [(-5, false), (0, false), (2, false), (3, true)] {
      let digests = digests(now: facts.changed.tv_sec + age)
      #expect(try digests.digest(of: path) == SourceDigestsTests.abc)
      digests.save()
      #expect(FileManager.default.fileExists(atPath: memo) == isKept, "\(age)")
    }
  }

  @Test("without a folder no digest is written") func nothingIsWrittenWhenItIsOff() throws {
    let digests = digests(on: false)
    _ = try digests.digest(of: write("abc"))
    digests.save()
    #expect(!FileManager.default.fileExists(atPath: cache))
  }

  @Test("a memo with any changed bit or another length is empty, and the file is read again")
  func aDamagedMemoIsEmpty() throws {
    let path = try write("abc")
    let first = digests()
    _ = try first.digest(of: path)
    first.save()
    falsify()
    let whole = Array(try Data(contentsOf: URL(fileURLWithPath: memo)))
    #expect(DigestMemo.entries(whole).count == 1)
    for index in whole.indices {
      for bit in 0..<8 {
        var changed = whole
        changed[index] ^= 1 << UInt8(bit)
        #expect(DigestMemo.entries(changed).isEmpty, "bit \(bit) of \(index)")
      }
      #expect(DigestMemo.entries(Array(whole[..<index])).isEmpty)
    }
    #expect(DigestMemo.entries(whole + [0]).isEmpty && DigestMemo.entries(whole + whole).isEmpty)
    // A digest that isn't one, under a right checksum.
    var odd = whole
    odd[64] = UInt8(ascii: "/")
    odd.removeLast(8)
    withUnsafeBytes(of: XXH64.of(odd).littleEndian) { odd.append(contentsOf: $0) }
    #expect(DigestMemo.entries(odd).isEmpty)
    try Data(repeating: 7, count: 5000).write(to: URL(fileURLWithPath: memo))
    #expect(try digests().digest(of: path) == SourceDigestsTests.abc)
  }

  @Test("a full memo drops its oldest entry for a new one, and an overlong memo is empty")
  func theMemoIsBoundedAndOldEntriesGoFirst() throws {
    let files = CacheFolder(path: cache + "/digests", patience: 3600)
    let many = (0..<SourceDigests.capacity).compactMap { index in
      FileIdentity(numbers: [Int64(index), 0, 0, 0, 0, 0, 0]).map {
        DigestMemo.Entry(file: $0, digest: SourceDigestsTests.wrong)
      }
    }
    DigestMemo.write(many, in: files)
    let digests = digests()
    _ = try digests.digest(of: write("abc"))
    digests.save()
    let kept = DigestMemo.entries(in: files)
    #expect(kept.count == SourceDigests.capacity && kept.first == many[1])
    #expect(kept.last?.digest == SourceDigestsTests.abc)
    DigestMemo.write(many + many, in: files)
    #expect(DigestMemo.entries(in: files).isEmpty)
  }

  @Test("two savers of one memo keep each other's entries, and trimming segments keeps them")
  func severalProcessesAddToOneMemo() throws {
    let (one, other) = (digests(), digests())
    let paths = try ["x", "y", "z"].map { try write($0, $0) }
    _ = try (one.digest(of: paths[0]), other.digest(of: paths[1]))
    one.save()
    _ = try other.digest(of: paths[0])
    other.save()
    _ = try one.digest(of: paths[2])
    one.save()
    let files = CacheFolder(path: cache + "/digests", patience: 3600)
    #expect(DigestMemo.entries(in: files).count == 3)
    // Segments and digests lie in one folder, and neither counts as the other.
    let segments = SegmentCache(path: cache, limit: 0)
    #expect(segments.statistics.segments == 0)
    segments.trim()
    #expect(DigestMemo.entries(in: files).count == 3)
  }

  @Test("a missing file or a folder is an error with its path, and an unusable cache is none")
  func aMissingFileOrFolderIsNamed() throws {
    for path in [folder.file("none"), folder.path] {
      let error = try #require(throws: MediaError.self) { try digests().digest(of: path) }
      #expect(error.description.contains(path))
    }
    let unusable = SourceDigests(path: "/proc/pinna") { SourceDigestsTests.later }
    #expect(try unusable.digest(of: write("abc")) == SourceDigestsTests.abc)
    unusable.save()
    #expect(try unusable.digest(of: write("abc")) == SourceDigestsTests.abc)
  }
}
