// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The loudness of a track, and of the album that it belongs to: `ludt` with `tlou` and `alou` (ISO/IEC 14496-12, 12.2.7),
/// whose figures are coded as in ISO/IEC 23003-4, 7.3.
package struct LoudnessBox: WritableBox, Equatable {
  /// The track; `nil` where nothing is stated of it.
  package var track: TrackLoudness?
  /// All of the album; `nil` where nothing is stated of it.
  package var album: TrackLoudness?

  /// A box of what is known; `nil` where that is nothing.
  package init?(_ track: TrackLoudness?, album: TrackLoudness? = nil) {
    guard track != nil || album != nil else { return nil }
    (self.track, self.album) = (track, album)
  }

  package func append(to builder: inout BoxBuilder) {
    builder.box("ludt") { set in
      if let track { LoudnessBox.append("tlou", track, to: &set) }
      if let album { LoudnessBox.append("alou", album, to: &set) }
    }
  }

  private static func append(
    _ type: String, _ loudness: TrackLoudness, to set: inout BoxBuilder
  ) {
    set.fullBox(type) { box in
      // Three reserved bits, downmix 0 and DRC set 0: the layout and dynamics as they are.
      box.u16(0)
      box.u24(peak(loudness.samplePeak) << 12 | peak(loudness.truePeak))
      box.u8(loudness.truePeak == nil ? 0 : bs1770 | measured)
      let measurements = measurements(loudness)
      box.u8(measurements.count)
      for measurement in measurements {
        box.u8(measurement.method)
        box.u8(measurement.value)
        box.u8(measurement.system | measured)
      }
    }
  }

  /// Measurement system 2, ITU-R BS.1770-4, in the upper half of its byte.
  private static let bs1770: UInt8 = 0x20
  /// Measurement system 1, EBU R 128.
  private static let r128: UInt8 = 0x10
  /// Reliability 3: measured and accurate.
  private static let measured: UInt8 = 3

  private static func measurements(
    _ loudness: TrackLoudness
  ) -> [(method: UInt8, value: UInt8, system: UInt8)] {
    let all: [(UInt8, UInt8?, UInt8)] = [
      (1, level(loudness.integrated), bs1770), (4, level(loudness.momentaryMax), r128),
      (5, level(loudness.shortTermMax), r128), (6, range(loudness.range), r128),
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

extension LoudnessBox {
  /// Boxes of a set that are looked at; files have one or two.
  private static let mostBoxes = 64
  /// Bytes of a box that are read; 63 sets of 255 figures don't need more.
  private static let longest = 1 << 16
  /// Reliability 2: a limit that isn't exceeded, which is no level.
  private static let limit: UInt8 = 2

  /// Reads a `ludt`: the first `tlou` and the first `alou` that speak of the sound as it is; `nil` where there is neither.
  init?(_ set: BoxHeader, _ scanner: BoxScanner) {
    for box in scanner.boxes(from: set.payload, to: set.end).prefix(LoudnessBox.mostBoxes)
    where !box.isTruncated {
      guard ["tlou", "alou"].contains(box.type) else { continue }
      let found = LoudnessBox.loudness(scanner.payload(box, limit: LoudnessBox.longest))
      if box.type == "tlou" { track = track ?? found } else { album = album ?? found }
    }
    guard track != nil || album != nil else { return nil }
  }

  /// The figures of the first entry without downmix, dynamic range control and equaliser; `nil` without one. Version 1 has several
  /// entries, each with a set of the equaliser.
  private static func loudness(_ payload: [UInt8]) -> TrackLoudness? {
    guard let version = payload.first, version <= 1 else { return nil }
    var rest = payload.dropFirst(4)
    let count = version == 1 ? (rest.popFirst() ?? 0) & 0x3F : 1
    for _ in 0..<count {
      let equaliser = version == 1 ? (rest.popFirst() ?? 0) & 0x3F : 0
      let head = Array(rest.prefix(7))
      rest = rest.dropFirst(7)
      guard head.count == 7, rest.count >= 3 * Int(head[6]) else { return nil }
      let figures = Array(rest.prefix(3 * Int(head[6])))
      rest = rest.dropFirst(figures.count)
      if equaliser == 0, head.bigEndian16(at: 0) & 0x1FFF == 0 { return loudness(head, figures) }
    }
    return nil
  }

  private static func loudness(_ head: [UInt8], _ figures: [UInt8]) -> TrackLoudness {
    let peaks = UInt32(head[2]) << 16 | UInt32(head[3]) << 8 | UInt32(head[4])
    var loudness = TrackLoudness(
      truePeak: head[5] & 15 == limit ? nil : statedPeak(peaks & 0xFFF),
      samplePeak: statedPeak(peaks >> 12))
    for start in stride(from: 0, to: figures.count, by: 3)
    where figures[start + 2] & 15 != limit {
      let value = Double(figures[start + 1])
      let level = value / 4 - 57.75
      switch figures[start] {
      case 1: loudness.integrated = loudness.integrated ?? level
      case 4: loudness.momentaryMax = loudness.momentaryMax ?? level
      case 5: loudness.shortTermMax = loudness.shortTermMax ?? level
      case 6: loudness.range = loudness.range ?? statedRange(value)
      default: break
      }
    }
    return loudness
  }

  /// dB of a peak's 12 bits; `nil` for 0, which stands for unknown.
  private static func statedPeak(_ bits: UInt32) -> Double? {
    bits == 0 ? nil : 20 - Double(bits) / 32
  }

  /// LU of a range's step.
  private static func statedRange(_ step: Double) -> Double {
    step <= 128 ? step / 4 : step <= 204 ? step / 2 - 32 : step - 134
  }
}

/// Measured loudness of a track or an album. Figures that are `nil` or not finite are left out.
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
