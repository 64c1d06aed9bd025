// SPDX-License-Identifier: Apache-2.0
import Signal
import TestSupport

@testable import AC4

/// Writes `immersive_channel_element` of 7.1.4 with random windows, matrices and predictions, and knows what comes out.
struct ImmersiveElement: SyntheticAudio {
  var isIFrame = true

  /// Window lengths of each channel in coded order.
  var windows: [[Int]] { core.windows + rear.map { core.windows[$0.partner] } }
  /// Lines of each channel as coded: the last four aren't sums and differences yet.
  var lines: [[Double]] { core.lines + rear.map(\.lines) }

  /// Coded order: left, right, centre, low frequencies, surrounds, then what this element writes next, the tops in front;
  /// backs and tops behind come last.
  private var core: SyntheticElement
  /// Residuals coded beside the surrounds and the tops in front.
  private var rear: [(partner: Int, lines: [Double])] = [(4, []), (5, []), (6, []), (7, [])]
  private let settings: CoupledElement.Settings

  init(_ frameLength: Int, _ settings: CoupledElement.Settings) {
    core = SyntheticElement(frameLength, AC4ChannelMode(rawValue: 6) ?? .mono)
    self.settings = settings
  }

  /// The place in ``lines`` of each channel of the decoder's coded order, in which backs stand before the tops.
  static let places = [0, 1, 2, 3, 4, 5, 8, 9, 6, 7, 10, 11]

  mutating func write(_ bits: inout BitWriter, _ noise: inout SeededNoise) {
    let codec = settings.codec
    bits.write(codec == .joint)
    if codec != .joint { bits.write(codec.rawValue, 2) }
    if isIFrame, codec != .simple {
      SyntheticExtension.writeConfiguration(&bits)
      if codec.isCoupled {
        bits.write(settings.bandCode, 2)
        bits.write(settings.isCoarse)
        if codec == .partlyCoupled { bits.write(settings.firstSubband - 1, 3) }
      }
    }
    core.writeLowFrequency(&bits, &noise)
    if codec == .joint { SyntheticExtension.writeNoCompanding(5, &bits) }
    if core.writeCore(&bits, &noise) { core.writeMono(2, &bits, &noise) }
    if codec != .joint { core.writeAdded(&bits, &noise) }
    for count in ImmersiveElement.extensions(codec) {
      SyntheticExtension.writeData(count, &bits, isIFrame: isIFrame)
    }
    if codec == .joint { return writeJoint(&bits) }
    if codec != .coupled { writeBeside(&bits, &noise) }
    for values in settings.values { settings.write(values, &bits, isIFrame: isIFrame) }
  }

  /// Channels of each A-SPX element.
  private static func extensions(_ codec: CodecMode) -> [Int] {
    switch codec {
    case .simple: return []
    case .extended: return [2, 2, 1, 2, 2, 2]
    case .joint: return [2, 2, 1]
    default: return [2, 2, 2, 1]
    }
  }

  /// `ajcc_data`: alpha 0, beta 0, dry values 0.2, wet values 0 in 15 bands.
  private func writeJoint(_ bits: inout BitWriter) {
    bits.write(0b1_00_0_0_0, 6)
    bits.write(0, 4)
    typealias Books = ObjectCodebooks
    let rows: [(count: Int, value: Int, codes: [HuffmanCode])] = [
      (2, 16, ACPLCodes.of(.alpha, isCoarse: false)), (2, 0, ACPLCodes.of(.beta, isCoarse: false)),
      (4, 8, [Books.ajccDryFineF0, Books.ajccDryFineDf]),
      (6, 20, [Books.ajccWetFineF0, Books.ajccWetFineDf]),
    ]
    for row in rows {
      for _ in 0..<row.count {
        Track.write(row.value, row.codes[0], &bits)
        for _ in 1..<15 { Track.write(0, row.codes[1], &bits) }
      }
    }
  }

  private mutating func writeBeside(_ bits: inout BitWriter, _ noise: inout SeededNoise) {
    for first in [0, 2] {
      let own = [first, first + 1].map { place in
        core.tracks[rear[place].partner].map { Track(windowsOf: $0, &noise) }
      }
      bits.write(0, 1)
      for track in own { track?.writeInfo(&bits) }
      for (place, track) in own.enumerated() {
        track?.writeData(&bits)
        rear[first + place].lines = track?.lines ?? []
      }
    }
    for place in rear.indices {
      let isPredicted = Bool.random(using: &noise)
      let partner = rear[place].partner
      guard isPredicted, let track = core.tracks[partner] else {
        bits.write(Int.random(in: 0..<2, using: &noise) * 2, 2)
        continue
      }
      let shares = track.writePrediction(&bits, &noise)
      for (line, share) in shares.enumerated() {
        rear[place].lines[line] += share * core.lines[partner][line]
      }
    }
  }
}
