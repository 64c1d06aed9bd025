// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaOut

/// A writer gives libsndfile's handle and its memory back, in a process of its own, whose memory is counted.
@Suite(
  .tags(.system), .fullRunOnly,
  .enabled(if: HeldResources.isCounted, "this C library doesn't say what it has given out"))
struct WAVHandleTests {
  /// A WAV file of 500 samples; it isn't completed where `isWhole` isn't set.
  private static func write(to path: String, isWhole: Bool) throws {
    let descriptor = open(path, O_CREAT | O_RDWR, 0o600)
    defer { close(descriptor) }
    let settings = WrittenFile.settings(.stereo, .pcm24, frames: 500)
    let writer = try WAVWriter(descriptor: descriptor, name: path, settings: settings)
    let buffer = AudioBuffer(channels: 2)
    buffer.appendSilence(500)
    try writer.write(buffer)
    if isWhole { try writer.close() }
  }

  @Test("WAV writers that are closed, dropped or refused give back handles and memory")
  func writersGiveBackWhatTheyHold() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      for isWhole in [true, false] {
        let lost = try HeldResources.lost {
          try WAVHandleTests.write(to: folder.file("a.wav"), isWhole: isWhole)
        }
        #expect(lost == nil, "whole \(isWhole): \(lost ?? "")")
      }
      let settings = WrittenFile.settings(.stereo, .pcm24, frames: 500)
      let refused = try HeldResources.lost(byRefusing: [
        {
          let writer = try WAVWriter(descriptor: -1, name: "nothing", settings: settings)
          try writer.close()
          return writer
        }
      ])
      #expect(refused == nil, "\(refused ?? "")")
    }
  }
}
