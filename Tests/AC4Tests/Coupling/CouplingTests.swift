// SPDX-License-Identifier: Apache-2.0
import Foundation
import Signal
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

/// Coupling of random subbands by random parameters, against the plain steps of the standard.
@Suite struct CouplingTests {
  /// Codec mode, QMF slots in a frame.
  static let cases = [
    (CodecMode.partlyCoupled, 32), (.coupled, 32), (.widelyCoupled, 32), (.partlyCoupled, 15),
    (.coupled, 8), (.widelyCoupled, 6),
  ]

  @Test("advanced coupling of random parameters is the standard's formula", arguments: cases)
  func isTheFormula(mode: CodecMode, slots: Int) throws {
    for code in 0..<4 {
      var noise = SeededNoise(seed: UInt64(100 * code + 10 * mode.rawValue + slots))
      let frames = try CouplingTests.parameters(mode, code, slots, count: 6, &noise)
      let slow = SlowCoupling(slots: slots, frames: frames.map(\.1))
      let inputs = (0..<2).map { _ in CouplingTests.signal(6 * slots, &noise) }
      let wanted: [SlowCoupling.Signal]
      var found = [SlowCoupling.Signal](repeating: [], count: mode == .widelyCoupled ? 5 : 2)
      let channels = (0..<found.count).map { _ in SubbandFrame(slots: slots) }
      if mode == .widelyCoupled {
        wanted = slow.wide(inputs[0], inputs[1])
        let module = ACPLWideModule(slots: slots)
        for (number, frame) in frames.enumerated() {
          SubbandSamples.fill(channels[0], inputs[0], number)
          SubbandSamples.fill(channels[2], inputs[1], number)
          module.process(
            frame.0,
            ACPLWideModule.Channels(
              left: channels[0], leftSurround: channels[1], right: channels[2],
              rightSurround: channels[3], centre: channels[4]))
          for place in found.indices { found[place] += SubbandSamples.read(channels[place]) }
        }
      } else {
        wanted = slow.pair(inputs[0], inputs[1], decorrelator: 1)
        let module = ACPLModule(1, slots: slots)
        for (number, frame) in frames.enumerated() {
          SubbandSamples.fill(channels[0], inputs[0], number)
          SubbandSamples.fill(channels[1], inputs[1], number)
          module.process(frame.0, channels[0], channels[1])
          for place in found.indices { found[place] += SubbandSamples.read(channels[place]) }
        }
      }
      for (place, pair) in zip(found, wanted).enumerated() {
        let ratio = CouplingTests.ratio(pair.0, pair.1)
        #expect(ratio > 105, "\(mode), \(slots) slots, bands \(code), output \(place): \(ratio) dB")
      }
    }
  }

  /// After a frame that couldn't be read the gains stay what they were.
  @Test(
    "coupling gains stay after an unreadable frame", arguments: [CodecMode.coupled, .widelyCoupled])
  func holdsParameters(
    mode: CodecMode
  ) throws {
    var noise = SeededNoise(seed: 5)
    let frames = try CouplingTests.parameters(mode, 0, 32, count: 1, &noise)
    let steady = frames[0].1
    let input = CouplingTests.signal(96, &noise)
    // The last set holds; a frame that sends it again from slot 0 says the same.
    var repeated = steady
    repeated.isSteep = true
    repeated.slots = [0, 0]
    repeated.values = [steady.values.last ?? []]
    let slow = SlowCoupling(slots: 32, frames: [steady, repeated, repeated])
    let isWide = mode == .widelyCoupled
    let wanted = isWide ? slow.wide(input, input) : slow.pair(input, input, decorrelator: 0)
    let (narrow, wide) = (ACPLModule(0, slots: 32), ACPLWideModule(slots: 32))
    var found = [SlowCoupling.Signal](repeating: [], count: wanted.count)
    let channels = wanted.map { _ in SubbandFrame(slots: 32) }
    for number in 0..<3 {
      let parameters = number == 0 ? frames[0].0 : nil
      for channel in channels { SubbandSamples.fill(channel, input, number) }
      if isWide {
        wide.process(
          parameters,
          ACPLWideModule.Channels(
            left: channels[0], leftSurround: channels[1], right: channels[2],
            rightSurround: channels[3], centre: channels[4]))
      } else {
        narrow.process(parameters, channels[0], channels[1])
      }
      for place in found.indices { found[place] += SubbandSamples.read(channels[place]) }
    }
    for place in found.indices {
      let ratio = CouplingTests.ratio(found[place], wanted[place])
      #expect(ratio > 105, "output \(place): \(ratio) dB")
    }
  }

