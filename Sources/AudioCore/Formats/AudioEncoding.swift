// SPDX-License-Identifier: Apache-2.0

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
  /// MP3 (MPEG Layer III), by LAME; one or two channels.
  case mp3
  /// PCM, 16 or 24 bits, little-endian.
  case pcm
  /// AC-3 (Dolby Digital), libavcodec's own; up to 5.1.
  case ac3
  /// E-AC-3 (Dolby Digital Plus), libavcodec's own; up to 5.1.
  case eac3

  /// Bit rates that a lossy encoding may be asked for, bit/s.
  package static let bitRates = 8_000...2_000_000

  /// Its row.
  package var traits: EncodingTraits {
    switch self {
    case .aac: return .aac
    case .flac: return .flac
    case .alac: return .alac
    case .opus: return .opus
    case .mp3: return .mp3
    case .pcm: return .pcm
    case .ac3: return .ac3
    case .eac3: return .eac3
    }
  }

  /// Whether decoding gives back the encoded samples bit by bit.
  public var isLossless: Bool { traits.isLossless }

  /// Makes sure that the codec has a place for each channel of `layout`.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature`.
  package func check(_ layout: ChannelLayout) throws {
    guard let most = traits.mostChannels, layout.count > most else { return }
    throw MediaError(
      .unsupportedFeature,
      "\(rawValue) holds at most \(most) channels, and \(layout) has \(layout.count); mix it down with "
        + "\(setting: .outputLayout) stereo, or choose another \(setting: .codec) or \(setting: .container)"
    )
  }

  /// The layout that an encoded programme of `layout` has. AAC, ALAC and Opus name a programme's only
  /// surround pair, which ITU-R BS.775 puts at ±110°, back left and right, and AC-3 names it side left and right; other layouts stay
  /// as they are.
  public func layout(for layout: ChannelLayout) -> ChannelLayout {
    if traits.callsBackSides, !layout.speakers.contains(.sideLeft) {
      return ChannelLayout(
        layout.speakers.map { $0 == .backLeft ? .sideLeft : $0 == .backRight ? .sideRight : $0 })
    }
    guard traits.callsSidesBack, layout.speakers.contains(.sideLeft),
      !layout.speakers.contains(where: { [.backLeft, .backRight, .backCenter].contains($0) })
    else { return layout }
    return ChannelLayout(
      layout.speakers.map { $0 == .sideLeft ? .backLeft : $0 == .sideRight ? .backRight : $0 })
  }
}

