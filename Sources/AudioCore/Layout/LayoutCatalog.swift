extension ChannelLayout {
  /// A layout that can be asked for by name.
  struct Named: Sendable {
    let name: String
    let layout: ChannelLayout

    init(_ name: String, _ speakers: String) {
      self.name = name
      self.layout = ChannelLayout(
        speakers.split(separator: " ").compactMap { Speaker(name: String($0)) })
    }
  }

  /// Names as ffmpeg prints them, plus the immersive layouts of ITU-R BS.2051 under their
  /// everyday names. The first entry with a given speaker set names it.
  static let catalog: [Named] = [
    Named("mono", "FC"),
    Named("stereo", "FL FR"),
    Named("2.1", "FL FR LFE"),
    Named("3.0", "FL FR FC"),
    Named("3.0(back)", "FL FR BC"),
    Named("4.0", "FL FR FC BC"),
    Named("quad", "FL FR BL BR"),
    Named("quad(side)", "FL FR SL SR"),
    Named("3.1", "FL FR FC LFE"),
    Named("5.0", "FL FR FC BL BR"),
    Named("5.0(side)", "FL FR FC SL SR"),
    Named("4.1", "FL FR FC LFE BC"),
    Named("5.1", "FL FR FC LFE BL BR"),
    Named("5.1(side)", "FL FR FC LFE SL SR"),
    Named("6.0", "FL FR FC BC SL SR"),
    Named("6.0(front)", "FL FR FLC FRC SL SR"),
    Named("hexagonal", "FL FR FC BL BR BC"),
    Named("6.1", "FL FR FC LFE BC SL SR"),
    Named("6.1(back)", "FL FR FC LFE BL BR BC"),
    Named("6.1(front)", "FL FR LFE FLC FRC SL SR"),
    Named("7.0", "FL FR FC BL BR SL SR"),
    Named("7.0(front)", "FL FR FC FLC FRC SL SR"),
    Named("7.1", "FL FR FC LFE BL BR SL SR"),
    Named("7.1(wide)", "FL FR FC LFE BL BR FLC FRC"),
    Named("7.1(wide-side)", "FL FR FC LFE FLC FRC SL SR"),
    Named("octagonal", "FL FR FC BL BR BC SL SR"),
    Named("5.1.2", "FL FR FC LFE SL SR TFL TFR"),
    Named("5.1.2(back)", "FL FR FC LFE BL BR TFL TFR"),
    Named("5.1.4", "FL FR FC LFE SL SR TFL TFR TBL TBR"),
    Named("5.1.4(back)", "FL FR FC LFE BL BR TFL TFR TBL TBR"),
    Named("7.1.2", "FL FR FC LFE BL BR SL SR TFL TFR"),
    Named("7.1.4", "FL FR FC LFE BL BR SL SR TFL TFR TBL TBR"),
    Named("9.1.4", "FL FR FC LFE BL BR FLC FRC SL SR TFL TFR TBL TBR"),
    Named("9.1.6", "FL FR FC LFE BL BR FLC FRC SL SR TFL TFR TBL TBR TSL TSR"),
    Named("9.1.4(wide)", "FL FR FC LFE BL BR SL SR TFL TFR TBL TBR WL WR"),
    Named("9.1.6(wide)", "FL FR FC LFE BL BR SL SR TFL TFR TBL TBR WL WR TSL TSR"),
    Named(
      "22.2",
      "FL FR FC LFE BL BR FLC FRC BC SL SR TC TFL TFC TFR TBL TBC TBR LFE2 TSL TSR BFC BFL BFR"),
    Named("downmix", "DL DR"),
  ]
}
