/// The items of a queue: a picture of the time line, a table, and the chapters.
struct QueueSection {
  let queue: QueueReport
  /// The gain in dB of the whole in the first output.
  let gain: Double
  let context: SectionContext

  /// The picture and the tables.
  var parts: [Markup] {
    [QueueFigure(queue: queue, id: context.id + "-queue").markup, items]
      + (queue.former.map { [changes(of: $0)] } ?? [])
      + (queue.chapters.isEmpty ? [] : [chapters])
  }

  private func time(_ samples: Int64) -> String {
    PageText.duration(Double(samples) / Double(max(1, queue.rate)))
  }

  private var items: Markup {
    PageTable(
      caption: "Items of the queue",
      columns: [
        .figures("No."), .words("Item"), .figures("Begins"), .figures("Lasts"),
        .figures("First sample"), .figures("Samples"), .words("Source"), .words("Join"),
        .words("Level"),
      ],
      rows: queue.items.map { item in
        [
          .init(String(item.number)),
          .init(Markup.name(item.title ?? item.source?.path ?? "silence")),
          .init(time(item.start)), .init(time(item.samples)), .init(PageText.count(item.start)),
          .init(PageText.count(item.samples)), .init(source(item)), .init(join(item)),
          .init(level(item)),
        ]
      }, isWide: true
    ).markup
  }

  private func source(_ item: QueueReport.Item) -> String {
    guard let source = item.source else { return "–" }
    var words = ["\(source.rate) Hz", source.layout]
    if source.counted == true { words.append("length counted") }
    if source.reused == true { words.append("from the cache") }
    return words.joined(separator: ", ")
  }

  private func join(_ item: QueueReport.Item) -> String {
    var words: [String] = []
    if let overlap = item.crossfade { words.append("crossfade \(time(overlap))") }
    if let rise = item.fadeIn { words.append("fade in \(time(rise))") }
    if let fall = item.fadeOut { words.append("fade out \(time(fall))") }
    return words.isEmpty ? "cut" : words.joined(separator: ", ")
  }

  private func level(_ item: QueueReport.Item) -> String {
    var words: [String] = []
    if let gain = item.gainDB { words.append(PageText.figure(gain, "dB", 2)) }
    if let gain = item.loudnessGainDB {
      words.append(
        "\(PageText.figure(item.integrated, "LUFS", 2)), brought to its target by \(PageText.figure(gain, "dB", 2))"
      )
      if let limiter = item.limiter {
        words.append("limiter up to \(PageText.figure(limiter.maxReductionDB, "dB", 1))")
      }
      if let target = item.loudnessTarget, let reached = item.outputIntegrated {
        // The whole moves an item away from its target without missing it.
        let whole =
          gain.magnitude < 0.005 ? "" : " before \(PageText.figure(gain, "dB", 2)) for the whole"
        words.append(
          "target \(PageText.figure(target, "LUFS", 2))\(whole), delivered at "
            + PageText.figure(reached, "LUFS", 2))
      }
    }
    return words.isEmpty ? "as it is" : words.joined(separator: "; ")
  }

  private func changes(of former: QueueReport.Former) -> Markup {
    guard !former.changes.isEmpty else {
      return Markup(
        "p", ["class": "fine"],
        text: "✓ No sample before the gain differs from the run before, as the cache knows it.")
    }
    return PageTable(
      caption: "Samples before the gain that may differ from the run before",
      columns: [.figures("From"), .figures("To"), .figures("First sample"), .words("Why")],
      rows: former.changes.map { change in
        [
          .init(time(change.from)), .init(time(change.to)), .init(PageText.count(change.from)),
          .init(change.why),
        ]
      }
    ).markup
  }

  private var chapters: Markup {
    PageTable(
      caption: "Chapters",
      columns: [.figures("No."), .figures("Begins"), .words("Title")],
      rows: queue.chapters.enumerated().map { number, chapter in
        [
          .init(String(number + 1)), .init(PageText.duration(chapter.seconds)),
          .init(Markup.name(chapter.title)),
        ]
      }
    ).markup
  }
}
