// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

@Suite struct RoomTests {
  private func bank(
    _ layout: String, _ room: RoomModel?, pose: HeadPose = .ahead, rate: Int = 48000
  ) throws -> BedFilters {
    try BedFilters(
      HRTFSet.builtIn(), Render.format(layout, rate: rate), SceneOptions(pose: pose, room: room))
  }

  private func noise(_ channels: Int, _ frames: Int) -> [[Float]] {
    var source = SeededNoise(seed: 9)
    return (0..<channels).map { _ in source.samples(frames, peak: 0.5) }
  }

  /// Samples between the direct sound and the first reflection of a channel.
  private func gap(_ room: RoomModel, _ direction: Direction) -> Int {
    let delays = room.shoebox.reflections(from: direction).map { $0.delay(rate: 48000) }
    return Int((delays.min() ?? 0).rounded(.down))
  }

  /// Sound travels 343 m in a second at 20 °C: 3.43 m more are 480 samples of 48 kHz.
  @Test("3.43 m more are a delay of 480 samples at 48 kHz and 441 at 44.1 kHz")
  func delaysAreThoseOfSound() {
    let reflection = Reflection(place: [1, 0, 0], extraWay: 3.43, gain: 0.5, surfaces: [])
    #expect((reflection.delay(rate: 48_000) - 480).magnitude < 1e-9)
    #expect((reflection.delay(rate: 44_100) - 441).magnitude < 1e-9)
  }

  /// A path that meets floor and ceiling meets each once, the one that its image lies beyond first.
  @Test("paths to image cells meet curtains, tiles and carpet in the order of their way")
  func pathsMeetTheSurfacesOnTheirWay() {
    let expected: [(SIMD3<Int>, [Surface])] = [
      (SIMD3(0, 0, 1), [.tiles]), (SIMD3(0, 0, -1), [.carpet]),
      (SIMD3(0, 0, 2), [.tiles, .carpet]),
      (SIMD3(0, 0, -2), [.carpet, .tiles]), (SIMD3(2, 0, 0), [.curtain, .curtain]),
      (SIMD3(0, -1, 1), [.curtain, .tiles]), (SIMD3(0, 0, 3), [.tiles, .carpet, .tiles]),
    ]
    for (cell, surfaces) in expected {
      #expect(Shoebox.surfaces(before: cell) == surfaces, "\(cell)")
    }
  }

  @Test(
    "a room keeps latency and each bit of the direct sound until the first reflection",
    arguments: RoomModel.allCases)
  func theDirectSoundStaysAsItIs(room: RoomModel) throws {
    for name in ["stereo", "7.1.4"] {
      let dry = try bank(name, nil)
      let wet = try bank(name, room)
      let layout = Render.format(name).layout
      #expect(wet.latency == dry.latency)
      #expect(wet.lead == dry.lead)
      for channel in layout.speakers.indices where !layout.speakers[channel].isLFE {
        let first = gap(room, layout.direction(at: channel))
        // The nearest surface is 0.3 m behind a loudspeaker; most are much further.
        #expect(first >= 30, "\(layout.speakers[channel].name): \(first)")
        let until = wet.latency - wet.lead + first
        #expect(wet.left[channel][..<until] == dry.left[channel][..<until])
        #expect(wet.right[channel][..<until] == dry.right[channel][..<until])
      }
    }
  }

  /// Without the direct sound, each reflection has its own direction, time and level. The test calculates
  /// each image from mirrored positions that are written out.
  @Test("24 reflections have the places, ways, gains and surface counts of mirrored loudspeakers")
  func reflectionsComeFromTheMirroredLoudspeakers() throws {
    let shoebox = RoomModel.small.shoebox
    let found = shoebox.reflections(from: Direction(azimuth: 30))
    #expect(found.count == 24)
    let source = shoebox.listener + 1.8 * UnitVector.of(Direction(azimuth: 30))
    func mirrored(_ place: SIMD3<Double>, _ axis: Int, _ plane: Double) -> SIMD3<Double> {
      var place = place
      place[axis] = 2 * plane - place[axis]
      return place
    }
    var images: [(place: SIMD3<Double>, surfaces: Int)] = []
    let planes = (0..<3).flatMap { axis in [(axis, 0.0), (axis, shoebox.size[axis])] }
    for (index, first) in planes.enumerated() {
      let once = mirrored(source, first.0, first.1)
      images.append((once, 1))
      for (other, second) in planes.enumerated() where other != index {
        // For two walls at right angles, both orders of reflection give the same image.
        if second.0 != first.0 && other < index { continue }
        images.append((mirrored(once, second.0, second.1), 2))
      }
    }
    #expect(images.count == 24)
    for image in images {
      let way = image.place - shoebox.listener
      let length = UnitVector.dot(way, way).squareRoot()
      let match = found.first {
        let gap = $0.place - way / length
        return UnitVector.dot(gap, gap) < 1e-12 && ($0.extraWay - (length - 1.8)).magnitude < 1e-9
      }
      #expect(match?.surfaces.count == image.surfaces, "image at \(image.place)")
      #expect(((match?.gain ?? 0) - 1.8 / length).magnitude < 1e-12)
    }
    let floor = found.first { $0.surfaces == [.carpet] }
    #expect(floor?.place.z ?? 0 < -0.5)
    #expect(found.first { $0.surfaces == [.tiles] }?.place.z ?? 0 > 0.5)
  }

