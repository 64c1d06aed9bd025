import AudioCore
import Testing

@testable import JOC

/// A stream that a decoder turned into a programme.
struct DecodedProgramme {
  let programme: JOCProgramme
  let block: ProgrammeBlock
  let decoder: JOCDecoder

  /// Decodes the units of a stream; a unit that is empty is lost.
  init(
    _ units: [[UInt8]], _ core: [[Float]], survey: [[UInt8]]? = nil,
    onUnit: (Int, JOCDecoder) -> Void = { _, _ in }
  ) throws {
    var first = JOCSurvey()
    for unit in (survey ?? units).prefix(JOCSurvey.units) {
      unit.withUnsafeBufferPointer { first.take($0) }
    }
    programme = try #require(first.programme)
    let layout = try #require(ChannelLayout(name: "5.1(side)"))
    decoder = try JOCDecoder(programme, downmix: layout, sampleRate: 48_000)
    block = ProgrammeBlock(Programme(sampleRate: 48_000, elements: programme.elements))
    let buffer = AudioBuffer(channels: 6)
    for (index, unit) in units.enumerated() {
      buffer.removeAll()
      buffer.grow(by: JOCDecoder.frame)
      for channel in 0..<6 {
        let plane = buffer.channel(channel)
        for sample in plane.indices { plane[sample] = core[channel][1536 * index + sample] }
      }
      try unit.withUnsafeBufferPointer { try decoder.decode($0, buffer, into: block) }
      onUnit(index, decoder)
    }
    decoder.finish(into: block)
  }

  /// Samples of a plane.
  func plane(_ index: Int) -> [Float] { Array(block.audio.channel(index)) }
}
