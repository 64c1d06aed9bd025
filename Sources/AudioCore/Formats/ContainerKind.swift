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
  /// Fragmented MP4.
  case mp4 = "fmp4"
  /// Fragmented MP4 with HLS playlists.
  case hls
  /// IAMF (Eclipsa Audio) in a file of its own.
  case iamf

  /// What is known about this container.
  package var traits: ContainerTraits {
    switch self {
    case .wav: return .wav
    case .bw64: return .bw64
    case .flac: return .flac
    case .ogg: return .ogg
    case .mp4: return .mp4
    case .hls: return .hls
    case .iamf: return .iamf
    }
  }

  /// The container that is written for a file name's extension, given without its dot and in any letter
  /// case; `nil` for an extension that stands for none.
  public init?(fileExtension: String) {
    let wanted = fileExtension.lowercased()
    guard
      let kind = ContainerKind.allCases.first(where: { $0.traits.extensions.contains(wanted) })
    else { return nil }
    self = kind
  }
}
