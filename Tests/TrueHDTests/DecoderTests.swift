// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import ObjectMetadata
@testable import TrueHD

/// Presentations as the programmes of a renderer.
@Suite(.tags(.media), .enabled(if: TrueHDOracle.isPresent, "../shared is missing"))
struct DecoderTests {
  /// A stream that was surveyed, and its units.
  private struct Surveyed {
    let units: [[UInt8]]
    var survey = TrueHDSurvey()

    init(_ name: String) throws {
      units = TrueHDOracle.units(try TrueHDOracle.bytes(name))
      for unit in units where !survey.isComplete {
        try unit.withUnsafeBufferPointer { try survey.take($0) }
      }
    }

    /// Decodes all units, `packet` of them at a time.
    func decode(
      _ programme: TrueHDProgramme, packet: Int = 1
    ) throws -> (block: ProgrammeBlock, decoder: TrueHDDecoder) {
      let decoder = TrueHDDecoder(programme)
      let block = ProgrammeBlock(
        Programme(sampleRate: programme.stream.sampleRate, elements: programme.elements))
      for first in stride(from: 0, to: units.count, by: packet) {
        let bytes = units[first..<min(units.count, first + packet)].flatMap { $0 }
        try bytes.withUnsafeBufferPointer { try decoder.decode($0, into: block) }
      }
      return (block, decoder)
    }
  }

  @Test(
    "planes hold the samples of the stream's channels exactly",
    arguments: ["06_nested_71", "22_atmos_nested", "23_atmos_independent", "31_cbi", "20_end_drc"])
  func planesAreExact(name: String) throws {
    let stream = try Surveyed(name)
    for preference in [TrueHDStream.Preference.objects, .bed, .stereo] {
      let programme = try #require(stream.survey.programme(preference))
      let (block, decoder) = try stream.decode(programme)
      #expect(Int64(block.frames) == decoder.position)
      var place = 0
      _ = try DecodedStream(TrueHDOracle.bytes(name), wanted: [programme.presentation]) {
        _, units, first in
        let count = Int(units.position - (first ?? units.position))
        for (channel, plane) in programme.planes.enumerated() {
          let samples = try #require(units.samples(programme.presentation, channel: channel))
          let found = block.audio.channel(plane)
          let isEqual = (0..<count).allSatisfy {
            found[place + $0] * 8_388_608 == Float(samples[$0])
          }
          #expect(isEqual, "channel \(channel)")
        }
        place += count
      }
    }
  }

  @Test("elements are a bed in mask order and objects, and channels find their planes")
  func elementsAreThoseOfTheStream() throws {
    let moving = try #require(try Surveyed("22_atmos_nested").survey.programme(.objects))
    #expect(moving.elements.first == .bed(ChannelLayout([.lowFrequency])))
    #expect(moving.elements.count == 12 && moving.planes == Array(0..<12))
    #expect(moving.dynamicObjects == 11)
    // Ls and Rs come before Lb and Rb in the stream, backs before sides in a layout.
    let bed = try #require(try Surveyed("06_nested_71").survey.programme(.objects))
    #expect(bed.elements == [.bed(try #require(ChannelLayout(name: "7.1")))])
    #expect(bed.planes == [0, 1, 2, 3, 6, 7, 4, 5])
    let high = try #require(try Surveyed("31_cbi").survey.programme(.objects))
    #expect(high.elements == [.bed(try #require(ChannelLayout(name: "7.1.4")))])
    #expect(high.presentation == 3)
  }

  @Test("several units in a packet are those units")
  func packetsMayHoldSeveralUnits() throws {
    let stream = try Surveyed("22_atmos_nested")
    let programme = try #require(stream.survey.programme(.objects))
    let (single, several) = (
      try stream.decode(programme), try stream.decode(programme, packet: 7)
    )
    for plane in programme.planes {
      #expect(single.block.audio.channel(plane).elementsEqual(several.block.audio.channel(plane)))
    }
    #expect(single.block.updates == several.block.updates)
  }

