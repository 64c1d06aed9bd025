import AudioCore
import ISOBMFF
import LibAV

/// Encodes one audio track of fragmented MP4: its facts before the first sample, then its packets.
package final class EncodedAudioTrack: PushedTrack {
  private let settings: SoundSettings
  private let frames: FrameEncoder
  /// Facts for the writer.
  package let track: MovieTrack

  /// Opens the encoder; `name` appears in messages.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` when the encoder can't take the format.
  package init(name: String, settings: SoundSettings) throws {
    self.settings = settings
    frames = try FrameEncoder(settings.coding, format: settings.format)
    let encoder = frames.encoder
    var track = MovieTrack(
      kind: .audio, timescale: settings.format.sampleRate,
      sampleEntry: try EncodedAudioTrack.sampleEntry(encoder, settings, name),
      language: settings.language, mediaTime: Int64(encoder.initialPadding),
      editsPriming: !settings.coding.isForMediaSource, validDuration: settings.frames,
      startOffset: settings.startOffset,
      rollDistance: settings.coding.codec.traits.rollDistance(frame: frames.frameSize),
      loudness: settings.texts.loudness)
    track.title = settings.title
    self.track = track
  }

  /// Samples that had to be clamped to full scale; 0 for lossy encodings, which clamp nothing.
  package var clippedSamples: Int64 { frames.clippedSamples }

  /// The samples of the last block as every reader gets them; `nil` for a lossy encoding.
  package var stored: AudioBuffer? { frames.stored }

  /// The codec as HLS and MIME types name it (RFC 6381).
  package var codec: String { settings.coding.codec.traits.mimeName }

  /// Nothing besides the usual.
  package var brands: [String] { [] }

  /// Adds `buffer` and encodes as many whole frames as there are now.
  package func encode(_ buffer: AudioBuffer) throws -> [MediaSample] {
    samples(try frames.encode(buffer))
  }

  /// Encodes the rest.
  package func finish() throws -> [MediaSample] { samples(try frames.finish()) }

  /// `packets` of an encoder with the same settings as samples of the track.
  func samples(_ packets: [EncodedPacket]) -> [MediaSample] {
    packets.map { packet in
      // The last packet of an encoder may state less than it decodes to.
      MediaSample(
        data: packet.data, decodeTime: packet.time + Int64(frames.encoder.initialPadding),
        duration: Int64(packet.duration > 0 ? packet.duration : frames.frameSize))
    }
  }

  private static func sampleEntry(
    _ encoder: EncoderContext, _ settings: SoundSettings, _ name: String
  ) throws -> [UInt8] {
    let format = settings.format
    let mark = settings.isBinaural ? ChannelTagBox.binaural.encoded : []
    do {
      switch settings.coding.codec {
      case .aac:
        return try AACSampleEntry(
          configuration: encoder.extradata, channels: format.channels,
          sampleRate: format.sampleRate, averageBitRate: encoder.bitRate, boxes: mark
        ).encoded
      case .flac:
        return try FLACSampleEntry(
          streamInfo: streamInfo(encoder.extradata, frames: settings.frames), boxes: mark
        ).encoded
      case .alac: return try ALACSampleEntry(cookie: encoder.extradata, boxes: mark).encoded
      case .opus: return try OpusSampleEntry(head: encoder.extradata, boxes: mark).encoded
      case .pcm:
        return try PCMSampleEntry(
          isFloat: false, bits: settings.coding.bits, isLittleEndian: true,
          channels: format.channels, sampleRate: format.sampleRate,
          boxes: channelLayout(format.layout) + mark
        ).encoded
      }
    } catch let error as BoxError {
      throw MediaError(
        .internal, about: name, "the encoder's configuration can't be used: \(error)")
    }
  }

  /// PCM has no codec header that names its channels: one position of ISO/IEC 23091-3 for each.
  private static func channelLayout(_ layout: ChannelLayout) -> [UInt8] {
    guard layout.count > 2, let positions = ChannelPositions.numbers(of: layout) else { return [] }
    return ChannelLayoutBox(.positions(positions)).encoded
  }

  /// STREAMINFO with the sample count, which libavcodec leaves open at the start (RFC 9639, 8.2).
  private static func streamInfo(_ bytes: [UInt8], frames: Int64) -> [UInt8] {
    guard bytes.count == 34, (0..<1 << 36).contains(frames) else { return bytes }
    var info = bytes
    info[13] = info[13] & 0xF0 | UInt8(truncatingIfNeeded: frames >> 32) & 0x0F
    for index in 0..<4 {
      info[14 + index] = UInt8(truncatingIfNeeded: frames >> Int64(24 - 8 * index))
    }
    return info
  }
}

/// A track that is encoded while its file is written: samples are pushed into it, coded ones come out.
package protocol PushedTrack: AnyObject {
  /// Its facts, known before the first sample.
  var track: MovieTrack { get }
  /// The codec as HLS and MIME types name it (RFC 6381).
  var codec: String { get }
  /// What files with such a track conform to besides the usual, as four-character codes.
  var brands: [String] { get }
  /// Samples that had to be clamped to full scale; 0 for lossy encodings, which clamp nothing.
  var clippedSamples: Int64 { get }
  /// The samples of the last block as every reader gets them; `nil` for a lossy encoding.
  var stored: AudioBuffer? { get }

  /// Adds `buffer` and encodes as many whole frames as there are now.
  /// - Throws: ``MediaError`` or an encoder's error.
  func encode(_ buffer: AudioBuffer) throws -> [MediaSample]

  /// Encodes the rest.
  /// - Throws: as ``encode(_:)``.
  func finish() throws -> [MediaSample]
}
