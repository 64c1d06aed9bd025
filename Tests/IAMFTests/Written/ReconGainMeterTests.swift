// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import TestSupport
import Testing

@testable import IAMF

/// The recon gains that are sent, against the law in plain words.
@Suite struct ReconGainMeterTests {
  private static let count = 960

  /// A demixed channel: its version, the version that it was mixed into, and its bit.
  private typealias Demixed = (name: String, into: String, bit: Int)

  private static let cases: [(stack: [Int], layers: [[Demixed]?])] = [
    (
      [3, 7],
      [nil, [("Lrs", "Ls", 7), ("Rrs", "Rs", 8), ("Ltb", "Ltf2", 9), ("Rtb", "Rtf2", 10)]]
    ),
    ([1, 7], [nil, [("Lrs", "L2", 7), ("Rrs", "R2", 8)]]),
    ([0, 1, 2], [nil, [("R2", "M", 2)], [("Ls", "L2", 3), ("Rs", "R2", 4)]]),
    (
      [1, 8, 3],
      [
        nil, [("L3", "L2", 0), ("R3", "R2", 2)],
        [("Ls", "L3", 3), ("Rs", "R3", 4), ("Ltf2", "Ltf3", 5), ("Rtf2", "Rtf3", 6)],
      ]
    ),
    // Rears are demixed from stereo in both upper layers.
    (
      [1, 5, 7],
      [nil, [("Lrs", "L2", 7), ("Rrs", "R2", 8)], [("Lrs", "L2", 7), ("Rrs", "R2", 8)]]
    ),
    (
      [8, 7], [nil, [("Lrs", "L3", 7), ("Rrs", "R3", 8), ("Ltb", "Ltf3", 9), ("Rtb", "Rtf3", 10)]]
    ),
  ]

  private func codec(_ frame: Int = ReconGainMeterTests.count) throws -> CodecConfig {
    try CodecConfig(opusPreSkip: 312, samplesPerFrame: frame)
  }

  /// Coded planes with noise of `level`, which a decoder gives back then.
  private func decoded(
    _ element: WrittenElement, _ programme: WrittenProgramme, _ level: Float,
    _ random: inout SeededNoise
  ) -> AudioBuffer {
    let splitter = LayerSplitter(element)
    let coded = AudioBuffer(channels: splitter.codedCount)
    splitter.split(programme.planes, into: coded)
    for channel in 0..<coded.channels {
      let plane = coded.channel(channel)
      for index in plane.indices {
        plane[index] += Float.random(in: -level...level, using: &random)
      }
    }
    return coded
  }

  /// D: the power of a demixed channel that a reader makes, by an own reader without blocks.
  private func demixed(
    _ sequence: WrittenSequence, _ layer: Int, _ bit: Int, _ decoded: AudioBuffer
  ) throws -> Double {
    let playable = try #require(sequence.playable(0))
    let reader = ElementReconstructor(playable, layer: layer)
    let result = AudioBuffer(channels: reader.channelCount)
    reader.reconstruct(decoded, TemporalUnit(), into: result)
    let names = ["L", "C", "R", "Ls", "Rs", "Ltf", "Rtf", "Lrs", "Rrs", "Ltb", "Rtb", "LFE"]
    guard case .channels(let channels) = reader.output else { throw IAMFError.unreadable }
    let place = try #require(channels.firstIndex { $0.rawValue == names[bit] })
    return result.channel(place).reduce(0) { $0 + Double($1) * Double($1) }
      / Double(ReconGainMeterTests.count)
  }

  @Test(
    "measured recon gains of every demixed channel are those of the formula of powers",
    arguments: cases.indices)
  func gainsOfEveryLayer(index: Int) throws {
    let (stack, layers) = ReconGainMeterTests.cases[index]
    var random = SeededNoise(seed: UInt64(90 + index))
    var kinds: Set<Int> = []
    // Quiet channels need gains, loud ones and those without noise none, silent ones vanish.
    for level in [1, 0.1, 0.01, 0.00005] {
      var levels: [String: Double] = ["R": level, "C": level, "Rtf": level]
      for label in ["Lrs", "Ltb", "Ls"] { levels[label] = level }
      let programme = WrittenProgramme(
        stack, ReconGainMeterTests.count, &random, mode: 2, weight: 3, level: levels)
      var element = try programme.element(mode: 2, weight: 3)
      var peaks = LayerPeaks(element)
      peaks.add(programme.planes)
      element.outputGains = peaks.outputGains
      let decoded = decoded(element, programme, 0.05, &random)
      let made = try ReconGainMeter(element, codec())
      let meter = try #require(made)
      let found = meter.gains(original: programme.planes, decoded: decoded)
      let sequence = try WrittenSequence(
        elements: [element], codec: codec(), title: nil, language: nil, loudness: [])
      for (layer, channels) in layers.enumerated() {
        var wanted = ParameterBlock.LayerGains(flags: 0, gains: [])
        for channel in channels ?? [] {
          let (o, m) = (programme.power(channel.name), programme.power(channel.into))
          let d = try demixed(sequence, layer, channel.bit, decoded)
          var gain = 1.0
          if 10 * log10(o) < -80 {
            gain = 0
          } else if 10 * log10(o / m) < -6 {
            gain = min(1, (o / d).squareRoot())
          }
          wanted.flags |= 1 << channel.bit
          wanted.gains.append(UInt8((255 * gain).rounded(.down)))
          kinds.insert(gain == 0 ? 0 : gain < 1 ? 1 : 2)
        }
        #expect(found[layer] == (channels == nil ? nil : wanted), "\(stack), \(layer), \(level)")
      }
      #expect(found.count == stack.count)
    }
    #expect(kinds.count > 1, "\(kinds)")
  }

