// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A channel of an element, by the standard's label.
///
/// FL and FR are the wide speakers at ±60°, as the 22.2 layout names them; FLc and FRc stand at ±30°.
package enum ElementChannel: String, Sendable, CaseIterable {
  // The labels of layouts up to 7.1.4.
  case l = "L"
  case c = "C"
  case r = "R"
  case ls = "Ls"
  case rs = "Rs"
  case lss = "Lss"
  case rss = "Rss"
  case lrs = "Lrs"
  case rrs = "Rrs"
  case ltf = "Ltf"
  case rtf = "Rtf"
  case ltr = "Ltr"
  case rtr = "Rtr"
  case ltb = "Ltb"
  case rtb = "Rtb"
  case lfe = "LFE"
  // The labels of the 22.2 layout and its parts.
  case flc = "FLc"
  case fc = "FC"
  case frc = "FRc"
  case fl = "FL"
  case fr = "FR"
  case sil = "SiL"
  case sir = "SiR"
  case bl = "BL"
  case bc = "BC"
  case br = "BR"
  case tpfl = "TpFL"
  case tpfc = "TpFC"
  case tpfr = "TpFR"
  case tpsil = "TpSiL"
  case tpc = "TpC"
  case tpsir = "TpSiR"
  case tpbl = "TpBL"
  case tpbc = "TpBC"
  case tpbr = "TpBR"
  case btfl = "BtFL"
  case btfc = "BtFC"
  case btfr = "BtFR"
  case btbl = "BtBL"
  case btbr = "BtBR"
  case lfe1 = "LFE1"
  case lfe2 = "LFE2"

  /// Pairs that share a substream, in the order of their substreams: surround before top before bottom, and
  /// front before side before rear.
  private static let pairs: [(ElementChannel, ElementChannel)] = [
    (.l, .r), (.flc, .frc), (.fl, .fr), (.ls, .rs), (.lss, .rss), (.sil, .sir), (.lrs, .rrs),
    (.bl, .br), (.ltf, .rtf), (.tpfl, .tpfr), (.tpsil, .tpsir), (.ltb, .rtb), (.ltr, .rtr),
    (.tpbl, .tpbr), (.btfl, .btfr), (.btbl, .btbr),
  ]
  /// Channels with a substream of their own, in the order of these.
  private static let singles: [ElementChannel] = [
    .c, .fc, .bc, .tpfc, .tpc, .tpbc, .btfc, .lfe, .lfe1, .lfe2,
  ]

  /// The channels of each substream of a layout that is coded by itself: pairs first.
  static func substreams(of channels: [ElementChannel]) -> [[ElementChannel]] {
    let coupled = pairs.filter { channels.contains($0.0) }.map { [$0.0, $0.1] }
    return coupled + singles.filter(channels.contains).map { [$0] }
  }
}

extension ElementChannel {
  /// Loudspeakers of ours that channels stand for; places differ a little from layout to layout.
  private static let speakers: [ElementChannel: Speaker] = [
    .l: .frontLeft, .r: .frontRight, .c: .frontCenter, .fc: .frontCenter, .flc: .frontLeft,
    .frc: .frontRight, .fl: .wideLeft, .fr: .wideRight, .ls: .sideLeft, .rs: .sideRight,
    .lss: .sideLeft, .rss: .sideRight, .sil: .sideLeft, .sir: .sideRight, .lrs: .backLeft,
    .rrs: .backRight, .bl: .backLeft, .br: .backRight, .bc: .backCenter, .ltf: .topFrontLeft,
    .rtf: .topFrontRight, .ltb: .topBackLeft, .rtb: .topBackRight, .ltr: .topBackLeft,
    .rtr: .topBackRight, .tpfl: .topFrontLeft, .tpfr: .topFrontRight, .tpfc: .topFrontCenter,
    .tpsil: .topSideLeft, .tpsir: .topSideRight, .tpbl: .topBackLeft, .tpbr: .topBackRight,
    .tpbc: .topBackCenter, .tpc: .topCenter, .btfl: .bottomFrontLeft, .btfr: .bottomFrontRight,
    .btfc: .bottomFrontCenter, .lfe: .lowFrequency, .lfe1: .lowFrequency, .lfe2: .lowFrequency2,
  ]

  /// The loudspeaker of ours that it stands for; `nil` where there is none.
  package var speaker: Speaker? { ElementChannel.speakers[self] }
}

extension LoudspeakerLayout {
  /// The layout of ours with the same loudspeakers; `nil` of ``expanded``.
  package var layout: ChannelLayout? {
    channels.isEmpty ? nil : ChannelLayout(channels.compactMap(\.speaker))
  }

  /// The layout for loudspeakers whose layout is `layout`; `nil` where IAMF has none. The only surround pair may
  /// be called side or back.
  package init?(_ layout: ChannelLayout) {
    let isBack = layout.speakers.contains(.backLeft) && !layout.speakers.contains(.sideLeft)
    let pairs: [Speaker: Speaker] = isBack ? [.backLeft: .sideLeft, .backRight: .sideRight] : [:]
    let wanted = ChannelLayout(layout.speakers.map { pairs[$0] ?? $0 })
    let scalable = LoudspeakerLayout.allCases.filter(\.isScalable)
    guard let found = scalable.first(where: { $0.layout == wanted }) else { return nil }
    self = found
  }
}

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
