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
