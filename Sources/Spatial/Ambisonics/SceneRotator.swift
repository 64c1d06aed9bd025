import AudioCore

/// Turns the planes of a scene with a head that moves.
///
/// A matrix holds at the start of each hop, for the head's state at that sample of the programme; in
/// between, the turned planes fade from one matrix's to the next one's. Hops lie at fixed positions, and
/// each sample is worked out by itself, so the output doesn't depend on how the input is cut.
final class SceneRotator {
  /// Samples between two matrices: a power of two, 3.5…6.1 ms at rates from 11 kHz on.
  let hop: Int
  /// The turned planes of the latest input.
  let planes: AudioBuffer

  private let trajectory: HeadTrajectory
  private let rate: Int
  private let maker: SceneRotationMaker
  /// Samples that have arrived.
  private var position = 0
  private var last: HeadState
  private var old: [Float]
  private var new: [Float]
  private var isFading = false
  private let fresh: AudioBuffer

  /// A rotator for scenes of `order`, 0…7, at `rate` Hz.
  init(order: Int, rate: Int, trajectory: HeadTrajectory) {
    self.trajectory = trajectory
    self.rate = rate
    maker = SceneRotationMaker(order: order)
    planes = AudioBuffer(channels: SphericalHarmonics.count(order: order))
    fresh = AudioBuffer(channels: 1)
    var hop = 32
    while 2 * hop <= rate / 164 { hop *= 2 }
    self.hop = hop
    last = trajectory.state(at: 0, rate: rate)
    old = SceneRotator.numbers(maker, last)
    new = old
    fresh.grow(by: hop)
    goOn()
  }

  /// Replaces ``planes`` by `frames` turned samples of `sources`, one for each plane.
  func process(_ sources: [UnsafePointer<Float>], frames: Int) {
    planes.removeAll()
    planes.grow(by: frames)
    var done = 0
    while done < frames {
      let first = position % hop
      let count = min(hop - first, frames - done)
      turn(sources, done, count, first: first)
      done += count
      position += count
      if position % hop == 0 { goOn() }
    }
  }

  /// Makes the matrix of the end of the hop that begins at ``position``.
  private func goOn() {
    old = new
    let state = trajectory.state(at: position + hop, rate: rate)
    isFading = state != last
    guard isFading else { return }
    last = state
    new = SceneRotator.numbers(maker, state)
  }

  private static func numbers(_ maker: SceneRotationMaker, _ state: HeadState) -> [Float] {
    maker.rotation(state.rotation).blocks.map { Float($0) }
  }

  /// Turns `count` samples from number `start` on; the first of them is number `first` of its hop.
  private func turn(_ sources: [UnsafePointer<Float>], _ start: Int, _ count: Int, first: Int) {
    guard let fresh = fresh.channel(0).baseAddress else { return }
    let step = 1 / Float(hop)
    var index = 0
    for n in 0...maker.order {
      let channels = n * n..<(n + 1) * (n + 1)
      for row in channels {
        guard let target = planes.channel(row).baseAddress.map({ $0 + start }) else { return }
        let numbers = index..<index + channels.count
        SceneRotator.sum(sources[channels], start, count, old[numbers], to: target)
        if isFading {
          SceneRotator.sum(sources[channels], start, count, new[numbers], to: fresh)
          for frame in 0..<count {
            let part = Float(first + frame) * step
            target[frame] += part * (fresh[frame] - target[frame])
          }
        }
        index += channels.count
      }
    }
  }

  private static func sum(
    _ sources: ArraySlice<UnsafePointer<Float>>, _ start: Int, _ count: Int,
    _ gains: ArraySlice<Float>, to target: UnsafeMutablePointer<Float>
  ) {
    target.update(repeating: 0, count: count)
    for (source, gain) in zip(sources, gains) where gain != 0 {
      let samples = source + start
      for frame in 0..<count { target[frame] += gain * samples[frame] }
    }
  }
}
