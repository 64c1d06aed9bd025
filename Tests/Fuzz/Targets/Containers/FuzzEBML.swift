// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Matroska

/// The bytes are a file of Matroska or WebM; what can be read of it is written again, and read as the same.
func fuzzEBML(_ bytes: [UInt8]) {
  let source = FuzzInput.source(bytes)
  demand(
    MatroskaCheck(source).findings.count <= MatroskaCheck.limit, "a list of findings has an end")
  guard let reader = try? MatroskaReader(source) else { return }
  if let chapters = reader.chapters.flatMap(MatroskaChapters.init(element:)),
    !chapters.editions.isEmpty
  {
    demand(
      MatroskaChapters(element: chapters.encoded)?.editions.count == chapters.editions.count,
      "chapters that were written are read")
  }
  for tags in reader.tags { _ = MatroskaTag.encoded(MatroskaTag.all(element: tags)) }
  guard let copy = copy(of: reader, source) else { return }
  guard let again = try? MatroskaReader(FuzzInput.source(copy)) else {
    return demand(false, "a file that was written is read")
  }
  demand(again.tracks.count == reader.tracks.count, "a copy has all tracks")
  demand(again.attachments.count == reader.attachments.count, "a copy has all attachments")
}

/// Blocks that are copied at most.
private let mostBlocks = 5000

/// A file with the parts and blocks of `reader`; `nil` where they contradict each other.
private func copy(of reader: MatroskaReader, _ source: ByteSource) -> [UInt8]? {
  var segment = MatroskaSegment(reader.docType, info: reader.info, tracks: reader.tracks)
  segment.chapters = reader.chapters.map { .verbatim($0) }
  segment.tags = reader.tags.map { .verbatim($0) }
  segment.attachments = reader.attachments.map { MatroskaAttachment($0, of: source) }
  var bytes: [UInt8] = []
  var count = 0
  do {
    var builder = try MatroskaSegmentBuilder(segment) { bytes += $0 }
    // A damaged cluster ends the copy.
    try? reader.forEachBlock(as: .stored) { frame in
      count += 1
      try builder.add(block(of: frame))
      return count < mostBlocks
    }
    for patch in try builder.finish() {
      let place = Int(patch.offset)
      bytes.replaceSubrange(place..<place + patch.bytes.count, with: patch.bytes)
    }
  } catch { return nil }
  return bytes
}

private func block(of frame: MatroskaFrame) -> MatroskaBlock {
  var block = MatroskaBlock(
    track: frame.track, time: .nanoseconds(frame.time), data: frame.data,
    duration: frame.duration.map { .nanoseconds($0) })
  block.isKey = frame.isKey
  block.references = frame.references.map { .nanoseconds($0) }
  block.additions = frame.additions
  block.statesDuration = frame.duration != nil
  if frame.discardPadding != 0 { block.discardPadding = .nanoseconds(frame.discardPadding) }
  return block
}
