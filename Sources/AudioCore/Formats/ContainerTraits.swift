// SPDX-License-Identifier: Apache-2.0

/// The facts about a container that is read or written, in one row.
///
/// `Containers.swift` holds the rows. Probing, refusals, extension tables, help and the reference come
/// from them; nothing outside compares names of containers.
package struct ContainerTraits: Sendable {
  /// Name in reports; unique among all containers.
  package let token: String
  /// Name for people.
  package let name: String
  /// Extensions of files that are written, the usual one first.
  package var extensions: [String] = []
  /// Whether it is made of MP4 boxes (ISO/IEC 14496-12).
  package var isMovie = false
  /// Whether its header states the MD5 of its samples.
  package var statesSampleMD5 = false
  /// How it is read; `nil` for a container that is only written.
  package var input: ContainerInputTraits?
  /// Facts about writing it; `nil` for a container that is only read.
  package var output: ContainerOutputTraits?
}

extension ContainerTraits: Hashable {
  /// Two rows are equal when their tokens are.
  package static func == (first: ContainerTraits, second: ContainerTraits) -> Bool {
    first.token == second.token
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(token) }
}

/// How a container is read.
package struct ContainerInputTraits: Sendable {
  /// The source of the times of packets.
  package enum Clock: Sendable {
    /// The container stores a time for each packet, which is that of its first frame.
    case stored
    /// As ``stored``, in the 33 bits of MPEG systems (ISO/IEC 13818-1, 2.4.3.7), which wrap around.
    case stored33Bits
    /// No times are stored; a packet's offset in the file gives its time.
    case fromPlace
    /// The stream is bare, and libavformat adds up the lengths of its frames.
    case counted
    /// The stream is bare, but each frame's header has its number, or that of its first sample.
    case numbered
  }

  /// The source of the exact sample that a packet in mid-file begins with.
  package enum Placing: Sendable {
    /// Its place in the file, because plain samples follow one another without a gap.
    case bytes
    /// A table of all packets.
    case table
    /// Only a number in the packet itself: the container rounds its times or has none.
    case frameNumber
  }

  /// The statement of the container's length; a file that is shorter was truncated.
  package enum Extent: Sendable {
    /// Sizes of boxes (ISO/IEC 14496-12).
    case boxes
    /// The flag of the last page (RFC 3533, section 6).
    case lastPage
    /// Size of the segment element, where it is known (RFC 9559, 5.1).
    case segment
  }

  /// The statement of the number of start-up samples (priming), besides edit lists and tags.
  package enum StartUp: Sendable {
    /// The codec's own header, if it has a field for it.
    case codecHeader
    /// `CodecDelay` of the track (RFC 9559, 5.1.4.1.26).
    case codecDelay
    /// The LAME tag in the first frame.
    case infoFrame
    /// Nothing: the codec's header is one that libavformat makes up.
    case nobody
  }

  /// The check that follows once the whole file has been read.
  package enum EndCheck: Sendable {
    /// Checksums and numbers of Ogg pages.
    case pages
    /// Checksum and length in the LAME tag.
    case infoFrame
  }

  /// Tags after the sound that are left out.
  package enum TagsAtEnd: Sendable {
    case all
    /// All but an ID3v1 tag that ends the file: libavformat knows its place, and reads it.
    case allButID3v1
    /// ID3v1 alone: libavformat reads a tag of APE that ends the file, and takes anything else for sound.
    case onlyID3v1
  }

  /// Names of libavformat's demuxers; none where Pinna reads the container itself.
  package var demuxers: [String]
  /// Extensions that promise this container. Several containers may share one.
  package var extensions: [String]
  /// Source of the times of packets.
  package var clock = Clock.fromPlace
  /// Statement of its length; `nil` when there is none.
  package var extent: Extent?
  /// Statement of the number of start-up samples.
  package var startUp = StartUp.codecHeader
  /// Source of exact places of packets; `nil` where there is none, or it isn't known.
  package var placing: Placing?
  /// Whether its demuxer finds a place only by reading everything before it.
  package var seeksByReading = false
  /// Check at the end.
  package var endCheck: EndCheck?
  /// Whether it has programme maps, which may give streams other numbers in mid-file.
  package var hasProgrammeMaps = false
  /// Whether it has a RIFF header, which says more than libavformat hands out.
  package var hasRIFFHeader = false
  /// Whether it is made for plain samples, so that the length it states counts packets or bytes of other codecs.
  package var isForPlainSamples = false
  /// Whether its header states at what time the sound ends, and not how long it lasts.
  package var statesEnd = false
  /// Tags after its sound that libavformat would take for sound; `nil` where there are none, or it knows them.
  package var tagsAtEnd: TagsAtEnd?
  /// Whether it names other files instead of holding sound.
  package var isPlaylist = false

  /// Whether each packet has a time that the container stores.
  package var storesTimes: Bool { clock == .stored || clock == .stored33Bits }
  /// Whether the times of packets can show a gap. Times of bare streams can't: they are sums of the
  /// frames' lengths, or numbers that joined files begin anew.
  package var hasClock: Bool { clock != .counted && clock != .numbered }
  /// Whether the times of packets show how much was lost where one is damaged.
  package var showsLoss: Bool { clock != .counted }
}