  /// Values outside the tables are refused; nothing is applied.
  @Test("coupling codes span their ranges, and a parameter of 33 is refused")
  func refusesValuesOutsideTheTables() throws {
    for quantity in [ACPLQuantity.alpha, .beta, .beta3, .gamma] {
      for isCoarse in [false, true] {
        let code = ACPLCodes.of(quantity, isCoarse: isCoarse)
        let range = quantity.range(isCoarse: isCoarse)
        let values = code[0].lengths.indices.map { $0 - code[0].offset }
        #expect(values.first == range.lowerBound && values.last == range.upperBound)
      }
    }
    var bits = BitWriter()
    bits.write(0, 3)
    bits.write(0, 2)
    bits.write(0, 1)
    Track.write(32, Codebooks.acplAlphaFineF0, &bits)
    Track.write(1, Codebooks.acplAlphaFineDf, &bits)
    for _ in 0..<40 { bits.write(0, 8) }
    bits.align()
    let bytes = bits.bytes
    #expect(throws: AC4Error.damaged("coupling parameter 33")) {
      try bytes.withUnsafeBufferPointer { buffer in
        var reader = BitReader(buffer)
        let configuration = try ACPLConfiguration(&reader, .coupled)
        let history = Buffer<Int16>(0, count: ACPLParameters.setLength)
        try ACPLParameters().read(&reader, configuration, ACPLBooks(), history: history.base)
      }
    }
  }

  // MARK: Parameters

  /// Every number of bands and, in turn, both steps.
  private static func configuration(
    _ mode: CodecMode, _ code: Int
  ) throws -> ACPLConfiguration {
    var header = BitWriter()
    header.write(code, 2)
    header.write(code % 2, 1)
    if mode == .widelyCoupled { header.write(code / 2, 1) }
    if mode == .partlyCoupled { header.write(2 * code, 3) }
    let bytes = header.bytesAligned
    return try bytes.withUnsafeBufferPointer { buffer in
      var reader = BitReader(buffer)
      return try ACPLConfiguration(&reader, mode)
    }
  }

  /// Random parameters of `count` frames as the decoder reads them and as they were written.
  private static func parameters(
    _ mode: CodecMode, _ code: Int, _ slots: Int, count: Int, _ noise: inout SeededNoise
  ) throws -> [(ACPLParameters, SlowCoupling.Frame)] {
    let isWide = mode == .widelyCoupled
    let quantities = isWide ? ACPLParameters.wide : ACPLParameters.pair
    let isCoarse = code % 2 == 1
    let configuration = try configuration(mode, code)
    let books = ACPLBooks()
    let history = Buffer<Int16>(0, count: ACPLParameters.setLength)
    var last = [[Int]](
      repeating: [Int](repeating: 0, count: 15), count: quantities.count)
    var result: [(ACPLParameters, SlowCoupling.Frame)] = []
    for number in 0..<count {
      var bits = BitWriter()
      let sets = Int.random(in: 1...2, using: &noise)
      let isSteep = Bool.random(using: &noise)
      bits.write(isSteep)
      bits.write(sets - 1, 1)
      let places = (0..<sets).map { _ in Int.random(in: 0..<slots, using: &noise) }.sorted()
      if isSteep { for place in places { bits.write(place, 5) } }
      var values = [[[Int]]](repeating: [], count: sets)
      for (row, quantity) in quantities.enumerated() {
        let coarse = quantity == .gamma ? configuration.isGammaCoarse : isCoarse
        let codes = ACPLCodes.of(quantity, isCoarse: coarse)
        let range = quantity.range(isCoarse: coarse)
        for set in 0..<sets {
          let overTime = Bool.random(using: &noise) && number > 0
          let bands = configuration.firstBand..<configuration.bandCount
          let own = (0..<15).map { band in
            bands.contains(band) ? Int.random(in: range, using: &noise) : 0
          }
          write(own, bands, last: overTime ? last[row] : nil, codes, &bits)
          last[row] = own
          values[set].append(own)
        }
      }
      let parameters = ACPLParameters()
      let bytes = bits.bytesAligned
      try bytes.withUnsafeBufferPointer { buffer in
        var reader = BitReader(buffer)
        try parameters.read(&reader, configuration, books, history: history.base)
        #expect(reader.remaining < 8)
      }
      result.append(
        (
          parameters,
          SlowCoupling.Frame(
            configuration: configuration, isSteep: isSteep, slots: places + [0], values: values)
        ))
    }
    return result
  }

  /// One row: differences to `last`, or along frequency.
  private static func write(
    _ values: [Int], _ bands: Range<Int>, last: [Int]?, _ codes: [HuffmanCode],
    _ bits: inout BitWriter
  ) {
    bits.write(last != nil)
    for band in bands {
      if let last {
        Track.write(values[band] - last[band], codes[2], &bits)
      } else if band == bands.lowerBound {
        Track.write(values[band], codes[0], &bits)
      } else {
        Track.write(values[band] - values[band - 1], codes[1], &bits)
      }
    }
  }

  // MARK: Signals

  /// Noise with bursts and rests, so that the ducker works.
  private static func signal(_ count: Int, _ noise: inout SeededNoise) -> SlowCoupling.Signal {
    (0..<count).map { time in
      let peak: Float = time % 23 < 3 ? 20_000 : time % 23 < 12 ? 40 : 900
      let values = noise.samples(128, peak: peak)
      return (0..<64).map {
        SlowCoupling.Complex(Double(values[2 * $0]), Double(values[2 * $0 + 1]))
      }
    }
  }

  private static func ratio(
    _ found: SlowCoupling.Signal, _ wanted: SlowCoupling.Signal
  ) -> Double {
    guard found.count == wanted.count else { return -.infinity }
    var signal = 0.0
    var error = 0.0
    for (left, right) in zip(found, wanted) {
      for (one, two) in zip(left, right) {
        signal += (two * two).sum()
        error += ((one - two) * (one - two)).sum()
      }
    }
    return 10 * log10(signal / error)
  }
}

extension BitWriter {
  /// All bytes, the last filled up.
  fileprivate var bytesAligned: [UInt8] {
    var copy = self
    copy.align()
    return copy.bytes
  }
}
