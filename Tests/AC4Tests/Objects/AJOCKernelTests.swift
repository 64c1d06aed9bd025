// SPDX-License-Identifier: Apache-2.0
import Foundation
import Signal
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

/// Joint object coding against vectors that another implementation of the same text made.
@Suite(
  .tags(.media, .system), .enabled(if: ObjectOracle.isPresent, "../shared is missing"))
struct AJOCKernelTests {
  private static let (inputs, objects, slots, frames) = (3, 5, 8, 8)

  private func described() throws -> ObjectOracle.Described {
    let data = try Data(contentsOf: URL(fileURLWithPath: ObjectOracle.path("ajoc_kernel.json")))
    return ObjectOracle.Described(try JSONSerialization.jsonObject(with: data))
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }

  /// Reads a frame; answers the bits that it took.
  static func read(
    _ bytes: [UInt8], _ reader: AJOCReader, into frame: AJOCFrame, isIFrame: Bool
  ) throws -> Int {
    try bytes.withUnsafeBufferPointer { buffer in
      var bits = BitReader(buffer)
      try reader.read(&bits, isIFrame: isIFrame, into: frame)
      return bits.position
    }
  }

  @Test("A-JOC parameters are the test vectors'") func valuesAreTheVectors() throws {
    let reader = AJOCReader(inputs: 3, objects: 5, slots: 8)
    let frame = AJOCFrame(inputs: 3, objects: 5)
    for (number, entry) in try described()["frames"].list.enumerated() {
      let bytes = AJOCKernelTests.bytes(entry["bits"].string ?? "")
      let used = try AJOCKernelTests.read(bytes, reader, into: frame, isIFrame: number == 0)
      #expect(used == entry["nbits"].int, "frame \(number)")
      reader.commit()
      #expect(frame.decorrelators == entry["num_decorr"].int)
      let points = entry["data_points"].list.map(\.ints)
      #expect(
        (0..<frame.pointCount).map { [frame.points.base[$0].start, frame.points.base[$0].length] }
          == points)
      for row in entry["q"].list {
        let (object, point, place) = (row[0].int ?? 0, row[1].int ?? 0, row[3].int ?? 0)
        let isWet = row[2].string == "wet"
        let values = frame.row(object, point, isWet ? 3 + place : place)
        let wanted = row[4].ints
        let found = (0..<wanted.count).map { Int(values[$0]) }
        #expect(found == wanted, "frame \(number), object \(object), point \(point), row \(place)")
      }
    }
  }

  @Test("A-JOC signals are the test vectors'") func signalsAreTheVectors() throws {
    let (inputs, objects, slots) = (3, 5, 8)
    let raw = try ObjectOracle.unpacked("ajoc_kernel.in.i8.gz").map { Float(Int8(bitPattern: $0)) }
    let wanted = Signals.floats(try ObjectOracle.unpacked("ajoc_kernel.out.f32.gz"))
    let reader = AJOCReader(inputs: inputs, objects: objects, slots: slots)
    let mixer = AJOCMixer(inputs: inputs, objects: objects, slots: slots)
    let frame = AJOCFrame(inputs: inputs, objects: objects)
    let signals = (0..<inputs).map { _ in SubbandFrame(slots: slots) }
    let mixed = (0..<objects).map { _ in SubbandFrame(slots: slots) }
    var found = [Float](repeating: 0, count: wanted.count)
    func place(_ signal: Int, _ slot: Int, _ subband: Int) -> Int {
      ((signal * 64 + slot) * 64 + subband) * 2
    }
    for (number, entry) in try described()["frames"].list.enumerated() {
      _ = try AJOCKernelTests.read(
        AJOCKernelTests.bytes(entry["bits"].string ?? ""), reader, into: frame,
        isIFrame: number == 0)
      reader.commit()
      for slot in 0..<slots {
        for subband in 0..<64 {
          for (index, signal) in signals.enumerated() {
            let at = place(index, number * slots + slot, subband)
            (signal.real.row(subband)[slot], signal.imaginary.row(subband)[slot]) = (
              raw[at], raw[at + 1]
            )
          }
        }
      }
      mixer.process(frame, signals, into: mixed)
      for (index, signal) in mixed.enumerated() {
        for slot in 0..<slots {
          for subband in 0..<64 {
            let at = place(index, number * slots + slot, subband)
            (found[at], found[at + 1]) = (
              signal.real.row(subband)[slot], signal.imaginary.row(subband)[slot]
            )
          }
        }
      }
    }
    let largest = wanted.map(abs).max() ?? 0
    let error = zip(found, wanted).map { abs($0 - $1) }.max() ?? 1
    #expect(largest > 1 && error <= 1e-6 * largest)
    #expect(Signals.ratio(found, wanted) >= 100)
  }
}
