// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A programme of a stereo bed and two objects that move as a script says. In all planes, a sample's value
/// is its number from 1, so that every output sample shows where it came from; silence is 0.
///
/// States are calculated one sample at a time, from the beginning, by the definition alone. No code of the
/// product is used.
package struct ObjectScript: Sendable {
  /// A line of the script.
  package struct Line: Sendable {
    /// Number of the object, 0 or 1.
    package var object: Int
    /// First sample that the line affects.
    package var at: Int
    /// Samples until the state is reached.
    package var ramp: Int
    /// The state to reach.
    package var state: ObjectState
  }

  /// Planes of the objects, behind those of the bed.
  package static let planes = [2, 3]

  /// Number of samples.
  package let frames: Int
  /// Sample rate, Hz.
  package let rate: Int
  /// Start states of the objects.
  package let starts: [ObjectState]
  /// The lines in the order of their times.
  package let lines: [Line]

  /// A script with lines at, before and behind all `edges` and the first and the last sample: some share a
  /// sample, some lie inside ramps, some ramps cross an edge. Further lines lie at random samples.
  package init(frames: Int, edges: [Int], seed: UInt64, rate: Int = 48_000) {
    self.frames = frames
    self.rate = rate
    var noise = SeededNoise(seed: seed)
    starts = [ObjectScript.anyState(&noise), ObjectScript.anyState(&noise)]
    let all = [0, frames - 1] + edges
    var lines: [Line] = []
    for edge in all {
      // Distance from the edge, and length of the ramp: jumps at the edge and beside it, and ramps that
      // begin at it, end at it or cross it.
      let places = [
        (0, 0), (0, 9), (-1, 0), (1, 0), (-5, 5), (-5, 11), (-30, 64), (0, 40), (-2, 3), (0, 0),
      ]
      for (distance, ramp) in places where Bool.random(using: &noise) {
        let object = Int.random(in: 0...1, using: &noise)
        lines.append(
          Line(
            object: object, at: edge + distance, ramp: ramp, state: ObjectScript.anyState(&noise)))
      }
    }
    for _ in all {
      lines.append(
        Line(
          object: Int.random(in: 0...1, using: &noise),
          at: Int.random(in: 0..<frames, using: &noise),
          ramp: Int.random(in: 0...300, using: &noise), state: ObjectScript.anyState(&noise)))
    }
    let inside = lines.filter { (0..<frames).contains($0.at) }
    // Lines for the same sample keep their order.
    self.lines = inside.enumerated().sorted { ($0.1.at, $0.0) < ($1.1.at, $1.0) }.map(\.element)
  }

  private static func anyState(_ noise: inout SeededNoise) -> ObjectState {
    ObjectState(
      position: .polar(
        Direction(
          azimuth: Double.random(in: -180...180, using: &noise),
          elevation: Double.random(in: -90...90, using: &noise)),
        distance: Double.random(in: 0...3, using: &noise)),
      gain: Double.random(in: 0...2, using: &noise),
      extent: ObjectExtent(width: Double.random(in: 0...360, using: &noise)))
  }

  /// The programme.
  package var programme: Programme {
    Programme(
      sampleRate: rate,
      elements: [.bed(.stereo)] + starts.map { .object(name: nil, start: $0) })
  }

  /// States of both objects at a sample, by all lines up to that sample.
  package func states(at sample: Int) -> [ObjectState] { states(at: sample, lines: sample) }

  /// States that both objects have at a sample by the lines before that sample alone.
  package func statesCarried(to sample: Int) -> [ObjectState] {
    states(at: sample, lines: sample - 1)
  }

  private func states(at sample: Int, lines last: Int) -> [ObjectState] {
    [0, 1].map { object in
      var origin = starts[object]
      var (target, begin, ramp) = (starts[object], 0, 0)
      for line in lines where line.object == object && line.at <= last {
        origin = ObjectScript.between(origin, target, line.at - begin, ramp)
        (target, begin, ramp) = (line.state, line.at, line.ramp)
      }
      return ObjectScript.between(origin, target, sample - begin, ramp)
    }
  }

  private static func between(
    _ one: ObjectState, _ two: ObjectState, _ passed: Int, _ ramp: Int
  ) -> ObjectState {
    guard passed < ramp, case .polar(let from, let near) = one.position,
      case .polar(let to, let far) = two.position
    else { return two }
    let share = Double(passed) / Double(ramp)
    var way = to.azimuth - from.azimuth
    if way > 180 { way = way - 360 } else if way < -180 { way = way + 360 }
    var azimuth = from.azimuth + way * share
    if azimuth > 180 { azimuth = azimuth - 360 } else if azimuth < -180 { azimuth = azimuth + 360 }
    let elevation = from.elevation + (to.elevation - from.elevation) * share
    return ObjectState(
      position: .polar(
        Direction(azimuth: azimuth, elevation: elevation), distance: near + (far - near) * share),
      gain: one.gain + (two.gain - one.gain) * share,
      extent: ObjectExtent(
        width: one.extent.width + (two.extent.width - one.extent.width) * share))
  }

  /// Appends samples of the script to `block`, with the updates in them.
  package func append(_ range: Range<Int>, to block: ProgrammeBlock) {
    let place = block.end
    let first = block.audio.grow(by: range.count)
    for plane in 0..<4 {
      let samples = block.audio.channel(plane)
      for index in range { samples[first + index - range.lowerBound] = Float(index + 1) }
    }
    for line in lines where range.contains(line.at) {
      block.add(
        ObjectUpdate(
          plane: ObjectScript.planes[line.object], at: place + Int64(line.at - range.lowerBound),
          ramp: Double(line.ramp), state: line.state))
    }
  }
}

