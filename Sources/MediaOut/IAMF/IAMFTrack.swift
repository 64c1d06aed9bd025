import AudioCore
import IAMF
import ISOBMFF

/// Encodes an IAMF track of fragmented MP4: one sample is one temporal unit (IAMF 1.1, 6.3).
package final class IAMFTrack: PushedTrack {
  private let encoder: IAMFEncoder
  /// Facts for the writer.
  package let track: MovieTrack

  /// Opens the encoders.
  /// - Parameters:
  ///   - title: of the track, as ``MovieTrack/title``.
  ///   - startOffset: samples by which the track begins later than the earliest of the presentation.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` for what can't be written.
  package init(_ settings: IAMFSettings, title: String? = nil, startOffset: Int64 = 0) throws {
    encoder = try IAMFEncoder(settings, hasDelimiters: false)
    var track = MovieTrack(
      kind: .audio, timescale: settings.sampleRate,
      sampleEntry: IAMFSampleEntry(
        configuration: ConfigurationBox(configOBUs: encoder.sequence.descriptors).content
      ).encoded,
      language: settings.language, mediaTime: Int64(encoder.delay),
      validDuration: settings.frames, startOffset: startOffset,
      rollDistance: encoder.rollDistance == 0 ? nil : encoder.rollDistance)
    track.title = title
    self.track = track
  }

  /// The codec as HLS and MIME types name it (IAMF 1.1, 6.4).
  package var codec: String { encoder.sequence.codecsText }

  /// What files with such a track conform to.
  package var brands: [String] { ["iamf"] }

  package var clippedSamples: Int64 { encoder.clippedSamples }

  package var stored: AudioBuffer? { encoder.stored }

  package func encode(_ buffer: AudioBuffer) throws -> [MediaSample] {
    try encoder.encode(buffer).map(sample)
  }

  package func finish() throws -> [MediaSample] { try encoder.finish().map(sample) }

  private func sample(_ unit: IAMFEncoder.Unit) -> MediaSample {
    MediaSample(data: unit.bytes, decodeTime: unit.start, duration: unit.duration)
  }
}