  @Test(
    "a recon gain is 0 below -80 dB, 1 above -6 dB of the mix, else the root of the power ratio up to 1",
    arguments: [
      (1e-9, 1, 1, 0.0), (1.01e-8, 1, 2.02e-8, 0.5.squareRoot()), (0.01, 1, 0.04, 0.5),
      (0.26, 1, 1, 1), (0.25, 1, 1, 0.5), (0.01, 1, 0.001, 1), (0.01, 1, 0, 1), (0, 0, 0, 0),
    ])
  func powersAndGains(original: Double, mixed: Double, demixed: Double, gain: Double) {
    let found = ReconGainMeter.gain(original: original, mixed: mixed, demixed: demixed)
    #expect(abs(found - gain) < 1e-12)
  }

  /// Gains bring planes coded with noise nearer to the programme's level.
  @Test("with recon gains a reader restores the level of a noisy demixed channel within 0.15 dB")
  func readersGetTheLevelBack() throws {
    var random = SeededNoise(seed: 99)
    let programme = WrittenProgramme(
      [3, 7], ReconGainMeterTests.count, &random, level: ["Lrs": 0.05, "Rrs": 0.05])
    let element = try programme.element()
    let decoded = decoded(element, programme, 0.2, &random)
    let made = try ReconGainMeter(element, codec())
    let meter = try #require(made)
    let gains = meter.gains(original: programme.planes, decoded: decoded)
    let sequence = try WrittenSequence(
      elements: [element], codec: codec(), title: nil, language: nil, loudness: [])
    let playable = try #require(sequence.playable(0))
    let reader = ElementReconstructor(playable)
    var units = SampleUnitReader(sequence.description)
    let frames = element.substreamChannels.map { _ in [UInt8(1)] }
    let result = AudioBuffer(channels: 12)
    // The reader's smoothing settles within some frames.
    for _ in 0..<40 {
      let unit = units.unit(
        sequence.unit(frames, trim: OBU.Trim(), reconGains: [gains], hasDelimiter: false))
      result.removeAll()
      reader.reconstruct(decoded, try #require(unit), into: result)
    }
    let power =
      result.channel(5).reduce(0) { $0 + Double($1) * Double($1) }
      / Double(ReconGainMeterTests.count)
    let plain = try demixed(sequence, 1, 7, decoded)
    // Gains are rounded down to 1/255, and the window of frames isn't quite even.
    #expect(plain > 4 * programme.power("Lrs"))
    #expect(abs(10 * log10(power / programme.power("Lrs"))) < 0.15)
  }

  /// Layers that need factors can't be written without them.
  @Test("layers that need demixing factors are refused without them by the meter and the writer")
  func missingFactors() throws {
    var element = try WrittenElement(.bed([.stereo, .surround71]))
    element.demixing = nil
    let codec = try codec()
    #expect(throws: IAMFError.self) { try ReconGainMeter(element, codec) }
    #expect(throws: IAMFError.self) {
      try WrittenSequence(
        elements: [element], codec: codec, title: nil, language: nil, loudness: [])
    }
  }

  @Test("stacks without demixed channels, sound fields and LPCM have no recon gain meter")
  func nothingToRepair() throws {
    for stack in [[7], [2, 3], [5, 7], [1]] {
      let element = try WrittenElement(.bed(WrittenProgramme.layouts(stack)))
      #expect(try ReconGainMeter(element, codec()) == nil)
    }
    #expect(try ReconGainMeter(WrittenElement(.scene(channels: 4)), codec()) == nil)
    let exact = try CodecConfig(lpcmBits: 16, sampleRate: 48_000, samplesPerFrame: 16)
    let element = try WrittenElement(.bed([.stereo, .surround71]))
    #expect(try ReconGainMeter(element, exact) == nil)
  }
}
