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
