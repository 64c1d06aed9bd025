// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// Sets of single loudspeakers: what is in the file is what is heard.
@Suite struct ChannelSetTests {
  /// The channels of a file, by HeSuVi's order of loudspeakers and ears.
  private static let order: [(speaker: Speaker, isLeft: Bool)] = [
    (.frontLeft, true), (.frontLeft, false), (.sideLeft, true), (.sideLeft, false),
    (.backLeft, true), (.backLeft, false), (.frontCenter, true), (.frontRight, false),
    (.frontRight, true), (.sideRight, false), (.sideRight, true), (.backRight, false),
    (.backRight, true), (.frontCenter, false),
  ]

  /// The built-in set as such a file at `rate` Hz.
  static func planes(rate: Int = 48_000, channels: Int = 14) throws -> [[Float]] {
    let designer = HRIRDesigner(try HRTFSet.builtIn(), rate: rate)
    let format = Render.format("7.1", rate: rate)
    return try order.prefix(channels).map { speaker, isLeft in
      let index = try #require(format.layout.speakers.firstIndex(of: speaker))
      let pair = designer.pair(for: format.layout.direction(at: index))
      return (isLeft ? pair.left : pair.right).map(Float.init)
    }
  }

  private func noise(_ channels: Int, _ frames: Int = 20_000) -> [[Float]] {
    (0..<channels).map { channel in
      var noise = SeededNoise(seed: UInt64(channel) + 1)
      return noise.samples(frames, peak: 0.25)
    }
  }

  /// Level of the difference of two renders, each from its own latency on, against the second.
  private func null(_ one: [[Float]], _ lead: Int, _ other: [[Float]], _ otherLead: Int) -> Double {
    var (error, power) = (0.0, 0.0)
    for (a, b) in zip(one, other) {
      for index in 0..<20_000 {
        let (x, y) = (Double(a[index + lead]), Double(b[index + otherLead]))
        error += (x - y) * (x - y)
        power += y * y
      }
    }
    return 10 * log10(error / power)
  }

  @Test(
    "a HeSuVi file of the built-in set renders within −90 dB of the set itself", arguments: [14, 7])
  func aFileOfTheBuiltInSetSoundsLikeIt(channels: Int) throws {
    let format = Render.format("7.1")
    var signal = noise(8)
    signal[3] = [Float](repeating: 0, count: 20_000)
    let set = try ChannelSet(id: "x.wav", planes: Self.planes(channels: channels), rate: 48_000)
    let own = ChannelSetRenderer(set, lfeGainDB: nil)
    let heard = try StageVerifier.run(own, format: format, signal: signal, blockSize: 0)
    let reference = BedStage(
      hrtf: try HRTFSet.builtIn(), options: SceneOptions(lfeGainDB: nil))
    let wanted = try StageVerifier.run(reference, format: format, signal: signal, blockSize: 0)
    #expect(abs(set.gainDB) < 0.01)
    // Equal taps give equal samples; only their beginning is found in another way.
    #expect(abs(own.latency - reference.latency) <= 3)
    let best = null(heard, reference.latency, wanted, reference.latency)
    #expect(best < -90, "\(best)")
    QualityRecord.add("HeSuVi file of the built-in set", "kemar", best)
  }

