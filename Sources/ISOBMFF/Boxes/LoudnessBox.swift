/// The loudness of a track: `ludt` with one `tlou` (ISO/IEC 14496-12, 12.2.7), whose figures are
/// coded as in ISO/IEC 23003-4, 7.3.
struct LoudnessBox: WritableBox {
  private let loudness: TrackLoudness

  init(_ loudness: TrackLoudness) { self.loudness = loudness }

  func append(to builder: inout BoxBuilder) {
    builder.box("ludt") { set in
      set.fullBox("tlou") { box in
        // Three reserved bits, downmix 0 and DRC set 0: the layout and dynamics as they are.
        box.u16(0)
        box.u24(LoudnessBox.peak(loudness.samplePeak) << 12 | LoudnessBox.peak(loudness.truePeak))
        box.u8(loudness.truePeak == nil ? 0 : LoudnessBox.bs1770 | LoudnessBox.measured)
        let measurements = self.measurements
        box.u8(measurements.count)
        for measurement in measurements {
          box.u8(measurement.method)
          box.u8(measurement.value)
          box.u8(measurement.system | LoudnessBox.measured)
        }
      }
    }
  }

  /// Measurement system 2, ITU-R BS.1770-4, in the upper half of its byte.
  private static let bs1770: UInt8 = 0x20
  /// Measurement system 1, EBU R 128.
  private static let r128: UInt8 = 0x10
  /// Reliability 3: measured and accurate.
  private static let measured: UInt8 = 3

  private var measurements: [(method: UInt8, value: UInt8, system: UInt8)] {
    let all: [(UInt8, UInt8?, UInt8)] = [
      (1, LoudnessBox.level(loudness.integrated), LoudnessBox.bs1770),
      (4, LoudnessBox.level(loudness.momentaryMax), LoudnessBox.r128),
      (5, LoudnessBox.level(loudness.shortTermMax), LoudnessBox.r128),
      (6, LoudnessBox.range(loudness.range), LoudnessBox.r128),
    ]
    return all.compactMap { method, value, system in value.map { (method, $0, system) } }
  }

  /// 12 bits: (20 − level) · 32; 0 stands for unknown.
  private static func peak(_ level: Double?) -> UInt32 {
    guard let level, level.isFinite else { return 0 }
    return UInt32(min(max((32 * (20 - level)).rounded(), 1), 4095))
  }

  /// Quarters of a dB above −57.75.
  private static func level(_ level: Double?) -> UInt8? {
    guard let level, level.isFinite else { return nil }
    return UInt8(min(max((4 * (level + 57.75)).rounded(), 0), 255))
  }

  /// Steps of a quarter up to 32 LU, a half up to 70, one beyond.
  private static func range(_ range: Double?) -> UInt8? {
    guard let range, range.isFinite, range >= 0 else { return nil }
    if range <= 32 { return UInt8((4 * range).rounded()) }
    if range <= 70 { return UInt8((2 * (range - 32)).rounded()) + 128 }
    return UInt8(min(range - 70, 51).rounded()) + 204
  }
}

/// Measured loudness of a track. Figures that are `nil` or not finite are left out.
package struct TrackLoudness: Sendable, Equatable {
  /// Integrated loudness in LUFS (ITU-R BS.1770-4); written in steps of 0.25 from −57.75 to 6.
  package var integrated: Double?
  /// True peak in dBTP; written in steps of 1/32 from −107.97 to 19.97.
  package var truePeak: Double?
  /// Sample peak in dBFS; written like the true peak.
  package var samplePeak: Double?
  /// Loudness range in LU (EBU Tech 3342), 0…121.
  package var range: Double?
  /// Greatest momentary loudness in LUFS; written like the integrated one.
  package var momentaryMax: Double?
  /// Greatest short-term loudness in LUFS; written like the integrated one.
  package var shortTermMax: Double?

  /// Loudness of the given figures.
  package init(
    integrated: Double? = nil, truePeak: Double? = nil, samplePeak: Double? = nil,
    range: Double? = nil, momentaryMax: Double? = nil, shortTermMax: Double? = nil
  ) {
    self.integrated = integrated
    self.truePeak = truePeak
    self.samplePeak = samplePeak
    self.range = range
    self.momentaryMax = momentaryMax
    self.shortTermMax = shortTermMax
  }
}
