// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import LibAV
import PlayQueue
import Rendering
import Report
import Spatial
import TestSupport
import Testing

/// Filters that change the tempo: lengths are exact, and the sound lies where the tempo puts it.
@Suite(.enabled(if: FilterLibrary.current?.has("rubberband") == true, "rubberband isn't installed"))
struct TempoTests {
  private func tap(_ options: String, _ point: TapPoint = .post) throws -> Tap {
    Tap(point, .filters(try FilterRequest(parsing: "rubberband=\(options)")))
  }

  /// Short bursts of noise, the first at half a second and each half a second later, the last one just before the end.
  private func clicks(_ frames: Int) -> (planes: [[Float]], at: [Int]) {
    var plane = [Float](repeating: 0, count: frames)
    var noise = SeededNoise(seed: 3)
    let at = Array(stride(from: 24_000, to: frames - 24_000, by: 24_000)) + [frames - 2000]
    for place in at {
      for (index, value) in noise.samples(240, peak: 0.25).enumerated() {
        plane[place + index] = value * exp(-Float(index) / 60)
      }
    }
    return ([plane, plane], at)
  }

  @Test(
    "sound lies where the tempo puts it",
    arguments: Soak.isRunning ? [0.25, 0.5, 0.8, 0.97, 1.03, 1.25, 2, 4] : [0.25, 0.97, 1.25, 4],
    Soak.isRunning ? [48_000, 44_100] : [48_000])
  func soundLiesWhereTheTempoPutsIt(tempo: Double, rate: Int) async throws {
    let test = try QueueCase()
    let frames = 200_007
    let (planes, at) = clicks(frames)
    let path = try test.write("in.wav", planes, rate: rate)
    let tap = try tap("tempo=\(tempo)")
    let (output, report) = try await test.render(.file(path)) { $0.rendition.taps = [tap] }
    #expect(output[0].count == Int((Double(frames) / tempo).rounded()))
    #expect(report.outputs[0].taps?[0].tempo == tempo)
    // Transients are smeared over the windows of the transform, more so the slower the sound becomes.
    let allowed = 800 + Int(400 / tempo)
    for place in at {
      let middle = Int(Double(place) / tempo)
      let reach = Int(8000 / tempo)
      let range = max(0, middle - reach)..<min(output[0].count, middle + reach)
      let found = output[0][range]
      let peak = found.reduce(0) { max($0, $1.magnitude) }
      #expect(peak > 0.01)
      let first = found.firstIndex { $0.magnitude > peak * 0.3 } ?? 0
      #expect(abs(first - middle) < allowed, "\(first - middle) of \(allowed) at \(place)")
    }
  }

  @Test(
    "short sound has its exact length at each point and at any tempo",
    arguments: Soak.isRunning ? [1, 100, 1000, 4096, 30_001] : [1, 4096], [0.5, 1.25])
  func shortSoundHasItsExactLength(frames: Int, tempo: Double) async throws {
    let test = try QueueCase()
    let path = try test.write("in.wav", QueueCase.noise(2, frames))
    for point in [TapPoint.item, .programme, .post] {
      let tap = try tap("tempo=\(tempo)", point)
      let (planes, _) = try await test.render(.file(path), to: "\(point).wav") {
        $0.rendition.taps = [tap]
        $0.rendition.tail = .keep
      }
      #expect(planes[0].count == Int((Double(frames) / tempo).rounded()))
    }
  }

  /// Half an octave up and down again, and twice as fast and half as fast, is the length of the input again.
  @Test("tempi of several taps multiply") func severalOnesMultiply() async throws {
    let test = try QueueCase()
    let path = try test.write("in.wav", QueueCase.noise(2, 60_000))
    let taps = [try tap("tempo=2:pitch=1.2", .item), try tap("tempo=0.5", .post)]
    let (planes, report) = try await test.render(.file(path)) { $0.rendition.taps = taps }
    #expect(planes[0].count == 60_000)
    #expect(report.decisions.filter { $0.chose.contains("a tempo of") }.count == 2)
  }

  @Test("a range under a tempo counts in time of the input") func theRangeIsThatOfTheInput()
    async throws
  {
    let test = try QueueCase()
    let path = try test.write("in.wav", QueueCase.noise(2, 96_000))
    let tap = try tap("tempo=1.6")
    let (planes, _) = try await test.render(.file(path)) {
      $0.rendition.taps = [tap]
      $0.clip.range = Clip.Range(
        start: .clock(.init(ticks: 1, rate: 2)), end: .at(.clock(.init(ticks: 1500, rate: 1000))))
    }
    #expect(planes[0].count == 30_000)
  }

  /// Blocks and threads change no bit.
  @Test("a changed tempo has the same bits for all blocks and threads")
  func bitsDontDependOnBlocks() async throws {
    let test = try QueueCase()
    let path = try test.write("in.wav", QueueCase.noise(2, 50_000))
    let tap = try tap("tempo=0.9", .item)
    var first: [[Float]]?
    for (block, threads) in [(1024, 1), (7, 1), (4800, 2)] {
      let (planes, _) = try await test.render(.file(path), to: "\(block).wav") {
        $0.rendition.taps = [tap]
        $0.policy.blockSize = block
        $0.policy.threads = threads
      }
      #expect(isSame(planes, first ?? planes))
      first = planes
    }
  }

