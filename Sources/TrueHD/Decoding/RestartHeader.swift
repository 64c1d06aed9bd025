// SPDX-License-Identifier: Apache-2.0
import Signal

/// The header with which decoding of a substream can begin (`restart_header`).
struct RestartHeader {
  private(set) var kind = Substream.Kind.noise
  /// When the unit's first sample is played, in samples modulo 65536.
  private(set) var outputTiming = 0
  /// First and last coded channel (`min_chan`, `max_chan`); the last is one below the first where none is coded.
  private(set) var firstChannel = 0
  private(set) var lastChannel = -1
  /// Last channel of the matrices (`max_matrix_chan`).
  private(set) var topChannel = 0
  /// Places that noise is shifted left.
  private(set) var noiseShift = 0
  /// Seed of noise and dither, 23 bits.
  private(set) var seed = 0
  /// Whether each block has its length and a check byte.
  private(set) var isProtected = false
  /// Check of the output since the restart header before, 8 bits.
  private(set) var losslessCheck = 0
  /// Gain of heavy dynamic range control in 32nds of a factor of 2; `nil` where none is sent. Reported, never applied.
  private(set) var heavyControl: RangeControl?
  /// Number of each matrix channel in the presentation, four bits each, the first lowest.
  private var order: UInt64 = 0

  /// A header of nothing.
  init() {}

  /// Channels of the matrices without noise.
  var channels: Int { topChannel + 1 }

  /// Columns of the matrices: the channels, then those of noise.
  var columns: Int { channels + (kind == .noise ? 2 : 0) }

  /// Number that matrix channel `index` has in the presentation (`ch_assign`).
  func place(_ index: Int) -> Int { Int(order >> UInt64(4 * index) & 15) }

  /// Reads the header.
  /// - Throws: ``TrueHDError``.
  init(_ bits: inout BitReader) throws(TrueHDError) {
    let start = bits
    guard let kind = Substream.Kind(rawValue: try bits.read(14)) else {
      throw .damaged("restart sync word")
    }
    self.kind = kind
    outputTiming = try bits.read(16)
    (firstChannel, lastChannel) = (try bits.read(4), try bits.read(4))
    topChannel = try bits.read(4)
    (noiseShift, seed) = (try bits.read(4), try bits.read(23))
    // Largest output shift and largest huff_lsbs: nothing depends on them.
    try bits.skip(9)
    let widths = (try bits.read(5), try bits.read(5))
    isProtected = try bits.flag()
    losslessCheck = try bits.read(8)
    // A bit of a serial number, and two reserved ones.
    try bits.skip(3)
    let isHeavy = try bits.flag()
    let heavy = RangeControl(gain: try bits.signed(9), time: try bits.read(3))
    heavyControl = isHeavy ? heavy : nil
    try readOrder(&bits)
    let sum = try UnitChecks.ofRestart(start, count: bits.position - start.position)
    guard try bits.read(8) == sum else { throw .damaged("restart header's CRC") }
    guard widths.0 == widths.1 else { throw .damaged("max_bits") }
    guard firstChannel <= lastChannel + 1 else { throw .damaged("channels of a restart header") }
  }

  /// Reads the order of channels, which has each number once.
  private mutating func readOrder(_ bits: inout BitReader) throws(TrueHDError) {
    var seen = 0
    for index in 0..<channels {
      let place = try bits.read(6)
      guard place < channels else { throw .damaged("ch_assign") }
      seen |= 1 << place
      order |= UInt64(place) << UInt64(4 * index)
    }
    guard seen == 1 << channels - 1 else { throw .damaged("ch_assign") }
  }
}
