// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

/// A tap is called in order, with the blocks it wants, and what it gives is checked.
struct TapHostTests {
  /// Delays by a number of samples, and notes every call.
  private final class Delay: AudioTap {
    var contract = TapContract()
    var calls: [String] = []
    var latency: Int
    var tail = 0
    /// A change of the latency in mid-stream.
    var lateLatency: Int?
    /// The sample that becomes no number.
    var poison: Int?
    var layout: ChannelLayout?
    private var line: [[Float]] = []
    private var position = 0

    init(_ latency: Int = 0) { self.latency = latency }

    func prepare(_ format: AudioFormat) -> AudioFormat {
      calls.append("prepare")
      line = (0..<format.channels).map { _ in [Float](repeating: 0, count: latency) }
      return layout.map { AudioFormat(sampleRate: format.sampleRate, layout: $0) } ?? format
    }

    func process(_ input: AudioBuffer, into output: AudioBuffer) {
      calls.append("process \(input.frames)")
      let start = output.grow(by: input.frames)
      for channel in 0..<input.channels {
        line[channel] += input.channel(channel)
        for index in 0..<input.frames {
          output.channel(channel)[start + index] = line[channel][index]
        }
        line[channel].removeFirst(input.frames)
      }
      if let poison, (position..<(position + input.frames)).contains(poison) {
        output.channel(0)[start + poison - position] = .nan
      }
      position += input.frames
      if let lateLatency { latency = lateLatency }
    }

    func finish(into output: AudioBuffer) {
      calls.append("finish")
      guard !contract.needsSilence else { return }
      let start = output.grow(by: latency)
      for (channel, plane) in line.enumerated() {
        for index in 0..<latency { output.channel(channel)[start + index] = plane[index] }
      }
    }

    func close(_ end: TapEnd) { calls.append("close \(end)") }
  }

  private let format = AudioFormat(sampleRate: 48_000, layout: .stereo)
  private static let signal = (0..<2).map { channel in
    (0..<5000).map { Float(($0 * (7 + channel)) % 101) / 101 }
  }

  @Test(
    "a tap gives the same bits for blocks of any size",
    arguments: [TapContract.Blocks.fixed(1024), .atMost(1024), .fixed(1), .atMost(7), .any])
  func theBitsDontDependOnHowTheSoundIsCut(blocks: TapContract.Blocks) throws {
    let difference = try StageVerifier.firstDifference(format: format, signal: Self.signal) {
      let delay = Delay(239)
      delay.contract.blocks = blocks
      return TapHost(delay, name: "delay")
    }
    #expect(difference == nil)
  }

  @Test("a tap gets blocks of the size asked for", arguments: [1, 480, 0])
  func aTapGetsTheBlocksItWants(size: Int) throws {
    for (blocks, last) in [(TapContract.Blocks.fixed(1024), 1024), (.atMost(1024), 904)] {
      let delay = Delay()
      delay.contract.blocks = blocks
      let host = TapHost(delay, name: "delay")
      let output = try StageVerifier.run(
        host, format: format, signal: Self.signal, blockSize: size)
      host.close(.finished)
      let processed = [1024, 1024, 1024, 1024, last].map { "process \($0)" }
      #expect(delay.calls == ["prepare"] + processed + ["finish", "close finished"])
      #expect(Array(output[1].prefix(5000)) == Self.signal[1])
    }
  }

  @Test(
    "a tap that keeps its end is fed silence until latency and tail are out",
    arguments: [1, 239, 48_000])
  func aTapThatKeepsItsEndGetsSilence(latency: Int) throws {
    let delay = Delay(latency)
    delay.contract.needsSilence = true
    delay.tail = 10
    let output = try StageVerifier.run(
      TapHost(delay, name: "delay"), format: format, signal: Self.signal, blockSize: 480)
    #expect(output[0].count == 5000 + latency + 10)
    #expect(Array(output[0].dropFirst(latency).prefix(5000)) == Self.signal[0])
  }

  @Test("a tap is closed once") func itIsClosedOnce() throws {
    let delay = Delay()
    let host = TapHost(delay, name: "delay")
    host.close(.failed)
    host.close(.finished)
    #expect(delay.calls == ["close failed"])
    let error = #expect(throws: MediaError.self) { _ = try host.prepare(format) }
    #expect(error?.kind == .internal)
    #expect(delay.calls == ["close failed"])
  }

  @Test("levels are measured before and after a tap") func levelsAreThoseOfBothSides() throws {
    let delay = Delay(3)
    let host = TapHost(delay, name: "delay")
    _ = try StageVerifier.run(host, format: format, signal: Self.signal, blockSize: 100)
    let all = Self.signal.joined()
    let mean = all.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(all.count)
    #expect(host.before.frames == 5000)
    #expect(host.after.frames == 5003)
    #expect(host.before.peak == all.max())
    #expect(abs(host.before.meanSquare / mean - 1) < 1e-6)
    #expect(abs(host.after.meanSquare / mean - 5000.0 / 5003) < 1e-6)
  }

  @Test(
    "NaN from a tap is reported with the sample's number", arguments: [0, 1, 1023, 4999], [0, 239])
  func whatIsNoNumberIsNamedWithItsSample(place: Int, latency: Int) {
    let delay = Delay(latency)
    delay.poison = place
    let error = #expect(throws: MediaError.self) {
      try StageVerifier.run(
        TapHost(delay, name: "the tap X"), format: format, signal: Self.signal, blockSize: 480)
    }
    #expect(error?.kind == .damaged)
    #expect(
      error?.message.hasPrefix(
        "the tap X: gives a value that is no number at sample \(max(0, place - latency));")
        == true, "\(error?.message ?? "")")
  }

  @Test("a latency that changes from 64 to 128 is refused with both figures")
  func aLatencyThatChangesIsRefused() {
    let delay = Delay(64)
    delay.lateLatency = 128
    let error = #expect(throws: MediaError.self) {
      try StageVerifier.run(
        TapHost(delay, name: "the tap X"), format: format, signal: Self.signal, blockSize: 480)
    }
    #expect(error?.kind == .unsupportedFeature)
    #expect(error?.message.contains("from 64 to 128") == true)
  }

  @Test("impossible tails, block sizes and layouts of a tap are refused with its name")
  func impossibleFiguresAreRefused() {
    let delays = [Delay(0), Delay(0), Delay(0), Delay(0), Delay(0)]
    delays[0].tail = -1
    delays[1].contract.blocks = .fixed(0)
    delays[2].contract.blocks = .atMost(TapHost.largestBlock + 1)
    delays[3].layout = .mono
    delays[4].tail = TapHost.longestDelay + 1
    for delay in delays {
      let error = #expect(throws: MediaError.self) {
        try TapHost(delay, name: "the tap X").prepare(format)
      }
      #expect(error?.kind == .unsupportedFeature)
      #expect(error?.message.hasPrefix("the tap X: ") == true)
    }
  }
}
