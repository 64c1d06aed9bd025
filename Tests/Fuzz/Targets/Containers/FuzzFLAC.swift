// SPDX-License-Identifier: Apache-2.0
import PlayQueue

@testable import MediaIn

/// The bytes are the beginning of a file of FLAC with a cue sheet inside and junk in front.
func fuzzFLAC(_ bytes: [UInt8]) {
  if let file = FuzzInput.file(bytes), let tags = VorbisComments.flac(file) {
    // A comment has a length of four bytes, and a byte that isn't UTF-8 may become three.
    demand(tags.entries.count * 6 <= bytes.count, "a comment has a length, a name and a value")
  }
  if let file = FuzzInput.file(bytes), let junk = FLACMarker.junk(in: file) {
    demand(junk.lowerBound == ID3Tag.length(in: file), "what lies in front begins behind the tags")
    demand(junk.upperBound < bytes.count && !junk.isEmpty, "what lies in front is in the file")
  }
  if let info = FLACStreamInfo(bytes) {
    demand((16...info.greatestBlock).contains(info.leastBlock), "blocks have a length")
    demand(info.samples >= 0, "the number of samples isn't negative")
  }
  let sheet = try? FLACSheet { offset, count in
    demand(offset >= 0 && count >= 0 && count < 1 << 24, "a block has less than 16 MiB")
    guard offset < bytes.count else { return [] }
    return Array(bytes[Int(offset)...].prefix(count))
  }
  guard let sheet = sheet ?? nil else { return }
  demand(!sheet.tracks.isEmpty && sheet.tracks.count * 36 <= bytes.count, "a track takes 36 bytes")
  for gaps in CueGaps.allCases {
    let read = ReadQueue(sheet, path: "a.flac", gaps: gaps)
    demand(read.lines.count == read.queue.items.count, "each item has a line, or none")
    checkPlacement(read.queue)
  }
}
