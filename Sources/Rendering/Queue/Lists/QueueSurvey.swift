// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import PlayQueue
import Report

/// The places of a queue's items, found by looking at its files without rendering them.
///
/// Headers state the length of most tracks. One whose length they don't state is decoded once to count its samples.
package struct QueueSurvey {
  private let input: QueueInput
  private let entries: [QueueEntry]
  private let mix: QueueMix
  private let tracks: QueueTracks
  /// Assumptions and losses on the way, with findings in the files.
  private let log: DiagnosticLog

  /// Looks at the queue or list in the file at `path`.
  /// - Parameters:
  ///   - clip: How its files are opened and joined; its input isn't used.
  ///   - rate: The programme's rate in Hz; `nil` for what the queue says, else the rate that most samples have.
  ///   - other: A survey with the same `clip`, whose knowledge of files is used again.
  /// - Throws: ``MediaError`` when the file is no queue, or names something that can't be used.
  package init(_ path: String, clip: Clip, rate: Int? = nil, sharing other: QueueSurvey? = nil)
    throws
  {
    LibAVLog.install()
    var clip = clip
    clip.input = .file(path)
    log = other?.log ?? DiagnosticLog()
    tracks = other?.tracks ?? QueueTracks(clip, playback: .all, log: log)
    guard let input = try QueueOpener(clip: clip, log: log).open(path) else {
      throw QueueFile.notAQueue(path)
    }
    self.input = input
    entries = try QueueEntry.all(of: input, tracks)
    let chosen = try QueueEntry.rate(asked: rate, input, entries)
    let lengths = entries.map { $0.length(at: chosen) }
    do {
      mix = QueueMix(unrendered: try Placement(input.queue, lengths: lengths, rate: chosen))
    } catch {
      throw input.error(error)
    }
  }

  /// Findings, with all tracks that were looked at so far.
  package var report: QueueSurveyReport {
    let known = tracks.known.values.sorted { $0.number < $1.number }
    return QueueSurveyReport(
      path: input.name, inputs: known.map(\.report),
      queue: QueueReporter(
        input: input, entries: entries, mix: mix, levels: [:], reached: [:], reused: nil
      )
      .report(),
      degradations: log.degradations, decisions: log.decisions)
  }

  /// Its name, items, rate and length for a comparison.
  var side: QueueDiffReport.Side {
    QueueDiffReport.Side(
      path: input.name, items: entries.count, rate: mix.placement.rate,
      samples: mix.placement.frames)
  }

  /// Doubts about what was found.
  var degradations: [Diagnostic] { log.degradations }

  /// The queue where it lies. Every file has one absolute path, so that lists in different folders can be compared.
  var placed: PlacedQueue {
    PlacedQueue(ListPlace.placed(input.queue), mix.placement)
  }
}

extension QueueMix {
  /// Items that are only placed: the layout is a stand-in, because nothing is rendered.
  fileprivate init(unrendered placement: Placement) {
    self.init(
      format: AudioFormat(sampleRate: placement.rate, layout: .stereo), output: 0,
      placement: placement,
      renderings: [], kinds: placement.items.map { _ in nil }, taps: TapProof(),
      window: 0..<placement.frames,
      tail: 0, reach: [])
  }
}

/// Tells from which sample on the programmes of two queues differ, and why, without rendering them.
package enum QueueComparison {
  /// Compares `new` with `old`; `reach` is how far filters reach over the borders of items, in samples of the new
  /// programme when it counts samples.
  package static func report(
    from old: QueueSurvey, to new: QueueSurvey, reach: TimeSpec
  ) -> QueueDiffReport {
    let (before, after) = (old.placed, new.placed)
    let samples = reach.samples(at: after.placement.rate)
    let diff = QueueDiff(
      from: before, to: after, reach: QueueDiff.Reach(head: samples, tail: samples))
    return QueueDiffReport(
      old: old.side, new: new.side, reach: samples,
      gainIsPinned: before.queue.pinnedGain != nil && after.queue.pinnedGain != nil,
      changes: diff.changes.map {
        QueueReport.Change(from: $0.from, to: $0.to, why: $0.why.rawValue)
      },
      degradations: new.degradations)
  }
}