  /// 5.1 has its surround channels at the sides, whatever they are called, and stereo and mono have theirs in front.
  @Test("surrounds of 5.1 take the side responses, and quad, stereo and mono take those of 7.1")
  func layoutsFindTheirLoudspeakers() throws {
    let set = try ChannelSet(id: "x.wav", planes: Self.planes(), rate: 48_000)
    func ears(_ layout: ChannelLayout, _ speaker: Speaker) throws -> [[Float]] {
      let format = AudioFormat(sampleRate: 48_000, layout: layout)
      let index = try #require(layout.speakers.firstIndex(of: speaker))
      var signal = [[Float]](repeating: [0], count: format.channels)
      signal[index][0] = 1
      return try StageVerifier.run(
        ChannelSetRenderer(set, lfeGainDB: nil), format: format, signal: signal, blockSize: 0)
    }
    let five: [Speaker] = [.frontLeft, .frontRight, .frontCenter]
    let seven = ChannelLayout(five + [.backLeft, .backRight, .sideLeft, .sideRight])
    let side = try ears(seven, .sideLeft)
    #expect(try ears(ChannelLayout(five + [.backLeft, .backRight]), .backLeft) == side)
    #expect(try ears(ChannelLayout(five + [.sideLeft, .sideRight]), .sideLeft) == side)
    #expect(try ears(seven, .backLeft) != side)
    let quad = ChannelLayout([.frontLeft, .frontRight, .backLeft, .backRight])
    #expect(try ears(quad, .backLeft) == ears(seven, .backLeft))
    #expect(try ears(.stereo, .frontLeft) == ears(seven, .frontLeft))
    #expect(try ears(.mono, .frontCenter) == ears(seven, .frontCenter))
  }

