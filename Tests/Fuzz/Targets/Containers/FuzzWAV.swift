// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

@testable import MediaIn
@testable import Rendering
@testable import Verify

/// The bytes are a file of WAV, RF64 or BW64, read by all three readers of such headers. The reader that proves what was
/// written is the strictest: what it accepts can be read to its end.
func fuzzWAV(_ bytes: [UInt8]) {
  guard let file = FuzzInput.file(bytes) else { return }
  _ = HeSuViFile.channels(file)
  if let page = RIFFCodePage(file) { demand(page.number > 0, "a code page has a number") }
  if let place = SoundChunks.tag(in: file) {
    demand(
      (20...Int64(bytes.count)).contains(place), "a tag begins in the file, after its chunk's head")
  }
  if let riff = RIFFHeader(file) {
    demand((0...Int64(bytes.count)).contains(riff.trailingBytes), "what trails is in the file")
  }
  var asked = 0
  let header = try? WAVHeader(size: Int64(bytes.count)) { offset, count in
    asked = max(asked, count)
    guard offset >= 0, offset < bytes.count else { return [] }
    return Array(bytes[Int(offset)...].prefix(count))
  }
  demand(asked <= max(40, bytes.count), "no more is asked for than the file has")
  guard let header else { return }
  demand(header.dataOffset + header.dataBytes <= bytes.count, "the data are in the file")
  demand(header.frames * Int64(header.frameBytes) == header.dataBytes, "samples are whole")
  demand(header.cuePoints.count <= bytes.count / 24, "a cue point has 24 bytes")
  if header.channels <= 64 { read(bytes, header) }
}

/// Reads all samples.
private func read(_ bytes: [UInt8], _ header: WAVHeader) {
  guard let descriptor = try? TemporaryFile.makeDescriptor() else { return }
  defer { close(descriptor) }
  _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  let reader = try? WAVFileReader(
    descriptor: descriptor, name: "input", channels: header.channels)
  guard let reader else { return }
  demand(reader.header == header, "the header is the same in a file")
  let buffer = AudioBuffer(channels: header.channels)
  while (try? reader.read(into: buffer)) == true {}
  demand(Int64(buffer.frames) == header.frames, "all samples are read")
}
