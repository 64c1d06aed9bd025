// SPDX-License-Identifier: Apache-2.0
import Foundation
import Platform
import Synchronization
import TestSupport
import Testing

/// A folder that replaces another.
@Suite struct FolderReplacementTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func make(_ name: String, _ text: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.file(name), withIntermediateDirectories: false)
    try Data(text.utf8).write(to: folder.url(name + "/audio-init.mp4"))
  }

  private func text(_ name: String) -> String? {
    try? String(contentsOfFile: folder.file(name + "/audio-init.mp4"), encoding: .utf8)
  }

  @Test("a new folder takes the target's name, whether one was there or not")
  func theNewFolderTakesTheName() throws {
    try make("target", "first")
    for text in ["second", "third"] {
      try make("fresh", text)
      try make("old", "")
      try FileManager.default.removeItem(atPath: folder.file("old/audio-init.mp4"))
      try FolderReplacement.put(
        folder.file("fresh"), at: folder.file("target"), orMovingOldTo: folder.file("old"))
      #expect(self.text("target") == text)
      for name in ["fresh", "old"] {
        try? FileManager.default.removeItem(atPath: folder.file(name))
      }
    }
    try make("fresh", "alone")
    try FolderReplacement.put(
      folder.file("fresh"), at: folder.file("new"), orMovingOldTo: folder.file("old"))
    #expect(text("new") == "alone" && text("fresh") == nil)
  }

  /// Whoever looks while segments are replaced again and again always finds a folder with a first file.
  @Test("a folder of segments replaced 100 times is never missing")
  func theNameIsNeverMissing() throws {
    let target = folder.file("segments")
    let source = folder.file("bytes")
    try Data(repeating: 7, count: 100).write(to: folder.url("bytes"))
    func publish() throws {
      let descriptor = open(source, O_RDONLY)
      defer { close(descriptor) }
      let segments = try SegmentFolder(target: target, overwrite: true)
      try segments.add("audio-init.mp4", from: descriptor, range: 0..<100)
      try segments.commit(overwrite: true)
    }
    try publish()
    let isDone = Atomic(false)
    let missed = Atomic(0)
    let looked = Atomic(0)
    let watcher = Thread {
      var facts = stat()
      while !isDone.load(ordering: .relaxed) {
        if stat(target, &facts) != 0 { missed.add(1, ordering: .relaxed) }
        looked.add(1, ordering: .sequentiallyConsistent)
      }
      looked.add(1 << 40, ordering: .sequentiallyConsistent)
    }
    watcher.start()
    for _ in 0..<100 { try publish() }
    isDone.store(true, ordering: .relaxed)
    while looked.load(ordering: .sequentiallyConsistent) < 1 << 40 { usleep(1000) }
    #expect(missed.load(ordering: .relaxed) == 0)
    #expect(folder.contents.sorted() == ["bytes", "segments"])
  }
}
