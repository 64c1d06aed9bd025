import CConvolution
import LibAV

/// Signals, each with its gains in the planes of a field, that are to be summed.
struct ReflectionList {
  private var sources: [UnsafePointer<Float>?] = []
  private var gains: [UnsafePointer<Float>?] = []

  /// Whether there is nothing to be summed.
  var isEmpty: Bool { sources.isEmpty }

  /// Appends a signal.
  mutating func append(_ source: UnsafePointer<Float>, _ gains: UnsafePointer<Float>) {
    sources.append(source)
    self.gains.append(gains)
  }

  /// Adds `frames` samples of all signals to `lanes`, and forgets the signals.
  mutating func add(to lanes: AlignedFloats, frames: Int) {
    cc_add_lanes(sources.count, frames, sources, gains, lanes.base)
    sources.removeAll(keepingCapacity: true)
    gains.removeAll(keepingCapacity: true)
  }
}

/// Sums a hop of images: those of voices that rest, and those of voices that move, which fade from where
/// they were at the hop's start to where they are at its end.
final class ReflectionSums {
  /// Images of voices that rest.
  var resting = ReflectionList()
  /// Images of voices that move, at the hop's start.
  var old = ReflectionList()
  /// Those at its end.
  var new = ReflectionList()

  /// The sum, the planes of each sample side by side.
  let lanes: AlignedFloats
  private let ends: [AlignedFloats]
  private let hop: Int

  /// Sums of hops of `hop` samples.
  init(hop: Int) {
    self.hop = hop
    lanes = AlignedFloats(count: hop * RoomImages.planes)
    ends = (0..<2).map { _ in AlignedFloats(count: hop * RoomImages.planes) }
  }

  /// Makes ``lanes`` the sum of all that is listed, and empties the lists.
  func sum() {
    lanes.base.update(repeating: 0, count: lanes.count)
    resting.add(to: lanes, frames: hop)
    guard !new.isEmpty else { return }
    for end in ends { end.base.update(repeating: 0, count: end.count) }
    old.add(to: ends[0], frames: hop)
    new.add(to: ends[1], frames: hop)
    cc_fade_lanes(hop, ends[0].base, ends[1].base, lanes.base)
  }
}