  private func isSame(_ one: [[Float]], _ other: [[Float]]) -> Bool { one == other }

  @Test(
    "a tempo out of range or beside another filter is refused",
    arguments: [
      ("rubberband=tempo=5", "from 0.25 to 4"), ("rubberband=tempo=fast", "from 0.25 to 4"),
      ("rubberband=tempo=nan", "from 0.25 to 4"),
      ("highpass=f=80,rubberband=tempo=2", "of its own"),
      ("rubberband=tempo=2,rubberband=tempo=0.5", "of its own"),
    ]) func otherTemposAreRefused(text: String, words: String) async throws
  {
    let test = try QueueCase()
    let path = try test.write("in.wav", QueueCase.noise(2, 1000))
    let work = Tap.Work.filters(try FilterRequest(parsing: text))
    let error = try await test.failure(.file(path)) { $0.rendition.taps = [Tap(.post, work)] }
    #expect(error.kind == .usage && error.message.contains(words), "\(error.message)")
  }

  /// A tempo of 1 is none: it may stand in a chain.
  @Test("a tempo of 1 may stand in a chain and is reported as none") func aTempoOfOneIsNone()
    async throws
  {
    let test = try QueueCase()
    let path = try test.write("in.wav", QueueCase.noise(2, 20_000))
    let work = Tap.Work.filters(try FilterRequest(parsing: "highpass=f=80,rubberband=tempo=1"))
    let (planes, report) = try await test.render(.file(path)) {
      $0.rendition.taps = [Tap(.post, work)]
    }
    #expect(planes[0].count == 20_000 && report.outputs[0].taps?[0].tempo == nil)
  }

  @Test("a queue refuses a tempo") func queuesRefuseIt() async throws {
    let test = try QueueCase()
    let path = try test.write("in.wav", QueueCase.noise(2, 20_000))
    let queue = PlayQueue([QueueCase.item(path), QueueCase.item(path)])
    for point in [TapPoint.item, .post] {
      let tap = try tap("tempo=2", point)
      let error = try await test.failure(.queue(queue)) { $0.rendition.taps = [tap] }
      #expect(error.kind == .unsupportedFeature && error.message.contains("through a queue"))
    }
  }

  /// The head turns by the clock of what the renderer gets; behind it the tempo moves both alike.
  @Test("a moving head refuses a tempo before the renderer and takes one behind")
  func aHeadThatMovesTakesItBehindTheRenderer() async throws {
    let test = try QueueCase()
    let path = try test.write("in.wav", QueueCase.noise(2, 20_000))
    var listener = Listener()
    listener.head = .moving(try HeadTrajectory(csv: "0,0,0,0\n1,30,0,0\n"))
    func request(_ point: TapPoint) throws -> RenderRequest {
      var rendition = Rendition(.headphones(listener))
      rendition.taps = [try tap("tempo=2", point)]
      return RenderRequest(
        .file(path), outputs: [OutputRequest(.file(test.folder.file("out.wav")), rendition)])
    }
    let early = try request(.item)
    let failure = await #expect(throws: RenderFailure.self) {
      try await RenderPipeline().render(early)
    }
    #expect(failure?.error.kind == .unsupportedFeature)
    #expect(failure?.error.message.contains("put it at post") == true)
    let report = try await RenderPipeline().render(try request(.post))
    #expect(report.outputs[0].samples == 10_000)
  }

  /// Options that scatter the sound are told, and refused where nothing has its time any more.
  @Test("a tempo that scatters sound is reported, and refused beyond finding")
  func scatteredSoundIsTold() throws {
    func check(_ options: String, rate: Int = 48_000) throws -> TapCheckReport {
      try TapCheck(RenderEnvironment()).run(
        try tap(options), AudioFormat(sampleRate: rate, layout: .stereo))
    }
    #expect(try check("tempo=1.1").degradations.isEmpty)
    // The windows of the transform are as many samples at any rate, and last longer at a low one.
    #expect(try check("tempo=4", rate: 8000).degradations.map(\.code) == [.tapLatency])
    let error = #expect(throws: MediaError.self) {
      try check("tempo=2:pitch=0.25:window=long")
    }
    #expect(error?.kind == .verificationFailed)
  }

  /// Samples after the end come of silence that was sent, so nothing of the sound is cut.
  @Test("a tempo reports no tail") func noTailIsTold() async throws {
    let test = try QueueCase()
    let path = try test.write("in.wav", QueueCase.noise(2, 40_000))
    let tap = try tap("tempo=1.25")
    let report = try await test.render(.file(path)) { $0.rendition.taps = [tap] }.report
    #expect(!report.decisions.contains { $0.code == .tail })
  }
}
