import AudioCore
import PlayQueue
import Report

/// How the items of a queue become the programme of one output.
struct QueueMix {
  /// Format of the programme.
  let format: AudioFormat
  /// Number of the first output that is made of it.
  let output: Int
  /// Where the items lie.
  let placement: Placement
  /// How the kinds of tracks are rendered.
  let renderings: [ItemRendering]
  /// The rendering of each item; `nil` for silence.
  let kinds: [Int?]
  /// What the taps of the sum state.
  let taps: TapSurvey
  /// The samples of the programme that are wanted; with the filters' tail where that is kept.
  let window: Range<Int64>
  /// Samples of tail that are kept.
  let tail: Int
  /// For each item the first sample that it or one behind it adds to.
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
    reach.head += Int64(taps.ahead)
    // Taps whose memory has no end may change everything behind an item that changed.
    reach.tail = taps.memory.map { reach.tail + Int64($0) } ?? .max
    return reach
  }

  /// For each item the first sample that it or one behind it adds to.
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
