// SPDX-License-Identifier: Apache-2.0
extension ContainerTraits {
  /// All containers that are read or written. The bytes of a file can select only these. Image sequences,
  /// concatenations, devices and whatever else makes libavformat open other files or the network are
  /// missing on purpose.
  package static let all = [
    matroska, webm, mp4, fmp4, mpegTS, avi, ogg, flv, wav, bw64, wave64, aiff, caf, flac, mp3, aac,
    ac3, eac3, dts, dtsHD, trueHD, mlp, wavPack, au, asf, mpegPS, loas, tta, ape, musepack, dsf,
    dsdiff, oma, amr, ac4, iamf, damf, hls,
  ]

  /// The row that reports call `token`; `nil` for none.
  package static func named(_ token: String) -> ContainerTraits? {
    all.first { $0.token == token }
  }

  /// The row that libavformat's demuxer `name` reads; `nil` for none. libavformat names a demuxer of
  /// several formats by a list with commas, e.g. `mov,mp4,m4a`.
  package static func read(by name: String) -> ContainerTraits? {
    let names = name.split(separator: ",").map(String.init)
    return all.first { row in names.contains { row.input?.demuxers.contains($0) == true } }
  }

  /// Names of all demuxers that content may choose.
  package static let demuxers = all.flatMap { $0.input?.demuxers ?? [] }

  /// Containers that a file name with this extension, in lower case, may stand for.
  package static func promised(by fileExtension: String) -> [ContainerTraits] {
    all.filter { $0.input?.extensions.contains(fileExtension) == true }
  }
}

// Read and written.
extension ContainerTraits {
  package static let wav = ContainerTraits(
    token: "wav", name: "WAV", extensions: ["wav"],
    input: ContainerInputTraits(
      demuxers: ["wav"], extensions: ["wav", "wave", "rf64", "bw64"], placing: .bytes,
      hasRIFFHeader: true,
      isForPlainSamples: true),
    output: ContainerOutputTraits(
      codecs: [.pcm], holds: [.tags, .cover, .chapters], settings: [.samples], takesFloats: true,
      holdsPlainSamples: true, fieldChannels: 64, overwritesSpool: true,
      takesUnplacedChannels: true))

  package static let bw64 = ContainerTraits(
    token: "bw64", name: "BW64", extensions: ["bw64"],
    output: ContainerOutputTraits(
      codecs: [.pcm], holds: [.tags, .cover], settings: [.samples, .admTimes], takesFloats: true,
      holdsPlainSamples: true, keeps: .everything, overwritesSpool: true, namedLike: wav.token))

  package static let flac = ContainerTraits(
    token: "flac", name: "FLAC", extensions: ["flac"], statesSampleMD5: true,
    input: ContainerInputTraits(
      demuxers: ["flac"], extensions: ["flac"], clock: .numbered, placing: .frameNumber,
      tagsAtEnd: .all),
    output: ContainerOutputTraits(
      codecs: [.flac], holds: [.tags, .cover, .chapters], settings: [.samples, .encoderOptions],
      fieldChannels: 8))

  package static let ogg = ContainerTraits(
    token: "ogg", name: "Ogg", extensions: ["opus", "ogg"],
    input: ContainerInputTraits(
      demuxers: ["ogg"], extensions: ["ogg", "oga", "opus", "ogv", "spx", "flac"], clock: .stored,
      extent: .lastPage, endCheck: .pages),
    output: ContainerOutputTraits(
      codecs: [.opus], holds: [.tags, .cover, .chapters], settings: [.bitRate, .encoderOptions]))

  package static let mp4 = ContainerTraits(
    token: "mp4", name: "MP4", extensions: ["mp4", "m4a", "m4b"], isMovie: true,
    input: ContainerInputTraits(
      demuxers: ["mov", "mp4", "m4a", "3gp", "3g2", "mj2"],
      extensions: ["mp4", "m4a", "m4b", "m4v", "mov", "qt", "3gp", "f4a", "f4v"], clock: .stored,
      extent: .boxes, placing: .table),
    // Chromium's decodeAudioData drops the start-up samples of Opus twice here, so Opus goes into fragments.
    output: ContainerOutputTraits(
      codecs: [.aac, .flac, .alac, .pcm, .ac3, .eac3],
      holds: [.tags, .cover, .video, .subtitles, .chapters],
      settings: [.samples, .bitRate, .encoderOptions], takesCopies: true,
      holdsSeveralSounds: true, soundExtensions: ["m4a", "m4b"]))

