// SPDX-License-Identifier: Apache-2.0
import CKernels
import Platform
import Signal
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// The loops in C: the same bits on every machine, and what they are meant to compute.
@Suite struct SceneKernelTests {
  private let bins = 64
  private let stride = 80

  private func noise(_ count: Int, _ seed: UInt64) -> Buffer<Float> {
    var source = SeededNoise(seed: seed)
    let floats = Buffer(aligned: count)
    for (index, value) in source.samples(count).enumerated() { floats.base[index] = value }
    return floats
  }

  private func isSame(_ one: Buffer<Float>, _ other: Buffer<Float>) -> Bool {
    zip(one.values, other.values).allSatisfy { $0.bitPattern == $1.bitPattern }
  }

  @Test("splitting a transform gives both signals' spectra, and all kernels the same bits")
  func splittingGivesBothSpectra() {
    let fft = PlanarTransform(length: 2 * bins)
    let (one, other) = (noise(2 * bins, 1), noise(2 * bins, 2))
    let planes = fft.planes()
    fft.forward(one.base, other.base, into: planes)
    let made = (0..<4).map { _ in Buffer(aligned: 2 * stride) }
    cc_split(bins, stride, planes.base, fft.stride, made[0].base, made[1].base)
    cc_split_baseline(bins, stride, planes.base, fft.stride, made[2].base, made[3].base)
    #expect(isSame(made[0], made[2]) && isSame(made[1], made[3]))
    for (signal, spectrum) in [(one, made[0]), (other, made[1])] {
      for bin in 0...bins {
        var (re, im) = (0.0, 0.0)
        for index in 0..<2 * bins {
          let angle = -.pi * Double(bin * index) / Double(bins)
          re += Double(signal.base[index]) * cos(angle)
          im += Double(signal.base[index]) * sin(angle)
        }
        let (x, y) =
          bin == bins
          ? (spectrum.base[stride], 0)
          : (spectrum.base[bin], bin == 0 ? 0 : spectrum.base[stride + bin])
        #expect((Double(x) - re).magnitude < 1e-4 && (Double(y) - im).magnitude < 1e-4)
      }
    }
  }

  @Test(
    "products of 1…4 spectra and filters are added within 1e-5, with the baseline's bits",
    arguments: 1...4)
  func productsAreAdded(count: Int) {
    let spectra = (0..<count).map { noise(2 * stride, UInt64(10 + $0)) }
    let filters = (0..<count).map { noise(4 * stride, UInt64(20 + $0)) }
    let sums = (0..<2).map { _ in noise(4 * stride, 30) }
    let before = noise(4 * stride, 30)
    let x = spectra.map { UnsafePointer<Float>?($0.base) }
    let h = filters.map { UnsafePointer<Float>?($0.base) }
    cc_add_products(bins, stride, count, x, h, sums[0].base)
    cc_add_products_baseline(bins, stride, count, x, h, sums[1].base)
    #expect(isSame(sums[0], sums[1]))
    for ear in 0..<2 {
      let at = 2 * ear * stride
      for bin in 0..<bins {
        var (re, im) = (Double(before.base[at + bin]), Double(before.base[at + stride + bin]))
        for (spectrum, filter) in zip(spectra, filters) {
          let (a, b) = (Double(spectrum.base[bin]), Double(spectrum.base[stride + bin]))
          let (c, d) = (Double(filter.base[at + bin]), Double(filter.base[at + stride + bin]))
          re += bin == 0 ? a * c : a * c - b * d
          im += bin == 0 ? b * d : a * d + b * c
        }
        #expect((Double(sums[0].base[at + bin]) - re).magnitude < 1e-5)
        #expect((Double(sums[0].base[at + stride + bin]) - im).magnitude < 1e-5)
      }
    }
  }

  @Test("spectrum and power are added with a weight within 1e-6, with the baseline's bits")
  func powersAreAdded() {
    let spectrum = noise(2 * stride, 50)
    let before = noise(3 * stride, 51)
    let made = (0..<2).map { _ in noise(3 * stride, 51) }
    cc_add_power(bins, stride, 0.3, spectrum.base, made[0].base)
    cc_add_power_baseline(bins, stride, 0.3, spectrum.base, made[1].base)
    #expect(isSame(made[0], made[1]))
    for bin in 0..<bins {
      let place = 48 * (bin / 16) + bin % 16
      let (re, im) = (Double(spectrum.base[bin]), Double(spectrum.base[stride + bin]))
      for (index, value) in [re, im, re * re + im * im].enumerated() {
        let wanted = Double(before.base[place + 16 * index]) + 0.3 * value
        #expect((Double(made[0].base[place + 16 * index]) - wanted).magnitude < 1e-6)
      }
    }
  }

