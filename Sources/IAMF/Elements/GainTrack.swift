import Signal

/// Follows a gain of a mix from unit to unit.
package struct GainTrack {
  /// A block that was longer than its unit, and its samples that are used up.
  private struct Rest {
    var block: ParameterBlock
    var used: Int
  }

  /// Ticks of a block that count: more than any unit has, and few enough for their product with a rate.
  private static let mostTicks = 1 << 36

  private let gain: PlayableMix.Gain
  private let sampleRate: Int
  private var rest: Rest?

  /// The gain of a mix at `sampleRate`.
  package init(_ gain: PlayableMix.Gain, sampleRate: Int) {
    self.gain = gain
    self.sampleRate = sampleRate
  }

  /// Writes the amplitudes of a unit's samples. Blocks of the unit stand one behind the other; without one,
  /// what is left of a longer block counts, and else the default. Behind the last block its end value holds.
  package mutating func write(_ unit: TemporalUnit, to line: UnsafeMutableBufferPointer<Float>) {
    var place = 0
    var level: Double?
    var found = false
    for block in unit.blocks where block.id == gain.parameterID {
      guard case .mixGain = block.subblocks.first?.value else { continue }
      if !found { rest = nil }
      found = true
      write(block, 0, line, &place, &level)
    }
    if !found, let rest {
      self.rest = nil
      write(rest.block, rest.used, line, &place, &level)
    }
    let last = Float(Decibels.amplitude(level ?? gain.defaultGain))
    for index in place..<line.count { line[index] = last }
  }

  /// Writes the samples of a block from `used` on, as far as the unit goes.
  private mutating func write(
    _ block: ParameterBlock, _ used: Int, _ line: UnsafeMutableBufferPointer<Float>,
    _ place: inout Int, _ level: inout Double?
  ) {
    var ticks = 0
    for subblock in block.subblocks {
      guard case .mixGain(let animation) = subblock.value else { continue }
      let start = samples(ticks, block)
      ticks += subblock.duration
      let length = samples(ticks, block) - start
      let curve = GainCurve(animation, length: length)
      let first = max(used - start, 0)
      guard length > 0, first < length else { continue }
      let count = min(length - first, line.count - place)
      curve.write(
        from: first, to: UnsafeMutableBufferPointer(rebasing: line[place..<place + count]))
      place += count
      level = curve.level(length)
      guard first + count == length else {
        rest = Rest(block: block, used: start + first + count)
        return
      }
    }
  }

  /// Samples from the start of a block to its tick `ticks`.
  private func samples(_ ticks: Int, _ block: ParameterBlock) -> Int {
    min(ticks, GainTrack.mostTicks) * sampleRate / block.rate
  }
}
