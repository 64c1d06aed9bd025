// SPDX-License-Identifier: Apache-2.0
import CKernels
import Platform
import TestSupport
import Testing

@testable import Signal

/// The C kernels against slow plain references with the same order of sums, and their clones against each
/// other.
@Suite struct KernelTests {
  private static let slots = [6, 8, 12, 15, 16, 24, 30, 32]

  private func noise(_ count: Int, seed: UInt64) -> [Float] {
    var noise = SeededNoise(seed: seed)
    return noise.samples(count)
  }

  private func isSame(_ one: [Float], _ other: [Float]) -> Bool {
    one.map(\.bitPattern) == other.map(\.bitPattern)
  }

  /// 64 rows of noise with 12 slots before those of the frame.
  private func rows(_ slots: Int, seed: UInt64) -> SlotRows {
    let rows = SlotRows(rows: 64, history: 12, slots: slots, spare: 8)
    for (index, value) in noise(64 * rows.stride, seed: seed).enumerated() {
      (rows.row(0) - 12)[index] = value
    }
    return rows
  }

  @Test(
    "the kernel of sample conversion gives what a plain loop gives",
    arguments: [(15, 16), (25, 24), (1001, 960), (3, 7)])
  func conversionIsThePlainOne(up: Int, down: Int) {
    let taps = Int(SG_CONVERTER_TAPS)
    let filters = noise(up * taps, seed: 1)
    let count = 501
    let input = noise(count * down / up + taps + 2, seed: 2)
    for phase in [0, 1, up - 1] {
      let wanted = (0..<count).map { index -> Float in
        let place = phase + index * down
        return product(input[(place / up)...].prefix(taps), filters[(place % up * taps)...])
      }
      for convert in [sg_convert, sg_convert_baseline] {
        var output = [Float](repeating: 0, count: count)
        convert(filters, up, down, phase, input, count, &output)
        #expect(isSame(output, wanted))
      }
    }
  }

  @Test(
    "the kernel of decimation gives what a plain loop gives",
    arguments: [(1, 16), (2, 64), (6, 160), (48, 1168)])
  func decimationIsThePlainOne(factor: Int, taps: Int) {
    let filter = noise(taps, seed: 1)
    let count = 101
    let input = noise(count * factor + taps, seed: 2)
    let wanted = (0..<count).map { product(input[($0 * factor)...].prefix(taps), filter[...]) }
    for decimate in [sg_decimate, sg_decimate_baseline] {
      var output = [Float](repeating: 0, count: count)
      decimate(filter, taps, factor, input, count, &output)
      #expect(isSame(output, wanted))
    }
  }

  /// The scalar product of `left` and the values that `right` begins with, in 16 sums.
  private func product(_ left: ArraySlice<Float>, _ right: ArraySlice<Float>) -> Float {
    var sums = [Float](repeating: 0, count: 16)
    for (tap, pair) in zip(left, right).enumerated() { sums[tap % 16] += pair.0 * pair.1 }
    var four: [Float] = []
    for lane in 0..<4 {
      let low: Float = sums[lane] + sums[lane + 4]
      let high: Float = sums[lane + 8] + sums[lane + 12]
      four.append(low + high)
    }
    return four.dropFirst().reduce(four[0], +)
  }

  /// Each output of a pass is a short transform times its twiddle.
  @Test(
    "each pass of the transform gives what a plain loop gives", arguments: [2, 3, 4, 5],
    [4, 8, 12, 20, 32])
  func passesAreThePlainOnes(radix: Int, stride: Int) {
    let places = 3
    let input = noise(2 * radix * places * stride, seed: UInt64(radix))
    let twiddles = noise(2 * (radix - 1) * places, seed: UInt64(stride))
    let (real, imaginary) = pass(input, twiddles) { sg_radix(&$0, radix, places, stride) }
    let plain = pass(input, twiddles) { sg_radix_baseline(&$0, radix, places, stride) }
    #expect(isSame(real, plain.0) && isSame(imaginary, plain.1))
    check(real, imaginary, input, radix, places, stride) {
      (twiddles[$0 * (radix - 1) + $1 - 1], twiddles[($0 + places) * (radix - 1) + $1 - 1])
    }
  }

