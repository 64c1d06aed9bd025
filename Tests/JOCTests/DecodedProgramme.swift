// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import JOC

/// A stream that a decoder turned into a programme.
struct DecodedProgramme {
  let programme: JOCProgramme
  let block: ProgrammeBlock
  let decoder: JOCDecoder

  /// Decodes the units of a stream; a unit that is empty is lost. Before unit number `pass.at`, `pass.count`
  /// samples belong to none.
  init(
    _ units: [[UInt8]], _ core: [[Float]], survey: [[UInt8]]? = nil,
    fallback: ChannelLayout? = nil, pass: (at: Int, count: Int)? = nil,
    onUnit: (Int, JOCDecoder) -> Void = { _, _ in }
  ) throws {
    var first = JOCSurvey()
    for unit in (survey ?? units).prefix(JOCSurvey.units) {
      unit.withUnsafeBufferPointer { first.take($0) }
    }
    let surveyed = try #require(first.programme)
    programme = fallback.map(surveyed.including) ?? surveyed
    let layout = try #require(ChannelLayout(name: "5.1(side)"))
    decoder = try JOCDecoder(programme, downmix: layout, sampleRate: 48_000)
    block = ProgrammeBlock(Programme(sampleRate: 48_000, elements: programme.elements))
    let buffer = AudioBuffer(channels: 6)
    for (index, unit) in units.enumerated() {
      if let pass, pass.at == index {
        DecodedProgramme.fill(buffer, core, pass.count, from: 0)
        decoder.pass(buffer, into: block)
      }
      DecodedProgramme.fill(buffer, core, JOCDecoder.frame, from: 1536 * index)
      try unit.withUnsafeBufferPointer { try decoder.decode($0, buffer, into: block) }
      onUnit(index, decoder)
    }
    decoder.finish(into: block)
  }

  private static func fill(_ buffer: AudioBuffer, _ core: [[Float]], _ count: Int, from start: Int)
  {
    buffer.removeAll()
    buffer.grow(by: count)
    for channel in 0..<6 {
      let plane = buffer.channel(channel)
      for sample in plane.indices { plane[sample] = core[channel][start + sample] }
    }
  }

  /// Samples of a plane.
  func plane(_ index: Int) -> [Float] { Array(block.audio.channel(index)) }
}
