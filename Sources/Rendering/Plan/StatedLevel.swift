// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness
import Signal
import Spatial

/// The loudness that an input states for what an output renders.
public struct StatedLevel: Sendable, Hashable, Codable {
  /// Largest difference in LU between what is stated and what is measured that is no fault.
  static let tolerance = 0.5

  /// Name of the layout that it is stated for, `binaural` for headphones.
  public var layout: String
  /// Integrated loudness, LUFS.
  public var integrated: Double
  /// Whether the rendered programme, before the gain, must have that loudness: it is the whole programme on that
  /// layout, without HRTF of ours, stages of the caller's own, and gains that the file doesn't know.
  public var isComparable: Bool

  /// Tells where what was measured isn't what is stated, though it must be.
  func compare(_ measured: LoudnessMeasurement, _ log: DiagnosticLog) {
    guard isComparable, !measured.isShort, let loudness = measured.integrated,
      (loudness - integrated).magnitude > StatedLevel.tolerance
    else { return }
    log.degrade(
      .loudnessInfoWrong,
      "the file states \(Decibels.text(integrated)) LUFS for \(layout), but measured are "
        + "\(Decibels.text(loudness)) LUFS")
  }
}

/// Finds what an input states of the loudness of an output.
struct StatedLevelFinder {
  let programme: Programme
  /// Whether the whole programme is rendered, by Pinna's own stages only.
  let isWhole: Bool
  let log: DiagnosticLog

  /// The loudness that is stated for what `plan` renders; `nil` where none is, or one that can't be right.
  func level(_ plan: RendererPlan, isDualMono: Bool) -> StatedLevel? {
    guard let stated = statement(plan), stated.doubt == nil else { return nil }
    let name = stated.layout?.name ?? "binaural"
    return StatedLevel(
      layout: name, integrated: stated.integrated,
      isComparable: isWhole && !stated.isOfOwnDownmix && isRenderedAsStated(plan)
        && !(isDualMono && stated.layout == .mono))
  }

  /// The target with the mode `measured` where the mode `metadata` has nothing to follow, although the format has a
  /// place for it.
  func settled(
    _ target: LoudnessTarget?, _ stated: StatedLevel?, _ plan: RendererPlan
  ) -> LoudnessTarget? {
    guard var target, target.mode == .metadata, programme.facts.loudness != nil, stated == nil
    else { return target }
    target.mode = .measured
    let place = layout(plan)?.name ?? "headphones"
    let reason: String
    switch statement(plan)?.doubt {
    case .placeholder: reason = "what the file states for \(place) is a placeholder (0)"
    case .implausible: reason = "what the file states for \(place) can't be right"
    case nil: reason = "the file states no loudness for \(place)"
    }
    log.decide(
      .loudness, "measured",
      why: "\(setting: .loudnessMode) metadata has nothing to follow: \(reason)")
    return target
  }

  private func statement(_ plan: RendererPlan) -> StatedLoudness? {
    // The pair of virtual loudspeakers is heard with HRTF, which nobody states a loudness for.
    if plan.speakerSpan != nil { return nil }
    let all = programme.facts.loudness ?? []
    // Signals for the ears are passed through as they are, so that what is stated for headphones is theirs.
    if case .passThrough = plan, programme.facts.virtualization == .binaural,
      let own = all.first(where: { $0.layout == nil })
    {
      return own
    }
    let wanted = layout(plan).map(\.withSides)
    return all.first { $0.layout.map(\.withSides) == wanted }
  }

  /// The loudspeakers that are rendered for; `nil` for headphones.
  private func layout(_ plan: RendererPlan) -> ChannelLayout? {
    switch plan {
    case .passThrough:
      guard case .bed(let layout)? = programme.elements.first else { return nil }
      return layout
    case .mix(let mix): return mix.layout
    case .loudspeakers(let layout), .kept(measuredIn: let layout): return layout
    // Without HRTF they get what two loudspeakers get.
    case .binaural: return programme.elements.allSatisfy(\.isPlainOnHeadphones) ? .stereo : nil
    case .speakers: return .stereo
    }
  }

  /// Whether the renderer does what the file's author measured: the file's channels themselves, or the usual mix.
  private func isRenderedAsStated(_ plan: RendererPlan) -> Bool {
    switch plan {
    case .passThrough, .loudspeakers, .kept: return true
    case .mix(let mix): return mix.options == DownmixOptions()
    case .binaural:
      return programme.elements.allSatisfy(\.isPlainOnHeadphones)
        || programme.elements.allSatisfy(\.isForAnEar)
    case .speakers: return false
    }
  }
}

extension Programme.Element {
  /// Whether headphones get it without HRTF.
  fileprivate var isPlainOnHeadphones: Bool {
    guard case .object(_, let state) = self else { return false }
    return state.rules.headphones == .off && !isForAnEar
  }

  /// Whether it is the signal of one ear.
  fileprivate var isForAnEar: Bool {
    guard case .object(_, let state) = self, case .ear = state.rules.role else { return false }
    return true
  }
}

extension ChannelLayout {
  /// The layout with its only surround pair at the sides; 5.1 has the same directions under both names.
  fileprivate var withSides: ChannelLayout {
    guard !speakers.contains(.sideLeft), !speakers.contains(.sideRight) else { return self }
    return ChannelLayout(
      speakers.map { $0 == .backLeft ? .sideLeft : $0 == .backRight ? .sideRight : $0 })
  }
}
