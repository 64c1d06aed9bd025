// SPDX-License-Identifier: Apache-2.0

/// The layouts of channels that a layer can have (`loudspeaker_layout`).
package enum LoudspeakerLayout: Int, Sendable, CaseIterable {
  /// One channel.
  case mono = 0
  /// Left and right.
  case stereo = 1
  /// Five channels and LFE.
  case surround51 = 2
  /// 5.1 and two tops.
  case surround512 = 3
  /// 5.1 and four tops.
  case surround514 = 4
  /// Seven channels and LFE.
  case surround71 = 5
  /// 7.1 and two tops.
  case surround712 = 6
  /// 7.1 and four tops.
  case surround714 = 7
  /// Three front channels, LFE and two tops.
  case surround312 = 8
  /// Signals for a listener's ears.
  case binaural = 9
  /// One of ``ExpandedLayout``, which the layer names.
  case expanded = 15

  /// Numbers of channels: in the horizontal plane, of low frequencies, above.
  package var counts: (surround: Int, lfe: Int, top: Int) {
    switch self {
    case .mono: return (1, 0, 0)
    case .stereo, .binaural: return (2, 0, 0)
    case .surround51: return (5, 1, 0)
    case .surround512: return (5, 1, 2)
    case .surround514: return (5, 1, 4)
    case .surround71: return (7, 1, 0)
    case .surround712: return (7, 1, 2)
    case .surround714: return (7, 1, 4)
    case .surround312: return (3, 1, 2)
    case .expanded: return (0, 0, 0)
    }
  }

  /// The channels in the order of IAMF; none of ``expanded``.
  package var channels: [ElementChannel] {
    switch self {
    case .mono: return [.c]
    case .stereo, .binaural: return [.l, .r]
    case .surround51: return [.l, .c, .r, .ls, .rs, .lfe]
    case .surround512: return [.l, .c, .r, .ls, .rs, .ltf, .rtf, .lfe]
    case .surround514: return [.l, .c, .r, .ls, .rs, .ltf, .rtf, .ltr, .rtr, .lfe]
    case .surround71: return [.l, .c, .r, .lss, .rss, .lrs, .rrs, .lfe]
    case .surround712: return [.l, .c, .r, .lss, .rss, .lrs, .rrs, .ltf, .rtf, .lfe]
    case .surround714:
      return [.l, .c, .r, .lss, .rss, .lrs, .rrs, .ltf, .rtf, .ltb, .rtb, .lfe]
    case .surround312: return [.l, .c, .r, .ltf, .rtf, .lfe]
    case .expanded: return []
    }
  }

  /// Whether the layout may stand above or below others.
  package var isScalable: Bool { self != .binaural && self != .expanded }
}

/// Layouts of version 1.1, each a part of a larger one (`expanded_loudspeaker_layout`).
package enum ExpandedLayout: Int, Sendable, CaseIterable {
  /// LFE of 7.1.4.
  case lfe = 0
  /// Surround pair of 5.1.4.
  case surroundPair = 1
  /// Side pair of 7.1.4.
  case sidePair = 2
  /// Rear pair of 7.1.4.
  case rearPair = 3
  /// Front tops of 7.1.4.
  case topFrontPair = 4
  /// Back tops of 7.1.4.
  case topBackPair = 5
  /// All tops of 7.1.4.
  case fourTops = 6
  /// Front channels of 7.1.4.
  case threeFronts = 7
  /// 9.1.6, a part of the 22.2 layout.
  case surround916 = 8
  /// Wide pair of 9.1.6.
  case widePair = 9
  /// Side pair of 9.1.6.
  case sidePairOf916 = 10
  /// Side tops of 9.1.6.
  case topSidePair = 11
  /// All tops of 9.1.6.
  case sixTops = 12
  /// 22.2 with a low layer (draft of version 2).
  case surround10293 = 13
  /// Both LFEs of 22.2 (draft of version 2).
  case lfePair = 14
  /// The low layer of 22.2 (draft of version 2).
  case threeBottoms = 15
  /// 7.1.5 with four channels below (draft of version 2).
  case surround7154 = 16
  /// The low layer of 7.1.5.4 (draft of version 2).
  case fourBottoms = 17
  /// The top centre of 7.1.5.4 (draft of version 2).
  case topCenter = 18
  /// All tops of 7.1.5.4 (draft of version 2).
  case fiveTops = 19

  /// The channels in the order of IAMF.
  package var channels: [ElementChannel] {
    switch self {
    case .lfe: return [.lfe]
    case .surroundPair: return [.ls, .rs]
    case .sidePair: return [.lss, .rss]
    case .rearPair: return [.lrs, .rrs]
    case .topFrontPair: return [.ltf, .rtf]
    case .topBackPair: return [.ltb, .rtb]
    case .fourTops: return [.ltf, .rtf, .ltb, .rtb]
    case .threeFronts: return [.l, .c, .r]
    case .surround916:
      return [
        .flc, .fc, .frc, .fl, .fr, .sil, .sir, .bl, .br, .tpfl, .tpfr, .tpsil, .tpsir, .tpbl,
        .tpbr, .lfe1,
      ]
    case .widePair: return [.fl, .fr]
    case .sidePairOf916: return [.sil, .sir]
    case .topSidePair: return [.tpsil, .tpsir]
    case .sixTops: return [.tpfl, .tpfr, .tpsil, .tpsir, .tpbl, .tpbr]
    case .surround10293:
      return [
        .flc, .fc, .frc, .fl, .fr, .sil, .sir, .bl, .bc, .br, .tpfl, .tpfc, .tpfr, .tpsil, .tpc,
        .tpsir, .tpbl, .tpbc, .tpbr, .btfl, .btfc, .btfr, .lfe1, .lfe2,
      ]
    case .lfePair: return [.lfe1, .lfe2]
    case .threeBottoms: return [.btfl, .btfc, .btfr]
    case .surround7154:
      return [
        .l, .c, .r, .lss, .rss, .lrs, .rrs, .ltf, .rtf, .tpc, .ltb, .rtb, .btfl, .btfr, .btbl,
        .btbr, .lfe,
      ]
    case .fourBottoms: return [.btfl, .btfr, .btbl, .btbr]
    case .topCenter: return [.tpc]
    case .fiveTops: return [.ltf, .rtf, .tpc, .ltb, .rtb]
    }
  }
}

