// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaIn
import Platform
import Report
import Signal
import Spatial

/// Chooses the gains of a downmix between the standard's and the programme's own, and reports why.
struct DownmixSelection {
  /// The gains chosen.
  struct Chosen {
    /// Options for the downmixer.
    var options: DownmixOptions
    /// `standard` or the form of the programme's own mix.
    var method = RenderReport.Render.Downmix.standard
    /// Origin of the gains: the standard, or the bitstream's own name for the part that holds them.
    var source = "ITU-R BS.775"

    /// Whether they are the programme's own.
    var isOwn: Bool { options.programme != nil }
  }

  /// Largest difference of linear gains that still counts as equal: −3 dB is 0.7079 in one standard
  /// and 0.7071 in another.
  private static let tolerance = 0.005

  let rendition: Rendition
  let log: DiagnosticLog
  /// The programme's own downmix, if it has one.
  let carried: CarriedDownmix?

  /// The gains for a mix of `source` to `target`.
  func choose(_ source: ChannelLayout, to target: ChannelLayout) -> Chosen {
    let standard = Chosen(options: DownmixOptions(lfeGainDB: rendition.lfe.downmixedGainDB))
    guard rendition.downmix == .stream else {
      noteDifference(source, target, standard)
      return standard
    }
    guard target == .stereo || target == .mono else {
      return fallBack(standard, "a programme's own gains are for stereo and mono only")
    }
    guard let carried else { return fallBack(standard, "the programme carries no gains") }
    let own = chosen(carried, target)
    guard own.options.programme?.gains(from: source, to: target) != nil else {
      return fallBack(standard, "the programme's gains don't cover \(source.name)")
    }
    log.decide(
      .downmix, own.method,
      why:
        "given \(setting: .downmix) stream; the programme (\(own.source)) asks for \(text(own, source))"
    )
    return own
  }

  private func fallBack(_ standard: Chosen, _ reason: String) -> Chosen {
    log.decide(.downmix, standard.method, why: "\(reason); \(setting: .downmix) stream falls back")
    return standard
  }

  /// The gains that the programme wants for `target`; mono comes from Lo/Ro.
  private func chosen(_ carried: CarriedDownmix, _ target: ChannelLayout) -> Chosen {
    let form = target == .mono ? .loRo : DownmixSelection.form(carried.preferred)
    let gains = form == .loRo ? carried.loRo : carried.ltRt
    let programme = ProgrammeDownmix(
      form: form, center: gains.center, surround: gains.surround, scale: gains.correction,
      addsToSurrounds: carried.addsToSurrounds)
    // A mono mix adds both sides up, which lifts the LFE by 6 dB; the gain that the user gives is
    // that of the mono output.
    let sides = target == .mono ? 20 * log10(2.0) : 0
    let bass =
      rendition.lfe == .standard
      ? carried.lfeLevel : rendition.lfe.downmixedGainDB.map { $0 - sides }
    return Chosen(
      options: DownmixOptions(lfeGainDB: bass, programme: programme), method: form.rawValue,
      source: carried.source.rawValue)
  }

  private static func form(_ method: CarriedDownmix.Method) -> ProgrammeDownmix.Form {
    switch method {
    case .loRo: return .loRo
    case .ltRt: return .ltRt
    case .proLogicII: return .proLogicII
    }
  }

  /// Reports that the programme asks for other gains. Both are compared in stereo, because a
  /// programme's own mono mix is louder by 3 dB as a whole.
  private func noteDifference(
    _ source: ChannelLayout, _ target: ChannelLayout, _ standard: Chosen
  ) {
    guard target == .stereo || target == .mono, let carried else { return }
    let own = chosen(carried, target)
    guard
      let wanted = own.options.programme?.gains(
        from: source, to: .stereo, lfeGainDB: own.options.lfeGainDB),
      let used = try? DownmixMatrix(from: source, to: .stereo, options: standard.options).gains
    else { return }
    let differs = zip(wanted.joined(), used.joined()).contains { one, other in
      (one - other).magnitude > DownmixSelection.tolerance
    }
    guard differs else { return }
    log.decide(
      .downmix, standard.method,
      why:
        "the programme (\(own.source)) asks for \(text(own, source)), which \(setting: .downmix) stream follows"
    )
  }

  /// The gains of the channels that are there.
  private func text(_ own: Chosen, _ source: ChannelLayout) -> String {
    guard let programme = own.options.programme else { return own.method }
    var parts = [own.method]
    let names = Set(source.speakers.map(\.name))
    if names.contains("FC") { parts.append("centre \(DownmixSelection.level(programme.center))") }
    if !names.isDisjoint(with: ["SL", "SR", "BL", "BR", "BC"]) {
      parts.append("surrounds \(DownmixSelection.level(programme.surround))")
    }
    if names.contains("LFE"), let carried, let bass = carried.lfeLevel {
      parts.append("LFE \(Decibels.signedText(bass)) dB")
    }
    if programme.scale != 1 {
      parts.append("loudness correction \(DownmixSelection.level(programme.scale))")
    }
    return parts.joined(separator: ", ")
  }

  private static func level(_ gain: Double) -> String {
    gain > 0 ? "\(Decibels.signedText(Decibels.level(gain))) dB" : "off"
  }
}
