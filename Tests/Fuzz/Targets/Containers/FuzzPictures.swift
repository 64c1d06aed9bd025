// SPDX-License-Identifier: Apache-2.0
import ISOBMFF

@testable import MediaIn

/// The first byte chooses a codec, the next two the length of a sample entry, which comes then; a packet follows.
func fuzzPictures(_ bytes: [UInt8]) {
  guard bytes.count > 3 else { return }
  let codec = ["h264", "hevc", "av1", "vp9"][Int(bytes[0] & 3)]
  let size = min(bytes.count - 3, Int(bytes[1]) << 8 | Int(bytes[2]))
  let entry = Array(bytes[3..<3 + size])
  let packet = Array(bytes[(3 + size)...])
  var end = 0
  for range in NALFraming.units(packet) {
    demand(range.lowerBound >= end + 3 && !range.isEmpty, "units lie behind start codes")
    end = range.upperBound
  }
  demand(end <= packet.count, "units are in the packet")
  guard let entry = VisualSampleEntry(entry) else { return }
  let sets = entry.parameterSets
  demand(sets.map { (1...4).contains($0.lengthSize) } ?? true, "a length has 1 to 4 bytes")
  let metadata = HDRMetadata(codec: codec, sample: packet, sets: sets)
  demand(metadata.masteringDisplay?.count ?? 24 == 24, "mdcv has 24 bytes")
  demand(metadata.lightLevel?.count ?? 4 == 4, "clli has 4 bytes")
  let header = entry.payload("avcC") ?? entry.payload("hvcC") ?? []
  for extradata in [header, []] {
    let framing = NALFraming(codec: codec, extradata: extradata, entry: entry)
    let sample = try? framing.sample(packet)
    demand(sample?.count ?? 0 <= packet.count * 2 + 4, "a sample isn't much longer than its packet")
  }
}
