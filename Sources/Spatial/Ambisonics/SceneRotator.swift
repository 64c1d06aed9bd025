// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

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

/// Makes the rotations of scenes of one order.
///
/// A channel of a turned wave is a sum of the channels of the wave as it was. Both are orthonormal,
/// so the matrix is the mean over the sphere of the turned harmonics times the plain ones: R = ∫ Y(Rv)
/// Y(v)ᵀ. A quadrature of twice the order gives it exactly, for any rotation.
struct SceneRotationMaker: Sendable {
  /// Highest order, 0…7.
  let order: Int
  private let harmonics: SphericalHarmonics
  private let rule: SphereQuadrature
  /// point × channel: the harmonics of the points times their weights.
  private let plain: [Double]

  /// A maker for scenes of `order`, 0…7.
  init(order: Int) {
    self.order = order
    let harmonics = SphericalHarmonics(order: order, normalization: .n3d)
    let rule = SphereQuadrature(degree: 2 * order)
    plain = zip(rule.places, rule.weights).flatMap { place, weight in
      harmonics.values(at: place).map { weight * $0 }
    }
    self.harmonics = harmonics
    self.rule = rule
  }

  /// The matrix for what a head that is turned by `rotation` hears.
  func rotation(_ rotation: HeadRotation) -> SceneRotation {
    let axes = [SIMD3<Double>(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)].map {
      rotation.place(of: $0)
    }
    return self.rotation { $0.x * axes[0] + $0.y * axes[1] + $0.z * axes[2] }
  }

  /// The matrix that encodes at `turned`(v) what was encoded at v; `turned` is linear and keeps
  /// lengths.
  func rotation(_ turned: (SIMD3<Double>) -> SIMD3<Double>) -> SceneRotation {
    var blocks = [Double](repeating: 0, count: SceneRotation.offset(order + 1))
    var values = [Double](repeating: 0, count: harmonics.count)
    for (point, place) in rule.places.enumerated() {
      values.withUnsafeMutableBufferPointer { harmonics.write(at: turned(place), to: $0) }
      blocks.withUnsafeMutableBufferPointer { blocks in
        values.withUnsafeBufferPointer { values in
          plain.withUnsafeBufferPointer { plain in
            let row = UnsafeBufferPointer(
              rebasing: plain[point * harmonics.count..<(point + 1) * harmonics.count])
            add(values, row, to: blocks)
          }
        }
      }
    }
    // A number that is 0 but for rounding costs a multiplication for each sample.
    return SceneRotation(order: order, blocks: blocks.map { $0.magnitude < 1e-14 ? 0 : $0 })
  }

  /// Adds the products of the channels of each order to its block.
  private func add(
    _ turned: UnsafeBufferPointer<Double>, _ plain: UnsafeBufferPointer<Double>,
    to blocks: UnsafeMutableBufferPointer<Double>
  ) {
    var index = 0
    for n in 0...order {
      let channels = n * n..<(n + 1) * (n + 1)
      for row in channels {
        for column in channels {
          blocks[index] += turned[row] * plain[column]
          index += 1
        }
      }
    }
  }
}

/// The rotation of a scene's sources to where a turned head hears them: a matrix for the planes, in
/// blocks, because orders don't mix.
///
/// The matrix serves SN3D and N3D alike.
struct SceneRotation: Sendable, Equatable {
  /// Highest order.
  let order: Int
  /// The blocks of orders 0…``order`` one after the other, (2n + 1)² numbers each, row by row; rows are
  /// the turned channels. Block n starts at ``offset(_:)``.
  let blocks: [Double]

  /// Index in ``blocks`` of the first number of the block of order `n`: n(4n² − 1)/3.
  static func offset(_ n: Int) -> Int { n * (4 * n * n - 1) / 3 }

  /// The number in row `row` and column `column`, both ACN channels.
  func coefficient(row: Int, column: Int) -> Double {
    let (n, _) = SphericalHarmonics.orderAndDegree(of: row)
    guard SphericalHarmonics.orderAndDegree(of: column).order == n else { return 0 }
    let first = n * n
    return blocks[SceneRotation.offset(n) + (row - first) * (2 * n + 1) + column - first]
  }
}

/// Points and weights on the sphere that average every polynomial up to a degree exactly: Gauss's
/// heights times even azimuths.
struct SphereQuadrature: Sendable {
  /// Points of the unit sphere.
  let places: [SIMD3<Double>]
  /// Weight of each point; they sum to 1.
  let weights: [Double]

  /// A rule that is exact up to `degree`, at least 0.
  init(degree: Int) {
    let rings = degree / 2 + 1
    let spokes = degree + 1
    var places: [SIMD3<Double>] = []
    var weights: [Double] = []
    for ring in 0..<rings {
      let (height, weight) = SphereQuadrature.gauss(ring, of: rings)
      let radius = (1 - height * height).squareRoot()
      for spoke in 0..<spokes {
        let angle = 2 * Double.pi * (Double(spoke) + 0.25) / Double(spokes)
        places.append(SIMD3(radius * cos(angle), radius * sin(angle), height))
        weights.append(weight / Double(2 * spokes))
      }
    }
    self.places = places
    self.weights = weights
  }

  /// Node `index` of Gauss's rule of `count` nodes over −1…1, by Newton's method on the Legendre
  /// polynomial, and its weight; the weights sum to 2.
  private static func gauss(_ index: Int, of count: Int) -> (node: Double, weight: Double) {
    var node = cos(.pi * (Double(index) + 0.75) / (Double(count) + 0.5))
    var slope = 1.0
    for _ in 0..<100 {
      var (before, value) = (0.0, 1.0)
      for n in 0..<count {
        let next = (Double(2 * n + 1) * node * value - Double(n) * before) / Double(n + 1)
        (before, value) = (value, next)
      }
      slope = Double(count) * (node * value - before) / (node * node - 1)
      let step = value / slope
      node -= step
      if step.magnitude < 1e-15 { break }
    }
    return (node, 2 / ((1 - node * node) * slope * slope))
  }
}
