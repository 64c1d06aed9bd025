// SPDX-License-Identifier: Apache-2.0
import Signal

/// How two tracks are combined band by band (`chparam_info`, TS 103 190-1, 4.2.10 and 5.3.2).
final class StereoParameters {
  /// `sap_mode`.
  enum Mode: Int { case leftRight, midSideByBand, midSide, prediction }

  /// Values reserved for each group, one for each band.
  static let rowLength = TransformSizes.bandStride

  /// `sap_mode` of the frame.
  private(set) var mode = Mode.leftRight
  /// Whether each group's bands use mid and side (`ms_used`) or prediction (`sap_coeff_used`); a frame has at most 16 groups.
  let isUsed = Buffer<Bool>(false, count: 16 * rowLength)
  /// Prediction gain of each used band in steps of 0.1 (`alpha_q`).
  let gains = Buffer<Int16>(0, count: 16 * rowLength)

  /// Reads the parameters for tracks with this layout.
  func read(
    _ bits: inout BitReader, _ layout: WindowLayout, _ books: SpectralBooks
  ) throws(AC4Error) {
    // Two bits have four values, and each is a case: the other value is never taken.
    mode = Mode(rawValue: try bits.read(2)) ?? .leftRight
    switch mode {
    case .midSideByBand:
      for group in 0..<layout.groupCount {
        let row = group * StereoParameters.rowLength
        for place in row..<row + layout.bandCount(group) {
          isUsed.base[place] = try bits.flag()
        }
      }
    case .prediction: try readPrediction(&bits, layout, books.scaleFactor)
    case .leftRight, .midSide: break
    }
  }

  /// `sap_data` and the reconstruction of its gains.
  private func readPrediction(
    _ bits: inout BitReader, _ layout: WindowLayout, _ decoder: HuffmanDecoder
  ) throws(AC4Error) {
    // `sap_coeff_all`; one flag and one gain stand for two bands.
    let all = try bits.flag()
    for group in 0..<layout.groupCount {
      let row = group * StereoParameters.rowLength
      let count = layout.bandCount(group)
      for band in stride(from: 0, to: count, by: 2) {
        let used = all ? true : try bits.flag()
        isUsed.base[row + band] = used
        if band + 1 < count { isUsed.base[row + band + 1] = used }
      }
    }
    // `delta_code_time`.
    let overTime = layout.groupCount > 1 ? try bits.flag() : false
    for group in 0..<layout.groupCount {
      let row = group * StereoParameters.rowLength
      let count = layout.bandCount(group)
      let fromGroup = overTime && group > 0 && count == layout.bandCount(group - 1)
      for band in stride(from: 0, to: count, by: 2) {
        var gain: Int16 = 0
        if isUsed.base[row + band] {
          let step = Int16(try decoder.value(&bits))
          let reference = row + band - (fromGroup ? StereoParameters.rowLength : 2)
          let base: Int16 = fromGroup || band > 0 ? gains.base[reference] : 0
          // Damaged streams may overflow.
          gain = base &+ step
        }
        gains.base[row + band] = gain
        if band + 1 < count { gains.base[row + band + 1] = gain }
      }
    }
  }

  /// Prediction gain of one band as a factor, the share of a channel in another beside it (TS 103 190-2, 5.2.3); 0 without
  /// prediction.
  @inline(__always)
  func share(_ group: Int, _ band: Int) -> Float {
    let place = group * StereoParameters.rowLength + band
    return mode == .prediction && isUsed.base[place] ? Float(gains.base[place]) * 0.1 : 0
  }

  /// The matrix (a b; c d) of one band: left is a·first + b·second, right c·first + d·second.
  @inline(__always)
  func matrix(_ group: Int, _ band: Int) -> SIMD4<Float> {
    let place = group * StereoParameters.rowLength + band
    switch mode {
    case .leftRight: return SIMD4(1, 0, 0, 1)
    case .midSide: return SIMD4(1, 1, 1, -1)
    case .midSideByBand: return isUsed.base[place] ? SIMD4(1, 1, 1, -1) : SIMD4(1, 0, 0, 1)
    case .prediction:
      guard isUsed.base[place] else { return SIMD4(1, 0, 0, 1) }
      let gain = Float(gains.base[place]) * 0.1
      return SIMD4(1 + gain, 1, 1 - gain, -1)
    }
  }
}

/// A 2 × 2 matrix (a b; c d) that combines two tracks in place.
struct PairOperation: Equatable {
  /// Index of the parameter set that has the matrices of the bands.
  let parameter: Int
  /// Track that becomes a·first + b·second.
  let first: Int
  /// Track that becomes c·first + d·second.
  let second: Int
  /// Track whose groups and bands the parameters were sent for.
  let framing: Int

  /// An operation for the bands of `framing`, by default those of the first track.
  init(parameter: Int, first: Int, second: Int, framing: Int? = nil) {
    self.parameter = parameter
    self.first = first
    self.second = second
    self.framing = framing ?? first
  }

  /// The two operations that make up the matrix of three tracks for each `chel_matsel`
  /// (TS 103 190-1, 5.3.4.3): afterwards the tracks are left, right and centre.
  static let threeTracks: [[(first: Int, second: Int)]] = [
    [(0, 1), (0, 2)], [(1, 0), (1, 2)], [(0, 2), (0, 1)], [(1, 2), (0, 2)], [(0, 2), (1, 2)],
    [(2, 1), (0, 1)], [(1, 0), (2, 0)], [(0, 1), (2, 1)], [(2, 0), (1, 0)], [(2, 1), (2, 0)],
    [(2, 0), (2, 1)], [(1, 2), (1, 0)],
  ]

  /// The operations of four tracks (TS 103 190-1, 5.3.4.3): each of two pairs, then across them.
  static let fourTracks: [(first: Int, second: Int)] = [(0, 1), (2, 3), (0, 2), (1, 3)]
  /// The operations of five tracks that come after those of the first three.
  static let fiveTracks: [(first: Int, second: Int)] = [(3, 4), (0, 3), (1, 4)]
}
