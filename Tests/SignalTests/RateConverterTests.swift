// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Signal

@Suite struct RateConverterTests {
  static let ratios = [(15, 16), (25, 24), (1001, 960)]

  private func convert(_ input: [Float], _ up: Int, _ down: Int, block: Int) -> [Float] {
    let converter = RateConverter(up: up, down: down, largest: block)
    var output: [Float] = []
    var room = [Float](repeating: 0, count: converter.capacity(block) + 256)
    for start in stride(from: 0, to: input.count, by: block) {
      let count = min(block, input.count - start)
      let made = converter.process(Array(input[start..<start + count]), count, into: &room)
      output += room[..<made]
    }
    while output.count < input.count * up / down {
      let made = converter.processSilence(block, into: &room)
      output += room[..<made]
    }
    return Array(output.prefix(input.count * up / down))
  }

  /// Tones in the pass band come out as the same tones at the new rate, neither late nor early.
  @Test(
    "tones converted by 15/16, 25/24 and 1001/960 stay in place within −95 dB up to 0.35 of the rate",
    arguments: ratios)
  func keepsTonesInPlace(up: Int, down: Int) {
    let ratio = Double(up) / Double(down)
    for frequency in [0.001, 0.05, 0.2, 0.35, 0.43] {
      // Cycles per sample of the lower rate.
      let step = 2 * Double.pi * frequency * min(1, ratio)
      let input = (0..<20_000).map { Float(sin(step * Double($0) + 0.3)) }
      let output = convert(input, up, down, block: 2048)
      let middle = 500..<output.count - 500
      let wanted = middle.map { Float(sin(step * Double($0) / ratio + 0.3)) }
      let quality = Signals.ratio(Array(output[middle]), wanted)
      if frequency <= 0.35 { #expect(quality > 95, "\(up)/\(down) at \(frequency): \(quality) dB") }
      #expect(quality > 60, "\(up)/\(down) at \(frequency): \(quality) dB")
    }
  }

  /// Nothing of the band above the lower rate's Nyquist frequency comes through.
  @Test("a tone above the lower rate's Nyquist frequency is below −95 dB after conversion")
  func stopsWhatWouldFoldBack() {
    let input = (0..<20_000).map { Float(sin(2 * Double.pi * 0.4695 * Double($0))) }
    let output = convert(input, 15, 16, block: 1920)
    let power = output[500..<output.count - 500].reduce(0.0) { $0 + Double($1) * Double($1) }
    #expect(10 * log10(power / Double(output.count) * 2) < -95)
  }

  @Test("a converted rate has the same bits for blocks of any size", arguments: ratios)
  func givesTheSameBitsForAnyBlocks(up: Int, down: Int) {
    var noise = SeededNoise(seed: 9)
    let input = noise.samples(9000)
    let whole = convert(input, up, down, block: 9000)
    for block in [384, 1000, 2048] {
      #expect(convert(input, up, down, block: block).map(\.bitPattern) == whole.map(\.bitPattern))
    }
  }
}
