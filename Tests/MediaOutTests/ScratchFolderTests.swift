// SPDX-License-Identifier: Apache-2.0
import Foundation
import Platform
import Testing

/// A scratch folder is there as long as its owner, and no longer than until the next one is made.
@Suite struct ScratchFolderTests {
  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  private func make(_ name: String) throws -> String {
    let path = "\(TemporaryFile.folder)/\(name)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/part.wav"))
    return path
  }

  @Test("a scratch folder is removed with its owner") func itGoesWithItsOwnerAndAllThatIsInIt()
    throws
  {
    var path = ""
    do {
      let folder = try ScratchFolder()
      path = folder.path
      try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/part.wav"))
      try FileManager.default.createDirectory(
        atPath: path + "/inner", withIntermediateDirectories: false)
      try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/inner/part.wav"))
    }
    #expect(!path.isEmpty)
    #expect(!exists(path))
  }

  @Test("a scratch folder of a killed process is removed by the next one")
  func whatNobodyHoldsIsRemovedByTheNext() throws {
    let abandoned = try make("pinna-scratch-abandn")
    let other = try make("pinna-scratch-of-a-user")
    defer { try? FileManager.default.removeItem(atPath: other) }
    let held = try ScratchFolder()
    #expect(!exists(abandoned))
    let next = try ScratchFolder()
    #expect(exists(held.path) && exists(next.path) && held.path != next.path)
    #expect(exists(other), "the name is another one's")
  }

  @Test("a scratch folder in a folder of the caller is left alone")
  func oneInAFolderOfTheCallersIsLeftAlone() throws {
    let parent = try ScratchFolder()
    let first = try ScratchFolder(in: parent.path)
    let second = try ScratchFolder(in: parent.path)
    #expect(exists(first.path) && exists(second.path))
  }
}
