// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Report

/// Queues as text for the terminal.
enum QueueTable {
  /// `samples` at `rate` Hz as hh:mm:ss.mmm, rounded down.
  static func clock(_ samples: Int64, _ rate: Int) -> String {
    let (seconds, rest) = samples.quotientAndRemainder(dividingBy: Int64(max(1, rate)))
    return MediaTime.clock(seconds * 1000 + rest * 1000 / Int64(max(1, rate)))
  }

  /// The items, one a line, then the programme, its chapters and what was found on the way.
  static func text(_ report: QueueSurveyReport) -> String {
    let queue = report.queue
    let heads = ["item", "start", "length", "Hz", "layout", "source", "gain", "fades", "doubts"]
    let rows = queue.items.map { row($0, report) }
    let length =
      "\(clock(queue.samples, queue.rate)) (\(queue.samples) samples) at \(queue.rate) Hz"
    var text = PlainText.table([heads] + rows) + "\nprogramme  \(length)\n"
    if !queue.chapters.isEmpty {
      let chapters = queue.chapters.map { chapter in
        let sample = Int64((chapter.seconds * Double(queue.rate)).rounded())
        return [clock(sample, queue.rate), chapter.title]
      }
      text += "\n" + PlainText.table([["chapter", "title"]] + chapters)
    }
    let found =
      report.degradations.map { "\($0.code.rawValue)  \($0.message)" }
      + report.decisions.filter { $0.subject == .run }
      .map { "\($0.code.rawValue)  \($0.chose): \($0.why)" }
    if !found.isEmpty { text += "\n" + PlainText.lines(found) }
    return text
  }

  /// Both programmes, and the ranges that differ.
  static func text(_ report: QueueDiffReport) -> String {
    let sides = [("old", report.old), ("new", report.new)].map { name, side in
      [
        name, side.path, "\(side.items) items", clock(side.samples, side.rate),
        "\(side.samples) samples at \(side.rate) Hz",
      ]
    }
    let text = PlainText.table(sides) + "\n"
    let gain =
      report.gainIsPinned
      ? ""
      : "before the programme's gain, which isn't pinned in both and may change with the loudness\n"
    guard let first = report.changes.first else { return text + "no sample changes\n" }
    let rate = report.new.rate
    let rows = report.changes.map { change in
      [
        clock(change.from, rate), clock(change.to, rate), "\(change.from)", "\(change.to)",
        change.why,
      ]
    }
    return text + "changes from sample \(first.from) (\(clock(first.from, rate))) on\n" + gain
      + "\n"
      + PlainText.table([["from", "to", "sample", "to sample", "why"]] + rows)
  }

  // MARK: Rows

  private static func row(_ item: QueueReport.Item, _ report: QueueSurveyReport) -> [String] {
    let rate = report.queue.rate
    return [
      "\(item.number)", clock(item.start, rate), clock(item.samples, rate),
      item.source.map { "\($0.rate)" } ?? "-", item.source?.layout ?? "-", source(item),
      item.gainDB.map { Figures.fixed($0, 2) + " dB" } ?? "-", fades(item, rate),
      doubts(item, report),
    ]
  }

  /// The file, with the range where that isn't all of it.
  private static func source(_ item: QueueReport.Item) -> String {
    guard let source = item.source else { return "silence" }
    let range =
      source.samples == source.trackSamples
      ? ""
      : " \(clock(source.start, source.rate))–\(clock(source.start + source.samples, source.rate))"
    return source.path + range
  }

  private static func fades(_ item: QueueReport.Item, _ rate: Int) -> String {
    let parts = [("crossfade", item.crossfade), ("in", item.fadeIn), ("out", item.fadeOut)]
    let texts = parts.compactMap { name, samples in
      samples.map { "\(name) \(Figures.fixed(Double($0) / Double(rate), 3)) s" }
    }
    return texts.isEmpty ? "-" : texts.joined(separator: ", ")
  }

  /// Uncertain facts about the item: how its length was found, and findings in its file.
  private static func doubts(_ item: QueueReport.Item, _ report: QueueSurveyReport) -> String {
    guard let source = item.source else { return "" }
    let found = report.degradations.filter { $0.subject == .input(source.input) }
      .map(\.code.rawValue)
    let counted = source.counted == true ? ["length was counted"] : []
    return (counted + found).joined(separator: ", ")
  }
}