  /// The objects of this stream move every 1536 samples, in the unit that the sample falls in.
  @Test("objects move at the samples that their metadata say")
  func objectsMoveOnTime() throws {
    let stream = try Surveyed("22_atmos_nested")
    let programme = try #require(stream.survey.programme(.objects))
    let (block, decoder) = try stream.decode(programme)
    #expect(Set(block.updates.map(\.at)).isSubset(of: [1536, 3072, 4608]))
    #expect(block.updates.allSatisfy { $0.ramp == 1536 && $0.plane > 0 })
    #expect(decoder.metadata.payloads == 4 && decoder.metadata.lost == 0)
    // The object in channel 1 goes from one side to the other: its first place, then the second payload's.
    guard case .object(_, let start) = programme.elements[1] else { return }
    #expect(start.position == DecoderTests.place(22, 22, -3))
    let second = block.updates.first { $0.plane == 1 }
    #expect(second?.state.position == DecoderTests.place(18, 25, -2))
  }

  /// Each payload of this stream describes another programme; those of five have a bed of 5.1 and ten objects in 16 channels.
  @Test("metadata of another programme are passed over, and the first that fit the channels count")
  func metadataOfOthersArePassedOver() throws {
    let stream = try Surveyed("27_oamd_syntax")
    let programme = try #require(stream.survey.programme(.objects))
    #expect(programme.presentation == 3 && programme.dynamicObjects == 10)
    #expect(programme.elements.first == .bed(try #require(ChannelLayout(name: "5.1(side)"))))
    let (_, decoder) = try stream.decode(programme)
    let lost = decoder.takeEvents().count { event in
      if case .metadataLost = event.kind { return true }
      return false
    }
    #expect(decoder.metadata.payloads == 5 && decoder.metadata.lost == 25 && lost == 25)
    #expect(decoder.metadata.leavesDivergence)
  }

  /// The first payload of this stream has a ramp, which nothing before a clip can begin.
  @Test("objects jump to their places where another clip begins")
  func objectsJumpAtSeams() throws {
    let stream = try Surveyed("truehd/oracle/real/fba_atmos_dimtrim.mlp")
    let programme = try #require(stream.survey.programme(.objects))
    let decoder = TrueHDDecoder(programme)
    let block = ProgrammeBlock(Programme(sampleRate: 48_000, elements: programme.elements))
    for unit in stream.units + stream.units {
      try unit.withUnsafeBufferPointer { try decoder.decode($0, into: block) }
    }
    let seams = decoder.takeEvents().filter { event in
      if case .seam = event.kind { return true }
      return false
    }
    let seam = try #require(seams.first?.sample)
    #expect(seams.count == 1 && seam == Int64(block.frames / 2))
    let jumps = block.updates.filter { $0.at == seam }
    #expect(!jumps.isEmpty && jumps.allSatisfy { $0.ramp == 0 })
    #expect(block.updates.contains { $0.at > seam && $0.ramp == 1536 })
  }

  /// The position of three codes: X and Y in 62nds of the room, Z in 15ths of the height.
  private static func place(_ x: Int, _ y: Int, _ z: Int) -> ObjectPosition {
    let (right, back): (Double, Double) = (Double(x) / 62, Double(y) / 62)
    return .cartesian(x: 2 * right - 1, y: 1 - 2 * back, z: Double(z) / 15)
  }

  @Test("a seek begins anew: silence up to a major sync, then the samples of a whole decoding")
  func seeksBeginAnew() throws {
    let stream = try Surveyed("19_restarts")
    let programme = try #require(stream.survey.programme(.bed))
    let (whole, _) = try stream.decode(programme)
    let syncs = stream.units.indices.filter { index in
      stream.units[index].withUnsafeBufferPointer {
        MajorSync.begins(UnsafeBufferPointer(rebasing: $0[4...]))
      }
    }
    let target = try #require(syncs.last { $0 < stream.units.count - 4 })
    let decoder = TrueHDDecoder(programme)
    let block = ProgrammeBlock(Programme(sampleRate: 48_000, elements: programme.elements))
    for index in [0, 1, target - 1] + Array(target..<stream.units.count) {
      if index == target - 1 { decoder.finish() }
      try stream.units[index].withUnsafeBufferPointer { try decoder.decode($0, into: block) }
    }
    let length = programme.stream.unitLength
    for plane in programme.planes {
      let (all, found) = (whole.audio.channel(plane), block.audio.channel(plane))
      #expect(found[(2 * length)..<(3 * length)].allSatisfy { $0 == 0 })
      #expect(found[(3 * length)...].elementsEqual(all[(target * length)...]))
    }
    #expect(decoder.counts.wrongChecks == 0)
  }
}
