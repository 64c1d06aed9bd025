// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// Heads that turn in measured rooms: the nearest of the measured views is heard.
@Suite struct RoomViewsTests {
  private func refusal(_ work: () throws -> Void) -> String {
    do {
      try work()
      return ""
    } catch { return (error as? MediaError)?.message ?? "another error" }
  }

  private func noise(_ channels: Int, _ frames: Int, seed: UInt64 = 40) -> [[Float]] {
    (0..<channels).map { channel in
      var noise = SeededNoise(seed: seed + UInt64(channel))
      return noise.samples(frames, peak: 0.25)
    }
  }

  /// Stereo loudspeakers, heard by heads at `yaws`: a direct sound at sample 100 and noise of its own for each.
  private func room(
    _ yaws: [Double], views: [Int], samples: Int, rate: Int = 48_000
  ) -> RoomMeasurements {
    var responses: [Float] = []
    for view in views {
      for place in 0..<4 {
        var noise = SeededNoise(seed: UInt64(10 * view + place + 1))
        var response = noise.samples(samples, peak: 0.03)
        for sample in 0..<100 { response[sample] = 0 }
        response[100 + view] = 1
        responses += response
      }
    }
    return RoomMeasurements(
      sampleRate: rate, taps: samples,
      directions: [Direction(azimuth: 30), Direction(azimuth: -30)], yaws: yaws, views: views,
      responses: responses, delays: views.flatMap { _ in [0, 0, 0, 0] })
  }

