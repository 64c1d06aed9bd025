import AudioCore
import LibAV

/// Plays the reflections of objects that have stayed where they were at the programme's start, for a head at
/// rest: through the filters of a bed's channels in the same places.
///
/// An object that moves for the first time leaves for good. What it played before still rings here, and
/// what it plays from then on goes to ``ReflectionBus``. Once all have left, playing costs nothing.
final class RestingReflections {
  private let hop: Int
  private let lanes: [SIMD3<Double>: Int]
  private let feeds: AlignedFloats
  private var convolver: FastConvolver?
  /// Voices that may play.
  private var users = 0
  /// Samples since the last voice left.
  private var quiet = 0
  /// Samples that the convolver has, and those of them that it has delivered.
  private var fed = 0
  private var delivered = 0
  /// Samples of silence after which only silence comes out.
  private let ringing: Int

  /// Most places that get filters; designing those of one takes 7 ms.
  private static let limit = 128

  /// Reflections of sources at `places` of the room; `nil` for none.
  init?(_ filters: RoomFilters, _ places: [SIMD3<Double>], hop: Int) {
    var lanes: [SIMD3<Double>: Int] = [:]
    for place in places where lanes[place] == nil && lanes.count < RestingReflections.limit {
      lanes[place] = lanes.count
    }
    guard !lanes.isEmpty else { return nil }
    let pairs = lanes.sorted { $0.value < $1.value }.map { place, _ in
      filters.adding(to: .init(left: [], right: []), UnitVector.direction(of: place))
    }
    let taps = pairs.reduce(0) { max($0, $1.left.count, $1.right.count) }
    let padded = { (filter: [Double]) in
      filter + [Double](repeating: 0, count: taps - filter.count)
    }
    let length = FastConvolver.bestLength(taps: taps)
    convolver = FastConvolver(
      left: pairs.map { padded($0.left) }, right: pairs.map { padded($0.right) }, taps: taps,
      transformLength: length)
    feeds = AlignedFloats(count: lanes.count * hop)
    // Two segments of a transform come out together.
    ringing = taps + 2 * length
    self.lanes = lanes
    self.hop = hop
  }

  /// Takes in a voice at `place` and answers its lane; `nil` where there are no filters.
  func enter(at place: SIMD3<Double>) -> Int? {
    guard let lane = lanes[place] else { return nil }
    users += 1
    return lane
  }

  /// Lets a voice go.
  func leave() { users -= 1 }

  /// Samples of the hop that is filled, to which voices add theirs.
  func feed(_ lane: Int) -> UnsafeMutablePointer<Float> { feeds.base + lane * hop }

  /// Plays a hop and appends what is ready to the two planes of `output`.
  func play(into output: AudioBuffer) {
    quiet = users > 0 ? 0 : quiet + hop
    if let convolver {
      let before = output.frames
      convolver.process(
        (0..<lanes.count).map { UnsafePointer(feed($0)) }, frames: hop, into: output)
      fed += hop
      delivered += output.frames - before
      feeds.base.update(repeating: 0, count: feeds.count)
      if quiet > ringing {
        output.appendSilence(fed - delivered)
        self.convolver = nil
      }
    } else {
      output.appendSilence(hop)
    }
  }
}