extension LoudspeakerLayout {
  /// Its everyday name; `nil` of ``expanded``, whose layer names the part.
  package var name: String? {
    switch self {
    case .mono: return "mono"
    case .stereo: return "stereo"
    case .binaural: return "binaural"
    case .expanded: return nil
    default:
      let (surround, lfe, top) = counts
      return "\(surround).\(lfe)" + (top > 0 ? ".\(top)" : "")
    }
  }
}

extension ExpandedLayout {
  /// Its everyday name, of a part with the layout that it belongs to.
  package var name: String {
    switch self {
    case .lfe: return "LFE of 7.1.4"
    case .surroundPair: return "surround pair of 5.1.4"
    case .sidePair: return "side pair of 7.1.4"
    case .rearPair: return "rear pair of 7.1.4"
    case .topFrontPair: return "front tops of 7.1.4"
    case .topBackPair: return "back tops of 7.1.4"
    case .fourTops: return "tops of 7.1.4"
    case .threeFronts: return "fronts of 7.1.4"
    case .surround916: return "9.1.6"
    case .widePair: return "wide pair of 9.1.6"
    case .sidePairOf916: return "side pair of 9.1.6"
    case .topSidePair: return "side tops of 9.1.6"
    case .sixTops: return "tops of 9.1.6"
    case .surround10293: return "10.2.9.3"
    case .lfePair: return "LFE pair of 10.2.9.3"
    case .threeBottoms: return "bottoms of 10.2.9.3"
    case .surround7154: return "7.1.5.4"
    case .fourBottoms: return "bottoms of 7.1.5.4"
    case .topCenter: return "top centre of 7.1.5.4"
    case .fiveTops: return "tops of 7.1.5.4"
    }
  }
}

extension ChannelLayer {
  /// Name of its layout, e.g. `5.1.2`; with the number where that is reserved.
  package var layoutName: String {
    if layout == .expanded { return expanded?.name ?? "expanded layout \(expandedNumber ?? -1)" }
    return layout?.name ?? "layout \(layoutNumber)"
  }
}

extension SoundSystem {
  /// Its everyday name, else that of ITU-R BS.2051.
  package var name: String {
    switch self {
    case .a: return "stereo"
    case .b: return "5.1"
    case .c: return "5.1.2"
    case .d: return "5.1.4"
    case .e: return "4+5+1"
    case .f: return "3+7+0"
    case .g: return "4+9+0"
    case .h: return "22.2"
    case .i: return "7.1"
    case .j: return "7.1.4"
    case .surround712: return "7.1.2"
    case .surround312: return "3.1.2"
    case .mono: return "mono"
    case .surround916: return "9.1.6"
    case .surround7154: return "7.1.5.4"
    }
  }
}

extension LayoutLoudness.Layout {
  /// Name of the loudspeakers' layout, `binaural` for headphones; with the number where that is reserved.
  package var name: String {
    switch self {
    case .loudspeakers(let system): return system.name
    case .binaural: return "binaural"
    case .reserved(let type, let system):
      return type == 2 ? "sound system \(system)" : "layout type \(type)"
    }
  }
}
