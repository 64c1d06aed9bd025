// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport

@testable import Spatial

/// A programme with a bed, objects that move in every way, and a sound field; and what the loudspeakers play
/// of it, worked out sample by sample in double precision.
struct LoudspeakerScene {
  let frames: Int
  let programme: Programme
  /// Samples and updates.
  let block: ProgrammeBlock

  private static let bed = 2
  private static let objects = 4

  /// Random motion until `frames`; objects are diffuse from `diffuseFrom` on (`nil` for never).
  init(frames: Int, seed: UInt64, diffuseFrom: Int? = nil) {
    var noise = SeededNoise(seed: seed)
    let starts = (0..<LoudspeakerScene.objects).map {
      LoudspeakerScene.state($0, 0, nil, &noise)
    }
    programme = Programme(
      sampleRate: 48_000,
      elements: [.bed(.stereo)] + starts.map { .object(name: nil, start: $0) } + [.scene(order: 1)])
    block = ProgrammeBlock(programme)
    block.audio.grow(by: frames)
    for plane in 0..<programme.planes {
      let samples = noise.samples(frames, peak: 0.5)
      for index in 0..<frames { block.audio.channel(plane)[index] = samples[index] }
    }
    self.frames = frames
    for object in 0..<LoudspeakerScene.objects {
      var time = Int.random(in: 0...200, using: &noise)
      while time < frames {
        let isJump = Int.random(in: 0...4, using: &noise) == 0
        let ramp = isJump ? 0 : Double.random(in: 1...900, using: &noise)
        block.add(
          ObjectUpdate(
            plane: LoudspeakerScene.bed + object, at: Int64(time), ramp: ramp,
            lead: ramp > 0 ? Double.random(in: 0...1, using: &noise) : 0,
            state: LoudspeakerScene.state(object, time, diffuseFrom, &noise)))
        time += Int.random(in: 1...700, using: &noise)
      }
    }
  }

  private static func state(
    _ object: Int, _ time: Int, _ diffuseFrom: Int?, _ noise: inout SeededNoise
  ) -> ObjectState {
    func value(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &noise) }
    var state = ObjectState(gain: value(0...1.5))
    let direction = Direction(azimuth: value(-180...180), elevation: value(-40...90))
    state.position = .polar(direction, distance: value(0.2...1))
    if object == 1 {
      state.position = .cartesian(x: value(-1...1), y: value(-1...1), z: value(-1...1))
      state.extent = ObjectExtent(width: 0.2, height: 0.1, depth: 0)
    }
    if object == 2 { state.rules.role = .speaker(SpeakerChannel()) }
    if object != 2, let diffuseFrom, time >= diffuseFrom { state.diffuse = value(0...1) }
    return state
  }

  /// Output of a fresh renderer fed in blocks of `size` samples (0: whole), with what it holds at the end.
  func render(to layout: ChannelLayout, size: Int = 0) throws -> [[Float]] {
    let host = Hosted(LoudspeakerRenderer(layout: layout), name: "the renderer")
    let output = AudioBuffer(channels: try host.prepare(programme).channels)
    var position = 0
    while position < frames {
      let count = min(size == 0 ? frames : size, frames - position)
      let part = ProgrammeBlock(programme)
      part.append(block, range: position..<position + count)
      try host.process(part, into: output)
      position += count
    }
    try host.finish(into: output)
    return (0..<output.channels).map { Array(output.channel($0)) }
  }

  /// Output by definition: gains on their way at each sample, filters tap by tap.
  func reference(for layout: ChannelLayout) throws -> [[Double]] {
    let calculator = try OutputGains(layout)
    let total = frames + 511
    var direct = [[Double]](repeating: Array(repeating: 0, count: total), count: layout.count)
    var diffuse = direct
    var plane = 0
    var known: [ObjectState: SpeakerGains] = [:]
    for element in programme.elements {
      var rows: [SpeakerGains] = []
      if case .bed(let bed) = element { rows = calculator.gains(ofBed: bed) }
      if case .scene(let order) = element { rows = try calculator.gains(ofScene: order) }
      for offset in 0..<element.planes {
        for index in 0..<frames {
          let sample = Double(block.audio.channel(plane + offset)[index])
          let gains = try rows.isEmpty ? self.gains(plane, index, calculator, &known) : rows[offset]
          for channel in direct.indices {
            direct[channel][index + 255] += sample * gains.direct[channel]
            diffuse[channel][index] += sample * gains.diffuse[channel]
          }
        }
      }
      plane += element.planes
    }
    for (channel, filter) in calculator.filters.enumerated() {
      guard let filter, diffuse[channel].contains(where: { $0 != 0 }) else { continue }
      let taps = DecorrelationFilter.taps(filter)
      for index in 0..<total {
        for tap in 0...min(index, 511) {
          direct[channel][index] += taps[tap] * diffuse[channel][index - tap]
        }
      }
    }
    return direct
  }

  private func gains(
    _ plane: Int, _ index: Int, _ calculator: OutputGains,
    _ known: inout [ObjectState: SpeakerGains]
  ) throws -> SpeakerGains {
    guard let motion = block.motion(of: plane, at: Int64(index)) else {
      return SpeakerGains(count: calculator.channels)
    }
    for state in [motion.origin, motion.target] where known[state] == nil {
      known[state] = try calculator.gains(of: state)
    }
    guard let origin = known[motion.origin], let target = known[motion.target] else {
      return SpeakerGains(count: calculator.channels)
    }
    guard !motion.isResting, case .source = motion.target.rules.role else { return target }
    let mix = { (from: [Double], to: [Double]) in
      zip(from, to).map { $0 * (1 - motion.fraction) + $1 * motion.fraction }
    }
    return SpeakerGains(
      direct: mix(origin.direct, target.direct), diffuse: mix(origin.diffuse, target.diffuse))
  }
}
