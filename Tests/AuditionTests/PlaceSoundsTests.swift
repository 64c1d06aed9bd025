// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Inspection

/// Test sounds come from one loudspeaker at a time, and are the same in all.
struct PlaceSoundsTests {
  private func planes(_ sounds: PlaceSounds) throws -> [[Float]] {
    let folder = try TemporaryFolder()
    try sounds.write(to: folder.file("places.wav"))
    return WAVBytes.floatPlanes(try Data(contentsOf: folder.url("places.wav")))
  }

  @Test(
    "each place sounds from its loudspeaker alone with the same burst", arguments: [false, true])
  func eachPlaceHasItsLoudspeaker(hasSeven: Bool) throws {
    let sounds = PlaceSounds(hasSevenPlaces: hasSeven)
    let speakers: [Speaker] =
      hasSeven
      ? [.frontLeft, .backLeft] : [.frontCenter, .backCenter, .topFrontCenter, .bottomFrontCenter]
    let planes = try planes(sounds)
    #expect(planes.count == sounds.layout.speakers.count && sounds.report.count == speakers.count)
    var bursts: [[Float]] = []
    for (place, speaker) in zip(sounds.report, speakers) {
      let start = Int(place.startSeconds * Double(PlaceSounds.rate))
      let range = start..<start + Int(place.seconds * Double(PlaceSounds.rate))
      for (channel, plane) in planes.enumerated() {
        let isLoud = plane[range].contains { abs($0) > 0.01 }
        #expect(isLoud == (sounds.layout.speakers[channel] == speaker), "\(place.name), \(channel)")
        if isLoud { bursts.append(Array(plane[range])) }
      }
    }
    // Whatever tells places apart is the set's doing.
    #expect(bursts.allSatisfy { $0 == bursts[0] })
    #expect(bursts[0].map(abs).max() ?? 1 < 1)
  }
}
