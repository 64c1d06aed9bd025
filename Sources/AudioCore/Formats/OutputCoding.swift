// SPDX-License-Identifier: Apache-2.0

/// How the sound of an output is coded: one value from the request to the writer.
///
/// A ``Container`` keeps of it what its kind has a place for.
public struct OutputCoding: Sendable, Hashable {
  /// The codec.
  public var codec: AudioEncoding
  /// Bit rate of a lossy codec in bit/s; `nil` leaves it to the encoder.
  public var bitRate: Int?
  /// How samples of a lossless codec are stored.
  public var encoding: SampleEncoding
  /// Noise added before rounding to integers.
  public var dither: Dither
  /// How times are written in the metadata of BW64.
  public var admTimes = ADMTimeForm.decimal
  /// Options for the encoder by libavcodec's names.
  public var encoderOptions: [String: String] = [:]
  /// How IAMF holds the sound, whose substreams have the codec; `nil` for a track of the codec itself.
  public var iamf: Container.IAMF?
  /// Whether Opus is for a browser's MediaSource, which drops the start-up samples without an edit
  /// list and as many again with one; every other reader wants the edit list.
  public var isForMediaSource = false
  /// Least length of a fragment of MP4 or a segment of HLS; `nil` for the usual one.
  public var fragmentDuration: TimeSpec?
  /// Whether each segment of HLS is a file, in a folder named for the output, instead of a byte range of one file.
  public var hasSegmentFiles = false

  /// A coding; by default AAC at its usual rate, and 24 bits without dither for lossless codecs.
  public init(
    _ codec: AudioEncoding = .aac, bitRate: Int? = nil, encoding: SampleEncoding = .pcm24,
    dither: Dither = .none
  ) {
    self.codec = codec
    self.bitRate = bitRate
    self.encoding = encoding
    self.dither = dither
  }

  /// Bits of an integer sample, 16 or 24; encoders take no floats.
  package var bits: Int { encoding.integerBits ?? 24 }
}

/// How samples are stored (`-b`).
public enum SampleEncoding: String, Sendable, CaseIterable, Codable {
  /// 16-bit integers.
  case pcm16 = "16"
  /// 24-bit integers.
  case pcm24 = "24"
  /// 32-bit IEEE floats.
  case float32 = "32f"

  /// Bytes of one sample.
  public var bytes: Int {
    switch self {
    case .pcm16: return 2
    case .pcm24: return 3
    case .float32: return 4
    }
  }

  /// Significant bits of an integer sample; `nil` for floats.
  public var integerBits: Int? {
    switch self {
    case .pcm16: return 16
    case .pcm24: return 24
    case .float32: return nil
    }
  }
}

/// Noise added before rounding to integers (`--dither`).
public enum Dither: String, Sendable, CaseIterable, Codable {
  /// Plain rounding to nearest, ties to even.
  case none
  /// Triangular noise of ±1 LSB from a fixed seed, so that outputs repeat.
  case tpdf
}

/// How times are written in audio definition metadata (ITU-R BS.2076-2, 8.4).
public enum ADMTimeForm: String, Sendable, Hashable, Codable, CaseIterable {
  /// Seconds with five to nine decimals, which every reader takes.
  case decimal
  /// An exact fraction of a second, which only readers of BS.2076-2 take.
  case fraction
}
