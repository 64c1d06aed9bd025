// SPDX-License-Identifier: Apache-2.0
import Signal

/// A substream: everything that its headers said, and the samples of the unit that is being decoded.
///
/// Values of a block header hold until another header states others; a restart header sets all of them.
final class Substream {
  /// Most channels, coded and of a presentation.
  static let mostChannels = 16
  /// Most samples of a unit.
  static let mostSamples = 160
  /// Samples before a unit's first one that filters need.
  static let history = 8
  /// Samples from one channel to the next: those before the unit, then its own.
  static let stride = history + mostSamples
  /// Taps of a channel: eight of the FIR filter, then those of the IIR filter.
  static let tapStride = 16
  /// Taps before those of the IIR filter.
  static let firTaps = 8

  /// Syntax of a substream (`restart_sync_word`).
  enum Kind: Int {
    /// Up to six channels, with two channels of noise for the matrices.
    case noise = 0x31EA
    /// Up to eight channels, with dither.
    case dither = 0x31EB
    /// Up to sixteen channels, with matrices that may change from sample to sample.
    case interpolated = 0x31EC

    /// Bits of a sample with its sign.
    var bits: Int { self == .interpolated ? 32 : 24 }
    /// Most low bits of a residual that aren't coded by a book (`huff_lsbs`).
    var mostLowBits: Int { self == .interpolated ? 31 : 24 }
  }

  /// Coding of a channel's samples.
  struct Channel: BitwiseCopyable {
    var firOrder = 0
    var iirOrder = 0
    /// Places that the sums of the filters are shifted right.
    var firPrecision = 0
    var iirPrecision = 0
    /// `huff_offset`.
    var offset = 0
    /// Book of the residuals, 0 for none (`huff_type`).
    var book = 0
    /// `huff_lsbs`.
    var lowBits = 24
  }

  /// Number of the substream, 0…3.
  let index: Int
  /// Whether a restart header was read, and nothing was lost since.
  var isLive = false
  /// Whether samples of its presentation are missing since the restart header.
  var hasGaps = false

  /// Last restart header.
  var header = RestartHeader()
  /// Parts that block headers may have (`guards`).
  var guards = 0xFF
  /// Samples of a block.
  var blockSize = 8
  let channels = Buffer(Channel(), count: mostChannels)
  /// Taps of all channels' filters, ``tapStride`` each; the first of each filter belongs to the newest sample.
  let taps = Buffer<Int32>(0, count: mostChannels * tapStride)
  /// Low bits of each channel that are always 0 (`quant_step_size`).
  let steps = Buffer<Int>(0, count: mostChannels)
  /// Places that each matrix channel is shifted left at the end; right below 0.
  let outputShifts = Buffer<Int>(0, count: mostChannels)
  let matrices = MatrixSet()

  /// Samples of the channels, ``stride`` each: those of the unit before, then the unit's.
  let samples = Buffer<Int32>(0, count: mostChannels * stride)
  /// Samples less their predictions, which the IIR filters take.
  let errors = Buffer<Int32>(0, count: mostChannels * stride)
  /// Makes a presentation of them.
  let output: PresentationOutput

  /// Substream number `index` of a stream with units of `unitLength` samples.
  init(_ index: Int, unitLength: Int, noiseCount: Int) {
    self.index = index
    output = PresentationOutput(unitLength: unitLength, noiseCount: noiseCount)
  }

  /// The coded channels' numbers; empty where none is coded here.
  var coded: Range<Int> { header.firstChannel..<(header.lastChannel + 1) }

  /// Begins anew with a restart header.
  func restart(_ header: RestartHeader) {
    self.header = header
    (isLive, hasGaps) = (true, false)
    (guards, blockSize) = (0xFF, 8)
    channels.fill(Channel())
    steps.fill(0)
    outputShifts.fill(0)
    samples.fill(0)
    errors.fill(0)
    matrices.clear()
    output.restart(header)
  }

  /// Makes the last samples of a unit the history of the next one.
  func keepHistory(_ unitLength: Int) {
    for channel in coded {
      let (sample, error) = (
        samples.base + channel * Substream.stride, errors.base + channel * Substream.stride
      )
      for place in 0..<Substream.history {
        sample[place] = sample[unitLength + place]
        error[place] = error[unitLength + place]
      }
    }
  }
}