/// One sample that a source delivered.
package struct ObservedSample: Equatable, Sendable {
  /// The value that all planes have.
  package var value: Float
  /// States of both objects.
  package var states: [ObjectState]

  /// A sample from its value and its objects' states.
  package init(value: Float, states: [ObjectState]) {
    self.value = value
    self.states = states
  }
}

/// Takes blocks as a renderer does and notes the states at every sample in two ways: as each block states
/// them, and by following the updates alone.
package final class ObjectObserver {
  /// Samples with the states that their block states.
  package private(set) var samples: [ObservedSample] = []
  /// Samples with the states that follow from the start states and all updates.
  package private(set) var followed: [[ObjectState]] = []
  private var motions: [ObjectMotion]

  /// An observer of the programme that `script` describes.
  package init(_ programme: Programme) {
    motions = programme.elements.compactMap { element in
      guard case .object(_, let start) = element else { return nil }
      return ObjectMotion(restingIn: start)
    }
  }

  /// Notes all samples of `block`.
  package func take(_ block: ProgrammeBlock) {
    for index in 0..<block.frames {
      let values = Set((0..<4).map { block.audio.channel($0)[index] })
      let at = block.start + Int64(index)
      samples.append(
        ObservedSample(
          value: values.count == 1 ? values.first ?? -1 : -1,
          states: ObjectScript.planes.compactMap { block.motion(of: $0, at: at)?.state }))
      for update in block.updates where update.at == at {
        let object = update.plane - 2
        motions[object] = ObjectMotion(
          from: update.origin ?? motions[object].state, to: update.state, ramp: update.ramp,
          lead: update.lead, elapsed: update.elapsed)
      }
      followed.append(motions.map(\.state))
      motions = motions.map { $0.advanced(by: 1) }
    }
  }

  /// Everything that `source` gives, noted block by block as it comes.
  /// - Throws: what the source throws.
  package static func drain(_ source: any ProgrammeSource) throws -> ObjectObserver {
    let observer = ObjectObserver(source.programme)
    let block = ProgrammeBlock(source.programme)
    var more = true
    while more {
      block.removeAll()
      more = try source.read(into: block)
      observer.take(block)
    }
    return observer
  }
}