  package static let fmp4 = ContainerTraits(
    token: "fmp4", name: "fragmented MP4", extensions: mp4.extensions, isMovie: true,
    output: ContainerOutputTraits(
      codecs: [.aac, .flac, .alac, .opus, .pcm, .ac3, .eac3],
      holds: [.tags, .cover, .video, .subtitles, .chapters], fragment: .seconds(2),
      takesCopies: true, holdsSeveralSounds: true, takesIAMF: true,
      soundExtensions: ["m4a", "m4b"], namedLike: mp4.token))

  package static let matroska = ContainerTraits(
    token: "matroska", name: "Matroska", extensions: ["mkv", "mka"],
    input: ContainerInputTraits(
      demuxers: ["matroska", "webm"], extensions: ["mkv", "mka", "webm", "weba"], clock: .stored,
      extent: .segment, startUp: .codecDelay, placing: .frameNumber),
    output: ContainerOutputTraits(
      codecs: [.flac, .opus, .aac, .alac, .pcm, .ac3, .eac3],
      holds: [.tags, .cover, .video, .subtitles, .chapters, .originals],
      settings: [.samples, .bitRate, .encoderOptions], takesCopies: true,
      holdsSeveralSounds: true, soundExtensions: ["mka"]))

  /// The part of Matroska that browsers know; it is read as Matroska.
  package static let webm = ContainerTraits(
    token: "webm", name: "WebM", extensions: ["webm", "weba"],
    output: ContainerOutputTraits(
      codecs: [.opus], holds: [.tags, .video, .subtitles, .chapters, .originals],
      settings: [.bitRate, .encoderOptions], takesCopies: true,
      holdsSeveralSounds: true, soundExtensions: ["weba"]))

  package static let hls = ContainerTraits(
    token: "hls", name: "HLS", extensions: ["m3u8"], isMovie: true,
    input: ContainerInputTraits(
      demuxers: [], extensions: ["m3u8"], clock: .stored, isPlaylist: true),
    output: ContainerOutputTraits(
      codecs: [.aac, .flac, .alac, .opus],
      holds: [.tags, .cover, .video, .subtitles, .chapters], fragment: .seconds(6),
      isSeveralFiles: true, takesCopies: true, holdsSeveralSounds: true, takesIAMF: true,
      startsAllTracksTogether: true))

  /// IAMF, which libavformat knows from 7 on only.
  package static let iamf = ContainerTraits(
    token: "iamf", name: "IAMF", extensions: ["iamf"],
    input: ContainerInputTraits(demuxers: [], extensions: ["iamf", "obu"], clock: .counted),
    output: ContainerOutputTraits(
      codecs: [.flac, .opus, .pcm], holds: [], keeps: .bedsAndFields))
}

// Only read.
extension ContainerTraits {
  package static let mpegTS = ContainerTraits(
    token: "mpegts", name: "MPEG transport stream",
    input: ContainerInputTraits(
      demuxers: ["mpegts"], extensions: ["ts", "m2ts", "mts"], clock: .stored33Bits,
      startUp: .nobody, hasProgrammeMaps: true))

  package static let mpegPS = ContainerTraits(
    token: "mpeg", name: "MPEG programme stream",
    input: ContainerInputTraits(
      demuxers: ["mpeg"], extensions: ["mpg", "mpeg", "vob"], clock: .stored33Bits))

  package static let flv = ContainerTraits(
    token: "flv", name: "Flash Video",
    input: ContainerInputTraits(demuxers: ["flv"], extensions: ["flv"], clock: .stored))

  package static let asf = ContainerTraits(
    token: "asf", name: "Windows Media",
    input: ContainerInputTraits(
      demuxers: ["asf"], extensions: ["asf", "wma", "wmv"], clock: .stored, statesEnd: true))

