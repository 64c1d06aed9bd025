// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import Tagging

/// Memory and descriptors of TagLib's handles are given back, in a process of their own, whose figures are counted.
@Suite(
  .tags(.system), .fullRunOnly,
  .enabled(if: HeldResources.isCounted, "memory can't be counted here"))
struct TagHandleTests {
  @Test("reading, writing and refusing leave nothing behind") func nothingIsLost() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = folder.file("a.mp3")
      try PlainSound.write(to: path)
      var number = 0.0
      let written = try HeldResources.lost(in: 10) {
        number += 1
        let tags = LoudnessTags(trackGain: number.truncatingRemainder(dividingBy: 9))
        _ = try TagReplacement(tags).apply(to: path, digest: PlainSound.digest)
        _ = try StoredLoudness(path: path)
      }
      #expect(written == nil, "\(written ?? "")")
      let broken = folder.file("b.flac")
      try Data("fLaC is no FLAC at all".utf8).write(to: URL(fileURLWithPath: broken))
      let refused = try HeldResources.lost(byRefusing: [{ try StoredLoudness(path: broken) }])
      #expect(refused == nil, "\(refused ?? "")")
    }
  }
}
