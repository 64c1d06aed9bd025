// SPDX-License-Identifier: Apache-2.0
import Signal

/// The envelopes of an A-SPX interval (`aspx_framing`, TS 103 190-1, 4.2.12.4, 5.7.6.3.3).
///
/// Borders are in A-SPX slots from the frame's start; an interval may reach into the next frame.
struct ASPXFraming: Equatable {
  /// `aspx_int_class`.
  enum Interval: Int { case fixFix, fixVar, varFix, varVar }

  /// Class of the interval.
  var interval = Interval.fixFix
  /// Number of signal envelopes, 1…5.
  var envelopes = 1
  /// Number of noise envelopes, 1 or 2.
  var noiseEnvelopes = 1
  /// Borders of the signal envelopes, one more than there are.
  var borders = SIMD8<Int32>(repeating: 0)
  /// Borders of the noise envelopes, one more than there are.
  var noiseBorders = SIMD4<Int32>(repeating: 0)
  /// Envelope that begins with a transient, −1 for none (`aspx_tsg_ptr`).
  var pointer = -1
  /// Envelopes at high frequency resolution, one bit each.
  var highResolution: UInt8 = 0

  /// First A-SPX slot.
  var start: Int { Int(borders[0]) }
  /// A-SPX slot after the last one.
  var end: Int { Int(borders[envelopes]) }

  /// Whether envelope `index` has high frequency resolution.
  func isHigh(_ index: Int) -> Bool { highResolution >> UInt8(index) & 1 == 1 }

  /// One envelope over all of a frame of `steps` A-SPX slots.
  init(whole steps: Int) {
    borders[1] = Int32(steps)
    noiseBorders[1] = Int32(steps)
  }

  /// Reads `aspx_framing`.
  /// - Parameters:
  ///   - steps: A-SPX slots per frame.
  ///   - previousEnd: where the channel's last interval ended, counted from that frame's start.
  init(
    _ bits: inout BitReader, _ configuration: ASPXConfiguration, steps: Int, isIFrame: Bool,
    previousEnd: Int
  ) throws(AC4Error) {
    interval = Interval(rawValue: try ASPXFraming.intervalClass(&bits)) ?? .fixFix
    if interval == .fixFix {
      let exponent = try bits.read(1 + configuration.envelopeBits)
      guard exponent <= 2 else { throw .damaged("eight A-SPX envelopes") }
      envelopes = 1 << exponent
      if configuration.resolutionMode == 0, try bits.flag() { highResolution = 0xFF }
      noiseEnvelopes = envelopes > 1 ? 2 : 1
      setFixedBorders(steps)
    } else {
      try readVariable(&bits, configuration, steps, isIFrame, previousEnd)
    }
    try check()
    deriveResolution(configuration.resolutionMode, steps)
  }

  /// `aspx_int_class`, a prefix code.
  private static func intervalClass(_ bits: inout BitReader) throws(AC4Error) -> Int {
    guard try bits.flag() else { return 0 }
    guard try bits.flag() else { return 1 }
    return try bits.flag() ? 3 : 2
  }

  /// The borders of FIXFIX intervals.
  private mutating func setFixedBorders(_ steps: Int) {
    for index in 0...envelopes {
      borders[index] = Int32(ASPXFraming.fixedBorder(index, of: envelopes, steps))
    }
    for index in 0...noiseEnvelopes {
      noiseBorders[index] = Int32(ASPXFraming.fixedBorder(index, of: noiseEnvelopes, steps))
    }
  }

  /// A border of FIXFIX intervals: the standard tabulates equal parts of the frame, rounded up, and one
  /// exception.
  private static func fixedBorder(_ index: Int, of count: Int, _ steps: Int) -> Int {
    if steps == 6, count == 4, index == 3 { return 4 }
    return (steps * index + count - 1) / count
  }

