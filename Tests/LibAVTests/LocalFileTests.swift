// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import LibAV
import Platform
import TestSupport
import Testing

/// A regular file, which is opened once and read at offsets.
@Suite struct LocalFileTests {
  private let folder: TemporaryFolder
  private let content = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

  init() throws {
    folder = try TemporaryFolder()
    try Data(content).write(to: folder.url("a"))
  }

  private func refusal(_ path: String) -> MediaError? {
    do {
      _ = try LocalFile(path: path)
      return nil
    } catch { return error as? MediaError }
  }

  @Test("bytes of a file come from their offset up to its end, and none from outside")
  func bytesComeFromTheirPlace() throws {
    let file = try LocalFile(path: folder.file("a"))
    #expect(file.path == folder.file("a") && file.size == 5000)
    #expect(file.bytes(at: 0, count: 5000) == content)
    #expect(file.bytes(at: 4990, count: 100) == Array(content[4990...]))
    #expect(file.bytes(at: 17, count: 3) == Array(content[17..<20]))
    for (offset, count) in [(5000, 1), (-1, 10), (0, 0), (0, -5), (.max, 1)] as [(Int64, Int)] {
      #expect(file.bytes(at: offset, count: count).isEmpty)
    }
  }

  @Test("a read returns the bytes it got, 0 at the end and EINVAL before the beginning")
  func readingSaysHowMuchItGot() throws {
    let file = try LocalFile(path: folder.file("a"))
    var target = [UInt8](repeating: 0, count: 100)
    let got = target.withUnsafeMutableBytes { raw in
      raw.baseAddress.map { file.read(into: $0, count: 100, at: 4950) } ?? -1
    }
    #expect(got == 50 && Array(target[..<50]) == Array(content[4950...]))
    let end = target.withUnsafeMutableBytes { raw in
      raw.baseAddress.map { file.read(into: $0, count: 100, at: 5000) } ?? -1
    }
    #expect(end == 0)
    let bad = target.withUnsafeMutableBytes { raw in
      raw.baseAddress.map { file.read(into: $0, count: 100, at: -1) } ?? 0
    }
    #expect(bad == -Int(EINVAL))
  }

  @Test("a missing file is reported as missing") func whatIsMissingIsMissing() {
    for name in ["none", "none/at/all", "a/inside"] {
      let error = refusal(folder.file(name))
      #expect(error?.kind == .inputMissing && error?.message.contains(name) == true)
    }
  }

  /// Opening a FIFO would block, and reading a device would never end.
  @Test("a folder, a FIFO and devices are refused as not regular")
  func onlyRegularFilesAreTaken() throws {
    #expect(mkfifo(folder.file("fifo"), 0o600) == 0)
    for path in [folder.path, folder.file("fifo"), "/dev/null", "/dev/zero"] {
      let error = refusal(path)
      #expect(error?.kind == .inputUnreadable, "\(path)")
      #expect(error?.message.contains("not a regular file") == true)
    }
  }

  @Test("soft and hard links are the same file, and a copy isn't")
  func linksLeadToTheSameFile() throws {
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: folder.file("soft"), withDestinationPath: folder.file("a"))
    try manager.linkItem(atPath: folder.file("a"), toPath: folder.file("hard"))
    try Data(content).write(to: folder.url("copy"))
    let file = try LocalFile(path: folder.file("soft"))
    for name in ["a", "soft", "hard"] { #expect(file.isSameFile(as: folder.file(name))) }
    for name in ["copy", "none", ""] { #expect(!file.isSameFile(as: folder.file(name))) }
    #expect(file.path == folder.file("soft"))
    let real = try #require(file.place)
    #expect(real.hasSuffix("/a"))
  }

  @Test("an appended byte counts as a change and a renamed file doesn't")
  func changesAreSeen() throws {
    let file = try LocalFile(path: folder.file("a"))
    #expect(!file.hasChanged)
    let handle = try FileHandle(forWritingTo: folder.url("a"))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data([1]))
    try handle.close()
    #expect(file.hasChanged)
    // The opened file is checked, whatever file now has its name.
    let other = try LocalFile(path: folder.file("a"))
    try FileManager.default.moveItem(atPath: folder.file("a"), toPath: folder.file("b"))
    #expect(!other.hasChanged && other.bytes(at: 5000, count: 9) == [1])
  }

  @Test("a local file's descriptor is closed with its owner")
  func theDescriptorIsClosedWithItsOwner() throws {
    let path = folder.file("a")
    let linked = {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)) == path
      }
    }
    var file: LocalFile? = try LocalFile(path: path)
    #expect(file?.size == 5000)
    #expect(try linked() == 1)
    file = nil
    #expect(try linked() == 0)
  }
}
