// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TrueHD

/// The bytes are a raw stream, as it is and with right checks. Refusals are expected; a trap, a hang, memory that isn't the unit's, or a
/// sample out of range is a finding.
func fuzzTrueHD(_ bytes: [UInt8]) {
  _ = RawUnits.recognised(beginning: bytes)
  let repaired = RepairedStream(bytes).stream
  for stream in bytes == repaired ? [bytes] : [bytes, repaired] {
    let units = split(stream)
    var survey = TrueHDSurvey()
    for unit in units.prefix(TrueHDSurvey.units) { withExactUnit(unit) { try? survey.take($0) } }
    for preference in [TrueHDStream.Preference.objects, .bed, .stereo] {
      if let programme = survey.programme(preference) { decode(units, programme) }
    }
  }
}

private func split(_ bytes: [UInt8]) -> [[UInt8]] {
  var stream = RawUnits()
  stream.push(bytes)
  stream.finish()
  var units: [[UInt8]] = []
  while let item = stream.next() {
    if case .unit = item { units.append(stream.withUnit(Array.init)) }
  }
  return units
}

/// Hands over `unit` in memory of its own, behind which the address sanitizer sees every access.
private func withExactUnit(_ unit: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
  let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: unit.count)
  defer { memory.deallocate() }
  _ = memory.initialize(from: unit)
  body(UnsafeBufferPointer(memory))
}

/// Decodes all units; the third one is left out, so that a loss is met, too.
private func decode(_ units: [[UInt8]], _ programme: TrueHDProgramme) {
  let decoder = TrueHDDecoder(programme)
  let block = ProgrammeBlock(
    Programme(sampleRate: programme.stream.sampleRate, elements: programme.elements))
  for (index, unit) in units.enumerated() {
    if index == 2 { decoder.loseUnit(into: block) }
    var isRefused = false
    withExactUnit(unit) { bytes in
      do { try decoder.decode(bytes, into: block) } catch { isRefused = true }
    }
    check(block)
    if isRefused { break }
  }
  decoder.finish()
  _ = decoder.takeEvents()
}

private func check(_ block: ProgrammeBlock) {
  for channel in 0..<block.audio.channels {
    demand(
      block.audio.channel(channel).allSatisfy { $0 >= -1 && $0 < 1 }, "samples have 24 bits")
  }
  block.removeAll()
}
