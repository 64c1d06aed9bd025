// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

/// Companding against plain code in double precision, the forms that no stream uses among them.
@Suite struct CompanderTests {
  private static let timing = FrameTiming(length: 2048)

  private func signals(_ count: Int) -> [SubbandSignal] {
    var noise = SeededNoise(seed: 12)
    return (0..<count).map { channel in
      let signal = SubbandSignal(CompanderTests.timing)
      for band in 0..<64 {
        for slot in 0..<38 {
          let size = Float(20_000 / (1 + band + 7 * channel)) * (slot % 9 == 0 ? 4 : 1)
          signal.real.row(band)[slot] = Float.random(in: -size...size, using: &noise)
          signal.imaginary.row(band)[slot] = Float.random(in: -size...size, using: &noise)
        }
      }
      return signal
    }
  }

  private func level(_ signal: SubbandSignal, _ slot: Int, _ bands: Range<Int>) -> Double {
    let sum = bands.reduce(0.0) { sum, band in
      let re = abs(Double(signal.real.row(band)[slot]))
      let im = abs(Double(signal.imaginary.row(band)[slot]))
      return sum + max(re, im) + min(re, im) / 2
    }
    return 0.9105 / Double(bands.count) * sum / 32768
  }

  /// Bits of `companding_control`, most significant first.
  private func control(_ bits: String, channels: Int) throws -> Companding {
    var writer = BitWriter()
    for bit in bits { writer.write(bit == "1") }
    return try writer.bytes.withUnsafeBufferPointer { buffer in
      var reader = BitReader(buffer)
      let control = try Companding(&reader, channels: channels)
      #expect(reader.position == bits.count)
      return control
    }
  }

  @Test("each form of companding control is read") func readsItsForms() throws {
    #expect(try control("1", channels: 1).isOn == 1)
    #expect(try control("01", channels: 1).isAveraged)
    #expect(try control("011", channels: 2).isOn == 3)
    let half = try control("0101", channels: 2)
    #expect(half.isOn(0) && !half.isOn(1) && half.isAveraged && !half.isSynchronous)
    let common = try control("11", channels: 3)
    #expect(common.isSynchronous && common.isOn == 7)
    let mean = try control("101", channels: 5)
    #expect(mean.isSynchronous && mean.isOn == 0 && mean.isAveraged)
  }

  private let power = 0.35 / 0.65
  private let factor = pow(2, 1 / 0.65)

  @Test(
    "companding of single channels is the standard's formula",
    arguments: ["011", "0011", "0001", "0010", "0000"])
  func eachChannelByItself(bits: String) throws {
    // Flags that are both 1 leave no flag for the mean.
    let control = try control(bits == "011" ? "011" : bits, channels: 2)
    let before = signals(2)
    let after = signals(2)
    let compander = Compander(channels: 2)
    let slots = [4..<36, 0..<32]
    for channel in 0..<2 {
      compander.apply(
        control, Compander.Part(signal: after[channel], slots: slots[channel], bands: 0..<40),
        channel: channel)
      let mean =
        slots[channel].reduce(0.0) { $0 + level(before[channel], $1, 0..<40) } / 32
      for slot in 0..<38 {
        var gain = 1.0
        if slots[channel].contains(slot) {
          if control.isOn(channel) {
            gain = factor * pow(level(before[channel], slot, 0..<40), power)
          } else if control.isAveraged {
            gain = factor * pow(mean, power)
          }
        }
        check(before[channel], after[channel], slot, gain)
      }
    }
  }

  @Test(
    "companding with one gain for all channels is the standard's formula",
    arguments: ["11", "101", "100"]) func allChannelsTogether(bits: String) throws
  {
    let control = try control(bits, channels: 2)
    let before = signals(2)
    let after = signals(2)
    let slots = [4..<36, 0..<32]
    let compander = Compander(channels: 2)
    compander.applySynchronous(
      control,
      (0..<2).map { Compander.Part(signal: after[$0], slots: slots[$0], bands: 0..<40) })
    let gains = (0..<36).map { slot -> Double in
      let covered = (0..<2).filter { slots[$0].contains(slot) }
      let sum = covered.reduce(0.0) { $0 + pow(level(before[$1], slot, 0..<40), power) }
      return sum / Double(covered.count)
    }
    let mean = gains.reduce(0, +) / Double(gains.count)
    for channel in 0..<2 {
      for slot in 0..<38 {
        var gain = 1.0
        // A common gain that is neither on nor a mean changes nothing.
        if slots[channel].contains(slot), bits != "100" {
          gain = factor * (control.isOn == 0 ? mean : gains[slot])
        }
        check(before[channel], after[channel], slot, gain)
      }
    }
  }

  private func check(_ before: SubbandSignal, _ after: SubbandSignal, _ slot: Int, _ gain: Double) {
    for band in [0, 17, 39] {
      let ratio = Double(after.real.row(band)[slot]) / Double(before.real.row(band)[slot])
      #expect(abs(ratio / gain - 1) < 1e-4)
    }
    #expect(after.real.row(40)[slot] == before.real.row(40)[slot])
  }
}