  @Test("a set of channels refuses 5.1.4 and names TFL")
  func otherChannelsAreRefusedByName() throws {
    let set = try ChannelSet(id: "x.wav", planes: Self.planes(), rate: 48_000)
    let error = #expect(throws: MediaError.self) {
      try ChannelSetRenderer(set, lfeGainDB: 10).prepare(Render.format("5.1.4"))
    }
    #expect(error?.kind == .unsupportedFeature)
    #expect(error?.message.contains("TFL") == true, "\(error?.message ?? "")")
  }

  /// A set at another level sounds as loud, and one at another rate alike.
  @Test("a channel set at another level or rate sounds as loud and at the same time")
  func levelsAndRatesAreMatched() throws {
    let format = Render.format("stereo")
    let signal = noise(2)
    func heard(_ planes: [[Float]], _ rate: Int) throws -> (ears: [[Float]], latency: Int) {
      let stage = ChannelSetRenderer(
        try ChannelSet(id: "x.wav", planes: planes, rate: rate), lfeGainDB: nil)
      return (
        try StageVerifier.run(stage, format: format, signal: signal, blockSize: 0), stage.latency
      )
    }
    let plain = try heard(try Self.planes(), 48_000)
    let quiet = try heard(try Self.planes().map { $0.map { $0 * 0.05 } }, 48_000)
    #expect(null(quiet.ears, quiet.latency, plain.ears, plain.latency) < -100)
    let other = try heard(try Self.planes(rate: 44_100), 44_100)
    func level(_ ears: [[Float]]) -> Double {
      10 * log10(ears.joined().reduce(0) { $0 + Double($1) * Double($1) })
    }
    #expect(abs(level(other.ears) - level(plain.ears)) < 0.2)
    for ear in 0..<2 {
      let (one, two) = (
        other.ears[ear].dropFirst(other.latency).prefix(20_000).map(Double.init),
        plain.ears[ear].dropFirst(plain.latency).prefix(20_000).map(Double.init)
      )
      #expect(abs(Render.lag(one, two)) < 1, "\(Render.lag(one, two))")
    }
  }

  /// LFE channels pass the centre's responses below 120 Hz, 10 dB louder, at the same time.
  @Test("an LFE channel plays the centre's response 10 dB louder at the same time")
  func bassComesFromTheCentre() throws {
    let set = try ChannelSet(id: "x.wav", planes: Self.planes(), rate: 48_000)
    let layout = ChannelLayout([.frontCenter, .lowFrequency])
    let format = AudioFormat(sampleRate: 48_000, layout: layout)
    let frames = 48_000
    let tone = (0..<frames).map { Float(sin(2 * .pi * 40 * Double($0) / 48_000)) * 0.1 }
    let silence = [Float](repeating: 0, count: frames)
    func heard(_ signal: [[Float]]) throws -> ([Float], Int) {
      let stage = ChannelSetRenderer(set, lfeGainDB: 10)
      let ears = try StageVerifier.run(stage, format: format, signal: signal, blockSize: 0)
      return (ears[0], stage.latency)
    }
    let (centre, lead) = try heard([tone, silence])
    let (bass, other) = try heard([silence, tone])
    #expect(lead == other)
    let range = 12_000..<36_000
    func level(_ samples: [Float]) -> Double {
      10 * log10(samples[range].reduce(0) { $0 + Double($1) * Double($1) })
    }
    #expect(abs(level(bass) - level(centre) - 10) < 0.5, "\(level(bass) - level(centre))")
    #expect(abs(Render.lag(bass[range].map(Double.init), centre[range].map(Double.init))) < 1)
  }

  @Test(
    "a set of channels gives the same bits for blocks of any size",
    arguments: [0, 1, 7, 480, 20_000]) func bitsDontDependOnBlocks(block: Int) throws
  {
    let set = try ChannelSet(id: "x.wav", planes: Self.planes(), rate: 48_000)
    let format = Render.format("5.1")
    let signal = noise(6, block == 1 ? 600 : 20_000)
    let plain = try StageVerifier.run(
      ChannelSetRenderer(set, lfeGainDB: 10), format: format, signal: signal, blockSize: 1024)
    let cut = try StageVerifier.run(
      ChannelSetRenderer(set, lfeGainDB: 10), format: format, signal: signal, blockSize: block)
    #expect(plain.map(\.count) == cut.map(\.count) && zip(plain, cut).allSatisfy { $0 == $1 })
  }

  @Test("responses that make no set are refused") func whatIsNoSetIsRefused() throws {
    let good = try Self.planes()
    var silent = good
    silent[8] = silent[8].map { _ in 0 }
    silent[7] = silent[8]
    var broken = good
    broken[3][5] = .nan
    var late = good
    for index in 0..<14 where index != 6 && index != 13 {
      late[index] += [Float](repeating: 0, count: 480)
    }
    for index in [6, 13] { late[index] = [Float](repeating: 0, count: 480) + late[index] }
    let faint = good.map { $0.map { $0 * 1e-4 } }
    let long = good.map { _ in [Float](repeating: 0.1, count: 48_000 * 4) }
    for (planes, rate, words) in [
      (Array(good.prefix(13)), 48_000, "has 13 channels"), (good, 32_000, "rate of 32000"),
      (silent, 48_000, "no response of FR"), (broken, 48_000, "no numbers"),
      (long, 48_000, "at most 2.0 s"), (good.map { _ in [] }, 48_000, "isn't as long"),
      (late, 48_000, "480 samples before that of the centre"), (faint, 48_000, "louder or quieter"),
    ] {
      let error = #expect(throws: MediaError.self) {
        try ChannelSet(id: "x.wav", planes: planes, rate: rate)
      }
      #expect(error?.kind == .inputUnreadable)
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
  }

  /// A centre that only one ear hears has its time from that ear.
  @Test("a centre heard by one ear has the time of that ear") func aDeafEarDecidesNothing() throws {
    var planes = try Self.planes()
    let plain = try ChannelSet(id: "x.wav", planes: planes, rate: 48_000)
    planes[13] = planes[13].map { _ in 0 }
    #expect(try ChannelSet(id: "x.wav", planes: planes, rate: 48_000).onset == plain.onset)
  }

  /// Sound of LFE channels alone, which are dropped, has its length.
  @Test("an LFE channel that is dropped still gives input plus latency plus tail")
  func nothingIsLostWithoutLoudspeakers() throws {
    let set = try ChannelSet(id: "x.wav", planes: Self.planes(), rate: 48_000)
    let stage = ChannelSetRenderer(set, lfeGainDB: nil)
    let format = AudioFormat(sampleRate: 48_000, layout: ChannelLayout([.lowFrequency]))
    let ears = try StageVerifier.run(stage, format: format, signal: noise(1, 1000), blockSize: 0)
    #expect(stage.tail >= 0 && ears[0].count == 1000 + stage.latency + stage.tail)
  }
}
