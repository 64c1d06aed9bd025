/// What an edit list means for one audio track, in samples.
///
/// Supported: any empty edits, then one run of media (several edits are joined where the media goes
/// on without a seam).
package struct EditTimeline: Equatable {
  /// Media position of the first presented sample.
  package let mediaStart: Int64
  /// Silence before it on the presentation timeline.
  package let emptyLead: Int64
  /// Presented samples; `nil` when the edit reaches to the end.
  package let length: Int64?
  /// Uncertainty of `length`: one tick of the movie's clock, in samples.
  package let lengthTick: Int64

  /// Seconds (eight years) beyond which a time in an edit list is garbage. The bound also keeps
  /// every calculation below inside 64 bits.
  private static let longest: Int64 = 1 << 28

  /// Interprets the edits of `facts` at `rate` Hz; `nil` without an edit list, and where it is ignored, which `log` reports.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for media edits that jump.
  package init?(_ facts: GaplessFacts, rate: Int, log: DiagnosticLog) throws {
    guard !facts.edits.isEmpty else { return nil }
    if let flaw = EditTimeline.flaw(in: facts) {
      log.degrade(.editListIgnored, "the edit list has \(flaw), so it is ignored")
      return nil
    }
    let media = facts.edits.filter { $0.mediaTime >= 0 }
    guard let first = media.first, let last = media.last else {
      log.degrade(.editListIgnored, "the edit list presents no media, so it is ignored")
      return nil
    }
    try EditTimeline.requireOneRun(facts)
    let lead = facts.edits.prefix { $0.mediaTime < 0 }.reduce(0) { $0 + $1.duration }
    let rate = Int64(rate)
    mediaStart = MediaTime.rescale(first.mediaTime, by: rate, over: facts.mediaTimescale)
    emptyLead = MediaTime.rescale(lead, by: rate, over: facts.movieTimescale)
    // The start of the last edit is exact; only its own duration is as coarse as the movie's clock.
    let before = MediaTime.rescale(
      last.mediaTime - first.mediaTime, by: rate, over: facts.mediaTimescale)
    length =
      last.duration == 0
      ? nil : before + MediaTime.rescale(last.duration, by: rate, over: facts.movieTimescale)
    lengthTick = (rate + facts.movieTimescale - 1) / facts.movieTimescale
  }

  /// What makes the whole list unusable, if anything.
  private static func flaw(in facts: GaplessFacts) -> String? {
    var total: Int64 = 0
    let longestMovie = longest.multipliedReportingOverflow(by: facts.movieTimescale)
    let longestMedia = longest.multipliedReportingOverflow(by: facts.mediaTimescale)
    guard !longestMovie.overflow, !longestMedia.overflow else { return "an implausible clock" }
    for edit in facts.edits {
      if edit.mediaTime < -1 { return "a negative media time" }
      let sum = total.addingReportingOverflow(edit.duration)
      guard edit.duration >= 0, !sum.overflow, sum.partialValue <= longestMovie.partialValue,
        edit.mediaTime <= longestMedia.partialValue
      else { return "an implausible time" }
      total = sum.partialValue
    }
    return nil
  }

  /// Checks that the media edits go on from one to the next without seam or pause.
  private static func requireOneRun(_ facts: GaplessFacts) throws {
    let mediaTicks = { (movie: Int64) in
      MediaTime.rescale(movie, by: facts.mediaTimescale, over: facts.movieTimescale)
    }
    var previous: GaplessFacts.Edit?
    var pause: Int64 = 0
    for edit in facts.edits {
      guard edit.mediaTime >= 0 else {
        pause += edit.duration
        continue
      }
      if let previous {
        let seam = edit.mediaTime - (previous.mediaTime + mediaTicks(previous.duration))
        guard previous.duration > 0, pause == 0, seam.magnitude <= UInt64(max(1, mediaTicks(1)))
        else {
          throw MediaError(
            .unsupportedFeature,
            "the edit list rearranges the audio (edit at media time \(edit.mediaTime)), which "
              + "isn't supported; remux the file without edits")
        }
      }
      previous = edit
      pause = 0
    }
  }
}
