// SPDX-License-Identifier: Apache-2.0
@testable import MediaIn

/// The bytes are an MP3 file with tags in front and the encoder's tag in its first frame.
func fuzzMP3(_ bytes: [UInt8]) {
  guard let file = FuzzInput.file(bytes) else { return }
  let tags = ID3Tag.length(in: file)
  demand((0...Int64(bytes.count)).contains(tags), "tags are in the file")
  if let frames = ID3Frames(file) {
    demand(frames.tags.entries.count <= bytes.count, "each value takes bytes")
  }
  if let junk = MP3Frames.junk(in: file) {
    demand(junk.lowerBound == tags, "what lies in front of the sound begins behind the tags")
    demand(junk.upperBound <= bytes.count && !junk.isEmpty, "what lies in front is in the file")
  }
  if let tags = TrailingTags(.all).range(in: file, after: 10) {
    demand(tags.lowerBound > 10 && tags.upperBound <= bytes.count, "tags are in the file")
  }
  guard let tag = MP3InfoTag(file) else { return }
  demand(tag.start == tags, "the first frame begins behind the tags")
  demand((1...1441).contains(tag.frameSize) && tag.length > tag.frameSize, "the frame has a size")
  demand(tag.programmeSamples(file) ?? 1 > 0, "a programme has samples")
  if tag.isCut(file) { demand(!tag.fits(file), "a checksum of bytes that aren't there is wrong") }
}