/// How single packets of an encoding are replaced by those of another encoding of the same sound.
package struct PacketReplacement: Sendable {
  /// Packets that an encoder gets ahead, so that it has settled.
  package let lead: Int
  /// Packets after which what is decoded no longer depends on those before.
  package let settling: Int
  /// dB by which a peak is lowered further than it must be in the first try; four times as much in the second, and so on by
  /// squares.
  package var margin = 0.03
  /// Options of the encoder by which packets stand alone and every decoder makes the same of them.
  package var options: [String: String] = [:]
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
  /// Whether it calls a programme's only surround pair side left and right.
  var callsBackSides = false
  /// Whether its header names the channels, or their number does.
  package var namesChannels = true
  package var preRoll = PreRoll.nothing
  /// How single packets are encoded again; `nil` for an encoding that lifts no peak.
  package var replacement: PacketReplacement?
  /// Whether the encoder needs many seconds until it spends its bits evenly, so that short spans say nothing of the whole.
  package var settlesSlowly = false
  /// Sample rates in Hz that it takes, in order; none for any.
  package var rates: [Int] = []
  /// The rate for sound of any other rate; `nil` for the nearest of ``rates``.
  package var otherRate: Int?
  /// Whether its frames state the level of the dialogue (dialnorm), by which receivers change the level.
  package var statesDialogueLevel = false
  /// Channels at most; `nil` where only the encoder knows.
  package var mostChannels: Int?
  /// Constant bit rates in bit/s that a stream of so many Hz can have, in order; none where any goes.
  package var bitRates: @Sendable (Int) -> [Int] = { _ in [] }
  /// Bit rates where none is asked for, by the number of channels; none leaves them to the encoder.
  package var usualBitRates: [Int] = []
  /// Factors by which the encoder turns the sound down by itself, each with the bit rate below which it does.
  package var ownFactors: [(below: Int, factor: Float)] = []
  /// Qualities that the encoder option `q` may ask for in place of a bit rate; `nil` without that option.
  package var qualities: ClosedRange<Double>?
  /// CPU seconds for a minute of two channels: to encode it, and to read it back (`Tests/Benchmarks`, 2026-11-30). They
  /// only weigh the passes of a job in its progress.
  package var costs: (encode: Double, prove: Double) = (0.03, 0.005)
  /// Whether sound that fills no more than one frame gets silence behind it, because readers don't find so short a stream.
  package var fillsTwoFrames = false

  /// The rate for sound of `rate` Hz: its own where that is taken, else 48 or 44.1 kHz where it is a multiple of them, else the
  /// next higher one, or the highest.
  package func rate(for rate: Int) -> Int {
    guard !rates.isEmpty, !rates.contains(rate) else { return rate }
    if let otherRate { return otherRate }
    let related = rates.last { $0 >= 44_100 && rate % $0 == 0 }
    return related ?? rates.first { $0 > rate } ?? rates.last ?? rate
  }

  /// The bit rate for so many channels at `rate` Hz where none is asked for; `nil` leaves it to the encoder.
  package func usualBitRate(channels: Int, at rate: Int) -> Int? {
    guard let usual = usualBitRates.prefix(max(1, channels)).last else { return nil }
    return bitRates(rate).last { $0 <= usual } ?? usual
  }

  /// Factor that gives the sound back what the encoder takes of its level at `bitRate`; `nil` is for a quality.
  package func restoringFactor(bitRate: Int?) -> Float {
    guard let bitRate, let row = ownFactors.first(where: { bitRate < $0.below }) else { return 1 }
    return 1 / row.factor
  }
  /// Whether some players are wrong about it where it begins later than the pictures, so that late sound has to begin with silence.
  package var startsWithPictures = false

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
    preRoll: .packets(1),
    // Noise that the encoder leaves to the decoder (PNS) is another one in each decoder, and so are the peaks.
    replacement: PacketReplacement(lead: 8, settling: 2, options: ["aac_pns": "0"]),
    // With pink noise at 128 kbit/s its high bands rise by 0.7 dB between 12 s and 20 s after the start.
    settlesSlowly: true,
    // 64 kbit/s for each channel but LFE, of which libavcodec has 128 kbit/s for any number of channels.
    usualBitRates: [
      128_000, 128_000, 192_000, 256_000, 320_000, 320_000, 384_000, 448_000,
    ],
    costs: (1.1, 0.1))

  package static let flac = EncodingTraits(
    mimeName: "fLaC", encoder: "flac", isLossless: true, costs: (0.15, 0.1))

  package static let alac = EncodingTraits(
    mimeName: "alac", encoder: "alac", takesPlanes: true, isLossless: true, callsSidesBack: true,
    costs: (0.3, 0.1))

  // Opus predicts from packet to packet, and is right after 80 ms (RFC 7845, 4.6). Chromium plays late Opus early by its pre-skip,
  // 6.5 ms, whoever wrote the file.
  package static let opus = EncodingTraits(
    mimeName: "Opus", encoder: "libopus", callsSidesBack: true, preRoll: .samples(3840),
    // A decoder is right after 80 ms: four packets. Small changes of the sound change where the energy of a packet goes, so that
    // peaks need more room.
    replacement: PacketReplacement(lead: 12, settling: 4, margin: 0.1),
    // libopus takes four lower rates, too, but all containers count its samples at 48 kHz.
    rates: [48_000], costs: (1, 0.4), startsWithPictures: true)

  package static let mp3 = EncodingTraits(
    mimeName: "mp4a.40.34", encoder: "libmp3lame", takesPlanes: true,
    // As long as no frame takes bits that others left over: frames then overlap like those of AAC. At 48 kHz an encoder gives
    // the same frames from the third one on. The price is 0.2 to 0.9 dB of noise at the same size.
    replacement: PacketReplacement(lead: 4, settling: 2, options: ["reservoir": "0"]),
    rates: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
    mostChannels: 2, bitRates: layerIIIBitRates,
    // Apple recommends for podcasts: mono 96 to 128 kbit/s, stereo 128 to 256 (support/893-audio-requirements).
    usualBitRates: [96_000, 192_000],
    // `scale` of LAME 3.100's presets, which libavcodec has no option for; it takes the row of the nearest of 160, 192, 224
    // and 256 kbit/s.
    ownFactors: [(176_000, 0.95), (208_000, 0.97), (240_000, 0.98)], qualities: 0...9.999,
    costs: (0.8, 0.2), fillsTwoFrames: true)

  /// Bit rates of Layer III (ISO/IEC 11172-3, 2.4.2.3, and 13818-3, 2.4.2.3); below 16 kHz, which no standard has, LAME ends
  /// at 64 kbit/s.
  private static let layerIIIBitRates: @Sendable (Int) -> [Int] = { rate in
    let kilobits =
      rate >= 32_000
      ? [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
      : rate >= 16_000
        ? [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
        : [8, 16, 24, 32, 40, 48, 56, 64]
    return kilobits.map { $0 * 1000 }
  }

  package static let ac3 = EncodingTraits(
    mimeName: "ac-3", encoder: "ac3", takesPlanes: true, callsBackSides: true,
    preRoll: .packets(1), rates: dolbyRates, otherRate: 48_000, statesDialogueLevel: true,
    mostChannels: 6, bitRates: { _ in ac3BitRates },
    usualBitRates: [96_000, 192_000, 256_000, 320_000, 384_000, 448_000], costs: (0.35, 0.2))

  package static let eac3 = EncodingTraits(
    mimeName: "ec-3", encoder: "eac3", takesPlanes: true, callsBackSides: true,
    preRoll: .packets(1), rates: dolbyRates, otherRate: 48_000, statesDialogueLevel: true,
    mostChannels: 6,
    usualBitRates: [96_000, 192_000, 224_000, 256_000, 320_000, 384_000], costs: (0.25, 0.1))

  private static let dolbyRates = [32_000, 44_100, 48_000]

  /// Bit rates of AC-3 (ETSI TS 102 366, table 4.13).
  private static let ac3BitRates = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
  ].map { $0 * 1000 }

  package static let pcm = EncodingTraits(
    mimeName: "ipcm", encoder: "pcm_s24le", encoder16: "pcm_s16le", freeFrame: 1024,
    isLossless: true, namesChannels: false)
}