  @Test("an aligned mix has the phase of the weighted sum and the mean log level")
  func mixesHavePhaseOfTheSumAndMeanLevel() {
    let terms = [noise(3 * stride, 40), noise(3 * stride, 41)]
    let weights: [Float] = [0.3, 0.7]
    let step = 0.1
    let made = (0..<2).map { _ in Buffer(aligned: 2 * stride) }
    let pointers = terms.map { UnsafePointer<Float>?($0.base) }
    cc_mix_aligned(bins, stride, 2, pointers, weights, cos(step), sin(step), 2, made[0].base)
    cc_mix_aligned_baseline(
      bins, stride, 2, pointers, weights, cos(step), sin(step), 2, made[1].base)
    #expect(isSame(made[0], made[1]))
    for bin in 0..<bins {
      let mean = { (plane: Int) in
        zip(terms, weights).reduce(0.0) {
          $0 + Double($1.0.base[48 * (bin / 16) + 16 * plane + bin % 16]) * Double($1.1)
        }
      }
      let gain = 2 * pow(2, mean(2))
      let angle = atan2(mean(1), mean(0)) + step * Double(bin)
      #expect((Double(made[0].base[bin]) - gain * cos(angle)).magnitude < 2e-4)
      #expect((Double(made[0].base[stride + bin]) - gain * sin(angle)).magnitude < 2e-4)
    }
  }

  @Test(
    "signals times gains are added to 16 lanes within 1e-5, with the baseline's bits",
    arguments: [0, 1, 4, 7])
  func signalsAreAddedToLanes(count: Int) {
    let frames = 33
    let signals = (0..<count).map { noise(frames, UInt64(50 + $0)) }
    let gains = (0..<count).map { noise(16, UInt64(60 + $0)) }
    let lanes = (0..<2).map { _ in noise(16 * frames, 70) }
    let before = noise(16 * frames, 70)
    let x = signals.map { UnsafePointer<Float>?($0.base) }
    let g = gains.map { UnsafePointer<Float>?($0.base) }
    cc_add_lanes(count, frames, x, g, lanes[0].base)
    cc_add_lanes_baseline(count, frames, x, g, lanes[1].base)
    #expect(isSame(lanes[0], lanes[1]))
    for index in 0..<16 * frames {
      let sum = (0..<count).reduce(Double(before.base[index])) { sum, signal in
        sum + Double(signals[signal].base[index / 16]) * Double(gains[signal].base[index % 16])
      }
      #expect((Double(lanes[0].base[index]) - sum).magnitude < 1e-5)
    }
  }

  @Test("lanes fade from old to new and pass a shelf as written out, with the baseline's bits")
  func lanesFadeAndPassShelves() {
    let frames = 32
    let (old, new) = (noise(16 * frames, 80), noise(16 * frames, 81))
    let lanes = (0..<2).map { _ in noise(16 * frames, 82) }
    let before = noise(16 * frames, 82)
    cc_fade_lanes(frames, old.base, new.base, lanes[0].base)
    cc_fade_lanes_baseline(frames, old.base, new.base, lanes[1].base)
    #expect(isSame(lanes[0], lanes[1]))
    for index in 0..<16 * frames {
      let part = Float(index / 16) / Float(frames)
      let sum = before.base[index] + old.base[index] * (1 - part) + new.base[index] * part
      #expect((lanes[0].base[index] - sum).magnitude < 1e-6)
    }
    let states = (0..<2).map { _ in noise(16, 83) }
    var means = (0..<16).map { states[0].base[$0] }
    let input = (0..<16 * frames).map { lanes[0].base[$0] }
    cc_shelve_lanes(frames, 0.9, 0.8, 0.3, states[0].base, lanes[0].base)
    cc_shelve_lanes_baseline(frames, 0.9, 0.8, 0.3, states[1].base, lanes[1].base)
    #expect(isSame(lanes[0], lanes[1]) && isSame(states[0], states[1]))
    for index in 0..<16 * frames {
      let lane = index % 16
      means[lane] = 0.1 * input[index] + 0.9 * means[lane]
      let value = 0.8 * means[lane] + 0.3 * (input[index] - means[lane])
      #expect((lanes[0].base[index] - value).magnitude < 1e-5)
    }
  }
}
