// SPDX-License-Identifier: Apache-2.0

/// The facts about an audio codec that is read, in one row.
///
/// The needs of a codec in decoding and timing come from its row. `MediaIn` decides which codecs can be copied, and about
/// the codecs of pictures and subtitles.
package struct CodecTraits: Sendable, Hashable {
  /// Start-up samples, at the output rate, that a decoder puts out in front of the programme. They count
  /// only where no header states the number.
  package enum StartUp: Sendable, Hashable {
    /// As many as this.
    case samples(Int)
    /// As many as `samples`, but `other` where the stream's profile begins with `profile`.
    case byProfile(samples: Int, profile: String, other: Int)
    /// As many as the decoder marks, usually none: it removes them itself, whatever the container states.
    case takenOut
    /// Not measured.
    case unknown
  }

  /// The place where audio objects would be.
  package enum Objects: Sendable, Hashable {
    /// The codec has none.
    case never
    /// The header says whether there are any.
    case inHeader
    /// In the presentation of 16 channels that a major sync of TrueHD states; libavcodec doesn't decode it.
    case inMajorSync
    /// After the lossless layer of DTS-HD Master Audio, which libavcodec ends with.
    case afterLosslessLayer
  }

  /// The places where decoding may begin without changing a bit of what follows.
  package enum Entry: Sendable, Hashable {
    /// At the first packet only, as far as is known.
    case beginning
    /// At every sample, because the samples are stored as they are.
    case anySample
    /// At every frame.
    case anyFrame
    /// At every frame, and its header has the number of its first sample.
    case numberedFrame(FrameNumbering)
  }

  /// The two forms of AMR.
  package enum AMRBand: Sendable, Hashable { case narrow, wide }

  /// The forms of bare streams whose bytes are accounted for.
  package enum BareFrames: Sendable, Hashable {
    /// Frames of AC-3 and E-AC-3, which state their size.
    case dolby
    /// Frames of DTS, which state their size and may be filled up with zeros.
    case dts
    /// Frames of MPEG audio, whose bit rate gives their size.
    case mpeg
    /// Access units of TrueHD and MLP, which state their time in samples.
    case timed
    /// Frames of ADTS, whose places libavformat counts without what it passes over.
    case adts
  }

  /// libavcodec's name; `ac4` for AC-4, which libavcodec doesn't know.
  package let name: String
  /// Name and use of the codec, in a few words; `nil` for codecs without a row.
  package var use: String?
  /// Start-up samples, measured with ffmpeg 5.1's encoders and without a header that states the number
  /// (docs/explain/trimming.md). `Tests/RenderingTests/Codecs/CodecTable.swift` repeats the measurement.
  package var startUp = StartUp.unknown
  /// Samples by which the decoder is later than the delay that encoders state in iTunSMPB: 528 of the filter bank and one
  /// more in MP3.
  package var decoderDelay = 0
  /// Whether every encoder's stream has the same start-up samples, because they come of the codec's own transform.
  package var isStartUpFixed = false
  /// Whether libavcodec's own encoder puts only half of the start-up samples in front of the programme that its
  /// decoder marks.
  package var ownEncoderHalvesStartUp = false
  /// Whether the samples are stored as they are.
  package var isPlain = false
  /// Whether it consists of blocks of one length, of which the last is filled up.
  package var isOfBlocks = false
  /// The form of AMR whose frames a packet may hold several of, though libavcodec decodes the first alone.
  package var packsAMR: AMRBand?
  /// The form of its frames in a bare stream; `nil` where nothing is known of it.
  package var bareFrames: BareFrames?
  /// Whether libavcodec compares the checksums of frames as the standard says. For layer I in joint stereo
  /// (ISO/IEC 11172-3, 2.4.3.1) it takes too many bits for them, and would refuse intact frames.
  package var areChecksumsComparable = true
  /// Bytes below which libavcodec takes a packet for none, and passes over it without a word: frames of FLAC have 10 at
  /// least, and it wants 11.
  package var leastPacket = 0
  /// Whether the codec gives back exactly what was encoded.
  package var isLossless = false
  /// Places where decoding may begin without changing a bit of what follows.
  package var entry = Entry.beginning
  /// Whether each packet begins with a sync frame of AC-3 or E-AC-3 (ETSI TS 102 366), whose header
  /// tells more than libavcodec hands out.
  package var hasDolbyHeader = false
  /// Options with which libavcodec decodes a track of two channels. Without them it refuses TrueHD whose substreams after the
  /// first are empty, as those of stereo programmes are; they ask for the first alone.
  package var stereoOptions: [String: String] = [:]
  /// Place where audio objects would be.
  package var objects = Objects.never
  /// Whether a packet's time is that of the first frame in it. Windows Media packets begin in the middle
  /// of a frame.
  package var framesBeginWithPackets = true
  /// Whether a decoder of Pinna's own decodes it.
  package var hasOwnDecoder = false
  /// Sample rate, Hz, to which a faster decode is brought at once; `nil` leaves it as it is.
  package var workingRate: Int?

  /// Start-up samples of a stream of this profile; `nil` when they weren't measured.
  package func startUpSamples(profile: String?) -> Int? {
    switch startUp {
    case .samples(let count): return count
    case .byProfile(let count, let name, let other):
      return profile?.hasPrefix(name) == true ? other : count
    case .takenOut: return 0
    case .unknown: return nil
    }
  }
}