  /// Reads FIXVAR, VARFIX and VARVAR intervals: borders relative to either end.
  private mutating func readVariable(
    _ bits: inout BitReader, _ configuration: ASPXConfiguration, _ steps: Int, _ isIFrame: Bool,
    _ previousEnd: Int
  ) throws(AC4Error) {
    // Short frames have fewer borders.
    let width = steps > 8 ? 2 : 1
    var left = SIMD4<Int32>(repeating: 0)
    var right = SIMD4<Int32>(repeating: 0)
    var leftCount = 0
    var rightCount = 0
    var first = 0
    var last = steps
    if interval != .fixVar {
      first = isIFrame ? try bits.read(2) : previousEnd - steps
      leftCount = try bits.read(width)
      for index in 0..<leftCount { left[index] = Int32(2 * (try bits.read(width)) + 2) }
    }
    if interval != .varFix {
      last += try bits.read(2)
      rightCount = try bits.read(width)
      for index in 0..<rightCount { right[index] = Int32(2 * (try bits.read(width)) + 2) }
    }
    envelopes = leftCount + rightCount + 1
    // The standard allows five.
    guard envelopes <= 5 else { throw .damaged("\(envelopes) A-SPX envelopes") }
    let pointerBits = Int.bitWidth - (envelopes + 1).leadingZeroBitCount
    pointer = try bits.read(pointerBits) - 1
    if configuration.resolutionMode == 0 {
      for index in 0..<envelopes where try bits.flag() { highResolution |= 1 << UInt8(index) }
    }
    borders[0] = Int32(first)
    borders[envelopes] = Int32(last)
    for index in 0..<leftCount { borders[index + 1] = borders[index] + left[index] }
    for index in 0..<rightCount {
      borders[envelopes - 1 - index] = borders[envelopes - index] - right[index]
    }
    setVariableNoiseBorders(first, last)
  }

  /// The noise envelopes of these intervals: two where there are several signal envelopes, with the border
  /// at the transient.
  private mutating func setVariableNoiseBorders(_ first: Int, _ last: Int) {
    noiseEnvelopes = envelopes > 1 ? 2 : 1
    noiseBorders[0] = Int32(first)
    noiseBorders[noiseEnvelopes] = Int32(last)
    guard noiseEnvelopes == 2 else { return }
    let middle: Int
    if interval == .varFix {
      middle = pointer == -1 ? 1 : envelopes - 1
    } else {
      middle = pointer == -1 ? envelopes - 1 : min(max(pointer, 1), envelopes - 1)
    }
    noiseBorders[1] = borders[middle]
  }

  /// Checks that the borders lie in order and not before the frame.
  private func check() throws(AC4Error) {
    guard start >= 0 else { throw .damaged("an A-SPX interval before the frame") }
    for index in 0..<envelopes where borders[index] >= borders[index + 1] {
      throw .damaged("A-SPX borders that don't rise")
    }
  }

  /// Sets the frequency resolution of the envelopes where it isn't sent (`aspx_freq_res_mode`).
  private mutating func deriveResolution(_ mode: Int, _ steps: Int) {
    switch mode {
    case 0: break
    case 1: highResolution = 0
    case 3: highResolution = 0xFF
    default:
      highResolution = 0
      for index in 0..<envelopes where isHighByDuration(interval == .fixFix ? 0 : index, steps) {
        highResolution |= 1 << UInt8(index)
      }
    }
  }

  /// Whether an envelope of mode 2 is long enough for high resolution, or lies before a transient.
  private func isHighByDuration(_ index: Int, _ steps: Int) -> Bool {
    let duration = Int(borders[index + 1] - borders[index])
    return (index < pointer && steps > 8) || 12 * duration > 2 * steps + 39
  }
}

/// The A-SPX data of one channel in one frame (TS 103 190-1, 4.2.12).
final class ASPXChannel {
  /// Values reserved for each envelope; there are at most 22 groups.
  static let rowLength = 24

  /// The interval and its envelopes.
  var framing = ASPXFraming(whole: 1)
  /// Whether signal levels step by 3 dB.
  var isCoarse = false
  /// Signal envelopes coded along time, one bit each (`aspx_sig_delta_dir`).
  var signalOverTime: UInt8 = 0
  /// Noise envelopes coded along time, one bit each (`aspx_noise_delta_dir`).
  var noiseOverTime: UInt8 = 0
  /// Inverse filtering of each noise group, 0…3 (`aspx_tna_mode`).
  var filtering = SIMD8<UInt8>(repeating: 0)
  /// High-resolution groups with an added sinusoid, one bit each (`aspx_add_harmonic`).
  var sinusoids: UInt32 = 0
  /// High-resolution groups that a coded waveform is added to, one bit each (`aspx_fic_used_in_sfb`).
  var waveformGroups: UInt32 = 0
  /// A-SPX slots in which a coded waveform replaces the high band, one bit each (`aspx_tic_used_in_slot`).
  var waveformSlots: UInt32 = 0
  /// Differences of signal levels, ``rowLength`` for each envelope.
  let signal = Buffer<Int16>(0, count: 5 * rowLength)
  /// Differences of noise levels, ``rowLength`` for each envelope.
  let noise = Buffer<Int16>(0, count: 2 * rowLength)
}
