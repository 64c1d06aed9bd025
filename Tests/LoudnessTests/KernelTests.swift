// SPDX-License-Identifier: Apache-2.0
import CKernels
import TestSupport
import Testing

@testable import Loudness
@testable import LoudnessReferences

/// The C kernels against slow plain references, and their clones against each other.
@Suite struct KernelTests {
  private static let rates = [8_000, 11_025, 44_100, 48_000, 96_000, 192_000, 384_000]

  private func noise(_ channels: Int, _ count: Int) -> [[Float]] {
    (0..<channels).map {
      var noise = SeededNoise(seed: UInt64($0 + 40))
      return noise.samples(count, peak: 0.5)
    }
  }

  /// Runs a kernel over `planes` in blocks of `block` samples and answers its state.
  private func state(
    _ planes: [[Float]], rate: Int, block: Int, isBaseline: Bool = false
  ) -> [Double] {
    var filter = KWeighting(sampleRate: rate).kernel
    var state = [Double](repeating: 0, count: planes.count * Int(CK_K_WEIGHTING_STATE))
    let joined = planes.flatMap { $0 }
    let length = planes[0].count
    joined.withUnsafeBufferPointer { samples in
      let pointers = planes.indices.map { samples.baseAddress?.advanced(by: $0 * length) }
      for start in stride(from: 0, to: length, by: block) {
        let count = min(block, length - start)
        if isBaseline {
          ck_k_weigh_baseline(&filter, planes.count, pointers, start, count, &state)
        } else {
          ck_k_weigh(&filter, planes.count, pointers, start, count, &state)
        }
      }
    }
    return state
  }

  /// Energy of one channel by both filters as the standard writes them: direct form I, in Double.
  private func plainEnergy(_ samples: [Float], rate: Int) -> Double {
    let filter = KWeighting(sampleRate: rate)
    let (b0, b1, b2) = filter.shelfB
    let (a1, a2) = filter.shelfA
    let (c1, c2) = filter.highPassA
    var (x1, x2, y1, y2, z1, z2) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    var energy = 0.0
    for sample in samples {
      let input = Double(sample)
      let shelf = b0 * input + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
      let output = shelf - 2 * y1 + y2 - c1 * z1 - c2 * z2
      (x1, x2, y1, y2, z1, z2) = (input, x1, shelf, y1, output, z1)
      energy += output * output
    }
    return energy
  }

  @Test(
    "K-weighted energies of 2 to 8 lanes are those of plain filters within 1e-12",
    arguments: [2, 4, 6, 8], Self.rates)
  func kWeightingIsThatOfThePlainFilters(lanes: Int, rate: Int) {
    let planes = noise(lanes, 20_001)
    let filter = KWeighting(sampleRate: rate)
    let energies = state(planes, rate: rate, block: planes[0].count).suffix(lanes)
    for (energy, plane) in zip(energies, planes) {
      let wanted = plainEnergy(plane, rate: rate)
      #expect((energy * filter.energyScale / wanted - 1).magnitude < 1e-12)
    }
  }

  @Test(
    "K-weighting has the same bits in the baseline kernel and for blocks of any size",
    arguments: [2, 4, 6, 8], [1, 3, 4, 7, 441, 4096])
  func kWeightingIsTheSameOnEveryMachineAndForEveryCut(lanes: Int, block: Int) {
    let planes = noise(lanes, 9_999)
    let whole = state(planes, rate: 44_100, block: 9_999)
    #expect(state(planes, rate: 44_100, block: block) == whole)
    #expect(state(planes, rate: 44_100, block: block, isBaseline: true) == whole)
  }

  @Test("channels in the lanes of the kernel don't mix") func lanesDoNotMix() {
    let planes = noise(8, 5_000)
    let all = state(planes, rate: 48_000, block: 5_000)
    for lanes in [2, 4, 6] {
      let some = state(Array(planes.prefix(lanes)), rate: 48_000, block: 5_000)
      for row in 0..<Int(CK_K_WEIGHTING_STATE) {
        for lane in 0..<lanes { #expect(some[row * lanes + lane] == all[row * 8 + lane]) }
      }
    }
  }

  @Test(
    "the true peak kernel and its baseline clone give the same bits",
    arguments: [4, 2, 0] as [Int32], [1, 7, 64, 480, 6000])
  func truePeakIsTheSameOnEveryMachine(phases: Int32, block: Int) {
    let samples = Signal.programme(seconds: 0.125, rate: 48_000, seed: 9, peak: 0.9)
    let count = Int(CK_TRUE_PEAK_HISTORY)
    var histories = [[Float]](repeating: [Float](repeating: 0, count: count), count: 2)
    var peaks = [ck_peaks](repeating: ck_peaks(sample: 0, between: 0), count: 2)
    samples.withUnsafeBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      for start in stride(from: 0, to: samples.count, by: block) {
        let part = min(block, samples.count - start)
        #expect(ck_true_peak(base + start, part, phases, &histories[0], &peaks[0]) == 1)
        #expect(ck_true_peak_baseline(base + start, part, phases, &histories[1], &peaks[1]) == 1)
        #expect(peaks[0].between == peaks[1].between && peaks[0].sample == peaks[1].sample)
        #expect(histories[0] == histories[1])
      }
    }
    #expect(peaks[0].sample == 0.9)
    #expect(phases == 0 ? peaks[0].between == 0.9 : peaks[0].between >= 0.9)
  }
}