extension CodecTraits {
  /// The codec that libavcodec calls `name`; a codec without a row has the defaults.
  package static func named(_ name: String) -> CodecTraits {
    if let row = rows[name] { return row }
    // All plain samples and all generations of Windows Media behave alike.
    if name.hasPrefix("pcm_") { return plain(name) }
    if name.hasPrefix("dsd_") { return directStream(name) }
    if name == "mp1" {
      return CodecTraits(name: name, bareFrames: .mpeg, areChecksumsComparable: false)
    }
    if name.hasPrefix("wma") { return windowsMedia(name) }
    if name == "gsm_ms" || name.hasPrefix("adpcm_") {
      return CodecTraits(name: name, isOfBlocks: true)
    }
    return CodecTraits(name: name)
  }

  /// DSD inside another codec.
  package static let directStream = directStream("dsd")

  /// The codecs that files are known to hold and that libavcodec has to decode.
  package static let decoded = lossy + lossless + families

  /// Codings of channels, objects and sound fields that aren't decoded, by libavcodec's name or the sample entry. libavcodec's
  /// `apac` is another coding, which no sample entry has.
  package static let spatialCodings = [
    mpegH: "MPEG-H 3D Audio", "mha1": "MPEG-H 3D Audio", "mha2": "MPEG-H 3D Audio",
    "mhm1": "MPEG-H 3D Audio", "mhm2": "MPEG-H 3D Audio",
    "apac": "APAC (Apple Positional Audio Codec)",
  ]

  /// libavcodec's name of MPEG-H 3D Audio.
  package static let mpegH = "mpegh_3d_audio"

  private static func plain(_ name: String, _ use: String? = nil) -> CodecTraits {
    CodecTraits(
      name: name, use: use, startUp: .samples(0), isPlain: true, isLossless: true,
      entry: .anySample)
  }

  /// One bit at 64 times 44.1 kHz or more. libavcodec gives an eighth of that rate, 5 samples late, of which
  /// everything above the audible band is the modulator's noise.
  private static func directStream(_ name: String, _ use: String? = nil) -> CodecTraits {
    CodecTraits(name: name, use: use, startUp: .samples(1), workingRate: 88_200)
  }

  private static func windowsMedia(_ name: String, _ use: String? = nil) -> CodecTraits {
    CodecTraits(
      name: name, use: use, ownEncoderHalvesStartUp: name.hasPrefix("wmav"),
      framesBeginWithPackets: false)
  }

  /// AC-4.
  package static let ac4 = CodecTraits(
    name: "ac4", startUp: .takenOut, objects: .inHeader, hasOwnDecoder: true)

  /// IAMF. Its frames say what is trimmed, and its own decoder trims it.
  package static let iamf = CodecTraits(name: "iamf", startUp: .takenOut, hasOwnDecoder: true)

  /// libavcodec's names of Dolby TrueHD, and of MLP as DVD-Audio has it.
  package static let trueHD = "truehd"
  package static let mlp = "mlp"

  /// MPEG-1 and MPEG-2 layer III.
  package static let mp3 = CodecTraits(
    name: "mp3", use: "MP3, in music", startUp: .samples(1105), decoderDelay: 529,
    bareFrames: .mpeg)

  private static let rows = Dictionary(
    uniqueKeysWithValues: (decoded + [ac4, iamf]).map { ($0.name, $0) })

