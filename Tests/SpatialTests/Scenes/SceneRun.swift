// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// A programme of objects and beds with its samples and updates, to be rendered in blocks of any size.
struct SceneRun {
  var programme: Programme
  /// Samples of each plane.
  var signal: [[Float]]
  /// Updates by time; their blocks' numbering begins with 0.
  var updates: [ObjectUpdate] = []
  var options = SceneOptions()

  /// One object that plays `signal` and starts in `state`.
  init(
    _ signal: [Float], _ state: ObjectState, updates: [ObjectUpdate] = [], rate: Int = 48000,
    options: SceneOptions = SceneOptions()
  ) {
    programme = Programme(sampleRate: rate, elements: [.object(name: nil, start: state)])
    self.signal = [signal]
    self.updates = updates
    self.options = options
  }

  /// A programme from its elements.
  init(
    _ elements: [Programme.Element], _ signal: [[Float]], updates: [ObjectUpdate] = [],
    rate: Int = 48000, options: SceneOptions = SceneOptions()
  ) {
    programme = Programme(sampleRate: rate, elements: elements)
    self.signal = signal
    self.updates = updates
    self.options = options
  }

  /// Both ears, latency removed, in blocks of `size` samples (0: whole).
  func render(_ hrtf: HRTFSet, size: Int = 0) throws -> [[Float]] {
    let renderer = SceneRenderer(hrtf: hrtf, options: options)
    let host = Hosted(renderer, name: "the renderer")
    _ = try host.prepare(programme)
    let output = AudioBuffer(channels: 2)
    let frames = signal[0].count
    var block = ProgrammeBlock(programme)
    var position = 0
    while position < frames {
      let count = min(size == 0 ? frames : size, frames - position)
      block.removeAll()
      let first = block.audio.grow(by: count)
      for (plane, samples) in signal.enumerated() {
        let target = block.audio.channel(plane)
        for index in 0..<count { target[first + index] = samples[position + index] }
      }
      for update in updates
      where update.at >= Int64(position) && update.at < Int64(position + count) {
        block.add(update)
      }
      try host.process(block, into: output)
      position += count
    }
    try host.finish(into: output)
    block = ProgrammeBlock(programme)
    #expect(output.frames == frames + renderer.latency + renderer.tail)
    output.removeFirst(renderer.latency)
    return (0..<2).map { Array(output.channel($0)) }
  }

  /// A state at an azimuth and elevation in degrees.
  static func state(
    _ azimuth: Double, _ elevation: Double = 0, gain: Double = 1,
    extent: ObjectExtent = .point, diffuse: Double = 0, rules: ObjectRules = .none
  ) -> ObjectState {
    ObjectState(
      position: .polar(Direction(azimuth: azimuth, elevation: elevation), distance: 1),
      gain: gain, extent: extent, diffuse: diffuse, rules: rules)
  }
}
