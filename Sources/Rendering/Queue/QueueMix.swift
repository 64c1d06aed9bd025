// SPDX-License-Identifier: Apache-2.0
import AudioCore
import PlayQueue
import Report

/// How the items of a queue become the programme of one output.
struct QueueMix {
  /// Format of the programme.
  let format: AudioFormat
  /// Number of the first output that is made of it.
  let output: Int
  /// Places of the items.
  let placement: Placement
  /// How the kinds of tracks are rendered.
  let renderings: [ItemRendering]
  /// The rendering of each item; `nil` for silence.
  let kinds: [Int?]
  /// The sum's taps, as one.
  let taps: TapProof
  /// The samples of the programme that are wanted; with the filters' tail where that is kept.
  let window: Range<Int64>
  /// Samples of tail that are kept.
  let tail: Int
  /// For each item the first sample that it or one after it adds to.
  let reach: [Int64]

  /// The rendering of the item at `index`, from 0; `nil` for silence.
  func rendering(_ index: Int) -> ItemRendering? { kinds[index].map { renderings[$0] } }

  /// Whether the item at `index`, from 0, adds something to what is wanted.
  func isHeard(_ index: Int) -> Bool {
    guard let rendering = rendering(index) else { return false }
    let placed = placement.items[index]
    let margins = ItemChain.Margins(rendering, placed, rate: format.sampleRate)
    return margins.start < window.upperBound && placed.end + margins.tail > window.lowerBound
  }

  /// Whether equal items give equal samples in every run.
  var isDeterministic: Bool {
    taps.isDeterministic && renderings.allSatisfy(\.isDeterministic)
  }

  /// How far the filters of all items and of the sum reach over the borders of items.
  var filterReach: QueueDiff.Reach {
    var reach = QueueDiff.Reach()
    for (index, placed) in placement.items.enumerated() {
      guard let rendering = rendering(index) else { continue }
      let margins = ItemChain.Margins(rendering, placed, rate: format.sampleRate)
      reach.head = max(reach.head, placed.start - margins.start)
      reach.tail = max(reach.tail, margins.tail)
    }
    reach.head += Int64(taps.used)
    // Taps whose memory has no end may change everything after an item that changed.
    reach.tail = taps.memory.samples.map { reach.tail + Int64($0) } ?? .max
    return reach
  }

  /// For each item the first sample that it or one after it adds to.
  static func reach(
    _ placement: Placement, _ renderings: [ItemRendering], _ kinds: [Int?]
  ) -> [Int64] {
    var earliest = Int64.max
    return placement.items.indices.reversed().map { index in
      if let kind = kinds[index] {
        let margins = ItemChain.Margins(
          renderings[kind], placement.items[index], rate: placement.rate)
        earliest = min(earliest, margins.start)
      }
      return earliest
    }.reversed()
  }
}

/// The part of a queue's programme that one output gets.
struct QueuePart {
  /// Number of the mix that it is taken from.
  let mix: Int
  /// Its samples of the programme.
  let range: Range<Int64>
  /// The items that it holds; `nil` for the whole programme.
  let items: ItemSpan?
}

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

  /// Title of the item at `index`; `nil` for silence without a name.
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
