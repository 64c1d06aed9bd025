import Signal

/// The dequantised values of one row of an object at the data points of a frame.
final class AJOCRow {
  /// Values of each data point for all subbands, one point after the other.
  let targets = FixedBuffer<Float>(0, count: AJOCFrame.mostPoints * QMF.bands)
  /// `AJOCTables.maps`: the band of each subband.
  let maps = FixedBuffer<UInt8>(AJOCTables.maps, or: 0)

  /// Dequantises a row of `object`, times `gain`; answers whether anything isn't 0. Otherwise ``targets`` is as before.
  func fill(
    _ frame: AJOCFrame, _ object: Int, _ row: Int, isWet: Bool, gain: Float
  ) -> Bool {
    let form = frame.objects.base[object]
    guard form.isPresent else { return false }
    let center = AJOCFrame.center(isWet: isWet, isCoarse: form.isCoarse)
    guard AJOCRow.isHeard(frame, object, row, center) else { return false }
    let step = AJOCTables.steps[form.isCoarse ? 1 : 0] * gain
    for point in 0..<frame.pointCount {
      let values = frame.row(object, point, row)
      let target = targets.base + point * QMF.bands
      for subband in 0..<QMF.bands {
        let band = Int(maps.base[form.bandCode * QMF.bands + subband])
        target[subband] = Float(Int(values[band]) - center) * step
      }
    }
    return true
  }

  /// Whether any value of a row isn't 0.
  private static func isHeard(
    _ frame: AJOCFrame, _ object: Int, _ row: Int, _ center: Int
  ) -> Bool {
    let bands = frame.objects.base[object].bands
    for point in 0..<frame.pointCount {
      let values = frame.row(object, point, row)
      for band in 0..<bands where Int(values[band]) != center { return true }
    }
    return false
  }
}