  @Test("a yaw finds the view with the least angular distance, across ±180°")
  func theNearestViewIsFound() {
    let views = RoomViews(yaws: [-170, -20, 0, 10, 40, 170])
    for (yaw, view, distance) in [
      (0.0, 2, 0.0), (5, 2, 5), (5.1, 3, 4.9), (25, 3, 15), (-11, 1, 9), (180, 5, 10),
      (-180, 5, 10), (179, 5, 9), (-179, 0, 9), (355, 2, 5), (-345, 3, 5), (400, 4, 0),
    ] {
      let found = views.nearest(to: yaw)
      #expect(
        found.view == view && (found.distance - distance).magnitude < 1e-9, "\(yaw): \(found)")
    }
    #expect(views.ahead == 2)
    #expect(RoomViews(yaws: [0]).nearest(to: 180).distance == 180)
    // A slow look at all of them.
    var noise = SeededNoise(seed: 3)
    for _ in 0..<2000 {
      let yaw = Double.random(in: -360...360, using: &noise)
      let distances = views.yaws.map { (yaw - $0).remainder(dividingBy: 360).magnitude }
      let least = distances.min() ?? 0
      #expect((views.nearest(to: yaw).distance - least).magnitude < 1e-9, "\(yaw)")
    }
  }

  @Test("a pose over 5° from all views, or with pitch or roll, is refused with the views' yaws")
  func headsFarFromAllViewsAreRefused() throws {
    let few = RoomViews(yaws: [0, 90])
    #expect(try few.view(for: HeadPose(yaw: 86), in: "hall").view == 1)
    #expect(try few.view(for: HeadPose(yaw: -5), in: "hall").view == 0)
    let far = refusal { _ = try few.view(for: HeadPose(yaw: 45), in: "hall") }
    #expect(
      far.hasPrefix(
        "hall: was measured with heads at yaw 0.0° and 90.0°, and yaw 45.0° is more than 5° from all of them"
      ), "\(far)")
    let one = refusal { _ = try RoomViews(yaws: [0]).view(for: HeadPose(yaw: 30), in: "hall") }
    #expect(one.contains("one head only, which looks ahead, and yaw 30.0°"), "\(one)")
    let round = RoomViews(yaws: (-35...36).map { 5 * Double($0) })
    #expect(try round.view(for: HeadPose(yaw: -178), in: "hall").view == 71)
    let wide = RoomViews(yaws: (-9...9).map { 10 * Double($0) })
    let beyond = refusal { _ = try wide.view(for: HeadPose(yaw: 100), in: "hall") }
    #expect(beyond.contains("19 heads from yaw −90.0° to 90.0°, at most 10.0° apart"), "\(beyond)")
    let coarse = RoomViews(yaws: (-5...6).map { 30 * Double($0) })
    #expect(
      refusal { _ = try coarse.view(for: HeadPose(yaw: 10), in: "hall") }.contains(
        "12 heads all round, at most 30.0° apart"))
    for pose in [HeadPose(pitch: 1), HeadPose(roll: -1)] {
      #expect(
        refusal { _ = try round.view(for: pose, in: "hall") }.contains("turns to the side only"))
    }
  }

  /// Views along a trajectory are those that a slow walk along it finds.
  @Test(
    "the views along a trajectory are those of a sample-by-sample walk, and at most two more",
    arguments: [
      "0,0,0,0", "0,3,0,0\n1,22,0,0\n2,-31,0,0", "0,170,0,0\n1,-170,0,0\n2,-140,0,0",
      "0,-90,0,0\n1,90,0,0", "0,90,0,0\n1,-90,0,0\n2,-91,0,0",
      "0,0,0,0\n1,119,0,0\n2,-122,0,0\n3,0,0,0",
      "0,5,0,0\n1,15,0,0",
    ])
  func trajectoriesComeByTheirViews(way: String) throws {
    let views = RoomViews(yaws: (-17...18).map { 10 * Double($0) })
    let trajectory = try HeadTrajectory(csv: way)
    let found = try views.views(along: trajectory, in: "hall")
    var walked: Set<Int> = []
    for sample in -10..<4000 {
      walked.insert(views.nearest(to: trajectory.state(at: sample, rate: 1000)))
    }
    #expect(walked.isSubset(of: found))
    // A view that is only touched at its edge may be among them.
    #expect(found.count - walked.count <= 2, "\(found), \(walked.sorted())")
  }

  @Test("a trajectory over 5° from all views or with pitch is refused, even between views")
  func trajectoriesBetweenViewsAreRefused() throws {
    let views = RoomViews(yaws: [-8, 0, 8, 30])
    func words(_ way: String) -> String {
      refusal { _ = try views.views(along: HeadTrajectory(csv: way), in: "hall") }
    }
    #expect(words("0,-12,0,0\n1,12,0,0") == "")
    // Both ends are near a view, the way between them isn't.
    #expect(words("0,8,0,0\n1,30,0,0").contains("yaw 19.0° is more than 5°"))
    #expect(words("0,0,0,0\n1,14,0,0").contains("yaw 14.0° is more than 5°"))
    #expect(words("0,0,0,0\n1,2,1,0").contains("turns to the side only"))
  }

  @Test(
    "a turned room keeps gain and onset and equals direct convolution, and other yaws are refused")
  func aTurnedSetKeepsDelayAndGain() throws {
    let yaws = [-10.0, 0, 10]
    let set = try ChannelSet(id: "hall", room: room(yaws, views: [1], samples: 3000))
    let measured = room(yaws, views: [0, 2], samples: 3000)
    let turned = try set.turned(measured)
    #expect(turned.count == 2)
    let signal = noise(2, 2000)
    for (index, one) in turned.enumerated() {
      #expect(one.gain == set.gain && one.onset == set.onset)
      let stage = ChannelSetRenderer(one, lfeGainDB: nil)
      let ears = try StageVerifier.run(
        stage, format: Render.format("stereo"), signal: signal, blockSize: 0)
      #expect(stage.latency == 101)
      for ear in 0..<2 {
        let filters = (0..<2).map {
          measured.response($0, ear, view: index).map { Double($0) * set.gain }
        }
        let gap = Render.difference(ears[ear].map(Double.init), Render.direct(signal, filters))
        #expect(gap <= -120, "\(gap)")
      }
    }
    let other = refusal { _ = try set.turned(room([0, 10, 20], views: [1], samples: 3000)) }
    #expect(other.contains("changed while it was read"))
  }

  // MARK: Moving heads

  private static let yaws = [-20.0, -10, 0, 10, 20]
  private static let way = "0.01,-17,0,0\n0.05,18,0,0\n0.09,18,0,0\n0.12,-4,0,0"

  private func moving(
    samples: Int, lfe: Double? = nil, way: String = way
  ) throws -> (stage: ChannelSetRenderer, measured: RoomMeasurements, gain: Double) {
    let views = RoomViews(yaws: Self.yaws)
    let set = try ChannelSet(id: "hall", room: room(Self.yaws, views: [2], samples: samples))
    let trajectory = try HeadTrajectory(csv: way)
    let visited = try views.views(along: trajectory, in: "hall")
    let measured = room(Self.yaws, views: visited, samples: samples)
    let turns = ChannelSetRenderer.Turns(
      try set.turned(measured), views.only(visited), trajectory)
    return (ChannelSetRenderer(set, turns: turns, lfeGainDB: lfe), measured, set.gain)
  }

  /// Yaw at `time` seconds on ``way``.
  private func yaw(_ time: Double) -> Double {
    let points = [(0.01, -17.0), (0.05, 18), (0.09, 18), (0.12, -4)]
    guard time > points[0].0 else { return points[0].1 }
    for (one, other) in zip(points, points.dropFirst()) where time < other.0 {
      return one.1 + (other.1 - one.1) * (time - one.0) / (other.0 - one.0)
    }
    return points[points.count - 1].1
  }

  /// Output is the sum over views of weight × convolution: the nearest view at each 512th sample, linear in between.
  @Test(
    "a moving head hears the nearest views cross-faded over 512 samples within 1e-5 of the peak",
    arguments: [700, 5000, 40_000])
  func aMovingHeadHearsTheWeightedViews(samples: Int) throws {
    let (stage, measured, gain) = try moving(samples: samples)
    var signal = noise(2, 7000)
    // Long responses get few samples, for the sake of the slow reference.
    if samples > 1000 {
      for channel in 0..<2 {
        for frame in 0..<7000 where frame % 41 != 7 * channel { signal[channel][frame] = 0 }
      }
    }
    let ears = try StageVerifier.run(
      stage, format: Render.format("stereo"), signal: signal, blockSize: 0)
    let hop = 512
    #expect(stage.latency == 102)
    for ear in 0..<2 {
      let heard = measured.views.indices.map { view in
        Render.direct(
          signal, (0..<2).map { measured.response($0, ear, view: view).map { Double($0) * gain } })
      }
      func nearest(_ boundary: Int) -> Int {
        let yaw = yaw(Double(boundary * hop - stage.latency) / 48_000)
        let yaws = measured.views.map { Self.yaws[$0] }
        return yaws.indices.min { (yaw - yaws[$0]).magnitude < (yaw - yaws[$1]).magnitude } ?? 0
      }
      let wanted = heard[0].indices.map { sample -> Double in
        let part = Double(sample % hop) / Double(hop)
        let (one, other) = (nearest(sample / hop), nearest(sample / hop + 1))
        return (1 - part) * heard[one][sample] + part * heard[other][sample]
      }
      #expect(ears[ear].count == wanted.count)
      let peak = wanted.reduce(0) { max($0, $1.magnitude) }
      let error = zip(ears[ear], wanted).reduce(0) { max($0, (Double($1.0) - $1.1).magnitude) }
      #expect(error <= 1e-5 * peak, "\(error / peak)")
    }
  }

  @Test(
    "a moving head in a measured room has the same bits for blocks of any size",
    arguments: [2000, 40_000])
  func outputDoesNotDependOnBlockSize(samples: Int) throws {
    let format = AudioFormat(
      sampleRate: 48_000, layout: ChannelLayout([.frontLeft, .frontRight, .lowFrequency]))
    let difference = try StageVerifier.firstDifference(
      format: format, signal: noise(3, 9000), make: { try moving(samples: samples, lfe: 10).stage })
    #expect(difference == nil)
  }

  /// A head that came to rest hears what a head that was always there hears.
  @Test("a head that came to rest at a view renders within −120 dB of that view")
  func aRestingHeadHearsItsView() throws {
    let (stage, _, _) = try moving(samples: 3000, way: "-2,0,0,0\n-1,10,0,0")
    let format = Render.format("stereo")
    let signal = noise(2, 6000)
    let moved = try StageVerifier.run(stage, format: format, signal: signal, blockSize: 0)
    let set = try ChannelSet(id: "hall", room: room(Self.yaws, views: [2], samples: 3000))
    let turned = try set.turned(room(Self.yaws, views: [3], samples: 3000))
    let still = try StageVerifier.run(
      ChannelSetRenderer(turned[0], lfeGainDB: nil), format: format, signal: signal, blockSize: 0)
    for ear in 0..<2 {
      #expect(moved[ear].count == still[ear].count)
      let gap = Render.difference(moved[ear].map(Double.init), still[ear].map(Double.init))
      #expect(gap <= -120, "\(gap)")
    }
  }

  /// Spectra that were given up are made again, to the same bits.
  @Test("a convolver of views without memory gives the same bits and makes the filters again")
  func memoryChangesNothing() throws {
    let responses = (0..<4).map { view in noise(2, 900, seed: UInt64(100 * view)) }
    let signal = noise(1, 20_000)[0]
    func run(_ bytes: Int) throws -> (ears: [[Float]], made: Int) {
      var made = 0
      let convolver = ViewConvolver(
        channels: 1, taps: 900, hop: 64, mostBytes: bytes, viewAt: { $0 / 3 % 4 },
        makeFilters: { view in
          made += 1
          let taps = responses[view].map { $0.map(Double.init) }
          return ([taps[0]], [taps[1]])
        })
      let output = AudioBuffer(channels: 2)
      try signal.withUnsafeBufferPointer { plane in
        let base = try #require(plane.baseAddress)
        try convolver.process([base], frames: plane.count, into: output)
      }
      try convolver.finish(into: output)
      return ((0..<2).map { Array(output.channel($0)) }, made)
    }
    let (all, few) = (try run(256 << 20), try run(0))
    #expect(all.ears == few.ears)
    #expect(all.made == 4 && few.made > 50, "\(all.made) \(few.made)")
  }

  // MARK: Files

  @Test(
    "a room file's views are read in the order of their yaws, and a missing view is refused",
    .enabled(if: RoomFileMaker.isThere, "h5py is not installed"),
    arguments: ["MultiSpeakerBRIR", "SingleRoomSRIR"])
  func viewsOfFilesAreRead(convention: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("hall.sofa")
    // The order of the file isn't that of the yaws.
    try RoomFileMaker.write(
      path, azimuths: [30, -30, 110], convention: convention, views: [0, 40, 20, -20, 180],
      samples: 2000)
    let ahead = try SOFAReading.inProcess.room(path: path, sha256: "")
    #expect(ahead.views == [1] && ahead.responses.count == 3 * 2 * 2000)
    for (found, wanted) in zip(ahead.yaws, [-20.0, 0, 20, 40, 180]) {
      #expect((found - wanted).magnitude < 1e-4, "\(ahead.yaws)")
    }
    #expect(ahead.yaws.count == 5)
    let order = [3, 0, 2, 1, 4]
    let read = try SOFAReading.inProcess.room(path: path, sha256: "", views: [0, 2, 3, 4])
    #expect(read.views == [0, 2, 3, 4] && read.directions == ahead.directions)
    for (index, view) in read.views.enumerated() {
      let place = order[view]
      for speaker in 0..<3 {
        let left = read.response(speaker, 0, view: index)
        let right = read.response(speaker, 1, view: index)
        let peak: Float = place % 2 == 0 ? 1 : -1
        let sample = 100 + speaker + 3 * (place / 2)
        #expect(left[sample] == peak && right[sample] == peak / 2, "\(view) \(speaker)")
      }
    }
    let none = refusal {
      _ = try SOFAReading.inProcess.room(path: path, sha256: "", views: [5])
    }
    #expect(none.contains("changed while it was read"))
  }

  /// Views that can't take the place of the one ahead aren't among them.
  @Test(
    "heads that lean, look up or stand elsewhere, and moved loudspeakers, are not views",
    .enabled(if: RoomFileMaker.isThere, "h5py is not installed"),
    arguments: [
      // A head that leans, one that looks up, one in another place, and one before loudspeakers that moved.
      "file['ListenerUp'][2] = [0, 0.5, 0.9]", "file['ListenerView'][2] = [20, 30, 1]",
      "file['ListenerPosition'][2] = [1, 2, 1.2]", "file['SourcePosition'][2] = [1.3, 1, 1.2]",
    ])
  func otherHeadsAreNoViews(change: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("hall.sofa")
    let rows =
      "[(file.__delitem__(name), place(name, [row] * 3)) for name, row in (('ListenerUp', [0, 0, 1]), "
      + "('ListenerPosition', [1, 1, 1.2]), ('SourcePosition', [1, 1, 1.2]))]"
    try RoomFileMaker.write(
      path, azimuths: [30, -30], views: [0, 10, 20], samples: 2000,
      afterwards: "\(rows); \(change)")
    let read = try SOFAReading.inProcess.room(path: path, sha256: "")
    #expect(read.yaws.map { $0.rounded() } == [0, 10], "\(read.yaws)")
  }

  /// A view in which a loudspeaker wasn't measured is none.
  @Test(
    "a view without one of the loudspeakers is left out",
    .enabled(if: RoomFileMaker.isThere, "h5py is not installed"))
  func viewsHaveAllLoudspeakers() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("hall.sofa")
    try RoomFileMaker.write(
      path, azimuths: [30, -30], convention: "SingleRoomSRIR", views: [0, 10, 20], samples: 2000,
      afterwards: "file['SourcePosition'][5] = [-1, 1, 1.2]")
    let read = try SOFAReading.inProcess.room(path: path, sha256: "")
    #expect(read.yaws.map { $0.rounded() } == [0, 10], "\(read.yaws)")
  }

  @Test(
    "20 views of a size of which 17 fit are refused with both numbers",
    .enabled(if: RoomFileMaker.isThere, "h5py is not installed"))
  func moreThanIsReadIsRefused() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("hall.sofa")
    // Every measurement has 8 loudspeakers × 2 ears × 240,000 samples; 17 of them fit.
    try RoomFileMaker.write(
      path, azimuths: (0..<8).map { 40 * Double($0) }, views: (0..<20).map { 5 * Double($0) },
      samples: 200,
      change: "ir = np.zeros((1, 2, 1, 1), np.float32)",
      afterwards:
        "del file['Data.IR']; file.create_dataset('Data.IR', shape=(20, 2, 8, 240000), dtype='f4', chunks=(1, 1, 1, 240000)); "
        + "del file['Data.Delay']")
    let words = refusal {
      _ = try SOFAReading.inProcess.room(path: path, sha256: "", views: Array(0..<20))
    }
    #expect(
      words.contains("comes by 20 views of the room, and at most 17 of this size are read"),
      "\(words)")
  }
}
