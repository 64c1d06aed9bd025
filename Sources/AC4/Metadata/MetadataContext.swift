/// What metadata need to know to be read.
struct MetadataContext {
  /// Channels; `nil` for objects.
  let mode: AC4ChannelMode?
  /// 0 in bitstream versions 0 and 1, else 1.
  let syntaxVersion: Int
  /// Whether the part can be read without earlier frames.
  let isIFrame: Bool
  /// Whether it accompanies another programme; only asked in old substreams.
  var isAssociated = false
  /// Whether it is dialogue; only asked in old substreams.
  var isDialogue = false
  /// Samples per frame at the coded rate.
  let frameLength: Int
  /// Codebooks.
  let books: MetadataBooks

  /// `ch_mode`, −1 for objects.
  var number: Int { mode?.rawValue ?? -1 }
  /// Groups of channels with DRC gains of their own.
  var gainChannels: Int { number <= 1 ? 1 : number <= 10 ? 3 : 4 }
  /// DRC gains along time in a frame.
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
