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

/// What Pinna can write into a container.
package struct ContainerOutputTraits: Sendable {
  /// Codecs of the sound, the default first.
  package let codecs: [AudioEncoding]
  /// What is carried over beside the sound.
  package let holds: Set<ContainerExtra>
  /// Whether the output consists of several files, so that it can't go to standard output.
  package let isSeveralFiles: Bool
  /// Whether coded frames can be copied into it.
  package let takesCopies: Bool
  /// Whether the samples can be 32-bit floats.
  package let takesFloats: Bool
  /// Whether the file may be written over the spool from the front: its samples are never larger than
  /// spooled ones, and it is right the first time.
  package let overwritesSpool: Bool
  /// Whether players begin all tracks at the same time, so that late sound has to begin with silence.
  package let startsAllTracksTogether: Bool
}

/// What is known about a container, in one row.
package struct ContainerTraits: Sendable {
  /// What people call it.
  package let name: String
  /// Extensions that stand for it, the usual one first.
  package let extensions: [String]
  /// Whether it is made of MP4 boxes (ISO/IEC 14496-12).
  package let isMovie: Bool
  /// Whether its header states the MD5 of its samples.
  package let statesSampleMD5: Bool
  /// What can be written; `nil` for a container that is only read.
  package let output: ContainerOutputTraits?
}

/// The containers that Pinna writes; the raw value is what `-f` and reports call them.
public enum ContainerKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// WAV, or RF64 beyond 4 GiB.
  case wav
  /// FLAC in a file of its own.
  case flac
  /// Opus in Ogg.
  case ogg
  /// Fragmented MP4.
  case mp4 = "fmp4"
  /// Fragmented MP4 with HLS playlists.
  case hls

  /// The row of this container.
  package var traits: ContainerTraits {
    switch self {
    case .wav:
      return ContainerTraits(
        name: "WAV", extensions: ["wav"], isMovie: false, statesSampleMD5: false,
        output: ContainerOutputTraits(
          codecs: [.pcm], holds: [.tags], isSeveralFiles: false, takesCopies: false,
          takesFloats: true, overwritesSpool: true, startsAllTracksTogether: false))
    case .flac:
      return ContainerTraits(
        name: "FLAC", extensions: ["flac"], isMovie: false, statesSampleMD5: true,
        output: ContainerOutputTraits(
          codecs: [.flac], holds: [.tags, .cover], isSeveralFiles: false, takesCopies: false,
          takesFloats: false, overwritesSpool: false, startsAllTracksTogether: false))
    case .ogg:
      return ContainerTraits(
        name: "Ogg", extensions: ["opus", "ogg"], isMovie: false, statesSampleMD5: false,
        output: ContainerOutputTraits(
          codecs: [.opus], holds: [.tags, .cover], isSeveralFiles: false, takesCopies: false,
          takesFloats: false, overwritesSpool: false, startsAllTracksTogether: false))
    case .mp4:
      return ContainerTraits(
        name: "MP4", extensions: ["mp4", "m4a"], isMovie: true, statesSampleMD5: false,
        output: ContainerOutputTraits(
          codecs: [.aac, .flac, .alac, .opus, .pcm],
          holds: [.tags, .cover, .video, .subtitles, .chapters], isSeveralFiles: false,
          takesCopies: true, takesFloats: false, overwritesSpool: false,
          startsAllTracksTogether: false))
    case .hls:
      return ContainerTraits(
        name: "HLS", extensions: ["m3u8"], isMovie: true, statesSampleMD5: false,
        output: ContainerOutputTraits(
          codecs: [.aac, .flac, .alac, .opus],
          holds: [.tags, .cover, .video, .subtitles, .chapters], isSeveralFiles: true,
          takesCopies: true, takesFloats: false, overwritesSpool: false,
          startsAllTracksTogether: true))
    }
  }

  /// The container that a file's extension stands for; `nil` for any other one.
  public init?(fileExtension: String) {
    let wanted = fileExtension.lowercased()
    guard
      let kind = ContainerKind.allCases.first(where: { $0.traits.extensions.contains(wanted) })
    else { return nil }
    self = kind
  }
}
