import AudioCore

/// The filters of sound fields: where ambisonic rendering joins the scene renderer.
enum FieldFilters {
  /// A pair of filters for each plane of a field of `order` (ACN, SN3D), of as many taps as the responses
  /// of `designer`, with the frontal onset at their tap ``HRIRDesigner/lead``; the head is in `pose`.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature`: nothing renders sound fields yet.
  static func pairs(
    order: Int, _ designer: HRIRDesigner, pose: HeadPose
  ) throws -> [HRIRDesigner.Pair] {
    throw MediaError(
      .unsupportedFeature, "sound fields (order \(order)) can't be rendered for headphones yet")
  }
}
