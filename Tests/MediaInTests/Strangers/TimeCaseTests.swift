// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import MediaIn

/// Walks the table of files that say something odd about time.
@Suite(.tags(.system)) struct TimeCaseTests {
  @Test(
    "a file gives exactly the samples that are its sound, and no more is reported than what is wrong with it",
    arguments: TimeCase.all)
  func theSoundIsRight(row: TimeCase) throws {
    let sound = try row.make()
    let track = try MadeMedia(sound.name, bytes: sound.bytes).decode()
    let clause = Comment(rawValue: row.clause)
    #expect(track.count > 0 && row.samples.map { $0 == track.count } != false, clause)
    #expect(track.planes == sound.planes, clause)
    if let startUp = row.startUp { #expect(track.summary.startTrim == startUp, clause) }
    if let place = row.place { #expect(track.summary.plan.start == place, clause) }
    #expect(track.kinds == row.kinds, clause)
  }
}
