// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// A room around objects and a moving head.
@Suite struct SceneRoomTests {
  private let hrtf: HRTFSet

  init() throws { hrtf = try HRTFSet.builtIn() }

  private func noise(_ count: Int, seed: UInt64 = 3) -> [Float] {
    var source = SeededNoise(seed: seed)
    return source.samples(count, peak: 0.5)
  }

  private func impulse(_ count: Int, at time: Int) -> [Float] {
    var samples = [Float](repeating: 0, count: count)
    samples[time] = 1
    return samples
  }

  private func difference(_ one: [[Float]], _ other: [[Float]]) -> Double {
    (0..<2).map { Render.difference(one[$0].map(Double.init), other[$0].map(Double.init)) }
      .max() ?? 0
  }

  /// The part of `room` in the sound of an object, both ears.
  private func reflections(
    _ signal: [Float], _ state: ObjectState, updates: [ObjectUpdate] = [], _ room: RoomModel,
    pose: HeadPose = .ahead, way: HeadTrajectory? = nil
  ) throws -> [[Double]] {
    var options = SceneOptions(pose: pose, trajectory: way)
    let dry = try SceneRun(signal, state, updates: updates, options: options).render(hrtf)
    options.room = room
    let wet = try SceneRun(signal, state, updates: updates, options: options).render(hrtf)
    return zip(wet, dry).map { wet, dry in
      wet.indices.map { Double(wet[$0]) - ($0 < dry.count ? Double(dry[$0]) : 0) }
    }
  }

  // MARK: At rest

  @Test(
    "an object at rest in a room equals the left channel within −120 dB in both poses",
    arguments: RoomModel.allCases)
  func anObjectAtRestSoundsLikeAChannel(room: RoomModel) throws {
    let samples = noise(12000)
    let silence = [Float](repeating: 0, count: samples.count)
    for pose in [HeadPose.ahead, HeadPose(yaw: 25, pitch: -10)] {
      let stage = BedStage(hrtf: hrtf, options: SceneOptions(pose: pose, room: room))
      let alone = try StageVerifier.run(
        stage, format: Render.format("stereo"), signal: [samples, silence], blockSize: 0)
      let channel = alone.map { Array($0.dropFirst(stage.latency)) }
      let options = SceneOptions(pose: pose, room: room)
      let object = try SceneRun(samples, SceneRun.state(30), options: options).render(hrtf)
      #expect(difference(object, channel) <= -120)
      let both = try SceneRun(
        [.bed(Render.format("stereo").layout), .object(name: nil, start: SceneRun.state(-70))],
        [samples, silence, silence], options: options
      ).render(hrtf)
      #expect(difference(both, channel) <= -120)
    }
  }

  /// Gains don't make an object move, and what it played before it moves keeps its exact reflections.
  @Test("sound before an object's first move keeps its exact reflections within −115 dB")
  func anObjectIsExactUntilItMoves() throws {
    let samples = impulse(24000, at: 2000)
    let far = ObjectUpdate(plane: 0, at: 3001, state: SceneRun.state(-100))
    let gain = ObjectUpdate(plane: 0, at: 1000, ramp: 500, state: SceneRun.state(30, gain: 0.5))
    let options = SceneOptions(room: .medium)
    let plain = try SceneRun(samples, SceneRun.state(30, gain: 0.5), options: options).render(hrtf)
    let moved = try SceneRun(samples, SceneRun.state(30), updates: [gain, far], options: options)
      .render(hrtf)
    #expect(difference(moved, plain) <= -115)
  }

  /// The filters for objects at rest end when all objects have left them.
  @Test("an object at rest keeps its reflections within −115 dB after another has moved away")
  func reflectionsLastUntilTheLastObjectLeaves() throws {
    let samples = noise(96_000)
    let options = SceneOptions(room: .medium)
    let alone = try SceneRun(samples, SceneRun.state(30), options: options).render(hrtf)
    let silence = [Float](repeating: 0, count: samples.count)
    let both = try SceneRun(
      [30.0, -70].map { .object(name: nil, start: SceneRun.state($0)) }, [samples, silence],
      updates: [ObjectUpdate(plane: 1, at: 2400, state: SceneRun.state(-100))], options: options
    ).render(hrtf)
    #expect(difference(both, alone) <= -115)
  }

