// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

/// Content is copied within the kernel, and through the process where the kernel can't.
@Suite(.tags(.system), .fullRunOnly) struct FileCopyTests {
  private static let bytes = (0..<3_000_001).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 4) }

  private func copied(_ from: String, _ to: String) throws -> Data {
    let descriptor = open(to, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    try FileCopy.content(of: LocalFile(path: from), to: descriptor, to)
    return try Data(contentsOf: URL(fileURLWithPath: to))
  }

  @Test("within a file system, and an empty file", arguments: [bytes, []])
  func withinOne(bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    try Data(bytes).write(to: folder.url("a"))
    #expect(try copied(folder.file("a"), folder.file("b")).elementsEqual(bytes))
  }

  @Test(
    "from one file system to another",
    .enabled(if: SmallDisk.isPossible, "a small disk can't be mounted here"))
  func toAnother() throws {
    let folder = try TemporaryFolder()
    try Data(FileCopyTests.bytes).write(to: folder.url("a"))
    let disk = try SmallDisk(kibibytes: 4096)
    #expect(
      try copied(folder.file("a"), disk.path + "/b").elementsEqual(FileCopyTests.bytes))
    let error = #expect(throws: MediaError.self) { try copied(folder.file("a"), disk.path + "/c") }
    #expect(error?.kind == .diskFull)
  }
}
