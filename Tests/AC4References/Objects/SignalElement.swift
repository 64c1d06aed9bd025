// SPDX-License-Identifier: Apache-2.0
import Signal
import TestSupport

@testable import AC4

/// Writes a `var_channel_element` with random windows and matrices, and knows what comes out.
struct SignalElement: SyntheticAudio {
  /// Window lengths of each signal, in the order of the mix's inputs; low frequencies last.
  var windows: [[Int]] { places.map { core.windows[$0] } }
  /// Lines of each signal, in the same order, after all matrices.
  var lines: [[Double]] { places.map { core.lines[$0] } }
  var isIFrame = true

  private let signals: Int
  private let hasLFE: Bool
  private let isExtended: Bool
  /// Writes the parts. Its channel 3 has the low frequencies.
  private var core: SyntheticElement
  /// The channel of each signal.
  private let places: [Int]

  /// An element of one to seven signals.
  init(_ frameLength: Int, signals: Int, hasLFE: Bool, isExtended: Bool) {
    (self.signals, self.hasLFE, self.isExtended) = (signals, hasLFE, isExtended)
    core = SyntheticElement(frameLength, AC4ChannelMode(rawValue: 6) ?? .mono)
    places = (0..<signals).map { $0 < 3 ? $0 : $0 + 1 } + (hasLFE ? [3] : [])
  }

  mutating func write(_ bits: inout BitWriter, _ noise: inout SeededNoise) {
    bits.write(isExtended)
    if isExtended {
      if isIFrame { SyntheticExtension.writeConfiguration(&bits) }
      if signals <= 5 { SyntheticExtension.writeNoCompanding(signals, &bits) }
    }
    if hasLFE { core.writeLowFrequency(&bits, &noise) }
    let isOdd = signals % 2 == 1
    // The last two or three signals are the first inputs.
    let front = min(signals, isOdd ? 3 : 2)
    for first in stride(from: front, to: signals, by: 2) {
      core.writeTwo((places[first], places[first + 1]), &bits, &noise)
    }
    if !isOdd {
      core.writeTwo((places[0], places[1]), &bits, &noise)
    } else if signals == 1 {
      core.writeMono(0, &bits, &noise)
    } else {
      let isTogether = Bool.random(using: &noise)
      bits.write(isTogether)
      if isTogether {
        core.writeThree(&bits, &noise)
      } else {
        core.writeTwo((0, 1), &bits, &noise)
        core.writeMono(2, &bits, &noise)
      }
    }
    guard isExtended else { return }
    for _ in 0..<signals / 2 { SyntheticExtension.writeData(2, &bits, isIFrame: isIFrame) }
    if isOdd { SyntheticExtension.writeData(1, &bits, isIFrame: isIFrame) }
  }
}
