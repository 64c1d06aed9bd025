// SPDX-License-Identifier: Apache-2.0

/// Pans a signal to an angle between two channels of a mode
/// (TS 103 190-1, 4.3.12.4.9 and Tables 216 and D.1).
struct MixPanner {
  private typealias Place = (angle: Double, channel: Int)

  /// Channels on a ring around the listener by their angle, clockwise from the front.
  private let ring: [Place]

  /// A panner over the channels of `mode` at ear height, which stand where Table D.1 puts them.
  init(_ mode: AC4ChannelMode) {
    let speakers = mode.codedSpeakers
    let isSeven = mode.rawValue >= 5
    var ring: [Place] = []
    for (channel, speaker) in speakers.enumerated() {
      let angle: Double
      switch speaker {
      case "FC": angle = 0
      case "FR": angle = 30
      case "WR": angle = 60
      case "SR": angle = isSeven ? 90 : 110
      case "BR": angle = 135
      case "BL": angle = 225
      case "SL": angle = isSeven ? 270 : 250
      case "WL": angle = 300
      case "FL": angle = 330
      default: continue
      }
      ring.append((angle, channel))
    }
    self.ring = ring.sorted { $0.angle < $1.angle }
  }

  /// The two channels beside an angle of `code` steps of 1.5°, and their shares, which add up to 1.
  func shares(_ code: Int) -> [(channel: Int, share: Double)] {
    let angle = (1.5 * Double(code)).truncatingRemainder(dividingBy: 360)
    guard ring.count > 1, let last = ring.last else { return ring.map { ($0.channel, 1) } }
    let after = ring.firstIndex { $0.angle >= angle } ?? ring.count
    let right: Place =
      after < ring.count ? ring[after] : (ring[0].angle + 360, ring[0].channel)
    let left: Place = after > 0 ? ring[after - 1] : (last.angle - 360, last.channel)
    let share = (angle - left.angle) / (right.angle - left.angle)
    return [(left.channel, 1 - share), (right.channel, share)]
  }
}