  // MARK: Against the slow reference

  /// An impulse under a trajectory that rests: the sound field's rendition of 24 images.
  @Test(
    "reflections under a resting trajectory have the images' energy, level difference, bands and ITD",
    arguments: RoomModel.allCases)
  func reflectionsAreThoseOfTheImages(room: RoomModel) throws {
    let designer = HRIRDesigner(hrtf, rate: 48000)
    let fft = DoubleFFT(length: RoomListening.points)
    var energies: [Double] = []
    var sides: [Double] = []
    var lags: [Double] = []
    var bands: [[Double]] = RoomFigures.centers.map { _ in [] }
    for (index, place) in UnitVector.lattice(16).enumerated() {
      let pose = index % 2 == 0 ? HeadPose.ahead : HeadPose(yaw: 50, pitch: 15, roll: -8)
      let way = try HeadTrajectory(csv: "0,\(pose.yaw),\(pose.pitch),\(pose.roll)")
      let direction = UnitVector.direction(of: place)
      let made = try reflections(
        impulse(6000, at: 100), SceneRun.state(direction.azimuth, direction.elevation), room,
        way: way
      ).map { Render.spectrum(Array($0.dropFirst(100)), fft) }
      let wanted = RoomListening(room, place, designer, pose: pose).ears
      let (one, other) = (RoomFigures(made), RoomFigures(wanted))
      energies.append(one.energy - other.energy)
      sides.append((one.side - other.side).magnitude)
      lags.append((one.lag - other.lag).magnitude)
      for ear in 0..<2 {
        for band in bands.indices {
          bands[band].append(one.bands[ear][band] - other.bands[ear][band])
        }
      }
    }
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    let errors = bands.flatMap { $0 }.map(\.magnitude)
    QualityRecord.add("\(room) room: energy of reflections", "kemar", mean(energies))
    QualityRecord.add("\(room) room: level difference", "kemar", mean(sides))
    QualityRecord.add("\(room) room: thirds of octaves", "kemar", mean(errors))
    QualityRecord.add("\(room) room: interaural delay", "kemar", lags.sorted()[lags.count / 2])
    #expect(energies.allSatisfy { $0.magnitude < 1.5 })
    #expect(mean(energies).magnitude < 0.5)
    #expect(mean(sides) < 0.5)
    #expect(mean(errors) < 0.8)
    #expect(lags.sorted()[lags.count / 2] < 25)
  }

  // MARK: Turning head

