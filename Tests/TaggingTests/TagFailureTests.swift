// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import Tagging

/// A file is whole whatever fails while it gets its tags.
@Suite(.tags(.system), .fullRunOnly) struct TagFailureTests {
  private static let tags = LoudnessTags(trackGain: -3.45, trackPeak: 0.5)

  @Test(
    "a full disk leaves the old file, whether the copy or only the tag doesn't fit",
    .enabled(if: SmallDisk.isPossible, "a small disk can't be mounted here"),
    arguments: [700, 1016])
  func fullDisk(kibibytes: Int) throws {
    let disk = try SmallDisk(kibibytes: kibibytes)
    let path = disk.path + "/a.mp3"
    // 127 pages of memory: two of these fill a disk of 1016 KiB.
    let frames = 127 * 4096 / 417
    let sound = PlainSound.bytes(frames: frames)
    let padding = [UInt8](repeating: 0, count: 127 * 4096 - sound.count)
    try Data(sound + padding).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: MediaError.self) {
      try TagReplacement(TagFailureTests.tags).apply(to: path, digest: PlainSound.digest)
    }
    #expect(error?.kind == .diskFull)
    #expect(try TaggedMedia.bytes(path).elementsEqual(sound + padding))
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["a.mp3"])
  }

  @Test(
    "a disk that refuses writes leaves the old file",
    .enabled(if: SmallDisk.isPossible, "a small disk can't be mounted here"))
  func readOnlyDisk() throws {
    let disk = try SmallDisk(kibibytes: 1024)
    let path = disk.path + "/a.mp3"
    try PlainSound.write(to: path)
    try disk.makeReadOnly()
    let error = #expect(throws: MediaError.self) {
      try TagReplacement(TagFailureTests.tags).apply(to: path, digest: PlainSound.digest)
    }
    #expect(error?.kind == .outputUnwritable)
  }

  /// A link to the folder of the file: a child finds it by its parent's number, because it gets no values of the test.
  private static func meetingPlace(_ parent: pid_t) -> String {
    FileManager.default.temporaryDirectory.appendingPathComponent("pinna-tagging-\(parent)").path
  }

  /// Gives the file one tag after the other until this process kills itself at a random moment.
  private static func tagUntilKilled() throws {
    let path = meetingPlace(getppid()) + "/a.mp3"
    let delay = UInt32.random(in: 0..<60_000)
    Thread.detachNewThread {
      usleep(delay)
      kill(getpid(), SIGKILL)
    }
    for number in 0..<100_000 {
      let tags = LoudnessTags(trackGain: Double(number % 7))
      _ = try TagReplacement(number % 7 == 0 ? .none : tags).apply(
        to: path, digest: PlainSound.digest)
    }
  }

  @Test("a process that is killed leaves the old file or the new one, and what it made is removed")
  func kills() async throws {
    let folder = try TemporaryFolder()
    let place = TagFailureTests.meetingPlace(getpid())
    try? FileManager.default.removeItem(atPath: place)
    try FileManager.default.createSymbolicLink(
      atPath: place, withDestinationPath: folder.path)
    defer { try? FileManager.default.removeItem(atPath: place) }
    let path = folder.file("a.mp3")
    try PlainSound.write(to: path, frames: 4000)
    let sound = try PlainSound.digest(LocalFile(path: path))
    var tagged = 0
    for _ in 0..<Soak.rounds(24, soak: 400) {
      await #expect(processExitsWith: .signal(SIGKILL)) { try TagFailureTests.tagUntilKilled() }
      let hidden = folder.contents.filter { $0 != "a.mp3" }
      #expect(hidden.count <= 1 && hidden.allSatisfy { $0.hasPrefix(".pinna-") }, "\(hidden)")
      #expect(try PlainSound.digest(LocalFile(path: path)) == sound)
      let gain = try StoredLoudness(path: path).replayGain
      #expect(gain == .none || (1...6).contains(gain.trackGain ?? 0))
      tagged += gain == .none ? 0 : 1
    }
    _ = try TagReplacement(TagFailureTests.tags).apply(to: path, digest: PlainSound.digest)
    #expect(folder.contents == ["a.mp3"])
    #expect(try PlainSound.digest(LocalFile(path: path)) == sound)
    #expect(tagged > 0)
  }
}
