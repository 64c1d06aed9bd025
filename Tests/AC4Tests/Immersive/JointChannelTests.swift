// SPDX-License-Identifier: Apache-2.0
import Foundation
import Signal
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

/// Joint channel coding (A-JCC) with random parameters against plain code in double precision.
@Suite struct JointChannelTests {
  private static let frames = 6

  @Test("joint channel coding is the standard's steps", arguments: [6, 8, 15, 16, 24, 30, 32])
  func channelsAreThoseOfTheSteps(slots: Int) throws {
    var noise = SeededNoise(seed: UInt64(slots))
    var writer = SyntheticJoint()
    let parameters = AJCCParameters()
    let history = Buffer<Int16>(0, count: AJCCParameters.setLength)
    var known: AJCCParameters.Form?
    let books = AJCCBooks()
    let stage = AJCCStage(slots: slots)
    let plan = ElementPlan(immersive: .joint, hasLFE: true)
    let immersion = try #require(plan.immersion)
    let channels = (0..<12).map { _ in SubbandFrame(slots: slots) }
    // Left, right, centre, and the surrounds.
    let inputs = [0, 1, 2, 4, 5].map {
      ($0, SubbandSamples.noise(JointChannelTests.frames * slots, &noise))
    }
    var found = [SlowCoupling.Signal](repeating: [], count: 12)
    var written: [SyntheticJoint.Frame] = []
    for number in 0..<JointChannelTests.frames {
      var bits = BitWriter()
      let values = writer.write(&bits, &noise, isIFrame: number % 3 == 0, slots: slots)
      bits.align()
      try bits.bytes.withUnsafeBufferPointer { buffer in
        var reader = BitReader(buffer)
        try parameters.read(&reader, books, history: history.base, known: &known)
        #expect((reader.position + 7) / 8 == bits.bytes.count)
      }
      JointChannelTests.compare(parameters, values)
      written.append(values)
      for channel in channels { channel.clear() }
      for (channel, signal) in inputs {
        SubbandSamples.fill(channels[channel], signal, number)
      }
      stage.process(parameters, immersion, channels)
      for index in 0..<12 { found[index] += SubbandSamples.read(channels[index]) }
    }
    // Each side's channels, in the order of the coefficients.
    for (side, places) in [[0, 4, 6, 8, 10], [1, 5, 7, 9, 11]].enumerated() {
      let slow = SlowJoint(
        slots: slots, frames: written.map { JointChannelTests.frame($0, side: side) })
      let wanted = slow.channels(inputs[side].1, inputs[3 + side].1)
      for (index, place) in places.enumerated() {
        let error = SubbandSamples.error(found[place], wanted[index])
        #expect(error < 2e-6, "side \(side), channel \(index): \(error)")
      }
    }
    let centre = inputs[2].1.map { $0.map { (2 + 1 / 2.0.squareRoot()) * $0 } }
    #expect(SubbandSamples.error(found[2], centre) < 1e-6)
    #expect(Set(written.map(\.hasWideFront)).count == 2)
  }

  /// Values that differences refer to must be there, and in the same bands.
  @Test("differences of joint channel coding without values or in other bands are refused")
  func differencesNeedTheirValues() throws {
    let history = Buffer<Int16>(0, count: AJCCParameters.setLength)
    // Differences over time are possible, 15 bands, both framings smooth with one set; the first row is a difference.
    let bytes: [UInt8] = [0b0000_0000, 0b0010_0000] + [UInt8](repeating: 0, count: 60)
    for (known, wanted) in [
      (nil, AC4Error.needsIFrame("differences of joint channel coding")),
      (
        AJCCParameters.Form(bandCount: 7),
        .damaged("differences to values of channels in other bands")
      ),
    ] as [(AJCCParameters.Form?, AC4Error)] {
      var known = known
      let error = bytes.withUnsafeBufferPointer { buffer -> (any Error)? in
        var reader = BitReader(buffer)
        do {
          try AJCCParameters().read(&reader, AJCCBooks(), history: history.base, known: &known)
          return nil
        } catch { return error }
      }
      #expect(error as? AC4Error == wanted)
    }
  }

  // MARK: Parts

  private static func frame(_ frame: SyntheticJoint.Frame, side: Int) -> SlowJoint.Frame {
    let framing = frame.framings[side]
    let rows = AJCCParameters.sides[side]
    let isCoarse = frame.form.isCoarse
    let step = frame.form.hasCoarseShares ? 0.2 : 0.1
    let values = (0..<framing.setCount).map { set -> [[Double]] in
      let q = rows.map { frame.values[$0][set] }
      let alpha = q[0].map {
        Double((isCoarse ? ACPLTables.alphaCoarse : ACPLTables.alphaFine)[$0])
      }
      let beta = zip(q[0], q[1]).map { alpha, beta -> Double in
        let column = (isCoarse ? ACPLTables.columnCoarse : ACPLTables.columnFine)[alpha]
        let table = isCoarse ? ACPLTables.betaCoarse : ACPLTables.betaFine
        return Double(table[beta * (isCoarse ? 5 : 9) + column])
      }
      let dry = q[2...3].map { $0.map { Double($0) * step - 0.6 } }
      let wet = q[4...6].map { $0.map { Double($0) * step - 2 } }
      return [alpha, beta] + dry + wet
    }
    return SlowJoint.Frame(
      hasWideFront: frame.hasWideFront, bandOfSubband: frame.form.bandOfSubband,
      isSteep: framing.isSteep, slots: (0..<framing.setCount).map { framing.slots[$0] },
      values: values)
  }

  private static func compare(_ parameters: AJCCParameters, _ wanted: SyntheticJoint.Frame) {
    #expect(parameters.hasWideFront == wanted.hasWideFront && parameters.form == wanted.form)
    #expect([parameters.framings.left, parameters.framings.right] == wanted.framings)
    for (row, sets) in wanted.values.enumerated() {
      for (set, own) in sets.enumerated() {
        let base = set * AJCCParameters.setLength + row * AJCCParameters.rowLength
        let found = (0..<own.count).map { Int(parameters.values.base[base + $0]) }
        #expect(found == own, "row \(row), set \(set)")
      }
    }
  }
}
