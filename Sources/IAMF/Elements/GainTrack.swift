// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
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

/// A gain that moves during a subblock, sample by sample, evenly in decibels, not in amplitude.
struct GainCurve {
  private let animation: ParameterBlock.Animation
  /// Samples of the subblock.
  private let length: Int

  /// The curve of a subblock of `length` samples.
  init(_ animation: ParameterBlock.Animation, length: Int) {
    self.animation = animation
    self.length = length
  }

  /// The gain in dB at sample `index`; that of sample `length` is the first behind the subblock.
  func level(_ index: Int) -> Double {
    switch animation {
    case .step(let level):
      return level
    case .linear(let start, let end):
      return GainCurve.between(start, end, Double(index) / Double(length))
    case .bezier(let start, let end, let control, let time):
      guard time > 0 else { return GainCurve.between(start, end, Double(index) / Double(length)) }
      let place = bezierPlace(index, time)
      let rest = 1 - place
      return rest * rest * start + 2 * rest * place * control + place * place * end
    }
  }

  /// Whether it stays.
  var isConstant: Bool {
    if case .step = animation { return true }
    return false
  }

  /// Writes the amplitudes of the samples from `first` on.
  func write(from first: Int, to line: UnsafeMutableBufferPointer<Float>) {
    if isConstant {
      line.update(repeating: Float(Decibels.amplitude(level(first))))
    } else {
      for index in line.indices { line[index] = Float(Decibels.amplitude(level(first + index))) }
    }
  }

  private static func between(_ start: Double, _ end: Double, _ place: Double) -> Double {
    (1 - place) * start + place * end
  }

  /// The place on the Bézier curve, 0…1, where its time is that of sample `index`: a root of
  /// (length − 2·control)·a² + 2·control·a − index.
  private func bezierPlace(_ index: Int, _ time: Int) -> Double {
    let control = (2 * length * time + 256) / 512
    let (square, linear) = (Double(length - 2 * control), Double(2 * control))
    if square == 0 { return Double(index) / linear }
    let root = (linear * linear + 4 * square * Double(index)).squareRoot()
    return (root - linear) / (2 * square)
  }
}

/// Sums rendered elements with the gains of a mix.
package final class PresentationMixer {
  private let mix: PlayableMix
  private var elementGains: [GainTrack]
  private var outputGains: [GainTrack]
  private let gainLine: AudioBuffer
  private let sum: AudioBuffer

  /// A mixer of elements that were rendered to `channels` channels.
  package init(_ mix: PlayableMix, channels: Int) {
    self.mix = mix
    elementGains = mix.elements.map { GainTrack($0.gain, sampleRate: mix.sampleRate) }
    outputGains = mix.parts.map { GainTrack($0.outputGain, sampleRate: mix.sampleRate) }
    gainLine = AudioBuffer(channels: 1, capacity: mix.samplesPerFrame)
    sum = AudioBuffer(channels: channels, capacity: mix.samplesPerFrame)
  }

  /// Appends the mix of a unit to `output`.
  /// - Parameter rendered: the unit's samples of each element, in the order of ``PlayableMix/elements``; all of
  ///   the same length, with as many planes as `output`.
  package func mix(_ rendered: [AudioBuffer], _ unit: TemporalUnit, into output: AudioBuffer) {
    guard let count = rendered.first?.frames, count > 0 else { return }
    let start = output.frames
    output.appendSilence(count)
    gainLine.removeAll()
    gainLine.grow(by: count)
    let gains = gainLine.channel(0)
    var index = 0
    for (number, part) in mix.parts.enumerated() {
      sum.removeAll()
      sum.appendSilence(count)
      for _ in part.elements {
        elementGains[index].write(unit, to: gains)
        for channel in 0..<sum.channels {
          PresentationMixer.add(
            rendered[index].channel(channel), gains, to: sum.channel(channel))
        }
        index += 1
      }
      outputGains[number].write(unit, to: gains)
      for channel in 0..<sum.channels {
        let line = UnsafeMutableBufferPointer(rebasing: output.channel(channel)[start...])
        PresentationMixer.add(sum.channel(channel), gains, to: line)
      }
    }
  }

  private static func add(
    _ source: UnsafeMutableBufferPointer<Float>, _ gains: UnsafeMutableBufferPointer<Float>,
    to target: UnsafeMutableBufferPointer<Float>
  ) {
    for index in gains.indices { target[index] += source[index] * gains[index] }
  }
}
