// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import AC4

/// Writes `audio_data` of the coupled codec modes: known tracks, a high band without sound and
/// parameters that stay the same.
struct CoupledElement: SyntheticAudio {
  /// Parameters of the coupling.
  struct Settings {
    var codec: CodecMode
    /// `acpl_num_param_bands_id`.
    var bandCode = 0
    var isCoarse = false
    /// `acpl_qmf_band`.
    var firstSubband = 0
    /// For each element the value of each row.
    var values: [[Int]]
  }

  /// Whether configurations are sent; else parameters are differences along time, all 0.
  var isIFrame = true
  /// How the channels with tracks are companded.
  var companding = SyntheticExtension.Control.off
  private var core: SyntheticElement
  private let settings: Settings
  private let plan: ElementPlan
  private let frameLength: Int

  /// The signals before coupling.
  var windows: [[Int]] { core.windows }
  var lines: [[Double]] { core.lines }

  init(
    _ frameLength: Int, _ mode: AC4ChannelMode, _ settings: Settings, addsToSurrounds: Bool
  ) {
    core = SyntheticElement(frameLength, mode)
    self.settings = settings
    self.frameLength = frameLength
    plan = ElementPlan(mode, settings.codec, addsToSurrounds: addsToSurrounds)
  }

  mutating func write(_ bits: inout BitWriter, _ noise: inout SeededNoise) {
    let number = core.mode.rawValue
    bits.write(settings.codec.rawValue, [1, 2, 1, 3, 3, 2, 2, 2, 2, 2, 2][number])
    if isIFrame {
      SyntheticExtension.writeConfiguration(&bits)
      writeConfiguration(&bits)
    }
    core.writeLowFrequency(&bits, &noise)
    SyntheticExtension.writeCompanding(companding, plan.companded.count, &bits)
    switch (number, settings.codec) {
    case (1, .partlyCoupled): writeMidSide(&bits, &noise)
    case (1, _): core.writeMono(0, &bits, &noise)
    case (_, .widelyCoupled): core.writePair(&bits, &noise)
    case (3, _), (4, _):
      let hasMono = Bool.random(using: &noise)
      bits.write(!hasMono)
      if hasMono {
        core.writeTwo((0, 1), &bits, &noise)
      } else {
        core.writeThree(&bits, &noise)
      }
      writeResiduals(&bits, &noise)
      if hasMono { core.writeMono(2, &bits, &noise) }
    default:
      let hasMono = core.writeCore(&bits, &noise)
      writeResiduals(&bits, &noise)
      if hasMono { core.writeMono(2, &bits, &noise) }
    }
    for channels in plan.extensions {
      SyntheticExtension.writeData(channels.count, &bits, isIFrame: isIFrame)
    }
    for values in settings.values { settings.write(values, &bits, isIFrame: isIFrame) }
  }

  private func writeConfiguration(_ bits: inout BitWriter) {
    bits.write(settings.bandCode, 2)
    bits.write(settings.isCoarse)
    if settings.codec == .widelyCoupled { bits.write(settings.isCoarse) }
    if settings.codec == .partlyCoupled { bits.write(settings.firstSubband - 1, 3) }
  }

  /// Mid and side, with or without a common matrix.
  private mutating func writeMidSide(_ bits: inout BitWriter, _ noise: inout SeededNoise) {
    guard Bool.random(using: &noise) else {
      let tracks = [Track(frameLength, &noise), Track(side: frameLength, &noise)]
      bits.write(0, 2)
      tracks[0].writeInfo(&bits)
      bits.write(0, 1)
      tracks[1].writeInfo(&bits, isSide: true)
      for (channel, track) in tracks.enumerated() {
        track.writeData(&bits)
        core.keep(channel, track)
      }
      return
    }
    let mid = Track(frameLength, &noise)
    let share = Int.random(in: 1...4, using: &noise)
    let side = Track(like: mid, &noise) { length in
      (TransformSizes.borders(length: length).count - 1) * share / 4
    }
    bits.write(1, 1)
    mid.writeInfo(&bits, side: side)
    let isMatrixed = Bool.random(using: &noise)
    bits.write(isMatrixed ? 2 : 0, 2)
    mid.writeData(&bits)
    side.writeData(&bits)
    core.keep(0, mid)
    core.keep(1, side)
    if isMatrixed { combine(0, 1, mid.mask) }
  }

  /// Writes the residuals beside the carriers of two couplings.
  private mutating func writeResiduals(_ bits: inout BitWriter, _ noise: inout SeededNoise) {
    guard settings.codec == .partlyCoupled else { return }
    let carriers = plan.pairs.compactMap { core.tracks[$0.carrier] }
    let longest = carriers.map(\.longest).max() ?? frameLength
    let all = TransformSizes.borders(length: longest)
    let most = min(all.count - 1, 1 << Track.sideBits(longest) - 1)
    let count = Int.random(in: 0...most, using: &noise)
    bits.write(count, Track.sideBits(longest))
    let residuals = carriers.map { carrier in
      Track(like: carrier, &noise) { length in
        let borders = TransformSizes.borders(length: length)
        return borders.firstIndex { $0 * longest >= all[count] * length } ?? 0
      }
    }
    let isMatrixed = residuals.map { _ in Bool.random(using: &noise) }
    for flag in isMatrixed { bits.write(flag ? 2 : 0, 2) }
    for (place, residual) in residuals.enumerated() {
      residual.writeData(&bits)
      core.keep(plan.pairs[place].other, residual)
      if isMatrixed[place] {
        combine(plan.pairs[place].carrier, plan.pairs[place].other, residual.mask)
      }
    }
  }

  /// Sum and difference of two channels where `mask` says so.
  private mutating func combine(_ first: Int, _ second: Int, _ mask: [Bool]) {
    for (line, isCombined) in mask.enumerated() where isCombined {
      let (one, two) = (core.lines[first][line], core.lines[second][line])
      core.lines[first][line] = one + two
      core.lines[second][line] = one - two
    }
  }
}

extension CoupledElement.Settings {
  /// `acpl_data_1ch` or `acpl_data_2ch`: one set, every band of a row alike.
  func write(_ values: [Int], _ bits: inout BitWriter, isIFrame: Bool) {
    bits.write(0, 2)
    let quantities = values.count == 2 ? ACPLParameters.pair : ACPLParameters.wide
    let count = [15, 12, 9, 7][bandCode]
    let maps = [
      ACPLTables.bands15, ACPLTables.bands12, ACPLTables.bands9, ACPLTables.bands7,
    ]
    let start = Int(maps[bandCode][firstSubband])
    for (value, quantity) in zip(values, quantities) {
      let codes = ACPLCodes.of(quantity, isCoarse: isCoarse)
      bits.write(!isIFrame)
      guard isIFrame else {
        for _ in start..<count { Track.write(0, codes[2], &bits) }
        continue
      }
      Track.write(value, codes[0], &bits)
      for _ in start + 1..<count { Track.write(0, codes[1], &bits) }
    }
  }
}
