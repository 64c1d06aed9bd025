/// A codec that Pinna writes.
public enum AudioEncoding: String, Sendable, Codable, CaseIterable {
  /// AAC-LC, libavcodec's own.
  case aac
  /// FLAC, 16 or 24 bits.
  case flac
  /// Apple Lossless, 16 or 24 bits.
  case alac
  /// Opus, by libopus; 48 kHz only.
  case opus
  /// PCM, 16 or 24 bits, little-endian.
  case pcm

  /// Bit rates that a lossy encoding may be asked for, bit/s.
  package static let bitRates = 8_000...2_000_000

  /// Its row.
  package var traits: EncodingTraits {
    switch self {
    case .aac: return .aac
    case .flac: return .flac
    case .alac: return .alac
    case .opus: return .opus
    case .pcm: return .pcm
    }
  }

  /// Whether decoding gives back the encoded samples bit by bit.
  public var isLossless: Bool { traits.isLossless }

  /// The layout that an encoded programme of `layout` has. AAC, ALAC and Opus name a programme's only
  /// surround pair, which ITU-R BS.775 puts at ±110°, back left and right; other layouts stay as they are.
  public func layout(for layout: ChannelLayout) -> ChannelLayout {
    guard traits.callsSidesBack, layout.speakers.contains(.sideLeft),
      !layout.speakers.contains(where: { [.backLeft, .backRight, .backCenter].contains($0) })
    else { return layout }
    return ChannelLayout(
      layout.speakers.map { $0 == .sideLeft ? .backLeft : $0 == .sideRight ? .backRight : $0 })
  }
}

/// Facts about a codec that is written, in one row. ``CodecTraits`` says how it is read.
package struct EncodingTraits: Sendable {
  /// Packets that must be decoded before a sample is right.
  package enum PreRoll: Sendable {
    case nothing
    case packets(Int)
    case samples(Int)
  }

  /// Name in HLS and MIME types (RFC 6381).
  package let mimeName: String
  /// libavcodec's encoder.
  package let encoder: String
  /// libavcodec's encoder for 16 bits, where that is another one.
  package var encoder16: String?
  /// Whether the encoder takes each channel by itself instead of interleaved samples.
  package var takesPlanes = false
  /// Samples of a frame where the encoder takes any number.
  package var freeFrame = 4096
  package var isLossless = false
  /// Whether it calls a programme's only surround pair back left and right.
  package var callsSidesBack = false
  /// Whether its header names the channels, or their number does.
  package var namesChannels = true
  package var preRoll = PreRoll.nothing
  /// Whether a packet depends on its neighbours by their windows alone, so that single ones can be encoded again.
  package var hasReplaceablePackets = false

  /// Packets of `frame` samples to be decoded before one whose output is wanted, negative; `nil` for none.
  package func rollDistance(frame: Int) -> Int? {
    switch preRoll {
    case .nothing: return nil
    case .packets(let count): return -count
    case .samples(let count): return -((count + frame - 1) / frame)
    }
  }
}

extension EncodingTraits {
  package static let aac = EncodingTraits(
    mimeName: "mp4a.40.2", encoder: "aac", takesPlanes: true, callsSidesBack: true,
    preRoll: .packets(1), hasReplaceablePackets: true)

  package static let flac = EncodingTraits(mimeName: "fLaC", encoder: "flac", isLossless: true)

  package static let alac = EncodingTraits(
    mimeName: "alac", encoder: "alac", takesPlanes: true, isLossless: true, callsSidesBack: true)

  // Opus predicts from packet to packet, and is right after 80 ms (RFC 7845, 4.6).
  package static let opus = EncodingTraits(
    mimeName: "Opus", encoder: "libopus", callsSidesBack: true, preRoll: .samples(3840))

  package static let pcm = EncodingTraits(
    mimeName: "ipcm", encoder: "pcm_s24le", encoder16: "pcm_s16le", freeFrame: 1024,
    isLossless: true, namesChannels: false)
}
