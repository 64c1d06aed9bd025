import AudioCore

/// Renders a scene for headphones: (order + 1)² planes, ACN, SN3D, to two ears.
///
/// Output sample n is the convolution at n, so a wave from the front has its onset (mean of both ears)
/// ``lead`` samples later, as in a bed. `process` and `finish` append input + ``taps`` − 1 samples in all.
/// The output doesn't depend on how the input is cut.
final class SceneConvolver: ChannelConvolver {
  /// Samples by which output lags input.
  let lead: Int
  /// Taps of the filters.
  let taps: Int
  /// Planes that ``process(_:frames:into:)`` takes.
  let planes: Int

  private let convolver: FastConvolver
  private let rotator: SceneRotator?

  /// A convolver for scenes of `order` at `rate` Hz.
  /// - Parameters:
  ///   - pose: how the head is held all the time.
  ///   - trajectory: how it moves; `pose` doesn't count beside it.
  /// - Throws: ``MediaError``: `unsupportedFeature` for orders outside 0…7, `usage` for angles of the
  ///   head out of range.
  convenience init(
    order: Int, hrtf: HRTFSet, rate: Int, pose: HeadPose = .ahead,
    trajectory: HeadTrajectory? = nil
  ) throws {
    let most = SphericalHarmonics.highestOrder
    guard (0...most).contains(order) else {
      throw MediaError(
        .unsupportedFeature,
        "sound fields can have orders 0…\(most), but this one has the order \(order)")
    }
    try self.init(
      SceneFilters.designed(for: hrtf, order: order, rate: rate), rate: rate, pose: pose,
      trajectory: trajectory)
  }

  /// A convolver with filters that were made for `rate`; see ``init(order:hrtf:rate:pose:trajectory:)``.
  init(
    _ filters: SceneFilters, rate: Int, pose: HeadPose = .ahead,
    trajectory: HeadTrajectory? = nil
  ) throws {
    try pose.check()
    let maker = SceneRotationMaker(order: filters.order)
    let isTurned = trajectory == nil && pose != .ahead
    let filters = isTurned ? filters.turned(by: maker.rotation(HeadRotation(pose))) : filters
    rotator = trajectory.map { SceneRotator(order: filters.order, rate: rate, trajectory: $0) }
    lead = filters.lead
    taps = filters.taps
    planes = filters.left.count
    convolver = FastConvolver(
      left: filters.left, right: filters.right, taps: filters.taps,
      transformLength: FastConvolver.bestLength(taps: filters.taps))
  }

  func process(_ sources: [UnsafePointer<Float>], frames: Int, into output: AudioBuffer) {
    guard let rotator else {
      convolver.process(sources, frames: frames, into: output)
      return
    }
    rotator.process(sources, frames: frames)
    let turned = (0..<planes).compactMap { plane in
      rotator.planes.channel(plane).baseAddress.map { UnsafePointer($0) }
    }
    convolver.process(turned, frames: frames, into: output)
  }

  func finish(into output: AudioBuffer) { convolver.finish(into: output) }
}
