// SPDX-License-Identifier: Apache-2.0
import CKernels
import Platform
import TestSupport
import Testing

@testable import Signal

/// The transforms of the filter bank against the standard's sums in Double, and their clones against each other.
@Suite struct FilterBankTests {
  private static let slots = [1, 4, 5, 6, 8, 12, 15, 16, 24, 30, 32]

  private func isSame(_ one: SlotRows, _ other: SlotRows) -> Bool {
    let count = one.rows * one.stride
    return (-one.history..<count - one.history).allSatisfy {
      one.row(0)[$0].bitPattern == other.row(0)[$0].bitPattern
    }
  }

  /// 64 rows of noise with 9 slots before those of the frame.
  private func rows(_ slots: Int, spare: Int, seed: UInt64) -> SlotRows {
    let rows = SlotRows(rows: 64, history: 9, slots: slots, spare: spare)
    var noise = SeededNoise(seed: seed)
    for (index, value) in noise.samples(64 * rows.stride).enumerated() {
      (rows.row(0) - 9)[index] = value
    }
    return rows
  }

  /// TS 103 190-1, 5.7.3: 640 windowed samples, the newest first, are folded to 128 and modulated. Samples behind
  /// the frame's slots stay.
  @Test(
    "QMF analysis is the standard's sum within 1e-5, with the baseline's bits", arguments: slots)
  func analysisIsTheStandardsSum(slots: Int) {
    let bank = FilterBank(slots: slots)
    let input = rows(slots, spare: bank.spare, seed: 1)
    let real = rows(slots, spare: 8, seed: 2)
    let imaginary = rows(slots, spare: 8, seed: 3)
    let plain = (rows(slots, spare: 8, seed: 2), rows(slots, spare: 8, seed: 3))
    let behind = rows(slots, spare: 8, seed: 2)
    var turns = bank.analysis.all
    sg_analyse(input.all, slots, bank.prototype.base, &turns, real.from(1), imaginary.from(1))
    sg_analyse_baseline(
      input.all, slots, bank.prototype.base, &turns, plain.0.from(1), plain.1.from(1))
    #expect(isSame(real, plain.0) && isSame(imaginary, plain.1))
    var worst = 0.0
    for slot in 0..<slots {
      let folded = (0..<128).map { place in
        (0..<5).reduce(0.0) { sum, window in
          let age = place + 128 * window
          let sample = input.row(63 - age % 64)[slot - age / 64]
          return sum + Double(sample) * QMF.prototype[age]
        }
      }
      for band in 0..<64 {
        var sum = (0.0, 0.0)
        for place in 0..<128 {
          let turn = (Double(band) + 0.5) * Double(2 * place - 1) / 128
          sum.0 += folded[place] * cos(.pi * turn)
          sum.1 += folded[place] * sin(.pi * turn)
        }
        worst = max(
          worst, abs(sum.0 - Double(real.row(band)[slot + 1])),
          abs(sum.1 - Double(imaginary.row(band)[slot + 1])))
      }
    }
    #expect(worst < 1e-5)
    for band in 0..<64 { #expect(real.row(band)[slots + 1] == behind.row(band)[slots + 1]) }
  }

  /// Frame after frame, each slot is analysed with the 640 samples that end with its own, as far back as the last reset.
  @Test("QMF analysis goes on across frames as far back as the last reset", arguments: [1, 6, 32])
  func samplesAreAnalysedAcrossFrames(slots: Int) {
    let bank = FilterBank(slots: slots)
    let analysis = QMFAnalysis(bank)
    let (frames, count) = (12 / slots + 3, 64 * slots)
    var noise = SeededNoise(seed: 10)
    let samples = noise.samples(frames * count)
    let (real, imaginary) = (rows(slots, spare: 8, seed: 2), rows(slots, spare: 8, seed: 3))
    var (begin, worst) = (0, 0.0)
    for frame in 0..<frames {
      if frame == frames - 2 {
        analysis.reset()
        begin = frame * count
      }
      analysis.process(
        Array(samples[frame * count..<(frame + 1) * count]), real: real, imaginary: imaginary,
        offset: 1)
      for slot in 0..<slots {
        let newest = frame * count + 64 * slot + 63
        let windowed = (0..<640).map { age in
          newest - age < begin ? 0 : Double(samples[newest - age]) * QMF.prototype[age]
        }
        for band in [0, 1, 30, 63] {
          var sum = (0.0, 0.0)
          for place in 0..<128 {
            let folded = stride(from: place, to: 640, by: 128).reduce(0.0) { $0 + windowed[$1] }
            let turn = (Double(band) + 0.5) * Double(2 * place - 1) / 128
            sum.0 += folded * cos(.pi * turn)
            sum.1 += folded * sin(.pi * turn)
          }
          worst = max(
            worst, abs(sum.0 - Double(real.row(band)[slot + 1])),
            abs(sum.1 - Double(imaginary.row(band)[slot + 1])))
        }
      }
    }
    #expect(worst < 1e-5)
  }

  /// TS 103 190-1, 5.7.4, before the window. A subband without values is silent.
  @Test(
    "QMF synthesis is the standard's sum within 1e-6, with the baseline's bits", arguments: slots,
    [-1, 0, 7, 62])
  func synthesisIsTheStandardsSum(slots: Int, silent: Int) {
    let bank = FilterBank(slots: slots)
    let (real, imaginary) = (rows(slots, spare: 0, seed: 4), rows(slots, spare: 0, seed: 5))
    let bands = (0..<64).map { band in
      sg_band(
        real: band == silent ? nil : UnsafePointer(real.row(band)),
        imaginary: band == silent ? nil : UnsafePointer(imaginary.row(band)))
    }
    let halves = (rows(slots, spare: bank.spare, seed: 6), rows(slots, spare: bank.spare, seed: 7))
    let plain = (rows(slots, spare: bank.spare, seed: 6), rows(slots, spare: bank.spare, seed: 7))
    var turns = bank.synthesis.all
    sg_synthesise(bands, slots, &turns, halves.0.all, halves.1.all)
    sg_synthesise_baseline(bands, slots, &turns, plain.0.all, plain.1.all)
    #expect(isSame(halves.0, plain.0) && isSame(halves.1, plain.1))
    var worst = 0.0
    for slot in 0..<slots {
      for place in 0..<128 {
        var sum = 0.0
        for band in 0..<64 where band != silent {
          let turn = (Double(band) + 0.5) * Double(2 * place - 255) / 128
          sum += Double(real.row(band)[slot]) * cos(.pi * turn)
          sum -= Double(imaginary.row(band)[slot]) * sin(.pi * turn)
        }
        let half = place < 64 ? halves.0 : halves.1
        worst = max(worst, abs(sum / 64 - Double(half.row(place % 64)[slot])))
      }
    }
    #expect(worst < 1e-6)
  }

  /// Frames of silence cost nothing once the last sound has died away, and give what bands of zeros give.
  @Test(
    "QMF synthesis of silence gives the bits of zeros while the last sound dies away",
    arguments: slots)
  func silenceGivesTheBitsOfZeros(slots: Int) {
    let bank = FilterBank(slots: slots)
    let (quick, plain) = (QMFSynthesis(bank), QMFSynthesis(bank))
    let sound = rows(slots, spare: 0, seed: 8)
    let zeros = SlotRows(rows: 64, history: 0, slots: slots)
    var lastHeard = 0
    for frame in 0..<40 {
      let isSilent = frame == 0 || (3..<3 + 12).contains(frame) || frame > 16
      let source = isSilent ? zeros : sound
      var (found, wanted) = (
        [Float](repeating: 9, count: 64 * slots), [Float](repeating: 7, count: 64 * slots)
      )
      if isSilent {
        quick.processSilence(into: &found, scale: 0.5)
      } else {
        process(quick, source, into: &found)
      }
      process(plain, source, into: &wanted)
      #expect(found.map(\.bitPattern) == wanted.map(\.bitPattern), "frame \(frame)")
      if wanted.contains(where: { $0 != 0 }) { lastHeard = frame }
    }
    // The last sound is that of frame 16, which is heard in nine slots after its own.
    #expect(lastHeard == 16 + (9 + slots - 1) / slots)
  }

  private func process(
    _ synthesis: QMFSynthesis, _ source: SlotRows, into samples: inout [Float]
  ) {
    synthesis.process(into: &samples, scale: 0.5) {
      (UnsafePointer(source.row($0)), UnsafePointer(source.row($0)))
    }
  }
}
