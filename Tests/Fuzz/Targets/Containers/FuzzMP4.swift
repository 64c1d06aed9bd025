// SPDX-License-Identifier: Apache-2.0
import ISOBMFF

/// The bytes are a movie, plain or in fragments. Findings in it may not be more than the bytes can say, and boxes that
/// are written again are read as the same ones.
func fuzzMP4(_ bytes: [UInt8]) {
  let source = FuzzInput.source(bytes)
  if let list = ItemList(source) {
    demand(list.items.count * 8 <= bytes.count, "each item has a header")
  }
  let facts = MovieFacts(source)
  if let facts {
    demand(facts.timescale > 0, "the movie has a clock")
    for track in facts.tracks { check(track, bytes.count) }
  }
  let findings = FragmentedMovieCheck(source)
  demand(findings.findings.count <= FragmentedMovieCheck.limit, "findings are bounded")
  demand(findings.fragmentCount <= bytes.count / 8, "each fragment has a header")
  let plain = ProgressiveMovieCheck(source).findings
  demand(plain.count <= FragmentedMovieCheck.limit, "findings are bounded")
  for tables in ProgressiveMovieReader(source)?.tables ?? [] {
    if let tables { check(tables, bytes.count) }
  }
  guard let reader = FragmentedMovieReader(source) else {
    return demand(facts == nil, "both readers look for the same box")
  }
  demand(reader.timescale > 0, "the movie has a clock")
  for track in reader.tracks { check(track, bytes.count) }
  var end: Int64 = 0
  reader.forEachFragment { fragment in
    demand(fragment.offset >= end, "fragments follow each other")
    end = fragment.box.end
    for track in fragment.tracks { check(track, bytes.count) }
    return true
  }
}

private func check(_ track: TrackFacts, _ count: Int) {
  demand(track.mediaTimescale > 0, "a track has a clock")
  demand(track.edits.count <= count / 12, "an edit has 12 bytes")
  demand(track.mediaDuration ?? 0 >= 0, "a duration isn't negative")
  check(track.edits)
  if case .success(let field)? = track.spatialAudio {
    demand(
      field.channelMap.sorted() == Array(field.channelMap.indices), "a map names each channel once")
  }
  let boxes = [track.dec3, track.dac3, track.dac4, track.iamf?.box]
  demand(boxes.allSatisfy { $0?.count ?? 0 <= count }, "no box is longer than the file")
  if let layout = track.channelLayout {
    var builder = BoxBuilder()
    builder.append(layout)
    var channels = 1
    if case .positions(let positions) = layout.layout { channels = positions.count }
    let again = ChannelLayoutBox(payload: Array(builder.bytes.dropFirst(8)), channels: channels)
    demand(again == layout, "a layout that is written is read as the same one")
  }
}

private func check(_ tables: ReadSampleTables, _ count: Int) {
  demand((0...Int64(count)).contains(tables.count), "samples take bytes")
  demand(tables.chunks.count <= count / 4, "a chunk has a place")
  demand(tables.chunks.allSatisfy { $0.size >= 0 }, "sums don't wrap around")
  var times: Int64 = 0
  tables.forEachTime { _, _ in times += 1 }
  demand(times <= tables.count, "a sample has one time")
}

private func check(_ track: FragmentedTrack, _ count: Int) {
  demand(track.timescale > 0, "a track has a clock")
  demand(track.sampleEntryBox.count <= count, "no box is longer than the file")
  check(track.edits)
  for type in ["esds", "dOps", "dfLa", "dec3", "chnl"] { _ = track.configuration(type) }
  if let entry = VisualSampleEntry(track.sampleEntryBox) { check(entry) }
}

/// Edits are written with 64 bits each.
private func check(_ edits: [EditListBox.Entry]) {
  var builder = BoxBuilder()
  builder.append(EditListBox(entries: edits))
  let again = EditListBox(payload: Array(builder.bytes.dropFirst(8))).entries
  demand(again == edits, "edits that are written are read as the same ones")
}

private func check(_ entry: VisualSampleEntry) {
  _ = (entry.codec, entry.parameterSets, entry.type)
  var longer = entry
  longer.append("zzzz", [1, 2, 3])
  demand(VisualSampleEntry(longer.bytes) == longer, "an entry with one more box is whole")
}

private func check(_ track: TrackFragment, _ count: Int) {
  demand(track.samples.count + track.extents.count <= count, "samples take bytes")
  demand(track.samples.allSatisfy { $0.count > 0 }, "no run is empty")
  demand(
    track.sampleCount >= 0 && track.dataSize >= 0 && track.duration >= 0, "sums don't wrap around")
}