  @Test(
    "the first passes of the transform give what a plain loop gives",
    arguments: [1, 3, 4, 6, 15, 64]) func firstPassesAreThePlainOnes(places: Int)
  {
    let input = noise(8 * places, seed: UInt64(places))
    let twiddles = noise(6 * places, seed: 3)
    let (real, imaginary) = pass(input, twiddles) { sg_first_radix_4(&$0, places) }
    let plain = pass(input, twiddles) { sg_first_radix_4_baseline(&$0, places) }
    #expect(isSame(real, plain.0) && isSame(imaginary, plain.1))
    check(real, imaginary, input, 4, places, 1) {
      (twiddles[($1 - 1) * places + $0], twiddles[($1 + 2) * places + $0])
    }
  }

  /// Runs a pass over the two halves of `input` with the two halves of `twiddles`.
  private func pass(
    _ input: [Float], _ twiddles: [Float], _ run: (inout sg_pass) -> Void
  ) -> ([Float], [Float]) {
    let (source, factors) = (Buffer(input, or: 0), Buffer(twiddles, or: 0))
    let half = input.count / 2
    let output = Buffer<Float>(0, count: input.count)
    var pass = sg_pass(
      real: source.base, imaginary: source.base + half, out_real: output.base,
      out_imaginary: output.base + half, cosines: factors.base,
      sines: factors.base + twiddles.count / 2)
    run(&pass)
    return (Array(output.values[..<half]), Array(output.values[half...]))
  }

  /// Compares a pass with the formula in Double.
  private func check(
    _ real: [Float], _ imaginary: [Float], _ input: [Float], _ radix: Int, _ places: Int,
    _ stride: Int, _ twiddle: (Int, Int) -> (Float, Float)
  ) {
    let half = input.count / 2
    var worst = 0.0
    for place in 0..<places {
      for power in 0..<radix {
        for offset in 0..<stride {
          var sum = (0.0, 0.0)
          for part in 0..<radix {
            let index = (place + part * places) * stride + offset
            let (x, y) = (Double(input[index]), Double(input[half + index]))
            let turn = -2 * Double(part * power) / Double(radix)
            let (c, s) = (cos(.pi * turn), sin(.pi * turn))
            sum = (sum.0 + x * c - y * s, sum.1 + x * s + y * c)
          }
          let (c, s) = power == 0 ? (1, 0) : twiddle(place, power)
          let wanted = (
            sum.0 * Double(c) - sum.1 * Double(s), sum.0 * Double(s) + sum.1 * Double(c)
          )
          let index = (radix * place + power) * stride + offset
          worst = max(
            worst, abs(Double(real[index]) - wanted.0), abs(Double(imaginary[index]) - wanted.1))
        }
      }
    }
    #expect(worst < 2e-6)
  }

  @Test("folding and unfolding of the MDCT give the baseline's bits", arguments: [96, 120, 2048])
  func clonesOfTheTransformGiveTheSameBits(length: Int) {
    let (lines, factors) = (noise(length, seed: 4), noise(length, seed: 5))
    let sines = Array(factors[(length / 2)...])
    var real = [Float](repeating: 0, count: length / 2)
    var (imaginary, plainReal, plainImaginary) = (real, real, real)
    sg_mdct_fold(lines, length, factors, sines, &real, &imaginary)
    sg_mdct_fold_baseline(lines, length, factors, sines, &plainReal, &plainImaginary)
    #expect(isSame(real, plainReal) && isSame(imaginary, plainImaginary))
    var work = [Float](repeating: 0, count: length)
    var samples = [Float](repeating: 0, count: 2 * length)
    var plain = samples
    sg_mdct_unfold(real, imaginary, length, factors, sines, &work, &samples)
    sg_mdct_unfold_baseline(real, imaginary, length, factors, sines, &work, &plain)
    #expect(isSame(samples, plain))
  }

  @Test("slopes give what a plain loop gives", arguments: [0, 1, 7, 64, 250])
  func slopesAreThePlainOnes(count: Int) {
    let (before, samples) = (noise(count, seed: 6), noise(count, seed: 7))
    let slope = noise(count, seed: 8)
    var found = before
    sg_fall(&found, slope, count)
    #expect(isSame(found, (0..<count).map { before[$0] * slope[count - 1 - $0] }))
    found = before
    sg_rise(&found, samples, slope, count)
    #expect(isSame(found, (0..<count).map { before[$0] + samples[$0] * slope[$0] }))
  }

