// SPDX-License-Identifier: Apache-2.0
import AudioCore
import IAMF

/// The first byte chooses options, the rest is a sequence, raw or in MP4.
/// Refusals are expected; a trap, a hang, a sample that isn't finite, memory that isn't the unit's, or memory by a
/// count that the bytes merely state is a finding.
func fuzzIAMF(_ input: [UInt8]) {
  guard let choice = input.first else { return }
  let bytes = Array(input.dropFirst())
  let layer = Int(choice >> 1 & 7)
  if choice & 1 == 0 {
    fuzzRaw(bytes, layer: layer)
  } else {
    fuzzBox(bytes, layer: layer)
  }
}

/// Plays `bytes` as a raw sequence.
private func fuzzRaw(_ bytes: [UInt8], layer: Int) {
  _ = RawSequenceReader.isSequence(bytes)
  let reader = try? RawSequenceReader(size: Int64(bytes.count)) { offset, wanted in
    precondition(offset >= 0 && wanted <= bytes.count - Int(offset), "a read beyond the file")
    return Array(bytes[Int(offset)..<Int(offset) + wanted])
  }
  guard var reader else { return }
  var budget = PlayedSequence.mostSamples
  var played = PlayedSequence(reader.description, layer: layer)
  check(reader.description, bytes.count)
  var (sequence, units) = (0, 0)
  while let unit = try? reader.next() {
    if unit.sequence != sequence {
      sequence = unit.sequence
      check(reader.description, bytes.count)
      played = PlayedSequence(reader.description, layer: layer)
    }
    check(unit, bytes.count)
    played.play(unit, &budget)
    units += 1
  }
  precondition(units == reader.findings.units && units <= bytes.count / 2, "units out of nothing")
  precondition(reader.findings.lostBytes <= Int64(bytes.count), "more is lost than there was")
}

/// Plays `bytes` as the content of an `iacb` box and samples behind it, each behind its size in two bytes.
private func fuzzBox(_ bytes: [UInt8], layer: Int) {
  guard let box = try? ConfigurationBox(bytes),
    let description = try? SequenceDescription(configOBUs: box.configOBUs)
  else { return }
  check(description, box.configOBUs.count)
  var reader = SampleUnitReader(description)
  var budget = PlayedSequence.mostSamples
  let played = PlayedSequence(description, layer: layer)
  var rest = bytes[(box.offset + box.configOBUs.count)...]
  while rest.count > 2 {
    let size = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
    rest.removeFirst(2)
    let sample = Array(rest.prefix(size))
    rest.removeFirst(sample.count)
    guard let unit = reader.unit(sample) else { continue }
    check(unit, sample.count)
    played.play(unit, &budget)
  }
}

/// Makes sure that nothing in a description is longer than `count` bytes can say.
private func check(_ description: SequenceDescription, _ count: Int) {
  var entries = description.codecConfigs.count
  for element in description.elements {
    entries += 1 + element.substreamIDs.count + element.parameters.count
  }
  for mix in description.mixes {
    entries += 1 + mix.languages.count + mix.annotations.count + (mix.tags?.count ?? 0)
    for part in mix.subMixes { entries += part.elements.count + part.loudness.count }
  }
  precondition(entries <= count, "descriptors out of nothing")
  precondition(!description.playableMixes.isEmpty, "nothing to play")
  for mix in description.playableMixes {
    precondition(mix.sampleRate > 0, "a mix without a rate")
    let ids = description.substreams(of: mix)
    precondition(ids.allSatisfy { description.substreams[$0] != nil }, "a substream is missing")
    precondition(ids.count <= PlayableElement.mostChannels, "more channels than any profile has")
  }
}

/// Makes sure that a unit is no longer than `count` bytes can say.
private func check(_ unit: TemporalUnit, _ count: Int) {
  precondition(unit.bytes.count <= count, "bytes out of nothing")
  precondition(unit.frames.count + unit.blocks.count <= count / 2, "parts out of nothing")
  let subblocks = unit.blocks.reduce(0) { $0 + $1.subblocks.count }
  precondition(subblocks <= count, "subblocks out of nothing")
  for frame in unit.frames {
    let size = UInt64(frame.bytes.count)
    precondition(frame.bytes.upperBound <= unit.bytes.count, "a frame beyond its unit")
    precondition(frame.position >= 0 && UInt64(frame.position) + size <= count, "a frame elsewhere")
  }
}
