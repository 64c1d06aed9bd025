/// The properties of a substream that the syntax of its metadata depends on.
struct MetadataContext {
  /// Channels; `nil` for objects.
  let mode: AC4ChannelMode?
  /// `sus_ver`: 0 in bitstream versions 0 and 1, else 1.
  let syntaxVersion: Int
  /// Whether the metadata can be read without earlier frames.
  let isIFrame: Bool
  /// Whether the substream is associated audio; only matters in old substreams.
  var isAssociated = false
  /// Whether the substream is dialogue; only matters in old substreams.
  var isDialogue = false
  /// Samples per frame at the coded rate.
  let frameLength: Int
  /// The codebooks.
  let books: MetadataBooks

  /// `ch_mode`, −1 for objects.
  var number: Int { mode?.rawValue ?? -1 }
  /// Groups of channels with dynamic range gains of their own (`nr_drc_channels`).
  var gainChannels: Int { number <= 1 ? 1 : number <= 10 ? 3 : 4 }
  /// Dynamic range gains along time in a frame (`nr_drc_subframes`).
  var subframes: Int {
    switch frameLength {
    case ..<512: return 1
    case ..<768: return 2
    case ..<1024: return 3
    case ..<1536: return 4
    case ..<2048: return 6
    default: return 8
    }
  }
}
