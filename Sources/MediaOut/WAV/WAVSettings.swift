import AudioCore
import LibAV

/// Everything a ``WAVWriter`` must know before the first sample.
package struct WAVSettings: Sendable {
  /// Rate and layout.
  package var format: AudioFormat
  /// Sample encoding.
  package var encoding: SampleEncoding
  /// Dither for integer encodings.
  package var dither: Dither
  /// Samples per channel that will be written; decides between WAV and RF64.
  package var frames: Int64
  /// `bext` content; `nil` writes no chunk.
  package var broadcast: BroadcastInfo?
  /// Descriptive tags.
  package var tags: MediaTags
  /// Pictures with their kinds.
  package var pictures: [AttachedPicture] = []
  /// Named samples; they lie behind the samples.
  package var markers: [CuePoint] = []

  /// Settings without tags and without a `bext` chunk.
  package init(format: AudioFormat, encoding: SampleEncoding, dither: Dither, frames: Int64) {
    self.format = format
    self.encoding = encoding
    self.dither = dither
    self.frames = frames
    broadcast = nil
    tags = MediaTags()
  }

  /// Chunks behind the samples.
  var trailing: [WAVChunk] {
    CuePoint.chunks(of: markers) + WAVChunk.id3(tags, pictures: pictures)
  }

  /// Whether the data don't fit the 32-bit sizes of a plain WAV file.
  package var needsRF64: Bool {
    needsRF64(with: trailing.reduce(0) { $0 + Int64($1.stored.count) })
  }

  /// ``needsRF64`` with `rest` bytes of chunks after the samples.
  func needsRF64(with rest: Int64) -> Bool {
    let size = frames.multipliedReportingOverflow(by: Int64(format.channels * encoding.bytes))
    return size.overflow || size.partialValue > 0xFFFF_0000 - rest
  }
}