  package static let avi = placed("avi", "AVI", ["avi"])
  package static let wave64 = placed(
    "w64", "Wave64", ["w64", "wav"], placing: .bytes, isForPlainSamples: true)
  package static let aiff = placed(
    "aiff", "AIFF", ["aiff", "aif", "aifc"], placing: .bytes, isForPlainSamples: true)
  package static let caf = placed(
    "caf", "CAF", ["caf"], placing: .table, isForPlainSamples: true)
  package static let au = placed(
    "au", "AU", ["au", "snd"], placing: .bytes, isForPlainSamples: true)
  package static let wavPack = placed(
    "wv", "WavPack", ["wv"], placing: .frameNumber, seeksByReading: true, tagsAtEnd: .onlyID3v1)
  package static let tta = placed("tta", "True Audio", ["tta"])
  package static let ape = placed("ape", "Monkey's Audio", ["ape"])
  package static let musepack = placed(
    "mpc", "Musepack", ["mpc", "mp+"], demuxers: ["mpc", "mpc8"])
  package static let dsf = placed("dsf", "DSD Stream File", ["dsf"])
  // libavformat's demuxer of DSDIFF reads other kinds of IFF, too.
  package static let dsdiff = placed("iff", "DSDIFF", ["dff"])
  package static let oma = placed("oma", "OpenMG Audio", ["oma", "aa3"])

  /// A container that stores no times; its demuxer has the token's name unless others are given.
  private static func placed(
    _ token: String, _ name: String, _ extensions: [String], demuxers: [String]? = nil,
    placing: ContainerInputTraits.Placing? = nil, seeksByReading: Bool = false,
    isForPlainSamples: Bool = false, tagsAtEnd: ContainerInputTraits.TagsAtEnd? = nil
  ) -> ContainerTraits {
    ContainerTraits(
      token: token, name: name,
      input: ContainerInputTraits(
        demuxers: demuxers ?? [token], extensions: extensions, placing: placing,
        seeksByReading: seeksByReading,
        isForPlainSamples: isForPlainSamples, tagsAtEnd: tagsAtEnd))
  }
}

// Bare streams: frames one behind the other, without a container.
extension ContainerTraits {
  package static let mp3 = ContainerTraits(
    token: "mp3", name: "MP3", extensions: ["mp3"],
    input: ContainerInputTraits(
      demuxers: ["mp3"], extensions: ["mp3", "mp2", "mp1"], clock: .counted, startUp: .infoFrame,
      endCheck: .infoFrame, tagsAtEnd: .allButID3v1),
    output: ContainerOutputTraits(
      codecs: [.mp3], holds: [.tags, .cover, .chapters], settings: [.bitRate, .encoderOptions]))

  package static let aac = bare("aac", "AAC (ADTS)", ["aac"])
  package static let loas = bare("loas", "AAC (LOAS)", ["aac"])
  package static let ac3 = bare("ac3", "AC-3", ["ac3", "eac3", "ec3"], written: .ac3, ["ac3"])
  package static let eac3 = bare(
    "eac3", "E-AC-3", ["eac3", "ec3", "ac3"], written: .eac3, ["eac3", "ec3"])
  package static let dts = bare("dts", "DTS", ["dts"])
  package static let dtsHD = bare("dtshd", "DTS-HD", ["dtshd", "dts"])
  package static let trueHD = bare("truehd", "Dolby TrueHD", ["truehd", "thd", "mlp"])
  package static let mlp = bare("mlp", "MLP", ["mlp"])

  package static let amr = bare("amr", "AMR", ["amr", "awb"])

  /// AC-4, which libavformat doesn't know.
  package static let ac4 = ContainerTraits(
    token: "ac4", name: "AC-4",
    input: ContainerInputTraits(demuxers: [], extensions: ["ac4"], clock: .counted))

  /// A root with events and sound beside it; the sound is CAF.
  package static let damf = ContainerTraits(
    token: "damf", name: "Dolby Atmos master files",
    input: ContainerInputTraits(demuxers: [], extensions: ["atmos"], clock: .counted))

  private static func bare(
    _ token: String, _ name: String, _ extensions: [String], written: AudioEncoding? = nil,
    _ writtenExtensions: [String] = []
  ) -> ContainerTraits {
    ContainerTraits(
      token: token, name: name, extensions: writtenExtensions,
      input: ContainerInputTraits(demuxers: [token], extensions: extensions, clock: .counted),
      output: written.map {
        ContainerOutputTraits(
          codecs: [$0], holds: [], settings: [.bitRate, .encoderOptions], statesLength: false)
      })
  }
}
