// SPDX-License-Identifier: Apache-2.0
import Signal

/// Dialogue enhancement data of a frame (`dialog_enhancement`, TS 103 190-1, 4.2.14.11).
package struct AC4DialogueEnhancement: Sendable, Equatable {
  /// `de_method`, 0…3: bit 0 says that it works across channels, bit 1 that a waveform is sent, too.
  package internal(set) var method = 0
  /// The most gain that a listener may ask for, in dB: 3, 6, 9 or 12 (`de_max_gain`).
  package internal(set) var maximumGain = 3
  /// Channels with dialogue: bit 2 left, bit 1 right, bit 0 centre (`de_channel_config`).
  package internal(set) var channels = 0
  /// Whether only the mid signal of left and right is enhanced (`de_ms_proc_flag`).
  package internal(set) var isMidSide = false
  /// Parameters as coded, eight bands each of left, right and centre; 0 for channels without
  /// dialogue.
  package internal(set) var parameters = [Int](repeating: 0, count: 24)
  /// `de_mix_coef1_idx` and `de_mix_coef2_idx`.
  package internal(set) var mixIndices = [0, 0]
  /// `de_signal_contribution`, 0…31.
  package internal(set) var contribution = 0

  init() {}

  /// Number of channels with dialogue.
  package var channelCount: Int { channels.nonzeroBitCount }

  /// `de_config`.
  mutating func readConfiguration(_ bits: inout BitReader) throws(AC4Error) {
    method = try bits.read(2)
    maximumGain = 3 * (try bits.read(2) + 1)
    channels = try bits.read(3)
  }

  /// `de_data`.
  mutating func readData(
    _ bits: inout BitReader, isIFrame: Bool, _ books: MetadataBooks
  ) throws(AC4Error) {
    let count = channelCount
    guard count > 0 else {
      parameters = [Int](repeating: 0, count: 24)
      isMidSide = false
      return
    }
    if method & 1 == 1, count > 1 {
      let keepsPosition = isIFrame ? false : try bits.flag()
      if !keepsPosition {
        mixIndices[0] = try bits.read(5)
        if count == 3 { mixIndices[1] = try bits.read(5) }
      }
    }
    let keepsData = isIFrame ? false : try bits.flag()
    guard !keepsData else { return }
    isMidSide = method & 1 == 0 && count == 2 ? try bits.flag() : false
    let absolute = books.dialogueAbsolute[method & 1]
    let difference = books.dialogueDifference[method & 1]
    try readParameters(&bits, isIFrame, absolute, difference)
    if method >= 2 { contribution = try bits.read(5) }
  }

  /// The parameters of the coded channels; the side of a mid and side pair isn't coded.
  ///
  /// Differences along time refer to the same channel's value, whichever channels had dialogue before.
  private mutating func readParameters(
    _ bits: inout BitReader, _ isIFrame: Bool, _ absolute: HuffmanDecoder,
    _ difference: HuffmanDecoder
  ) throws(AC4Error) {
    var codedBefore: Int?
    var skipsNext = false
    for channel in 0..<3 {
      guard channels >> (2 - channel) & 1 == 1, !skipsNext else {
        for place in 8 * channel..<8 * channel + 8 { parameters[place] = 0 }
        if channels >> (2 - channel) & 1 == 1 { skipsNext = false }
        continue
      }
      for place in 8 * channel..<8 * channel + 8 {
        if !isIFrame {
          parameters[place] = AC4DialogueEnhancement.bounded(
            parameters[place] + (try difference.value(&bits)))
        } else if place > 8 * channel {
          parameters[place] = parameters[place - 1] + (try difference.value(&bits))
        } else if let codedBefore {
          parameters[place] = parameters[8 * codedBefore] + (try difference.value(&bits))
        } else {
          parameters[place] = try absolute.value(&bits)
        }
      }
      codedBefore = channel
      skipsNext = isMidSide
    }
  }

  /// Bounds sums of differences, which a damaged stream may let grow from frame to frame.
  private static func bounded(_ value: Int) -> Int { min(max(value, -1024), 1024) }
}

/// Codebooks of metadata (TS 103 190-1, Annex A.4 and A.5).
final class MetadataBooks {
  /// First values of dialogue enhancement: for methods 0 and 2, then for 1 and 3.
  let dialogueAbsolute = [HuffmanDecoder(Codebooks.deAbs0), HuffmanDecoder(Codebooks.deAbs1)]
  /// Differences of dialogue enhancement: for methods 0 and 2, then for 1 and 3.
  let dialogueDifference = [HuffmanDecoder(Codebooks.deDiff0), HuffmanDecoder(Codebooks.deDiff1)]
  /// Differences of transmitted dynamic range gains.
  let dynamicRange = HuffmanDecoder(Codebooks.drc)
}
