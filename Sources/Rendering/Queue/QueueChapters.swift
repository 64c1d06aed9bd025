import AudioCore
import PlayQueue

/// The chapters of a queue's programme: one where each item begins, and within it those of its file.
struct QueueChapters {
  let input: QueueInput
  let entries: [QueueEntry]
  let mix: QueueMix

  /// The chapters inside `part`; times count from its first sample. A single item is no chapter of itself.
  func markers(of part: QueuePart) -> [ProgrammeMarker] {
    guard input.queue.chapters != .none else { return [] }
    let rate = Int64(mix.format.sampleRate)
    var markers: [(sample: Int64, title: String)] = []
    for (index, item) in input.queue.items.enumerated() {
      let title = item.isPart ? nil : self.title(index)
      if let title { markers.append((mix.placement.items[index].start, title)) }
      markers += inner(index, below: title)
    }
    let found = inside(markers, part.range)
    guard part.items == nil || found.count > 1 else { return [] }
    return found.map {
      ProgrammeMarker(
        time: MediaTime(ticks: $0.sample - part.range.lowerBound, rate: rate), title: $0.title)
    }
  }

  /// The markers inside `window`. The chapter in which it begins begins with it.
  private func inside(
    _ markers: [(sample: Int64, title: String)], _ window: Range<Int64>
  ) -> [(sample: Int64, title: String)] {
    let last = markers.last { $0.sample <= window.lowerBound }
    let later = markers.filter { $0.sample > window.lowerBound && $0.sample < window.upperBound }
    return (last.map { [(window.lowerBound, $0.title)] } ?? []) + later
  }

  /// What the item at `index` is called; `nil` for silence without a name.
  private func title(_ index: Int) -> String? {
    if let title = input.queue.items[index].title { return title }
    guard case .sound(let key, let track, let range) = entries[index] else { return nil }
    if range == 0..<track.frames, let title = track.tags["title"], !title.isEmpty {
      return title
    }
    return OutputNames.stem(of: key.path)
  }

  /// The markers of the item at `index`, and where they are kept the chapters of its file, below its title.
  private func inner(_ index: Int, below title: String?) -> [(sample: Int64, title: String)] {
    guard case .sound(_, let track, let range) = entries[index] else { return [] }
    let rate = track.programme.sampleRate
    let own = input.queue.items[index].markers.map {
      (at: $0.at.samples(at: rate), title: $0.title)
    }
    let kept = input.queue.chapters == .keep ? track.chapters : []
    let inside = kept.filter { range.contains($0.at) && $0.at > range.lowerBound }.map {
      (
        at: $0.at - range.lowerBound,
        title: [title, $0.title].compactMap { $0 }.joined(separator: ": ")
      )
    }
    let placed = mix.placement.items[index]
    return (own + inside).sorted { $0.at < $1.at }.compactMap { marker in
      let offset = MediaTime(ticks: marker.at, rate: Int64(rate)).samples(
        at: mix.format.sampleRate)
      return offset < placed.frames ? (placed.start + offset, marker.title) : nil
    }
  }
}
