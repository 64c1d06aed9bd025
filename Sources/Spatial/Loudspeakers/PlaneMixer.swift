// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// Adds planes to buses with gains that rest or go linearly from one vector to another (ITU-R BS.2127-1, 7.3).
///
/// Each plane has two vectors of gains, one for each bus. Sums are made in the order of the planes, sample by
/// sample, so they don't depend on how a signal is cut.
final class PlaneMixer {
  /// Most samples that are mixed at once; two dozen buses of them stay in the second-level cache.
  static let span = 512

  /// Number of buses.
  let buses: Int
  private let sums: Buffer<Float>
  /// Origin and target of each plane's gains, each a float per bus.
  private let gains: Buffer<Float>
  private let fractions: Buffer<Float>
  private let numbers: [Double]

  /// A mixer of `planes` planes to `buses` buses, all gains 0.
  init(planes: Int, buses: Int) {
    self.buses = buses
    sums = Buffer(aligned: buses * PlaneMixer.span)
    gains = Buffer(aligned: max(1, planes) * 2 * buses)
    fractions = Buffer(aligned: PlaneMixer.span)
    numbers = (0..<PlaneMixer.span).map(Double.init)
  }

  /// The sums of a bus, ``span`` samples.
  func sum(_ bus: Int) -> UnsafeMutablePointer<Float> { sums.base + bus * PlaneMixer.span }

  /// Makes the first `count` sums of all buses silent.
  func clear(_ count: Int) {
    for bus in 0..<buses { sum(bus).update(repeating: 0, count: count) }
  }

  /// A plane has these gains at the beginning of its ramp.
  func start(_ plane: Int, _ gains: SpeakerGains) { store(gains, in: origin(plane)) }

  /// A plane has these gains at the end of its ramp and at rest.
  func rest(_ plane: Int, _ gains: SpeakerGains) { store(gains, in: target(plane)) }

  /// A plane's next ramp begins with the gains that the last one ended with.
  func moveTargetToOrigin(_ plane: Int) {
    origin(plane).update(from: target(plane), count: buses)
  }

  /// Adds `count` samples of a plane at rest to the sums from `start` on.
  func add(_ source: UnsafePointer<Float>, plane: Int, at start: Int, count: Int) {
    guard !PlaneMixer.isSilent(source, count) else { return }
    let gains = target(plane)
    for bus in 0..<buses where gains[bus] != 0 {
      let (sum, gain) = (sum(bus) + start, gains[bus])
      for index in 0..<count { sum[index] += gain * source[index] }
    }
  }

  /// Adds `count` samples of a plane on a ramp to the sums from `start` on. In sample n, the gains have gone
  /// (`elapsed` + n + `lead`) / `ramp` of the way.
  func addRamp(
    _ source: UnsafePointer<Float>, plane: Int, at start: Int, count: Int, _ motion: ObjectMotion
  ) {
    guard !PlaneMixer.isSilent(source, count) else { return }
    let (origin, target) = (origin(plane), target(plane))
    let fractions = fractions.base
    fill(fractions, count, motion)
    for bus in 0..<buses where origin[bus] != 0 || target[bus] != 0 {
      let (sum, first, way) = (sum(bus) + start, origin[bus], target[bus] - origin[bus])
      for index in 0..<count { sum[index] += (first + fractions[index] * way) * source[index] }
    }
  }

  private func origin(_ plane: Int) -> UnsafeMutablePointer<Float> {
    gains.base + plane * 2 * buses
  }

  private func target(_ plane: Int) -> UnsafeMutablePointer<Float> { origin(plane) + buses }

  /// Direct gains, and diffuse ones behind them where there are buses for them.
  private func store(_ gains: SpeakerGains, in floats: UnsafeMutablePointer<Float>) {
    for (bus, gain) in (gains.direct + gains.diffuse).prefix(buses).enumerated() {
      floats[bus] = Float(gain)
    }
  }

  private func fill(
    _ fractions: UnsafeMutablePointer<Float>, _ count: Int, _ motion: ObjectMotion
  ) {
    let (elapsed, lead, ramp) = (Double(motion.elapsed), motion.lead, motion.ramp)
    numbers.withUnsafeBufferPointer { numbers in
      for index in 0..<count {
        fractions[index] = Float((elapsed + numbers[index] + lead) / ramp)
      }
    }
  }

  private static func isSilent(_ source: UnsafePointer<Float>, _ count: Int) -> Bool {
    for index in 0..<count where source[index] != 0 { return false }
    return true
  }
}
