import AudioCore
import Essentials
import LibAV
import Platform

/// Everything an ``OggOpusWriter`` must know before the first sample.
package struct OggOpusSettings: Sendable {
  /// 48 kHz and a layout of 1…8 channels.
  package var format: AudioFormat
  /// Bit rate in bit/s; `nil` leaves it to the encoder.
  package var bitRate: Int?
  /// Options for the encoder by libavcodec's names.
  package var encoderOptions: [String: String] = [:]
  /// Descriptive tags.
  package var tags = OutputTags()
  /// Who made the file, for ENCODED_BY.
  package var maker = ""
  /// Loudness of the programme in LUFS, for R128_TRACK_GAIN; `nil` for silence.
  package var integrated: Double?
  /// Cover picture.
  package var cover: AttachedPicture?
  /// Chapters, as Vorbis comments.
  package var chapters: [ProgrammeMarker] = []

  /// Settings without tags.
  package init(format: AudioFormat) { self.format = format }
}

/// Writes Opus in Ogg (RFC 7845) by libopus and libavformat.
///
/// The header's pre-skip and the granule position of the last page make the length exact. Tags are
/// Vorbis comments; the cover is a METADATA_BLOCK_PICTURE among them, and R128_TRACK_GAIN gives
/// players the gain to −23 LUFS.
package final class OggOpusWriter: AudioSink {
  private let name: String
  private let frames: FrameEncoder
  private let file: OutputContext

  /// Starts a file on `descriptor`, which stays the caller's; `name` appears in messages. The
  /// file's old content is overwritten from the front, and any rest is cut off.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` when Opus can't take the format, or as
  ///   writing does.
  package init(descriptor: Int32, name: String, settings: OggOpusSettings) throws {
    self.name = name
    frames = try FrameEncoder(
      .opus, format: settings.format, bits: 24, bitRate: settings.bitRate, dither: .none,
      options: settings.encoderOptions)
    do {
      file = try OutputContext(
        format: "opus", descriptor: descriptor, encoder: frames.encoder,
        tags: OggOpusWriter.comments(settings))
    } catch let error as LibAVError {
      throw error.failure(.unsupportedFeature, about: name, "can't be started as Opus")
    }
  }

  /// Start-up samples that readers drop because of the header's pre-skip.
  package var initialPadding: Int { frames.encoder.initialPadding }

  /// Always 0: a lossy encoding clips nothing.
  package var clippedSamples: Int64 { frames.clippedSamples }

  /// Always `nil`: readers get other samples than were given.
  package var stored: AudioBuffer? { nil }

  /// Encodes all of `buffer`.
  /// - Throws: ``MediaError`` when it can't be stored.
  package func write(_ buffer: AudioBuffer) throws {
    try storing { try file.write(try frames.encode(buffer)) }
  }

  /// Encodes the rest; the last page's granule position states the end.
  /// - Throws: as ``write(_:)``.
  package func close() throws {
    try storing {
      try file.write(try frames.finish())
      try file.finish(renewed: nil)
    }
  }

  private func storing(_ body: () throws -> Void) throws {
    do { try body() } catch let error as LibAVError {
      guard file.failure == 0 else { throw OutputFailure.error(file.failure, name) }
      throw error.failure(.internal, about: name, "can't be encoded as Opus")
    }
  }

  private static func comments(_ settings: OggOpusSettings) -> [String: String] {
    let tags = settings.tags
    let pairs: [(String, String?)] = [
      ("title", tags.title), ("artist", tags.artist), ("album", tags.album),
      ("comment", tags.comment), ("copyright", tags.copyright), ("date", tags.date),
      ("genre", tags.genre), ("track", tags.track), ("encoded_by", settings.maker),
      ("R128_TRACK_GAIN", settings.integrated.map(gain)),
      ("METADATA_BLOCK_PICTURE", settings.cover.map(block)),
    ]
    return pairs.reduce(into: ChapterComments.entries(of: settings.chapters)) { all, pair in
      if let value = pair.1, !value.isEmpty { all[pair.0] = value }
    }
  }

  /// The gain to −23 LUFS in the form of RFC 7845, 5.2.1: in 1/256 dB, an integer of 16 bits.
  private static func gain(_ integrated: Double) -> String {
    "\(Int16(clamping: Int(((-23 - integrated) * 256).rounded())))"
  }

  /// The picture as the block of a FLAC file (RFC 9639, 8.8) in base64: front cover, without a
  /// description; depth 24 bits, no palette.
  private static func block(_ cover: AttachedPicture) -> String {
    // A JPEG file begins with the byte FF.
    let type = cover.bytes.first == 0xFF ? "image/jpeg" : "image/png"
    var bytes: [UInt8] = []
    func number(_ value: Int) {
      let word = UInt32(clamping: value)
      for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(shift))) }
    }
    number(3)
    number(type.utf8.count)
    bytes += Array(type.utf8)
    number(0)
    for value in [cover.width, cover.height, 24, 0, cover.bytes.count] { number(value) }
    return Data(bytes + cover.bytes).base64EncodedString()
  }
}