  private static let lossy = [
    // Spectral band replication doubles rate and delay.
    CodecTraits(
      name: "aac", use: "AAC, in MP4, Matroska and streams",
      startUp: .byProfile(samples: 1024, profile: "HE", other: 2048), bareFrames: .adts),
    CodecTraits(
      name: "aac_latm", use: "AAC in LATM, in broadcasts",
      startUp: .byProfile(samples: 1024, profile: "HE", other: 2048)),
    CodecTraits(
      name: "ac3", use: "Dolby Digital, in films and broadcasts", startUp: .samples(256),
      isStartUpFixed: true, bareFrames: .dolby, hasDolbyHeader: true),
    CodecTraits(
      name: "eac3", use: "Dolby Digital Plus, in films and streams", startUp: .samples(256),
      isStartUpFixed: true, bareFrames: .dolby, hasDolbyHeader: true, objects: .inHeader),
    mp3,
    CodecTraits(
      name: "mp2", use: "MPEG layer II, in broadcasts and DVDs", startUp: .samples(481),
      bareFrames: .mpeg),
    CodecTraits(name: "musepack7", use: "Musepack, in music", startUp: .samples(481)),
    CodecTraits(name: "musepack8", use: "Musepack 8, in music", startUp: .samples(481)),
    CodecTraits(name: "amr_nb", use: "AMR, in recordings of telephones", packsAMR: .narrow),
    CodecTraits(
      name: "amr_wb", use: "AMR wideband, in recordings of telephones", packsAMR: .wide),
    // The decoded lossless layer of DTS-HD Master Audio is aligned with the encoder's input.
    CodecTraits(
      name: "dts", use: "DTS and DTS-HD, in films",
      startUp: .byProfile(samples: 512, profile: "DTS-HD MA", other: 0), bareFrames: .dts,
      objects: .afterLosslessLayer),
    // libavcodec leaves Vorbis' start-up out up to 5.1, and marks it from 6 on.
    CodecTraits(name: "vorbis", use: "Vorbis, in Ogg and WebM", startUp: .takenOut),
    CodecTraits(name: "opus", use: "Opus, in Ogg, WebM and streams", startUp: .samples(312)),
  ]

  private static let lossless =
    [
      ("flac", "FLAC, in music and archives", .numberedFrame(.flac)),
      ("alac", "Apple Lossless, in MP4 and CAF", .anyFrame),
      ("wavpack", "WavPack, in music and archives", .numberedFrame(.wavPack)),
      ("tta", "True Audio, in music", .beginning), ("ape", "Monkey's Audio, in music", .beginning),
      ("mp4als", "MPEG-4 ALS, in archives", .beginning),
    ].map { (name: String, use: String, entry: Entry) in
      CodecTraits(
        name: name, use: use, startUp: .samples(0), leastPacket: name == "flac" ? 11 : 0,
        isLossless: true, entry: entry)
    }
    + [(trueHD, "Dolby TrueHD, in films"), (mlp, "MLP, in DVD-Audio")].map {
      CodecTraits(
        name: $0.0, use: $0.1, startUp: .samples(0), bareFrames: .timed, isLossless: true,
        stereoOptions: ["downmix": "stereo"], objects: .inMajorSync)
    }

  /// Codecs of the families that files hold most often.
  private static let families =
    [
      ("pcm_s16le", "16 bits, in WAV and AVI"), ("pcm_s24le", "24 bits, in WAV"),
      ("pcm_f32le", "floats, in WAV"), ("pcm_s16be", "16 bits, in AIFF and MOV"),
      ("pcm_s24be", "24 bits, in AIFF and MOV"), ("pcm_bluray", "plain samples of Blu-ray discs"),
      ("pcm_dvd", "plain samples of DVDs"),
    ].map { plain($0.0, $0.1) }
    + [
      ("wmav1", "Windows Media Audio 1"), ("wmav2", "Windows Media Audio 2"),
      ("wmapro", "Windows Media Audio Professional"),
      ("wmalossless", "Windows Media Audio Lossless"),
    ].map { windowsMedia($0.0, $0.1) }
    + [("dsd_lsbf_planar", "DSD, in DSF files"), ("dsd_msbf", "DSD, in DSDIFF files")]
    .map { directStream($0.0, $0.1) }
}

/// How the header of a codec frame tells which sample the frame begins with.
package enum FrameNumbering: Sendable, Hashable {
  /// By the number of the frame, or of its first sample (RFC 9639, 9.1.5).
  case flac
  /// By the number of its first sample (`block_index` of WavPack 4 and 5).
  case wavPack
}