  @Test("reflections under a resting trajectory equal those of the pose within −100 dB")
  func aHeadAtRestHearsTheRoomInItsPose() throws {
    // Another place than the first one keeps the exact filters away from what is heard.
    let samples = [Float](repeating: 0, count: 200) + noise(9000)
    let jump = ObjectUpdate(plane: 0, at: 1, state: SceneRun.state(70, 20))
    let pose = HeadPose(yaw: 33, pitch: 8, roll: -5)
    let still = try reflections(
      samples, SceneRun.state(0), updates: [jump], .small, pose: pose)
    let moving = try reflections(
      samples, SceneRun.state(0), updates: [jump], .small, way: HeadTrajectory(csv: "0,33,8,-5"))
    for ear in 0..<2 { #expect(Render.difference(moving[ear], still[ear]) <= -100) }
  }

  @Test("a bed in a room after a whole turn equals that of a head at rest within −100 dB")
  func aWholeTurnComesBackToTheSameFilters() throws {
    let samples = impulse(20000, at: 15000)
    let layout = Render.format("5.1").layout
    let signal = layout.speakers.map { _ in samples }
    func render(_ csv: String) throws -> [[Float]] {
      let options = SceneOptions(trajectory: try HeadTrajectory(csv: csv), room: .small)
      return try SceneRun([.bed(layout)], signal, options: options).render(hrtf)
    }
    let turned = try render("0,0,0,0\n0.1,120,0,0\n0.2,240,0,0\n0.3,360,0,0")
    #expect(difference(turned, try render("0,0,0,0")) <= -100)
  }

  /// The reflections of what a head that looks to the left hears from its left are those of the front,
  /// in a room that is turned: they come from elsewhere than with the head ahead.
  @Test("reflections mirror for heads at 90° and −90° and differ from those ahead")
  func reflectionsTurnAgainstTheHead() throws {
    let samples = impulse(4000, at: 100)
    let ahead = try reflections(samples, SceneRun.state(0), .small)
    let left = try reflections(
      samples, SceneRun.state(0), .small, way: HeadTrajectory(csv: "0,90,0,0"))
    let right = try reflections(
      samples, SceneRun.state(0), .small, way: HeadTrajectory(csv: "0,-90,0,0"))
    #expect(Render.difference(left[0], right[1]) <= -80)
    #expect(Render.difference(left[0], ahead[0]) > -10)
    #expect(Render.energy(left[1]) > Render.energy(left[0]))
  }

  // MARK: Requests of objects

  @Test("head-locked and near objects in a room have the bits of dry ones")
  func headLockedAndNearObjectsHaveNoRoom() throws {
    let samples = noise(5000)
    for rules in [ObjectRules(headphones: .near), ObjectRules(isHeadLocked: true)] {
      let state = SceneRun.state(40, rules: rules)
      let wet = try SceneRun(samples, state, options: SceneOptions(room: .small)).render(hrtf)
      let dry = try SceneRun(samples, state).render(hrtf)
      for ear in 0..<2 {
        #expect(Array(wet[ear].prefix(dry[ear].count)) == dry[ear])
        // The room's longer tail holds rounding only.
        #expect(wet[ear].dropFirst(dry[ear].count).allSatisfy { $0.magnitude < 1e-5 })
      }
    }
  }

  @Test("far objects have reflections 3.01 dB stronger, and middle ones the plain reflections")
  func farObjectsHaveStrongerReflections() throws {
    let samples = impulse(4000, at: 100)
    func energy(_ mode: ObjectRules.HeadphoneMode, _ way: HeadTrajectory?) throws -> Double {
      let state = SceneRun.state(40, rules: ObjectRules(headphones: mode))
      return try reflections(samples, state, .small, way: way).reduce(0) { $0 + Render.energy($1) }
    }
    for way in [nil, try HeadTrajectory(csv: "0,10,0,0")] {
      let plain = try energy(.unstated, way)
      #expect(try energy(.middle, way) == plain)
      #expect((10 * log10(try energy(.far, way) / plain) - 3.01).magnitude < 0.01)
    }
  }

  // MARK: Motion

  /// Fading from delay to delay takes some energy of high frequencies, at 90° a second 1.2 dB of all.
  @Test("reflections at 90° a second have −1.5…0.3 dB of the energy at rest")
  func movingKeepsTheEnergyOfReflections() throws {
    let samples = noise(24000)
    let updates = (0..<10).map { (index: Int) -> ObjectUpdate in
      let state = SceneRun.state(4.5 * Double(index + 1))
      return ObjectUpdate(plane: 0, at: Int64(2400 * index), ramp: 2400, state: state)
    }
    let moving = try reflections(samples, SceneRun.state(0), updates: updates, .small)
    let range = 4000..<20000
    func energy(_ ears: [[Double]]) -> Double {
      ears.reduce(0) { $0 + Render.energy(Array($1[range])) }
    }
    let places = stride(from: 7.5, through: 37.5, by: 5.0)
    let resting = try places.map { azimuth in
      energy(try reflections(samples, SceneRun.state(azimuth), .small))
    }
    let ratio = 10 * log10(energy(moving) / (resting.reduce(0, +) / Double(resting.count)))
    QualityRecord.add("reflections of an object at 90°/s, energy", "kemar", ratio)
    #expect((-1.5...0.3).contains(ratio))
  }

  /// Images fade within a hop, however many hops are rendered at once.
  @Test("reflections rendered by 2 or 4 hops have the bits of single hops")
  func stepsOfSeveralHopsSoundLikeSingleOnes() throws {
    let hop = 256
    let samples = noise(16 * hop)
    func render(hops: Int) throws -> [[Float]] {
      let options = SceneOptions(trajectory: try HeadTrajectory(csv: "0,0,0,0\n0.1,40,0,0"))
      let bus = try ReflectionBus(
        RoomModel.small.shoebox, hrtf, rate: 48000, hop: hop, options)
      let step = hops * hop
      let (here, there) = (SIMD3(1.0, 0, 0), SIMD3(0.8, 0.6, 0))
      let shape = VoiceShape(reflections: 1)
      let voice = ObjectVoice(
        course: VoiceCourse(here, shape), gain: GainLine(1), history: 768, step: step,
        makeFilter: { Buffer(aligned: 64) })
      let fade = Fade(start: 300, length: 2500)
      voice.course.append(
        VoiceCourse.Leg(
          time: 300, path: VoicePath(from: here, to: there, fade), shape: (shape, shape)),
        keeping: 5000)
      let output = AudioBuffer(channels: 2)
      let still = AudioBuffer(channels: 2)
      for start in stride(from: 0, to: samples.count, by: step) {
        voice.beginStep()
        samples.withUnsafeBufferPointer { samples in
          guard let source = samples.baseAddress else { return }
          voice.add(source + start, count: step, offset: 0, time: start)
        }
        let heard = voice.endStep() ? [voice] : []
        bus.play(heard, start: start, frames: step, into: output, still: still)
      }
      return (0..<2).map { Array(output.channel($0)) }
    }
    let single = try render(hops: 1)
    for hops in [2, 4] { #expect(try render(hops: hops) == single) }
    #expect(single[0].contains { $0 != 0 })
  }

  /// A voice that the room doesn't hear costs it nothing.
  @Test(
    "a voice gets a reflection state only when its reflection gain is above 0", arguments: [0.0, 1])
  func onlyVoicesWithReflectionsAreTaken(gain: Double) throws {
    let hop = 256
    let samples = noise(hop)
    let options = SceneOptions(trajectory: try HeadTrajectory(csv: "0,0,0,0\n0.1,40,0,0"))
    let bus = try ReflectionBus(RoomModel.small.shoebox, hrtf, rate: 48000, hop: hop, options)
    let voice = ObjectVoice(
      course: VoiceCourse(SIMD3(1, 0, 0), VoiceShape(reflections: gain)), gain: GainLine(1),
      history: 768, step: hop, makeFilter: { Buffer(aligned: 64) })
    voice.beginStep()
    samples.withUnsafeBufferPointer { samples in
      guard let source = samples.baseAddress else { return }
      voice.add(source, count: hop, offset: 0, time: 0)
    }
    #expect(voice.endStep())
    let (output, still) = (AudioBuffer(channels: 2), AudioBuffer(channels: 2))
    bus.play([voice], start: 0, frames: hop, into: output, still: still)
    #expect((voice.reflections != nil) == (gain > 0))
  }

  @Test("the last 20 samples after a room's tail are below 1e-6 of the peak")
  func nothingIsLeftAfterTheTail() throws {
    for room in RoomModel.allCases {
      let run = SceneRun(
        impulse(300, at: 299), SceneRun.state(100, 10),
        options: SceneOptions(trajectory: try HeadTrajectory(csv: "0,0,0,0"), room: room))
      let ears = try run.render(hrtf)
      let peak = ears[0].map(\.magnitude).max() ?? 0
      #expect(ears.allSatisfy { $0.suffix(20).allSatisfy { $0.magnitude < 1e-6 * peak } })
    }
  }
}
