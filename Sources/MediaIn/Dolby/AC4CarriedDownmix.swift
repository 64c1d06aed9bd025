import AC4
import AudioCore

extension CarriedDownmix {
  /// The mix to two channels that an AC-4 frame states for presentation `index`; `nil` when it states none.
  init?(_ facts: AC4FrameFacts, presentation index: Int) {
    guard let chosen = facts.presentations.first(where: { $0.index == index }) else { return nil }
    let old = chosen.substreams.lazy.compactMap { $0?.downmix }.first
    let own = chosen.metadata
    let sent = own?.downmix ?? old
    let corrections = (
      loRo: own?.loRoCorrection ?? old?.loRoCorrection,
      ltRt: own?.ltRtCorrection ?? old?.ltRtCorrection
    )
    guard sent != nil || corrections.loRo != nil || corrections.ltRt != nil else { return nil }
    let substreams = chosen.presentation.groups.filter { facts.toc.groups.indices.contains($0) }
      .flatMap { facts.toc.groups[$0].substreams }
    let preferred: Method =
      sent?.method == 2 ? .ltRt : sent?.method == 3 ? .proLogicII : .loRo
    self.init(
      old == nil ? .presentation : .substream, preferred: preferred,
      loRo: Gains(
        center: AC4DownmixGains.centreGain(sent?.loRoCentre),
        surround: AC4DownmixGains.surroundGain(sent?.loRoSurround),
        correction: AC4DownmixGains.correction(corrections.loRo)),
      ltRt: Gains(
        center: AC4DownmixGains.centreGain(sent?.ltRtCentre),
        surround: AC4DownmixGains.surroundGain(sent?.ltRtSurround),
        correction: AC4DownmixGains.correction(corrections.ltRt)),
      lfeLevel: sent?.lfeLevel, addsToSurrounds: substreams.first?.addsToSurrounds)
  }
}
