/// Spectral noise fill: fills bands without lines with noise of a transmitted level (TS 103 190-1, 5.1.4).
enum NoiseFill {
  /// Bounds of the level, a binary logarithm of power, that only damaged streams reach.
  private static let levels: ClosedRange<Float> = -60...60

  /// Fills the empty bands of a dequantised track with noise of the levels that it carries.
  static func apply(
    _ track: SpectralTrack, _ sizes: TransformSizes, _ lines: UnsafeMutablePointer<Float>,
    _ noise: inout FillNoiseGenerator
  ) {
    guard var level = startLevel(track, sizes, lines) else { return }
    let layout = track.layout
    FillNoise.values.withUnsafeBufferPointer { values in
      guard let table = values.baseAddress else { return }
      var start = 0
      for group in 0..<layout.groupCount {
        let windows = layout.windows(group)
        let borders = sizes.borders(layout.transform(group))
        for band in 0..<layout.bandCount(group) {
          let place = group * SpectralTrack.rowLength + band
          let step = track.noiseLevels.base[place]
          if track.isCoded.base[place] || step == SpectralTrack.noNoise { continue }
          level = min(max(level + Float(step), levels.lowerBound), levels.upperBound)
          let amplitude = Maths.power2(level / 2)
          for line in start + borders[band] * windows..<start + borders[band + 1] * windows {
            lines[line] = amplitude * noise.next(table)
          }
        }
        start += sizes.length(layout.transform(group)) * windows
      }
    }
  }

  /// Binary logarithm of the mean square of the first band with lines; `nil` when none has any.
  private static func startLevel(
    _ track: SpectralTrack, _ sizes: TransformSizes, _ lines: UnsafePointer<Float>
  ) -> Float? {
    let layout = track.layout
    var start = 0
    for group in 0..<layout.groupCount {
      let windows = layout.windows(group)
      let borders = sizes.borders(layout.transform(group))
      for band in 0..<layout.bandCount(group)
      where track.isCoded.base[group * SpectralTrack.rowLength + band] {
        let first = start + borders[band] * windows
        let end = start + borders[band + 1] * windows
        var sum: Float = 0
        for line in first..<end { sum += lines[line] * lines[line] }
        // Zero has no logarithm.
        return Maths.log2(max(sum / Float(end - first), 1e-20))
      }
      start += sizes.length(layout.transform(group)) * windows
    }
    return nil
  }
}
