// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal
import TestSupport
import Testing

@testable import JOC

/// Programmes from access units and their downmix.
@Suite(.tags(.media), .enabled(if: JOCOracle.isPresent, "../shared is missing"))
struct DecoderTests {
  @Test("the sample becomes a 5.1 bed and ten resting objects within −100 dB of the model")
  func theSampleBecomesABedAndTenObjects() throws {
    let core = try JOCOracle.planes("sample.core.24bit.flac", channels: 6)
    let found = try DecodedProgramme(try JOCOracle.frames("sample"), core)
    #expect(found.programme.elements.count == 11)
    let layout = try #require(ChannelLayout(name: "5.1(side)"))
    #expect(found.programme.elements.first == .bed(layout))
    #expect(
      found.programme.elements.dropFirst().first
        == .object(
          name: "Object 1",
          start: ObjectState(position: .cartesian(x: 1, y: 1 - 50.0 / 62, z: 0))))
    #expect(found.block.frames == 64 * 1536)
    #expect(found.block.updates.isEmpty, "nothing moves")
    #expect(found.decoder.findings == JOCDecoder.Findings(units: 64))
    let wanted =
      try JOCOracle.planes("sample.objects.00-07.24bit.flac", channels: 8)
      + JOCOracle.planes("sample.objects.08-14_lfe.24bit.flac", channels: 8)
    // Planes FL FR FC LFE SL SR, then the objects; the model has the LFE last.
    for (plane, object) in ([0, 1, 2, 15, 3, 4] + Array(5..<15)).enumerated() {
      let ratio = Signals.ratio(found.plane(plane), wanted[object])
      #expect(ratio > 100, "plane \(plane): \(ratio) dB")
    }
  }

  /// Six objects on known paths, in 50 frames: at the end of each ramp they are within half a step of them.
  @Test("six moving objects are within half a step of their paths at the end of each ramp")
  func movingObjectsFollowTheirPaths() throws {
    let found = try DecodedProgramme(
      try JOCOracle.frames("made.moving"), try JOCOracle.decoded("made.moving"))
    let lfe = ChannelLayout([.lowFrequency])
    #expect(found.programme.elements.first == .bed(lfe))
    #expect(found.programme.elements.count == 7)
    for index in 0..<49 {
      let time = Int64(1536 * index + 256 + (index == 0 ? 0 : 1536))
      for object in 0..<6 {
        let motion = found.block.motion(of: 1 + object, at: min(time, found.block.end))
        let state = try #require(motion?.state.position.coordinates)
        let path = Self.path(object, Double(index) / 49)
        let room = [(state[0] + 1) / 2, (1 - state[1]) / 2, state[2]]
        for (one, (other, step)) in zip(room, zip(path, [62, 62, 15])) {
          #expect(abs(one - other) < 0.51 / Double(step), "object \(object), frame \(index)")
        }
      }
    }
    #expect(found.block.updates.allSatisfy { $0.at % 1536 == 256 })
  }

  /// Place that the stream's writer gave an object, as shares of the room: right, back and up.
  private static func path(_ object: Int, _ part: Double) -> [Double] {
    let angle = 2 * Double.pi * part
    switch object {
    case 0: return [part, 0, 0]
    case 1: return [1, part, 0]
    case 2: return [0, 1 - part, 0.3]
    case 3: return [0.5 + 0.5 * sine(angle), 0.5 - 0.5 * sine(angle + .pi / 2), 0]
    case 4: return [0.5, part, 1]
    default:
      return [
        0.5 + 0.5 * sine(2 * angle), 0.5 - 0.5 * sine(2 * angle + .pi / 2), abs(1 - 2 * part),
      ]
    }
  }

  /// Sine by its series, which needs no library.
  private static func sine(_ angle: Double) -> Double {
    let angle = angle.remainder(dividingBy: 2 * .pi)
    var (term, sum) = (angle, angle)
    for index in 1..<20 {
      term *= -angle * angle / Double((2 * index) * (2 * index + 1))
      sum += term
    }
    return sum
  }

  /// Through lost units the objects go on; where too many are lost, the decoder says so, and it recovers.
  @Test(
    "20 lost units are counted, a lack is reported from the 17th on, and later samples are the same"
  )
  func lostUnitsAreBridgedAndCounted() throws {
    let core = try JOCOracle.planes("sample.core.24bit.flac", channels: 6)
    let units = try JOCOracle.frames("sample")
    let whole = try DecodedProgramme(units, core)
    var damaged = units
    for index in 20..<40 { damaged[index] = [] }
    var lacking: [Int] = []
    let found = try DecodedProgramme(damaged, core) { index, decoder in
      if decoder.lack != nil { lacking.append(index) }
    }
    #expect(lacking == [36, 37, 38, 39])
    #expect(
      found.decoder.findings
        == JOCDecoder.Findings(units: 64, heldCoefficients: 20, heldMetadata: 20, breaks: 1))
    #expect(found.block.frames == whole.block.frames)
    // The sample's coefficients and gain are nearly constant here, and behind the gap all is as before.
    for plane in [0, 2, 11] {
      let range = 44 * 1536..<64 * 1536
      #expect(Array(found.plane(plane)[range]) == Array(whole.plane(plane)[range]))
    }
  }

  /// Real streams have begun with metadata that don't fit.
  @Test("a broken first unit is held once and changes neither the objects nor their places")
  func aBrokenFirstUnitDoesNotDecide() throws {
    let core = try JOCOracle.planes("sample.core.24bit.flac", channels: 6)
    var units = try JOCOracle.frames("sample")
    units[0] = Array(repeating: 0, count: 100)
    let found = try DecodedProgramme(units, core)
    #expect(found.programme.elements.count == 11)
    #expect(found.decoder.findings.heldMetadata == 1)
    #expect(found.block.updates.isEmpty)
  }

  @Test("a stream without decodable objects is refused") func whatCannotBeDecodedIsRefused() throws
  {
    var survey = JOCSurvey()
    for unit in try JOCOracle.frames("sample").prefix(10) {
      unit.withUnsafeBufferPointer { survey.take($0) }
    }
    let programme = try #require(survey.programme)
    let layout = try #require(ChannelLayout(name: "5.1(side)"))
    let bare = try #require(ChannelLayout(name: "5.0(side)"))
    for (layout, rate) in [(ChannelLayout.stereo, 48_000), (layout, 44_100), (bare, 48_000)] {
      #expect(throws: JOCError.self) {
        try JOCDecoder(programme, downmix: layout, sampleRate: rate)
      }
    }
    let decoder = try JOCDecoder(programme, downmix: layout, sampleRate: 48_000)
    let short = AudioBuffer(channels: 6)
    short.appendSilence(512)
    let block = ProgrammeBlock(Programme(sampleRate: 48_000, elements: programme.elements))
    #expect(throws: JOCError.unsupported("an access unit of 512 samples")) {
      try decoder.decode(UnsafeBufferPointer(start: nil, count: 0), short, into: block)
    }
    // A stream without payloads has no programme.
    var plain = JOCSurvey()
    [UInt8](repeating: 7, count: 2000).withUnsafeBufferPointer { plain.take($0) }
    #expect(plain.programme == nil)
  }
}
