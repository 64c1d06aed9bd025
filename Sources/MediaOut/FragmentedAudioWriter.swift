import AudioCore
import ISOBMFF
import LibAV

/// Encodes one audio track and writes it as fragmented MP4.
///
/// The edit list holds the encoder's start-up samples and the exact length, so that readers play
/// the samples that were written, no more and no fewer.
public final class FragmentedAudioWriter: AudioSink {
  /// Samples of a frame where the encoder takes any number.
  private static let anyFrame = 4096

  private let settings: FragmentedAudioSettings
  private let encoder: EncoderContext
  private let sink: DescriptorSink
  private let movie: FragmentedMP4Writer
  private let frameSize: Int
  private var quantizer: Quantizer
  /// Samples waiting for a whole frame: floats for lossy encodings, interleaved integers else.
  private let waiting: AudioBuffer
  private var integers: [Int32] = []

  /// Starts a file on `descriptor`, which stays open; `name` appears in messages. What the file held
  /// before is overwritten from the front and cut off behind the end.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` when the encoder can't take the format,
  ///   or as writing does.
  public init(descriptor: Int32, name: String, settings: FragmentedAudioSettings) throws {
    self.settings = settings
    encoder = try EncoderContext(
      settings.encoding, format: settings.format, bits: settings.bits, bitRate: settings.bitRate)
    frameSize = encoder.frameSize > 0 ? encoder.frameSize : FragmentedAudioWriter.anyFrame
    quantizer = Quantizer(bits: settings.bits, dither: settings.dither)
    waiting = AudioBuffer(channels: settings.format.channels, capacity: 1 << 15)
    sink = DescriptorSink(descriptor: descriptor, name: name)
    var movieSettings = FragmentedMP4Settings(
      movieTimescale: settings.format.sampleRate, fragmentDuration: settings.fragmentDuration)
    movieSettings.tags = settings.tags
    let entry = try FragmentedAudioWriter.sampleEntry(encoder, settings, name)
    let track = MovieTrack(
      kind: .audio, timescale: settings.format.sampleRate, sampleEntry: entry,
      mediaTime: Int64(encoder.initialPadding), validDuration: settings.frames,
      rollDistance: FragmentedAudioWriter.rollDistance(settings.encoding, frameSize),
      loudness: settings.loudness)
    movie = try FragmentedMP4Writer(sink: sink, tracks: [track], settings: movieSettings)
  }

  /// Samples that had to be clamped to full scale; 0 for lossy encodings, which clamp nothing.
  public var clippedSamples: Int64 { quantizer.clipped }

  /// What was written so far; see ``FragmentedMP4Writer``.
  public var fragments: [FragmentRecord] { movie.fragments }

  /// Bytes before the first fragment.
  public var initializationSize: Int64 { movie.initializationSize }

  /// Channels.
  public var channels: Int { settings.format.channels }

  /// Samples a second.
  public var sampleRate: Int { settings.format.sampleRate }

  /// The codec as HLS and MIME types name it (RFC 6381).
  public var codec: String {
    switch settings.encoding {
    case .aac: return "mp4a.40.2"
    case .flac: return "fLaC"
    case .alac: return "alac"
    case .opus: return "Opus"
    }
  }

  /// Start-up samples that the edit list skips.
  public var initialPadding: Int { encoder.initialPadding }

  /// Encodes all of `buffer`.
  public func write(_ buffer: AudioBuffer) throws {
    guard buffer.frames > 0 else { return }
    if settings.encoding.isLossless {
      let count = buffer.frames * buffer.channels
      let start = integers.count
      integers.append(contentsOf: repeatElement(0, count: count))
      integers.withUnsafeMutableBufferPointer { target in
        if let base = target.baseAddress { quantizer.convert(buffer, into: base + start) }
      }
    } else {
      waiting.append(buffer)
    }
    try encode(isLast: false)
  }

  /// Encodes the rest and completes the file.
  public func close() throws {
    try encode(isLast: true)
    try add(try encoder.finish())
    try movie.finish()
    try sink.finish()
  }

  private func encode(isLast: Bool) throws {
    let channels = settings.format.channels
    let held = settings.encoding.isLossless ? integers.count / channels : waiting.frames
    var position = 0
    while held - position >= frameSize || isLast && position < held {
      let count = min(frameSize, held - position)
      try add(try encodeFrame(at: position, count: count))
      position += count
    }
    if settings.encoding.isLossless {
      integers.removeFirst(position * channels)
    } else {
      waiting.removeFirst(position)
    }
  }

  private func encodeFrame(at position: Int, count: Int) throws -> [EncodedPacket] {
    guard settings.encoding.isLossless else {
      return try encoder.encode(waiting, range: position..<position + count)
    }
    return try integers.withUnsafeBufferPointer { samples in
      guard let base = samples.baseAddress else { return [] }
      return try encoder.encode(
        interleaved: base + position * settings.format.channels, count: count)
    }
  }

  private func add(_ packets: [EncodedPacket]) throws {
    for packet in packets {
      // The last packet of an encoder may state less than it decodes to.
      let duration = packet.duration > 0 ? packet.duration : frameSize
      try movie.add(
        MediaSample(
          data: packet.data, decodeTime: packet.time + Int64(encoder.initialPadding),
          duration: Int64(duration)), track: 0)
    }
  }

  private static func rollDistance(_ encoding: AudioEncoding, _ frameSize: Int) -> Int? {
    switch encoding {
    case .aac: return -1
    case .opus: return OpusSampleEntry.rollDistance(packetDuration: frameSize)
    case .flac, .alac: return nil
    }
  }

  private static func sampleEntry(
    _ encoder: EncoderContext, _ settings: FragmentedAudioSettings, _ name: String
  ) throws -> [UInt8] {
    let format = settings.format
    do {
      switch settings.encoding {
      case .aac:
        return try AACSampleEntry(
          configuration: encoder.extradata, channels: format.channels,
          sampleRate: format.sampleRate, averageBitRate: encoder.bitRate
        ).encoded
      case .flac:
        return try FLACSampleEntry(
          streamInfo: streamInfo(encoder.extradata, frames: settings.frames)
        ).encoded
      case .alac: return try ALACSampleEntry(cookie: encoder.extradata).encoded
      case .opus: return try OpusSampleEntry(head: encoder.extradata).encoded
      }
    } catch let error as BoxError {
      throw MediaError(.internal, "\(name): the encoder's configuration can't be used: \(error)")
    }
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