  @Test("reflections of a filter bank equal their sum from directions and delays within −200 dB")
  func everyReflectionIsHeardFromItsDirectionAtItsTime() throws {
    let designer = HRIRDesigner(try HRTFSet.builtIn(), rate: 48000)
    let shoebox = RoomModel.small.shoebox
    let direction = Direction(azimuth: 110)
    let reflections = shoebox.reflections(from: direction).sorted { $0.extraWay < $1.extraWay }
    let wet = try bank("5.1", .small)
    let dry = try bank("5.1", nil)
    let channel = 4
    let start = wet.latency - wet.lead
    // The first one alone, until the second begins.
    let delays = reflections.map { $0.delay(rate: 48000) }
    let echo = designer.pair(at: reflections[0].place)
    let rest = wet.left[channel].indices.map { index in
      wet.left[channel][index] - (index < dry.left[channel].count ? dry.left[channel][index] : 0)
    }
    let filtered = reflections[0].filtered(echo.left, rate: 48000)
    let part = Array(rest[(start + Int(delays[0]))...].prefix(2 * designer.lead + 60))
    let lag = Render.lag(part, Array(filtered.prefix(2 * designer.lead + 60)))
    #expect((lag - delays[0].truncatingRemainder(dividingBy: 1)).magnitude < 0.3, "\(lag)")
    // All of them, added up in another way: shifts by the sinc of the designer's own spectra.
    var sum = [Double](repeating: 0, count: rest.count)
    for reflection in reflections {
      let delay = reflection.delay(rate: 48000)
      let whole = Int(delay)
      let pair = designer.pair(at: reflection.place, delayedBy: delay - Double(whole))
      for (tap, value) in reflection.filtered(pair.left, rate: 48000).enumerated() {
        sum[start + whole + tap] += value
      }
    }
    #expect(Render.difference(rest, sum) < -200)
  }

  @Test(
    "reflections have −9…−2 dB of the direct sound and fall from each 15 ms to the next",
    arguments: RoomModel.allCases)
  func reflectionsAreWeakerThanTheDirectSoundAndDecay(room: RoomModel) throws {
    let dry = try bank("5.1", nil)
    let wet = try bank("5.1", room)
    for channel in [0, 2, 4] {
      func levels(_ range: Range<Double>) -> Double {
        let start = wet.latency
        let from = start + Int(range.lowerBound * 48)
        let until = min(wet.length, start + Int(range.upperBound * 48))
        return [(wet.left, dry.left), (wet.right, dry.right)].reduce(0) { sum, ears in
          sum
            + (from..<max(from, until)).reduce(0) { energy, index in
              let direct = index < dry.length ? ears.1[channel][index] : 0
              return energy + pow(ears.0[channel][index] - direct, 2)
            }
        }
      }
      let direct =
        Render.energy(dry.left[channel]) + Render.energy(dry.right[channel])
      let ratios = [0.0..<100, 0..<15, 15..<30, 30..<45, 45..<100].map {
        10 * log10(max(levels($0), 1e-12) / direct)
      }
      #expect((-9 ... -2).contains(ratios[0]), "\(ratios)")
      #expect(ratios[1] > ratios[2] + 1.5, "\(ratios)")
      #expect(ratios[2] > ratios[3] + 1.5, "\(ratios)")
      #expect(ratios[3] > ratios[4], "\(ratios)")
    }
  }

