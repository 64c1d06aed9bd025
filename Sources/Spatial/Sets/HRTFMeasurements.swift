// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Head-related impulse responses as measured, before any processing.
struct HRTFMeasurements: Sendable {
  /// Samples per second of the responses.
  let sampleRate: Int
  /// Taps per response.
  let taps: Int
  /// One direction per measurement.
  let directions: [Direction]
  /// measurement × ear (left, right) × tap.
  let responses: [Float]
  /// measurement × ear: delay of the response's first tap, in samples.
  let delays: [Double]
  /// Unit of ``delays`` in the file.
  var delayUnit = MeasuredDelays.Unit.none

  /// Index into ``responses`` of the first tap of one ear of one measurement.
  func offset(_ measurement: Int, ear: Int) -> Int { (measurement * 2 + ear) * taps }

  /// The response of one ear (0 left, 1 right) of one measurement.
  func response(_ measurement: Int, ear: Int) -> [Double] {
    let start = offset(measurement, ear: ear)
    return responses[start..<start + taps].map(Double.init)
  }

  /// First tap whose magnitude reaches a tenth (−20 dB) of the response's peak, plus the delay.
  func onset(_ measurement: Int, ear: Int) -> Double {
    let start = offset(measurement, ear: ear)
    var peak: Float = 0
    for tap in start..<start + taps { peak = max(peak, responses[tap].magnitude) }
    let first = (start..<start + taps).first { responses[$0].magnitude >= peak * 0.1 } ?? start
    return Double(first - start) + delays[measurement * 2 + ear]
  }

  /// Sum of squares of one response.
  func energy(_ measurement: Int, ear: Int) -> Double {
    let start = offset(measurement, ear: ear)
    var sum = 0.0
    for tap in start..<start + taps { sum += Double(responses[tap]) * Double(responses[tap]) }
    return sum
  }
}

/// The delays of measured responses, whichever unit their file has them in.
struct MeasuredDelays: Sendable {
  /// The unit of the file's numbers: AES69-2015 has samples, and some files have seconds nonetheless.
  typealias Unit = DelayUnit

  /// measurement × ear, in samples.
  private(set) var samples: [Double]
  /// Unit of the file.
  let unit: Unit

  /// Longest plausible delay, in seconds.
  static let longest = 0.1

  /// The delays `stored` in a file with responses at `rate` Hz; `nil` when one isn't finite or
  /// longer than ``longest``.
  ///
  /// A largest value below 0.05 means seconds: as samples it would be too short to matter, and no
  /// set has delays of 50 ms.
  init?(stored: [Double], rate: Int) {
    let largest = stored.reduce(0) { max($0, $1.magnitude) }
    let unit: Unit = largest == 0 ? .none : (largest < 0.05 ? .seconds : .samples)
    let samples = unit == .seconds ? stored.map { $0 * Double(rate) } : stored
    let limit = MeasuredDelays.longest * Double(rate)
    guard samples.allSatisfy({ $0.isFinite && $0.magnitude <= limit }) else { return nil }
    self.samples = samples
    self.unit = unit
  }

  /// Makes the left ear the right one.
  mutating func exchangeEars() {
    for pair in 0..<samples.count / 2 { samples.swapAt(2 * pair, 2 * pair + 1) }
  }

  /// No delays for `count` responses.
  init(none count: Int) {
    samples = [Double](repeating: 0, count: count)
    unit = .none
  }
}

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

/// Decodes the embedded measurements of ``KEMARTable``.
enum KEMARMeasurements {
  /// The measurements of the left half sphere.
  /// - Throws: ``MediaError`` of kind `internal` when the table is damaged.
  static func decode() throws -> HRTFMeasurements {
    let lineBytes = 8 + 4 * KEMARTable.taps
    let bytes = KEMARTable.lines.withUTF8Buffer { decodeLines($0) }
    guard bytes.count == lineBytes * KEMARTable.directions else {
      throw MediaError(.internal, "the built-in HRTF table is damaged")
    }
    var directions: [Direction] = []
    let responses = bytes.withUnsafeBytes { raw -> [Float] in
      var responses: [Float] = []
      responses.reserveCapacity(KEMARTable.directions * 2 * KEMARTable.taps)
      for line in 0..<KEMARTable.directions {
        let start = line * lineBytes
        directions.append(
          Direction(azimuth: angle(raw, start), elevation: angle(raw, start + 4)))
        for tap in 0..<2 * KEMARTable.taps {
          let bits = raw.loadUnaligned(fromByteOffset: start + 8 + 2 * tap, as: Int16.self)
          responses.append(Float(Int16(littleEndian: bits)) / 32768)
        }
      }
      return responses
    }
    return HRTFMeasurements(
      sampleRate: KEMARTable.sampleRate, taps: KEMARTable.taps, directions: directions,
      responses: responses, delays: [Double](repeating: 0, count: 2 * directions.count))
  }

  private static func angle(_ raw: UnsafeRawBufferPointer, _ offset: Int) -> Double {
    let bits = raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    return Double(Float(bitPattern: UInt32(littleEndian: bits)))
  }

  /// Decodes lines of base64 (RFC 4648), each padded on its own.
  private static func decodeLines(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let values = alphabet()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 3 / 4)
    var pending: UInt32 = 0
    var bits: UInt32 = 0
    for character in text {
      let value = values[Int(character)]
      guard value < 64 else {
        // At padding or a line's end the bits left over are filler.
        bits = 0
        continue
      }
      pending = pending << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: pending >> bits))
      }
    }
    return bytes
  }

  private static func alphabet() -> [UInt8] {
    var values = [UInt8](repeating: 255, count: 256)
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (index, letter) in letters.utf8.enumerated() { values[Int(letter)] = UInt8(index) }
    return values
  }
}
