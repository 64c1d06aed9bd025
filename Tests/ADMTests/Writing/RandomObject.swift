// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport

@testable import ADM

/// Makes objects whose blocks and states are random but repeatable.
struct RandomObject {
  private var noise: SeededNoise

  /// A maker whose objects depend on `seed` only.
  init(seed: UInt64) { noise = SeededNoise(seed: seed) }

  private mutating func number(_ range: ClosedRange<Double>) -> Double {
    // A third of the numbers is round.
    let value = Double.random(in: range, using: &noise)
    return Int.random(in: 0..<3, using: &noise) == 0 ? value.rounded(.towardZero) : value
  }

  private mutating func happens(_ part: Double) -> Bool {
    Double.random(in: 0..<1, using: &noise) < part
  }

  /// Blocks within `length` samples.
  mutating func blocks(_ length: Int64) -> [WrittenBlock] {
    let isCartesian = happens(0.5)
    var start = happens(0.7) ? 0 : Int64.random(in: 1..<length / 2, using: &noise)
    var blocks: [WrittenBlock] = []
    while start < length, blocks.count < 40 {
      let ramp = happens(0.3) ? 0 : Int64.random(in: 1...3000, using: &noise)
      blocks.append(WrittenBlock(start: start, ramp: Double(ramp), state: state(isCartesian)))
      // Some ramps end with their block, some earlier, some would end later.
      let step = happens(0.3) && ramp > 0 ? ramp : Int64.random(in: 1...4000, using: &noise)
      start += step
    }
    return blocks
  }

  private mutating func state(_ isCartesian: Bool) -> ObjectState {
    var rules = ObjectRules.none
    if happens(0.2) {
      rules.lock = ObjectRules.ChannelLock(within: happens(0.5) ? number(0...3) : nil)
    }
    if happens(0.2) {
      rules.divergence = ObjectRules.Divergence(
        value: number(0...1), range: number(0...(isCartesian ? 1 : 90)))
    }
    if happens(0.1) { rules.zones.append(.box(x: -1...0.25, y: -1...1, z: -0.5...1)) }
    if happens(0.1) {
      rules.zones.append(.sector(fromAzimuth: 20, toAzimuth: -20.5, elevations: -90...12))
    }
    rules.isHeadLocked = happens(0.1)
    rules.headphones = happens(0.1) ? .off : .unstated
    let size = isCartesian ? 1.0 : 180
    return ObjectState(
      position: isCartesian
        ? .cartesian(x: number(-1...1), y: number(-1...1), z: number(-1...1))
        : .polar(
          Direction(azimuth: number(-180...180), elevation: number(-90...90)),
          distance: number(0...2)),
      gain: happens(0.5) ? 1 : number(0...4) * 1e-3,
      extent: ObjectExtent(width: number(0...size), height: number(0...size), depth: number(0...1)),
      diffuse: number(0...1), rules: rules)
  }
}
