// SPDX-License-Identifier: Apache-2.0
import AudioCore
import JOC

/// The first byte chooses options, the rest are access units. Refusals are
/// expected; a trap, a hang, memory that isn't the unit's, or a sample or state out of range is a finding.
func fuzzJOC(_ bytes: [UInt8]) {
  guard let choice = bytes.first else { return }
  let units = FuzzedUnits.units(bytes)
  guard let programme = survey(units) else { return }
  decode(units, programme, Choice(choice))
}

/// The choices of the first byte; bit 0 belongs to ``FuzzedUnits``.
private struct Choice {
  let options: JOCOptions
  let layout: ChannelLayout?

  init(_ byte: UInt8) {
    var options = JOCOptions()
    if byte & 2 != 0 {
      (options.readsSparseAsPrinted, options.isSteepEarly, options.alignment) = (true, false, 0)
    }
    let rotations: [JOCOptions.Rotation] = [.corrected, .flat, .none, .corrected]
    options.rotation = rotations[Int(byte >> 2 & 3)]
    self.options = options
    let names = ["5.1(side)", "5.1.2", "7.1", "5.1"]
    layout = ChannelLayout(name: names[Int(byte >> 4 & 3)])
  }
}

/// The programme of all units together, or else of the first unit that has one by itself.
private func survey(_ units: [[UInt8]]) -> JOCProgramme? {
  var whole = JOCSurvey()
  var single: JOCProgramme?
  for unit in units {
    var first = JOCSurvey()
    withExactMemory(unit) {
      whole.take($0)
      first.take($0)
    }
    single = single ?? first.programme
  }
  return whole.programme ?? single
}

/// Hands over `unit` in memory of its own, behind which the address sanitizer sees every access.
private func withExactMemory(_ unit: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
  let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: unit.count)
  defer { memory.deallocate() }
  _ = memory.initialize(from: unit)
  body(UnsafeBufferPointer(memory))
}

private func decode(_ units: [[UInt8]], _ programme: JOCProgramme, _ choice: Choice) {
  guard let layout = choice.layout,
    let decoder = try? JOCDecoder(
      programme, downmix: layout, sampleRate: 48_000, choice.options)
  else { return }
  let block = ProgrammeBlock(Programme(sampleRate: 48_000, elements: programme.elements))
  let downmix = noise(layout.count)
  for unit in units {
    withExactMemory(unit) { bytes in
      do { try decoder.decode(bytes, downmix, into: block) } catch {
        preconditionFailure("a downmix of the right size is refused")
      }
    }
  }
  decoder.finish(into: block)
  precondition(decoder.findings.units == units.count, "units are missing")
  precondition(block.frames == units.count * JOCDecoder.frame, "samples are missing")
  check(block)
}

/// One access unit of white noise at full scale, the same each time.
private func noise(_ channels: Int) -> AudioBuffer {
  let buffer = AudioBuffer(channels: channels)
  buffer.grow(by: JOCDecoder.frame)
  var state: UInt32 = 1
  for channel in 0..<channels {
    let plane = buffer.channel(channel)
    for index in plane.indices {
      state = state &* 1_664_525 &+ 1_013_904_223
      plane[index] = Float(Int32(bitPattern: state)) / 2_147_483_648
    }
  }
  return buffer
}

/// Coefficients reach 9.61, a downmix has 7 channels, the gain reaches 8.75, a bed's channel is raised by at most
/// 15 dB, and the bank's filters may raise a peak of noise fourfold.
private let mostPeak: Float = 9.61 * 7 * 8.75 * 5.63 * 4

private func check(_ block: ProgrammeBlock) {
  for channel in 0..<block.audio.channels {
    for sample in block.audio.channel(channel) {
      precondition(sample.isFinite && sample.magnitude < mostPeak, "a sample is out of range")
    }
  }
  var last: Int64 = 0
  for update in block.updates {
    let state = update.state
    precondition(update.at >= last && update.at < block.end, "an update is out of order")
    precondition((0...2048).contains(update.ramp), "a ramp is out of range")
    precondition((0...5.63).contains(state.gain), "a gain is out of range")
    precondition(
      state.position.coordinates.allSatisfy { (-1...1).contains($0) }, "a position is out of range")
    last = update.at
  }
}
