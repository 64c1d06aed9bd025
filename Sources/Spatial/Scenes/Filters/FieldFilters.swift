import AudioCore

/// The filters of a sound field: where ambisonic rendering joins the scene renderer.
struct FieldFilters {
  /// A pair of filters for each plane (ACN, SN3D), with the frontal onset at ``HRIRDesigner/lead``.
  let pairs: [HRIRDesigner.Pair]
  /// Turns the planes with a head that moves; `nil` where the head is held.
  let rotator: SceneRotator?

  /// Filters of a field of `order` at `rate` Hz, as the head that `options` describe hears it.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for orders above 7.
  init(_ hrtf: HRTFSet, order: Int, rate: Int, _ options: SceneOptions) throws {
    let most = SphericalHarmonics.highestOrder
    guard (0...most).contains(order) else {
      throw MediaError(
        .unsupportedFeature,
        "sound fields can have orders 0…\(most), but this one has the order \(order)")
    }
    var filters = SceneFilters.designed(for: hrtf, order: order, rate: rate)
    if options.trajectory == nil, options.pose != .ahead {
      filters = filters.turned(
        by: SceneRotationMaker(order: order).rotation(HeadRotation(options.pose)))
    }
    rotator = options.trajectory.map {
      SceneRotator(order: order, rate: rate, trajectory: $0)
    }
    pairs = zip(filters.left, filters.right).map { HRIRDesigner.Pair(left: $0, right: $1) }
  }
}
