/// The bits of `recon_gain_flags`.
enum ReconGainBits {
  /// Bits that mean a channel.
  static let count = 12

  /// The bit of a channel of a layout up to 7.1.4; `nil` of others. Surrounds of five channels share those of
  /// the sides, and rear tops those of the back tops.
  static func bit(of channel: ElementChannel) -> Int? {
    switch channel {
    case .l: return 0
    case .c: return 1
    case .r: return 2
    case .ls, .lss: return 3
    case .rs, .rss: return 4
    case .ltf: return 5
    case .rtf: return 6
    case .lrs: return 7
    case .rrs: return 8
    case .ltb, .ltr: return 9
    case .rtb, .rtr: return 10
    case .lfe: return 11
    default: return nil
    }
  }
}
