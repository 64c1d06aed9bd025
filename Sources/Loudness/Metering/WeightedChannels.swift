// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CKernels
import Platform
import Signal

/// K-weighted, channel-weighted energy of all channels that count (ITU-R BS.1770-5, Annex 1).
///
/// Channels lie side by side in the lanes of vectors, in groups of two to eight. Filter memories are
/// Double because Float sums drift.
final class WeightedChannels {
  /// Lanes that one call of the kernel filters.
  private struct Group {
    /// Number of lanes: 2, 4, 6 or 8.
    let lanes: Int
    /// Index of the first lane among those of all groups.
    let first: Int
  }

  private static let rows = Int(CK_K_WEIGHTING_STATE)

  private var filter: ck_k_weighting
  private let groups: [Group]
  /// Channel of each lane.
  private let channels: [Int]
  /// Factors of each lane's energy; 0 for lanes that only fill a group.
  private let weights: [Double]
  private let planes: Buffer<UnsafePointer<Float>?>
  /// For each group its rows: two memories of the shelf, two of the high-pass, the energies.
  private let state: Buffer<Double>

  /// Filters for `weights.count` channels at `sampleRate` Hz; channels of weight 0 are left out.
  init(sampleRate: Int, weights: [Double]) {
    let filter = KWeighting(sampleRate: sampleRate)
    self.filter = filter.kernel
    var rest = weights.indices.filter { weights[$0] > 0 }[...]
    var groups: [Group] = []
    var channels: [Int] = []
    var factors: [Double] = []
    while let filler = rest.first {
      let group = Group(lanes: min(8, (rest.count + 1) / 2 * 2), first: channels.count)
      let present = rest.prefix(group.lanes)
      let missing = group.lanes - present.count
      groups.append(group)
      channels += present + [Int](repeating: filler, count: missing)
      factors += present.map { weights[$0] * filter.energyScale }
      factors += [Double](repeating: 0, count: missing)
      rest = rest.dropFirst(group.lanes)
    }
    self.groups = groups
    self.channels = channels
    self.weights = factors
    planes = Buffer(nil, count: channels.count)
    state = Buffer(0, count: channels.count * WeightedChannels.rows)
  }

  /// Filters samples `start ..< start + count` of `buffer`.
  func add(_ buffer: AudioBuffer, start: Int, count: Int) {
    for (lane, channel) in channels.enumerated() {
      planes.base[lane] = UnsafePointer(buffer.channel(channel).baseAddress)
    }
    weigh(start, count)
  }

  /// Filters samples `start ..< start + count` of planes, one for each channel.
  func add(_ sources: [UnsafePointer<Float>], start: Int, count: Int) {
    for (lane, channel) in channels.enumerated() { planes.base[lane] = sources[channel] }
    weigh(start, count)
  }

  private func weigh(_ start: Int, _ count: Int) {
    for group in groups {
      ck_k_weigh(
        &filter, group.lanes, planes.base + group.first, start, count,
        state.base + group.first * WeightedChannels.rows)
    }
  }

  /// Weighted sum of squares since the last call.
  func takeEnergy() -> Double {
    var sum = 0.0
    for group in groups {
      let energies = state.base + group.first * WeightedChannels.rows + 4 * group.lanes
      for lane in 0..<group.lanes {
        sum += energies[lane] * weights[group.first + lane]
        energies[lane] = 0
      }
    }
    return sum
  }

  /// Adds the weighted sum of squares of each channel since the last call to that in `sums`.
  func takeEnergies(into sums: inout [Double]) {
    for group in groups {
      let energies = state.base + group.first * WeightedChannels.rows + 4 * group.lanes
      for lane in 0..<group.lanes {
        sums[channels[group.first + lane]] += energies[lane] * weights[group.first + lane]
        energies[lane] = 0
      }
    }
  }

  /// Zeroes memories too small to be heard before they decay into denormal numbers, which cost a
  /// hundred times as much. Called at fixed sample positions only, so results don't depend on how
  /// the input is cut.
  func flushTiny() {
    for group in groups {
      let memories = state.base + group.first * WeightedChannels.rows
      for lane in 0..<group.lanes {
        // Shelf and high-pass apart: the shelf's memory decays much sooner.
        flush(&memories[lane], &memories[group.lanes + lane])
        flush(&memories[2 * group.lanes + lane], &memories[3 * group.lanes + lane])
      }
    }
  }

  private func flush(_ newer: inout Double, _ older: inout Double) {
    guard max(newer.magnitude, older.magnitude) < 1e-15 else { return }
    newer = 0
    older = 0
  }
}

/// Coefficients of the two K-weighting filters (ITU-R BS.1770-5, Annex 1, Tables 1 and 2).
///
/// The standard lists them for 48 kHz only. Their analogue prototypes are a high shelf at 1682 Hz
/// and a high-pass at 38.1 Hz; the bilinear transform of those gives the listed numbers at 48 kHz
/// and a response of the same shape at every other rate. The high-pass keeps its listed numerator
/// 1, −2, 1 at all rates, as in libebur128; that lifts the level by 0.22 dB at 8 kHz, 0.09 dB at
/// 16 kHz and lowers it by 0.04 dB at 384 kHz.
struct KWeighting: Sendable {
  /// Numerator of the shelf.
  let shelfB: (Double, Double, Double)
  /// Denominator of the shelf without its leading 1.
  let shelfA: (Double, Double)
  /// Denominator of the high-pass without its leading 1; the numerator is 1, −2, 1.
  let highPassA: (Double, Double)

  /// The filters at `sampleRate` Hz.
  init(sampleRate: Int) {
    let rate = Double(sampleRate)
    // These constants are libebur128's; at 48 kHz they give the numbers of the standard's tables.
    let shelf = tan(.pi * 1681.974450955533 / rate)
    let shelfQ = 0.7071752369554196
    let high = Decibels.amplitude(3.999843853973347)
    let band = pow(high, 0.4996667741545416)
    let norm = 1 + shelf / shelfQ + shelf * shelf
    shelfB = (
      (high + band * shelf / shelfQ + shelf * shelf) / norm,
      2 * (shelf * shelf - high) / norm,
      (high - band * shelf / shelfQ + shelf * shelf) / norm
    )
    shelfA = (2 * (shelf * shelf - 1) / norm, (1 - shelf / shelfQ + shelf * shelf) / norm)

    let pass = tan(.pi * 38.13547087602444 / rate)
    let passQ = 0.5003270373238773
    let passNorm = 1 + pass / passQ + pass * pass
    highPassA = (2 * (pass * pass - 1) / passNorm, (1 - pass / passQ + pass * pass) / passNorm)
  }

  /// The coefficients for the kernel; the shelf's numerator is divided by its first coefficient.
  var kernel: ck_k_weighting {
    ck_k_weighting(
      shelf_b1: shelfB.1 / shelfB.0, shelf_b2: shelfB.2 / shelfB.0, shelf_a1: shelfA.0,
      shelf_a2: shelfA.1, pass_a1: highPassA.0, pass_a2: highPassA.1)
  }

  /// The factor for the kernel's energies that makes up for that division.
  var energyScale: Double { shelfB.0 * shelfB.0 }
}
