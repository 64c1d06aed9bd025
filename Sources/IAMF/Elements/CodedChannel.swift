/// A channel of an element in one of the versions that its layers code or that demixing makes.
///
/// The digit behind L, R, Ls and Rs is the number of channels in the horizontal plane that the version belongs
/// to; behind Ltf and Rtf it is 3 in 3.1.2, else the number of tops. L5 and R5 are those of seven channels, too.
enum CodedChannel: Int, Sendable, CaseIterable {
  case mono, c, lfe
  case l2, r2, l3, r3, l5, r5
  case ls5, rs5, lss, rss, lrs, rrs
  case ltf3, rtf3, ltf2, rtf2, ltf4, rtf4, ltb, rtb

  /// The right channel of the pair whose left one this is.
  var right: CodedChannel { CodedChannel(rawValue: rawValue + 1) ?? self }

  /// Whether it is the right channel of a pair; pairs stand behind the channels without one.
  var isRight: Bool { rawValue > CodedChannel.lfe.rawValue && rawValue.isMultiple(of: 2) }

  /// This channel, the left one of a pair, or the right one.
  func side(_ isRight: Bool) -> CodedChannel { isRight ? right : self }

  /// Its bit in the flags of an output gain; `nil` for channels that never have one.
  var outputGainBit: Int? {
    switch self {
    case .mono, .l2, .l3: return 5
    case .r2, .r3: return 4
    case .ls5: return 3
    case .rs5: return 2
    case .ltf3, .ltf2, .ltf4: return 1
    case .rtf3, .rtf2, .rtf4: return 0
    default: return nil
    }
  }

  /// The version that `channel` has in a layout.
  static func version(
    of channel: ElementChannel, in layout: LoudspeakerLayout
  ) -> CodedChannel? {
    let counts = layout.counts
    let front: CodedChannel = counts.surround == 2 ? .l2 : counts.surround == 3 ? .l3 : .l5
    let top: CodedChannel = counts.surround == 3 ? .ltf3 : counts.top == 2 ? .ltf2 : .ltf4
    switch channel {
    case .c: return counts.surround == 1 ? .mono : .c
    case .lfe: return .lfe
    case .l, .r: return front.side(channel == .r)
    case .ls, .rs: return CodedChannel.ls5.side(channel == .rs)
    case .lss, .rss: return CodedChannel.lss.side(channel == .rss)
    case .lrs, .rrs: return CodedChannel.lrs.side(channel == .rrs)
    case .ltf, .rtf: return top.side(channel == .rtf)
    case .ltr, .ltb, .rtr, .rtb: return CodedChannel.ltb.side(channel == .rtr || channel == .rtb)
    default: return nil
    }
  }

  /// The channels that each substream of a layer holds, pairs first.
  /// - Parameters:
  ///   - layout: the layer's.
  ///   - below: that of the layer below; `nil` for the first layer, which holds all of its channels.
  static func substreams(
    _ layout: LoudspeakerLayout, above below: LoudspeakerLayout?
  ) -> [[CodedChannel]] {
    guard let below else {
      return ElementChannel.substreams(of: layout.channels).map { channels in
        channels.compactMap { version(of: $0, in: layout) }
      }
    }
    let (old, new) = (below.counts, layout.counts)
    var pairs: [CodedChannel] = []
    if old.surround < 5, new.surround >= 5 { pairs.append(.l5) }
    if old.surround < 7, new.surround >= 7 { pairs.append(.lss) }
    if new.top > old.top {
      pairs.append(new.top == 4 ? .ltf4 : new.surround == 3 ? .ltf3 : .ltf2)
      if new.top == 4, old.top == 0 { pairs.append(.ltb) }
    }
    var singles: [CodedChannel] = []
    if old.surround < 3, new.surround >= 3 { singles.append(.c) }
    if new.lfe > old.lfe { singles.append(.lfe) }
    if old.surround < 2, new.surround >= 2 { singles.append(.l2) }
    return pairs.map { [$0, $0.right] } + singles.map { [$0] }
  }
}
