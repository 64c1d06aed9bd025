import AudioCore
import LibAV
import Platform

/// Writes a FLAC file (RFC 9639) by libavcodec and libavformat: 16 or 24 bits, tags as Vorbis
/// comments, channel mask where the channel count alone doesn't determine the layout, a cue sheet of the
/// chapters.
package final class FLACWriter: AudioSink {
  private let name: String
  private let frames: FrameEncoder
  private let file: OutputContext

  /// Starts a file on `descriptor`, which stays the caller's; `name` appears in messages. What it
  /// held before is overwritten from the front, and any rest is cut off.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` when FLAC can't take the format, or as
  ///   writing does.
  package init(descriptor: Int32, name: String, settings: FLACSettings) throws {
    self.name = name
    frames = try FrameEncoder(
      .flac, format: settings.format, bits: settings.bits, bitRate: nil, dither: settings.dither,
      options: settings.encoderOptions)
    do {
      file = try OutputContext(
        format: "flac", descriptor: descriptor, encoder: frames.encoder,
        tags: FLACWriter.comments(settings), cover: settings.cover,
        inserted: FLACCueSheet(settings).map { $0.inserted })
    } catch let error as LibAVError {
      throw error.failure(.unsupportedFeature, about: name, "can't be started as FLAC")
    }
  }

  /// Samples that had to be clamped to full scale.
  package var clippedSamples: Int64 { frames.clippedSamples }

  /// The samples of the last block as every reader gets them.
  package var stored: AudioBuffer? { frames.stored }

  /// Encodes all of `buffer`.
  /// - Throws: ``MediaError`` when it can't be stored.
  package func write(_ buffer: AudioBuffer) throws {
    try storing { try file.write(try frames.encode(buffer)) }
  }

  /// Encodes the rest and completes the header: sample count and MD5 of the samples.
  /// - Throws: as ``write(_:)``.
  package func close() throws {
    try storing {
      try file.write(try frames.finish())
      try file.finish(renewed: frames.encoder.renewedExtradata)
    }
  }

  private func storing(_ body: () throws -> Void) throws {
    do { try body() } catch let error as LibAVError {
      guard file.failure == 0 else { throw OutputFailure.error(file.failure, name) }
      throw error.failure(.internal, about: name, "can't be encoded as FLAC")
    }
  }

  private static func comments(_ settings: FLACSettings) -> [String: String] {
    let tags = settings.tags
    let pairs = [
      ("title", tags.title), ("artist", tags.artist), ("album", tags.album),
      ("comment", tags.comment), ("copyright", tags.copyright), ("date", tags.date),
      ("genre", tags.genre), ("track", tags.track), ("encoded_by", settings.maker),
    ]
    return pairs.reduce(into: ChapterComments.entries(of: settings.chapters)) { all, pair in
      if let value = pair.1, !value.isEmpty { all[pair.0] = value }
    }
  }
}