/// The facts about writing a container.
package struct ContainerOutputTraits: Sendable {
  /// Codecs of the sound, the default first.
  package let codecs: [AudioEncoding]
  /// Extras carried over beside the sound.
  package let holds: Set<ContainerExtra>
  /// Settings of a coding that it has; it takes the others as they are by default.
  package var settings = Set(CodingSetting.allCases)
  /// Least length of a fragment or segment where none is asked for; `nil` where there are none.
  package var fragment: TimeSpec?
  /// Whether the output consists of several files, so that it can't go to standard output.
  package var isSeveralFiles = false
  /// Whether coded frames can be copied into it.
  package var takesCopies = false
  /// Whether the samples can be 32-bit floats.
  package var takesFloats = false
  /// Whether the samples lie in it as they are, so that its proof compares their own bytes.
  package var holdsPlainSamples = false
  /// Content stored as it is, without being rendered; `nil` for channels of loudspeakers or ears only.
  package var keeps: KeptContent?
  /// Channels of a sound field, alone in its programme, that is stored without metadata where nothing is to be rendered; 0 for none.
  package var fieldChannels = 0
  /// Whether several tracks are rendered into one output.
  package var holdsSeveralSounds = false
  /// Whether IAMF is a codec of its tracks, besides ``codecs``.
  package var takesIAMF = false
  /// Whether the file may be written over the spool from the front: its samples never take more bytes
  /// than spooled ones, and it is never written a second time from the spool.
  package var overwritesSpool = false
  /// Extensions of names that players take for sound alone, so that pictures are left out.
  package var soundExtensions: Set<String> = []
  /// Token of the container under whose names most programs know it, too.
  package var namedLike: String?
  /// Whether channels go into it that belong to no known loudspeaker.
  package var takesUnplacedChannels = false
  /// Whether a file states where its sound begins and ends; else readers get the encoder's silence around it, too.
  package var statesLength = true
  /// Whether players begin all tracks at the same time, so that late sound has to begin with silence.
  package var startsAllTracksTogether = false
}

/// The content of a programme that can be stored as it is, without being rendered.
package enum KeptContent: Sendable {
  /// Beds, objects and sound fields.
  case everything
  /// Beds and sound fields.
  case bedsAndFields
}

/// A setting of a coding that a container may lack.
package enum CodingSetting: Sendable, CaseIterable {
  /// Bits of a sample and dither.
  case samples
  case bitRate
  case encoderOptions
  /// How times are written in audio definition metadata.
  case admTimes
  /// Whether Opus is for a browser's MediaSource.
  case mediaSource
}

/// The content that a container can hold beside sound.
package enum ContainerExtra: String, Sendable, Hashable, Codable, CaseIterable {
  /// Descriptive tags.
  case tags
  /// A cover picture.
  case cover
  /// Moving pictures.
  case video
  /// Texts with times.
  case subtitles
  /// Named places in time.
  case chapters
  /// All tracks and parts of a file of the same container, as they are.
  case originals
}

/// The containers that Pinna writes; the raw value is what `-f` and reports call them.
public enum ContainerKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// WAV, or RF64 beyond 4 GiB.
  case wav
  /// WAV with audio definition metadata (ITU-R BS.2088).
  case bw64
  /// FLAC in a file of its own.
  case flac
  /// Opus in Ogg.
  case ogg
  /// MP3 with its tags.
  case mp3
  /// MP4 as players and taggers of music know it, with one table of all samples.
  case mp4
  /// Fragmented MP4, for a browser's MediaSource.
  case fmp4
  /// Fragmented MP4 with HLS playlists.
  case hls
  /// Matroska, with pictures or sound alone.
  case matroska
  /// Matroska as browsers play it: Opus, with VP8, VP9 or AV1.
  case webm
  /// IAMF (Eclipsa Audio) in a file of its own.
  case iamf
  /// Bare frames of AC-3.
  case ac3
  /// Bare frames of E-AC-3.
  case eac3

  /// Facts about this container.
  package var traits: ContainerTraits {
    switch self {
    case .wav: return .wav
    case .bw64: return .bw64
    case .flac: return .flac
    case .ogg: return .ogg
    case .mp3: return .mp3
    case .mp4: return .mp4
    case .fmp4: return .fmp4
    case .hls: return .hls
    case .matroska: return .matroska
    case .webm: return .webm
    case .iamf: return .iamf
    case .ac3: return .ac3
    case .eac3: return .eac3
    }
  }

  /// The container that is written for a file name's extension, given without its dot and in any letter
  /// case: the first of those that may have it; `nil` for an extension that stands for none.
  public init?(fileExtension: String) {
    let wanted = fileExtension.lowercased()
    guard
      let kind = ContainerKind.allCases.first(where: { $0.traits.extensions.contains(wanted) })
    else { return nil }
    self = kind
  }
}
