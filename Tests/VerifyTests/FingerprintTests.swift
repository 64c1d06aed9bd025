// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Testing

@testable import Verify

/// Levels of a programme second by second.
@Suite struct FingerprintTests {
  private func fingerprint(_ planes: [[Float]]) throws -> AudioFingerprint {
    let source = PlanarSource(planes, block: planes[0].count)
    let buffer = AudioBuffer(channels: planes.count)
    _ = try source.read(into: buffer)
    let builder = FingerprintBuilder(format: source.format)
    builder.add(buffer)
    return builder.fingerprint()
  }

  private func sine(_ amplitude: Double, seconds: Double) -> [Float] {
    (0..<Int(seconds * 48_000)).map { Float(amplitude * sin(2 * .pi * Double($0) / 48)) }
  }

  /// A sine at full scale is 0 dB, in its channel and in its octave; a shorter last second counts as
  /// quieter.
  @Test(
    "sines at full scale and a tenth have 0 and -20 dB in their channels, and sound in one octave only"
  )
  func levelsAreThoseOfSines() throws {
    let (loud, quiet) = (sine(1, seconds: 2.5), sine(0.1, seconds: 2.5))
    let found = try fingerprint([loud, quiet])
    #expect(found.channels == [[0, -20], [0, -20], [-3, -23]])
    let first = try #require(found.octaves.first)
    try #require(first.count == 9)
    // The octaves begin with that around 63 Hz, so that the fifth is that around 1 kHz.
    #expect(first[4] == 0)
    #expect(first.enumerated().allSatisfy { $0.offset == 4 || $0.element < -50 }, "\(first)")
  }

  /// An octave counts down to 30 dB below its second's loudest, and not any more there.
  @Test("octaves 30 dB below the loudest, and levels from -70 dB down, don't count")
  func quietOctavesAreIgnored() {
    func distance(_ one: Double, _ two: Double) -> Double {
      var (a, b) = (AudioFingerprint(), AudioFingerprint())
      (a.octaves, b.octaves) = ([[-10, one]], [[-10, two]])
      return a.distance(to: b).decibels
    }
    #expect(distance(-39, -60) == 21 && distance(-60, -39) == 21)
    #expect(distance(-40, -60) == 0 && distance(-41, -60) == 0)
    // Below −70 dB nothing counts, whatever is loudest.
    var (a, b) = (AudioFingerprint(), AudioFingerprint())
    (a.channels, b.channels) = ([[-70]], [[-90]])
    #expect(a.distance(to: b).decibels == 0)
    a.channels = [[-69]]
    #expect(a.distance(to: b).decibels == 21)
  }

  @Test("a channel or a second that one fingerprint lacks counts as silence, whichever lacks it")
  func lackingPartsAreSilence() {
    var (one, other) = (AudioFingerprint(), AudioFingerprint())
    (one.channels, other.channels) = ([[-10]], [[-10, -20], [-30]])
    let (there, back) = (one.distance(to: other), other.distance(to: one))
    #expect(there == .init(decibels: 70, words: "louder at 0:00, in channel 2"))
    #expect(back == .init(decibels: 70, words: "quieter at 0:00, in channel 2"))
  }

  @Test("a difference is said from its begin to its end, octaves by their middle")
  func differencesHaveATime() {
    var (one, other) = (AudioFingerprint(), AudioFingerprint())
    one.octaves = [[Double]](repeating: [-20, -20], count: 100)
    other.octaves = one.octaves
    for second in 72..<75 { other.octaves[second][1] = second == 73 ? -28 : -25 }
    #expect(one.distance(to: other).words == "quieter from 1:12 to 1:15, around 125 Hz")
    for second in 75..<100 { other.octaves[second][1] = -24.5 }
    #expect(one.distance(to: other).words == "quieter from 1:12 on, around 125 Hz")
    other.octaves = one.octaves.map { $0.map { $0 + 3 } }
    #expect(one.distance(to: other).words == "louder throughout, around 63 Hz")
  }

  @Test("silence has -90 dB in all channels and octaves")
  func silenceIsTheLowestLevel() throws {
    let found = try fingerprint([[Float](repeating: 0, count: 96_000)])
    #expect(found.channels == [[-90], [-90]])
    #expect(found.octaves.joined().allSatisfy { $0 == -90 })
  }
}