  @Test("gathered slots have each 64th sample in a row and leave what follows", arguments: slots)
  func slotsAreGathered(slots: Int) {
    let samples = noise(64 * slots, seed: 9)
    for gather in [sg_gather_slots, sg_gather_slots_baseline] {
      let rows = rows(slots, seed: 10)
      let behind = rows.row(5)[slots]
      gather(samples, slots, rows.all)
      for place in 0..<64 {
        #expect((0..<slots).allSatisfy { rows.row(place)[$0] == samples[64 * $0 + place] })
      }
      #expect(rows.row(5)[slots] == behind)
    }
  }

  @Test("summed slots have the bits of a plain loop over low and high rows", arguments: slots)
  func slotsAreSummed(slots: Int) {
    let (low, high) = (rows(slots, seed: 15), rows(slots, seed: 16))
    let taps = noise(640, seed: 17)
    var wanted = [Float](repeating: 0, count: 64 * slots)
    for place in 0..<64 {
      for slot in 0..<slots {
        var sum: Float = 0
        for step in 0..<5 {
          sum += low.row(place)[slot - 2 * step] * taps[128 * step + place]
          sum += high.row(place)[slot - 2 * step - 1] * taps[128 * step + 64 + place]
        }
        wanted[64 * slot + place] = sum * 0.3
      }
    }
    for sum in [sg_sum_slots, sg_sum_slots_baseline] {
      var samples = [Float](repeating: 0, count: 64 * slots)
      sum(low.all, high.all, slots, taps, 0.3, &samples)
      #expect(isSame(samples, wanted))
    }
  }

  @Test("energies of rows have the bits of a plain loop, and other rows stay", arguments: slots)
  func energiesAreSums(slots: Int) {
    let (real, imaginary) = (rows(slots, seed: 20), rows(slots, seed: 21))
    for sum in [sg_energies, sg_energies_baseline] {
      for (first, end, count) in [(0, 64, slots), (3, 21, slots - 1), (60, 61, 5), (9, 9, 4)] {
        var energies = [Float](repeating: -1, count: 64)
        sum(real.from(1), imaginary.from(1), first, end, count, &energies)
        for row in 0..<64 {
          let (x, y) = (real.row(row) + 1, imaginary.row(row) + 1)
          var energy: Float = 0
          for slot in 0..<count { energy += x[slot] * x[slot] + y[slot] * y[slot] }
          #expect(energies[row] == ((first..<end).contains(row) ? energy : -1))
        }
      }
    }
  }

  @Test("rows added with factors and steps have the bits of a plain loop", arguments: slots)
  func rowsAreAdded(slots: Int) {
    let source = rows(slots, seed: 22)
    // Every third factor is 0.
    let values = noise(64, seed: 23).enumerated().map { $0.offset % 3 == 0 ? 0 : $0.element }
    let steps = noise(64, seed: 24).enumerated().map { $0.offset % 4 < 2 ? 0 : $0.element }
    for add in [sg_add_rows, sg_add_rows_baseline] {
      for (first, end) in [(0, slots), (1, slots - 1), (slots / 2, slots / 2)] {
        for isMoving in [false, true] {
          let (found, before) = (rows(slots, seed: 25), rows(slots, seed: 25))
          add(source.from(0), values, isMoving ? steps : nil, first, end, found.from(0))
          for row in 0..<64 {
            for slot in 0..<slots {
              var wanted = before.row(row)[slot]
              if (first..<end).contains(slot) {
                var factor = values[row]
                if isMoving { factor += steps[row] * Float(slot - first + 1) }
                wanted += factor * source.row(row)[slot]
              }
              #expect(found.row(row)[slot] == wanted)
            }
          }
        }
      }
    }
  }

  @Test("rows moved on by a frame keep their last slots as history")
  func rowsMoveOn() {
    for (slots, history) in [(32, 9), (6, 9), (8, 4)] {
      let rows = SlotRows(rows: 3, history: history, slots: slots)
      for row in 0..<3 {
        for slot in -history..<slots { rows.row(row)[slot] = Float(100 * row + slot) }
      }
      rows.advance()
      for row in 0..<3 {
        for slot in -history..<0 { #expect(rows.row(row)[slot] == Float(100 * row + slot + slots)) }
      }
    }
  }
}
