import AudioCore
import PlayQueue
import Report

/// States where the items of a queue lie.
struct QueueReporter {
  let input: QueueInput
  let entries: [QueueEntry]
  let mix: QueueMix
  /// What was solved for items with a loudness of their own, by index.
  let levels: [Int: ItemLevel]
  /// The loudness in LUFS at which they are delivered, by index.
  let reached: [Int: Double]
  /// Items that came from the cache, by index; `nil` without a cache.
  let reused: Set<Int>?

  private var whole: QueuePart { QueuePart(mix: 0, range: mix.window, items: nil) }

  /// The section of the report.
  func report() -> QueueReport {
    QueueReport(
      name: input.name, rate: mix.format.sampleRate, samples: mix.placement.frames,
      items: entries.indices.map(item),
      chapters: QueueChapters(input: input, entries: entries, mix: mix).markers(of: whole).map {
        QueueReport.Chapter(
          seconds: Double($0.time.ticks) / Double($0.time.rate), title: $0.title)
      })
  }

  private func item(_ index: Int) -> QueueReport.Item {
    let placed = mix.placement.items[index]
    let queued = input.queue.items[index]
    var item = QueueReport.Item(number: index + 1, start: placed.start, samples: placed.frames)
    item.title = queued.title
    item.line = input.lines[index]
    if let level = levels[index] {
      item.integrated = level.integrated
      item.loudnessGainDB = level.gain
      item.loudnessTarget = level.target
      item.outputIntegrated = reached[index]
      item.limiter = level.limiter.map {
        RenderReport.Loudness.Limiter(
          maxReductionDB: $0.maxReductionDB, activeFraction: $0.activeFraction,
          response: $0.response.rawValue)
      }
    }
    item.gainDB = queued.gain == 0 ? nil : queued.gain
    let (rise, fall) = (placed.envelope.rise.frames, placed.envelope.fall.frames)
    item.crossfade = placed.crossfade > 0 ? placed.crossfade : nil
    item.fadeIn = rise > 0 && placed.crossfade == 0 ? rise : nil
    item.fadeOut = fall > 0 ? fall : nil
    guard case .sound(let key, let track, let range) = entries[index] else { return item }
    var source = QueueReport.Source(
      input: track.number, path: key.path, start: range.lowerBound, samples: Int64(range.count),
      trackSamples: track.frames,
      rate: track.programme.sampleRate, layout: track.report.layout)
    source.counted = track.isCounted ? true : nil
    source.reused = reused?.contains(index)
    item.source = source
    return item
  }
}
