// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Dialogue
import Loudness
import Signal

/// The step between the passes that evens out loud and quiet parts: one gain over time for all outputs of a run, made of the
/// source's energies, with which the spools are read from then on.
struct LevellingStep {
  /// dB from the largest boost of the mode at which the limit shows in the report.
  private static let nearLimit = 0.05

  let request: LevelRequest
  let log: DiagnosticLog

  /// Refuses outputs whose sound can't follow a gain over time.
  /// - Throws: ``MediaError`` of kind `usage`.
  func check(_ branches: [Branch]) throws {
    guard branches.contains(where: { $0.kept != nil }) else { return }
    throw MediaError(
      .usage,
      "\(setting: .levelling): objects that are stored as they are can't be levelled; render them, or leave it out"
    )
  }

  /// Levels `branches`, in which `found` is all of the source's dialogue; each begins with its sample of the source in `starts`.
  /// - Returns: the levelling, and the loudness of each branch without it; `nil` for those that stay as they are.
  /// - Throws: ``MediaError`` when a spool can't be read.
  func run(
    _ branches: [Branch], _ found: SourceDialogue.Found, starts: [Int64]
  ) throws -> (levelling: Levelling, before: [LoudnessStatistics?]) {
    guard let energies = found.energies, let programme = found.programme else {
      throw MediaError(.internal, "the source's energies weren't measured")
    }
    let programmes = LevelProgramme(
      found.dialogue, found.figures(energies, programme), energies: energies)
    let levelling = LevelSolver(programmes, mode: request.mode, range: request.range).solve()
    note(levelling)
    guard levelling.gain.contains(where: { $0 != 0 }) else {
      return (levelling, branches.map { _ in nil })
    }
    return (
      levelling,
      try zip(branches, starts).map { branch, start in
        try branch.level(
          by: LevelGain(
            gain: levelling.gain, sampleRate: branch.format.sampleRate, source: energies,
            lead: branch.samplesBefore - start))
      }
    )
  }

  /// Reports, before anything was measured, that there will be a gain over time.
  func noteAhead() {
    let range = request.range ?? request.mode.limits.range
    log.decide(
      .levelling, request.mode.rawValue,
      why:
        "asked for by \(setting: .levelling); a range above \(Decibels.text(range)) LU gets a gain over time, which is "
        + "solved once all was measured")
  }

  private func note(_ levelling: Levelling) {
    let why = "\(setting: .levelling) \(request.mode.rawValue)"
    guard let before = levelling.before, let after = levelling.after else {
      let reason = levelling.outcome == .silent ? "is silent" : "is shorter than 3 s"
      return log.decide(.levelling, "no gain", why: "\(why); the programme \(reason)")
    }
    let range = "\(Decibels.text(before.spread)) LU"
    guard levelling.outcome != .within else {
      return log.decide(
        .levelling, "no gain",
        why: "\(why); its range is \(range), within \(Decibels.text(levelling.wanted))"
      )
    }
    log.decide(
      .levelling,
      "\(Decibels.signedText(levelling.smallestGain)) to "
        + "\(Decibels.signedText(levelling.largestGain)) dB",
      why: "\(why), around \(levelling.anchorOf == .dialogue ? "the dialogue" : "the whole") at "
        + "\(Decibels.text(levelling.anchor ?? 0)) LUFS in the source; its range goes from \(range) to "
        + "\(Decibels.text(after.spread)) LU")
    guard levelling.outcome == .notReached else { return }
    let isBoosted = levelling.largestGain >= levelling.mode.limits.boost - LevellingStep.nearLimit
    log.degrade(
      .levelNotReached,
      "the range is \(Decibels.text(after.spread)) LU, not \(Decibels.text(levelling.wanted))"
        + (isBoosted
          ? ": quiet parts have the largest boost of \(levelling.mode.rawValue) already"
          : ", as far as \(levelling.mode.rawValue) may go"))
  }
}
