/// What is known about a container that is read or written, in one row.
///
/// `Containers.swift` holds the rows. Probing, refusals, extension tables, help and the reference come
/// from them; nothing outside compares names of containers.
package struct ContainerTraits: Sendable {
  /// What reports call it.
  package let token: String
  /// What people call it.
  package let name: String
  /// Extensions of files that are written, the usual one first.
  package var extensions: [String] = []
  /// Whether it is made of MP4 boxes (ISO/IEC 14496-12).
  package var isMovie = false
  /// Whether its header states the MD5 of its samples.
  package var statesSampleMD5 = false
  /// What reading it takes; `nil` for a container that is only written.
  package var input: ContainerInputTraits?
  /// What can be written; `nil` for a container that is only read.
  package var output: ContainerOutputTraits?
}

extension ContainerTraits: Hashable {
  /// Rows are told apart by what reports call them.
  package static func == (first: ContainerTraits, second: ContainerTraits) -> Bool {
    first.token == second.token
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(token) }
}

/// What reading a container takes.
package struct ContainerInputTraits: Sendable {
  /// Where the times of packets come from.
  package enum Clock: Sendable {
    /// The container stores a time for each packet, which is that of its first frame.
    case stored
    /// As ``stored``, in the 33 bits of MPEG systems (ISO/IEC 13818-1, 2.4.3.7), which wrap around.
    case stored33Bits
    /// The place in the file gives the time; none is stored.
    case fromPlace
    /// The stream is bare, and libavformat counts its frames up.
    case counted
  }

  /// How a container says how long it is, so that a cut file shows.
  package enum Extent: Sendable {
    /// Sizes of boxes (ISO/IEC 14496-12).
    case boxes
    /// The flag of the last page (RFC 3533, section 6).
    case lastPage
    /// Size of the segment element, where it is known (RFC 9559, 5.1).
    case segment
  }

  /// Who says how many start-up samples the encoder put in front, beside edit lists and tags.
  package enum StartUp: Sendable {
    /// The codec's own header, if anything.
    case codecHeader
    /// `CodecDelay` of the track (RFC 9559, 5.1.4.1.26).
    case codecDelay
    /// The LAME tag in the first frame.
    case infoFrame
    /// Nobody: libavformat makes the codec's header up.
    case nobody
  }

  /// What only the end of the file tells against it.
  package enum EndCheck: Sendable {
    /// Checksums and numbers of Ogg pages.
    case pages
    /// Checksum and length in the LAME tag.
    case infoFrame
  }

  /// Names of libavformat's demuxers; none where Pinna reads the container itself.
  package var demuxers: [String]
  /// Extensions that promise this container. Several containers may share one.
  package var extensions: [String]
  /// Where the times of packets come from.
  package var clock = Clock.fromPlace
  /// How it says how long it is; `nil` when it doesn't.
  package var extent: Extent?
  /// Who counts start-up samples.
  package var startUp = StartUp.codecHeader
  /// What is checked at the end.
  package var endCheck: EndCheck?
  /// Whether a RIFF header tells more than libavformat hands out.
  package var hasRIFFHeader = false
  /// Whether it names other files instead of holding sound.
  package var isPlaylist = false

  /// Whether each packet has a time that the container stores.
  package var storesTimes: Bool { clock == .stored || clock == .stored33Bits }
  /// Whether times say where packets lie; those of bare streams only repeat the frames' lengths.
  package var hasClock: Bool { clock != .counted }
}

/// What Pinna can write into a container.
package struct ContainerOutputTraits: Sendable {
  /// Codecs of the sound, the default first.
  package let codecs: [AudioEncoding]
  /// What is carried over beside the sound.
  package let holds: Set<ContainerExtra>
  /// Whether the output consists of several files, so that it can't go to standard output.
  package var isSeveralFiles = false
  /// Whether coded frames can be copied into it.
  package var takesCopies = false
  /// Whether the samples can be 32-bit floats.
  package var takesFloats = false
  /// Whether the file may be written over the spool from the front: its samples are never larger than
  /// spooled ones, and it is right the first time.
  package var overwritesSpool = false
  /// Whether players begin all tracks at the same time, so that late sound has to begin with silence.
  package var startsAllTracksTogether = false
}

/// What a container can hold beside sound.
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
}
