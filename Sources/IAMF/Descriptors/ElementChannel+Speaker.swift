import AudioCore

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
