// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Rendering
import TestSupport
import Testing

/// A file is the same one in every spelling of its path.
@Suite struct MediaLocationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("links and other spellings name the same file") func linksAndSpellingsAreTheSameFile()
    throws
  {
    try Data([1]).write(to: folder.url("a.wav"))
    try FileManager.default.linkItem(atPath: folder.file("a.wav"), toPath: folder.file("b.wav"))
    try Data([1]).write(to: folder.url("c.wav"))
    let location = MediaLocation.file(folder.file("a.wav"))
    #expect(location.isSameFile(as: folder.file("./a.wav")))
    #expect(location.isSameFile(as: folder.file("b.wav")))
    #expect(!location.isSameFile(as: folder.file("c.wav")))
  }

  /// An output that isn't there yet mustn't be written by two jobs.
  @Test("two spellings of a missing output name the same file") func soIsAFileThatIsNotThereYet() {
    let location = MediaLocation.file(folder.file("new.wav"))
    #expect(location.isSameFile(as: folder.file("new.wav")))
    #expect(location.isSameFile(as: folder.file("./new.wav")))
    #expect(!location.isSameFile(as: folder.file("other.wav")))
    #expect(!MediaLocation.standardStream.isSameFile(as: folder.file("new.wav")))
  }
}
