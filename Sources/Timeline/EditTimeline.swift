import AudioCore

/// What an edit list means for one audio track, in samples.
///
/// Supported: any empty edits, then one run of media (several edits are joined where the media goes
/// on without a seam).
struct EditTimeline: Equatable {
  /// Media position of the first presented sample.
  let mediaStart: Int64
  /// Silence before it on the presentation timeline.
  let emptyLead: Int64
  /// Presented samples; `nil` when the edit reaches to the end.
  let length: Int64?
  /// Uncertainty of `length`: one tick of the movie's clock, in samples.
  let lengthTick: Int64

  /// Interprets the edits of `facts` at `rate` Hz; `nil` without an edit list.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for media edits that jump.
  init?(_ facts: GaplessFacts, rate: Int, log: DiagnosticLog) throws {
    guard !facts.edits.isEmpty else { return nil }
    guard facts.edits.allSatisfy({ $0.mediaTime >= -1 }) else {
      log.degrade(
        "edit-list-ignored", "the edit list has a negative media time, so it is ignored")
      return nil
    }
    var lead: Int64 = 0
    var start: Int64?
    var ticks: Int64? = 0
    let mediaTicks = { (movie: Int64) in
      MediaTime.rescale(movie, by: facts.mediaTimescale, over: facts.movieTimescale)
    }
    for edit in facts.edits {
      if edit.mediaTime < 0 {
        if start == nil { lead += edit.duration }
        continue
      }
      if let begun = start, let length = ticks {
        let seam = edit.mediaTime - (begun + mediaTicks(length))
        guard seam.magnitude <= UInt64(max(1, mediaTicks(1))) else {
          throw MediaError(
            .unsupportedFeature,
            "the edit list rearranges the audio (edit at media time \(edit.mediaTime)), which "
              + "isn't supported; remux the file without edits")
        }
      }
      start = start ?? edit.mediaTime
      ticks = edit.duration == 0 ? nil : ticks.map { $0 + edit.duration }
    }
    guard let start else { return nil }
    let rate = Int64(rate)
    mediaStart = MediaTime.rescale(start, by: rate, over: facts.mediaTimescale)
    emptyLead = MediaTime.rescale(lead, by: rate, over: facts.movieTimescale)
    length = ticks.map { MediaTime.rescale($0, by: rate, over: facts.movieTimescale) }
    lengthTick = (rate + facts.movieTimescale - 1) / facts.movieTimescale
  }
}