  @Test("carpet absorbs 4 % of power at 20 Hz and 65 % near half the rate")
  func surfacesDullWhatTheyReflect() throws {
    var reflection = try #require(
      RoomModel.small.shoebox.reflections(from: Direction(azimuth: 0))
        .first { $0.surfaces == [.carpet] })
    reflection = Reflection(
      place: reflection.place, extraWay: 0, gain: 1, surfaces: reflection.surfaces)
    for rate in [8000, 48000, 192_000] {
      let taps = reflection.filtered([1], rate: rate)
      for (frequency, absorption) in [(20.0, 0.04), (Double(rate) / 2 * 0.9, 0.65)] {
        let power = Render.power(taps, at: frequency, rate: rate)
        if rate > 8000 {
          #expect((1 - power - absorption).magnitude < 0.03, "\(frequency) Hz at \(rate): \(power)")
        }
      }
      #expect(Render.power(taps, at: 200, rate: rate) > Render.power(taps, at: 2000, rate: rate))
      #expect((taps.last ?? 1).magnitude < 1e-6)
    }
  }

  @Test(
    "mirrored channels of 7.1.4 in a room mirror the ears within −120 dB",
    arguments: RoomModel.allCases)
  func leftAndRightMirrorEachOther(room: RoomModel) throws {
    let filters = try bank("7.1.4", room)
    for (left, right) in [(0, 1), (4, 5), (6, 7), (8, 9), (10, 11)] {
      #expect(Render.difference(filters.left[left], filters.right[right]) <= -120)
      #expect(Render.difference(filters.right[left], filters.left[right]) <= -120)
    }
    #expect(Render.difference(filters.left[2], filters.right[2]) <= -120)
  }

  @Test(
    "a rendering in a room with its tail equals direct convolution within −135 dB", .tags(.slow),
    .fullRunOnly, arguments: ["mono", "5.1", "22.2"])
  func matchesDirectConvolutionTailIncluded(layout: String) throws {
    let format = Render.format(layout)
    let filters = try bank(layout, .medium)
    let signal = noise(format.channels, layout == "22.2" ? 2000 : 9000)
    let stage = BedStage(
      hrtf: try HRTFSet.builtIn(), options: SceneOptions(room: .medium))
    let ears = try StageVerifier.run(stage, format: format, signal: signal, blockSize: 0)
    for (ear, side) in [filters.left, filters.right].enumerated() {
      let expected = Render.direct(signal, side)
      #expect(ears[ear].count == expected.count)
      #expect(ears[ear].count == signal[0].count + stage.latency + stage.tail)
      let error = Render.difference(ears[ear].map(Double.init), expected)
      #expect(error <= -135, "\(layout), ear \(ear): \(error) dB")
    }
  }

  @Test("a rendering in a room has the same bits for blocks of any size")
  func outputDoesNotDependOnBlockSize() throws {
    let hrtf = try HRTFSet.builtIn()
    let difference = try StageVerifier.firstDifference(
      format: Render.format("5.1"), signal: noise(6, 30000),
      make: { BedStage(hrtf: hrtf, options: SceneOptions(room: .small)) })
    #expect(difference == nil)
  }

  @Test("LFE in a room has the latency and samples of LFE without one")
  func bassHasNoRoom() throws {
    let hrtf = try HRTFSet.builtIn()
    let dry = try Render.impulse(.lowFrequency, in: "5.1", hrtf)
    let wet = try Render.impulse(
      .lowFrequency, in: "5.1", hrtf, options: SceneOptions(room: .small))
    #expect(wet.latency == dry.latency)
    for ear in 0..<2 {
      #expect(
        Render.difference(Array(wet.ears[ear].prefix(dry.ears[ear].count)), dry.ears[ear]) < -200)
      #expect(Render.energy(Array(wet.ears[ear].dropFirst(dry.ears[ear].count))) == 0)
    }
  }

  /// A head that turns hears the room turn, not the loudspeakers move in it.
  @Test("a head turned by 180° and mirrored poses in a room mirror the ears within −120 dB")
  func theRoomStaysWhenTheHeadTurns() throws {
    let turned = try bank("mono", .small, pose: HeadPose(yaw: 180))
    let plain = try bank("mono", .small)
    #expect(turned.length == plain.length)
    // Looking away from the loudspeaker, left and right still mirror each other.
    #expect(Render.difference(turned.left[0], turned.right[0]) <= -120)
    let pose = HeadPose(yaw: 40, pitch: 10, roll: -5)
    let mirror = HeadPose(yaw: -40, pitch: 10, roll: 5)
    let one = try bank("stereo", .small, pose: pose)
    let other = try bank("stereo", .small, pose: mirror)
    #expect(Render.difference(one.left[0], other.right[1]) <= -120)
  }

  @Test("sources in 200 directions have reflections of over 5 cm extra way and gains of 0.01…1")
  func everyDirectionFitsIntoTheRoom() {
    for room in RoomModel.allCases {
      for place in UnitVector.lattice(200) {
        let direction = Direction(
          azimuth: atan2(place.y, place.x) * 180 / .pi, elevation: asin(place.z) * 180 / .pi)
        let found = room.shoebox.reflections(from: direction)
        #expect(found.allSatisfy { $0.extraWay > 0.05 && (0.01..<1).contains($0.gain) })
      }
    }
  }
}
