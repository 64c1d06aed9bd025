// SPDX-License-Identifier: Apache-2.0
import Platform
import Signal

/// Responses and tables of one set that its designers share, so that one who renders short sounds makes them once.
final class HRIRDesigns: Sendable {
  /// A run has one rate and at most two kinds of onsets; a batch may have sounds of several rates.
  let tables = SharedDesigns<HRIRTables.Key, HRIRTables>(capacity: 4)
  /// All channels of the largest layout, 22.2, and some of another.
  let pairs = SharedDesigns<PairKey, HRIRDesigner.Pair>(capacity: 32)

  /// The responses of a place. Bits stand for its coordinates, because 0 and −0 are equal but may differ in what is made of them.
  struct PairKey: Equatable {
    let tables: HRIRTables.Key
    let place: SIMD3<UInt64>

    init(_ place: SIMD3<Double>, _ tables: HRIRTables.Key) {
      self.tables = tables
      self.place = SIMD3(place.x.bitPattern, place.y.bitPattern, place.z.bitPattern)
    }
  }
}

/// The time reference of a set at a rate, and the tables that bring responses to that rate.
struct HRIRTables: Sendable {
  /// All that tables and responses of one set depend on besides a place.
  struct Key: Equatable {
    /// Samples per second.
    let rate: Int
    /// Whether onsets are corrected as ``ResponseSynthesiser`` says.
    let mended: Bool
    /// Factor of interaural delays. A set has the factor 1 until its head has been fitted.
    let delayScale: Double
  }

  /// Taps before the frontal onset.
  let lead: Int
  /// Taps after the frontal onset.
  let tail: Int
  /// Onset of the frontal response, in the set's samples.
  let reference: Double
  /// Samples of the set to one of the rate.
  let rateRatio: Double
  /// Reads responses that are oversampled twofold.
  let reader: SincTable
  let doubled: DoubleFFT
  let window: [Double]
  let taper: [Double]

  /// Tables for responses of `hrtf`, made by `synthesiser`, at `rate` Hz.
  init(_ hrtf: HRTFSet, _ synthesiser: ResponseSynthesiser, rate: Int) {
    reference = synthesiser.frontalOnset()
    let lead = Int((0.0015 * Double(rate)).rounded(.up))
    let tail = Int((0.0053 * Double(rate)).rounded(.up))
    self.lead = lead
    self.tail = tail
    let ratio = Double(hrtf.sourceRate) / Double(rate)
    rateRatio = ratio
    doubled = DoubleFFT(length: 2 * hrtf.transformLength)
    reader = SincTable(times: (0...lead + tail).map { 2 * ratio * Double($0 - lead) })
    window = HRIRDesigner.window(rate: rate, count: lead + tail + 1)
    taper = HRIRTables.taper(bins: hrtf.transformLength / 2 + 1, ratio: ratio)
  }

  /// Band limit for rates below the set's: raised cosine over the top tenth of the band.
  private static func taper(bins: Int, ratio: Double) -> [Double] {
    (0..<bins).map { bin in
      guard ratio > 1 else { return 1 }
      let position = Double(bin) / Double(bins - 1) * ratio
      return 0.5 + 0.5 * cos(.pi * min(1, max(0, (position - 0.9) / 0.1)))
    }
  }
}
