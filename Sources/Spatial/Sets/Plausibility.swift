import AudioCore
import Platform

/// Whether measurements can be head-related responses at all, and with the ears in order.
struct Plausibility {
  private let set: HRTFMeasurements
  private let path: String
  /// Longest median interaural delay at the sides, in seconds; heads have 0.5 to 0.9 ms.
  private static let longestLead = 1.5e-3

  /// A check of `set`, which came from the file at `path`.
  init(_ set: HRTFMeasurements, path: String) {
    self.set = set
    self.path = path
  }

  /// Checks directions, samples, levels and the order of the ears.
  /// - Throws: ``MediaError``: `inputUnreadable` for impossible content, `unsupportedFeature` for
  ///   exchanged ears.
  func check() throws {
    guard set.directions.allSatisfy(isPlace) else { throw refuse("a direction is impossible") }
    guard set.responses.allSatisfy(\.isFinite) else { throw refuse("a sample isn't finite") }
    guard set.directions.count >= 20 else {
      throw refuse("it has \(set.directions.count) directions, fewer than 20")
    }
    for measurement in set.directions.indices {
      guard set.energy(measurement, ear: 0) > 0, set.energy(measurement, ear: 1) > 0 else {
        throw refuse("a response is all zeros")
      }
    }
    try checkEars()
  }

  private func isPlace(_ direction: Direction) -> Bool {
    direction.azimuth.isFinite && direction.azimuth.magnitude <= 360
      && direction.elevation.isFinite && direction.elevation.magnitude <= 90.01
  }

  /// A sound from the left must reach the left ear first, or louder when no delays are stored.
  private func checkEars() throws {
    var leads: [Double] = []
    var levels: [Double] = []
    var sides = Set<Bool>()
    for (index, direction) in set.directions.enumerated() {
      let side = UnitVector.of(direction).y
      // Only directions that lie about 45° or more to the side.
      guard side.magnitude > 0.7 else { continue }
      sides.insert(side > 0)
      let sign: Double = side > 0 ? 1 : -1
      leads.append(sign * (set.onset(index, ear: 1) - set.onset(index, ear: 0)))
      levels.append(
        sign * 10 * log10(set.energy(index, ear: 0) / set.energy(index, ear: 1)))
    }
    guard sides.count == 2 else { throw refuse("it has no directions on both sides") }
    let lead = Plausibility.median(leads) / Double(set.sampleRate)
    let level = Plausibility.median(levels)
    // Below 0.1 ms the responses hold no delays, so the louder ear decides.
    let exchanged = lead.magnitude > 1e-4 ? lead < 0 : level < -1
    if exchanged {
      throw MediaError(
        .unsupportedFeature,
        "\(path) has its ears exchanged: sound from the left reaches the right ear first")
    }
    // No head is that wide: delays in another unit or at another rate would give this.
    guard lead <= Plausibility.longestLead else {
      let microseconds = Int((lead * 1e6).rounded())
      throw refuse("sound from the side reaches the far ear \(microseconds) µs late")
    }
    guard lead > 1e-4 || level > 1 else {
      throw refuse("its ears don't differ at the sides")
    }
  }

  private static func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }

  private func refuse(_ what: String) -> MediaError {
    MediaError(.inputUnreadable, "\(path) isn't a usable HRTF set: \(what)")
  }
}
