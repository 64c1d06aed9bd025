// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Spatial

/// The cost of the scene stage alone for objects on headphones.
struct SceneCost {
  /// The row's name.
  var name: String
  /// Objects.
  var objects: Int
  /// Degrees a second by which the objects turn to the left, in ramps of 0.1 s as files have them.
  var speed = 0.0
  /// Whether the objects are 30° to 90° wide, each with a width of its own that changes by 20° a second.
  var isWide = false

  /// The rows that are printed.
  static let all = [
    SceneCost(name: "118 objects, moving", objects: 118, speed: 90),
    SceneCost(name: "118 objects, resting", objects: 118),
    SceneCost(name: "20 wide objects, moving", objects: 20, speed: 90, isWide: true),
  ]

  /// Seconds of the programme before the measured ones: each response that is needed is made in them.
  private static let warmUp = 8
  /// Samples of a block: a ramp's.
  private static let block = SpatialBench.rate / 10

  /// CPU seconds for ten minutes, worked out from `seconds` of them.
  func measure(seconds: Int = 60) throws -> Double {
    let stage = SceneRenderer(hrtf: try HRTFSet.builtIn())
    let programme = Programme(
      sampleRate: SpatialBench.rate,
      elements: (0..<objects).map { .object(name: nil, start: state(of: $0, at: 0)) })
    let output = AudioBuffer(channels: try stage.prepare(programme).channels)
    let noise = SpatialBench.noise(objects, SceneCost.block)
    let block = ProgrammeBlock(programme)
    var cost = 0.0
    for index in 0..<10 * (SceneCost.warmUp + seconds) {
      output.removeAll()
      block.removeAll()
      block.audio.append(noise)
      if speed != 0 { for plane in 0..<objects { addRamp(plane, index, to: block) } }
      let start = SpatialBench.processTime()
      try stage.process(block, into: output)
      if index >= 10 * SceneCost.warmUp { cost += SpatialBench.processTime() - start }
    }
    return cost * 600 / Double(seconds)
  }

  private func addRamp(_ plane: Int, _ index: Int, to block: ProgrammeBlock) {
    block.add(
      ObjectUpdate(
        plane: plane, at: block.start, ramp: Double(SceneCost.block),
        state: state(of: plane, at: Double(index + 1) / 10)))
  }

  /// Place of object `index` after `time` seconds: spread over azimuths and nine heights.
  private func state(of index: Int, at time: Double) -> ObjectState {
    let azimuth = (37 * Double(index) + speed * time).truncatingRemainder(dividingBy: 360)
    let width = 30 + (7 * Double(index) + 20 * time).truncatingRemainder(dividingBy: 60)
    return ObjectState(
      position: .polar(
        Direction(
          azimuth: azimuth > 180 ? azimuth - 360 : azimuth, elevation: Double(index % 9) * 10 - 30),
        distance: 1),
      extent: isWide ? ObjectExtent(width: width, height: 20) : .point)
  }
}
