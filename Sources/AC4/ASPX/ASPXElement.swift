// SPDX-License-Identifier: Apache-2.0

/// One `aspx_data_1ch` or `aspx_data_2ch` (TS 103 190-1, 4.2.12.2 and 4.2.12.3).
final class ASPXElement {
  /// Its channels; an element of one channel doesn't use the second.
  let channels = [ASPXChannel(), ASPXChannel()]
  /// The subband groups of the last I-frame.
  var bands: ASPXBands?
  /// Whether the channels of a pair have totals and balances instead of a level each (`aspx_balance`).
  var isBalance = false

  /// Reads one channel or a pair.
  /// - Parameters:
  ///   - count: 1 or 2 channels.
  ///   - context: settings of the frame and of the last I-frame.
  ///   - state: state after the frame before, which becomes that after this one.
  func read(
    _ bits: inout BitReader, count: Int, _ context: ASPXContext, _ state: inout ASPXParserState
  ) throws(AC4Error) {
    if context.isIFrame {
      let offset = try bits.read(3)
      if state.bands == nil || state.bands?.configuration != context.configuration
        || state.bands?.crossoverOffset != offset
      {
        state.bands = try ASPXBands(
          context.configuration, offset: offset, is48kHz: context.is48kHz)
      }
    }
    guard let bands = state.bands else { throw .needsIFrame("A-SPX data") }
    self.bands = bands
    isBalance = false
    try readFraming(&bits, 0, context, &state)
    if count == 2 {
      isBalance = try bits.flag()
      if isBalance {
        // A pair of total and balance has one framing.
        channels[1].framing = channels[0].framing
        channels[1].isCoarse = channels[0].isCoarse
        state.ends[1] = state.ends[0]
      } else {
        try readFraming(&bits, 1, context, &state)
      }
    }
    for index in 0..<count { try readDirections(&bits, channels[index]) }
    try readGeneration(&bits, count, bands, context.steps)
    for index in 0..<count { try readSignal(&bits, index, bands, context.books) }
    for index in 0..<count { try readNoise(&bits, index, bands, context.books) }
  }

  /// `aspx_framing` of one channel.
  private func readFraming(
    _ bits: inout BitReader, _ index: Int, _ context: ASPXContext, _ state: inout ASPXParserState
  ) throws(AC4Error) {
    let channel = channels[index]
    channel.framing = try ASPXFraming(
      &bits, context.configuration, steps: context.steps, isIFrame: context.isIFrame,
      previousEnd: state.ends[index])
    state.ends[index] = channel.framing.end
    // A single fixed envelope always has steps of 1.5 dB.
    let isSingle = channel.framing.interval == .fixFix && channel.framing.envelopes == 1
    channel.isCoarse = isSingle ? false : context.configuration.isCoarse
  }

  /// `aspx_delta_dir`.
  private func readDirections(_ bits: inout BitReader, _ channel: ASPXChannel) throws(AC4Error) {
    channel.signalOverTime = 0
    channel.noiseOverTime = 0
    for index in 0..<channel.framing.envelopes where try bits.flag() {
      channel.signalOverTime |= 1 << UInt8(index)
    }
    for index in 0..<channel.framing.noiseEnvelopes where try bits.flag() {
      channel.noiseOverTime |= 1 << UInt8(index)
    }
  }

  /// `aspx_hfgen_iwc_1ch` or `aspx_hfgen_iwc_2ch`.
  private func readGeneration(
    _ bits: inout BitReader, _ count: Int, _ bands: ASPXBands, _ steps: Int
  ) throws(AC4Error) {
    // `aspx_tna_mode`, `aspx_add_harmonic`, then the two kinds of interleaved waveform coding.
    for channel in 0..<(isBalance ? 1 : count) {
      for group in 0..<bands.noiseCount {
        channels[channel].filtering[group] = UInt8(try bits.read(2))
      }
    }
    if isBalance { channels[1].filtering = channels[0].filtering }
    for channel in 0..<count {
      channels[channel].sinusoids = try bits.flag() ? mask(&bits, bands.highCount) : 0
      channels[channel].waveformGroups = 0
      channels[channel].waveformSlots = 0
    }
    if try bits.flag() {
      for channel in 0..<count {
        let isSent = count == 1 ? true : try bits.flag()
        if isSent { channels[channel].waveformGroups = try mask(&bits, bands.highCount) }
      }
    }
    if try bits.flag() { try readWaveformSlots(&bits, count, steps) }
  }

  /// `aspx_tic_used_in_slot` of all channels.
  private func readWaveformSlots(
    _ bits: inout BitReader, _ count: Int, _ steps: Int
  ) throws(AC4Error) {
    guard count == 2 else {
      channels[0].waveformSlots = try mask(&bits, steps)
      return
    }
    if try bits.flag() {
      channels[0].waveformSlots = try mask(&bits, steps)
      channels[1].waveformSlots = channels[0].waveformSlots
      return
    }
    let left = try bits.flag()
    let right = try bits.flag()
    if left { channels[0].waveformSlots = try mask(&bits, steps) }
    if right { channels[1].waveformSlots = try mask(&bits, steps) }
  }

  /// `count` flags, the first as the lowest bit.
  private func mask(_ bits: inout BitReader, _ count: Int) throws(AC4Error) -> UInt32 {
    var mask: UInt32 = 0
    for index in 0..<count where try bits.flag() { mask |= 1 << UInt32(index) }
    return mask
  }

  /// `aspx_ec_data` of the signal envelopes.
  private func readSignal(
    _ bits: inout BitReader, _ index: Int, _ bands: ASPXBands, _ books: ASPXBooks
  ) throws(AC4Error) {
    let channel = channels[index]
    let family = books.signal(isBalance: isBalance && index == 1, isCoarse: channel.isCoarse)
    for envelope in 0..<channel.framing.envelopes {
      let count = bands.signal(isHigh: channel.framing.isHigh(envelope)).count - 1
      try readValues(
        &bits, family, channel.signal.base + envelope * ASPXChannel.rowLength, count,
        overTime: channel.signalOverTime >> UInt8(envelope) & 1 == 1)
    }
  }

  /// `aspx_ec_data` of the noise envelopes.
  private func readNoise(
    _ bits: inout BitReader, _ index: Int, _ bands: ASPXBands, _ books: ASPXBooks
  ) throws(AC4Error) {
    let channel = channels[index]
    let family = books.noise(isBalance: isBalance && index == 1)
    for envelope in 0..<channel.framing.noiseEnvelopes {
      try readValues(
        &bits, family, channel.noise.base + envelope * ASPXChannel.rowLength, bands.noiseCount,
        overTime: channel.noiseOverTime >> UInt8(envelope) & 1 == 1)
    }
  }

  /// `aspx_huff_data`.
  private func readValues(
    _ bits: inout BitReader, _ family: BookFamily, _ target: UnsafeMutablePointer<Int16>,
    _ count: Int, overTime: Bool
  ) throws(AC4Error) {
    for place in 0..<count {
      let book = overTime ? family.time : place == 0 ? family.first : family.frequency
      target[place] = Int16(truncatingIfNeeded: try book.value(&bits))
    }
  }
}

/// The A-SPX settings of an I-frame (`aspx_config`, TS 103 190-1, 4.2.12.1).
struct ASPXConfiguration: Equatable {
  /// Whether signal levels step by 3 dB; 1.5 dB otherwise (`aspx_quant_mode_env`).
  var isCoarse = false
  /// `aspx_start_freq`.
  var start = 0
  /// `aspx_stop_freq`.
  var stop = 0
  /// Whether groups are taken from the high-resolution template (`aspx_master_freq_scale`).
  var isHighTemplate = false
  /// Whether the level before adjustment is estimated for each subband, not for each group
  /// (`aspx_interpolation`).
  var interpolates = false
  /// Whether the spectrum that is copied is flattened first (`aspx_preflat`).
  var preflattens = false
  /// Whether gains are limited (`aspx_limiter`).
  var limits = false
  /// Noise groups in an octave (`aspx_noise_sbg`).
  var noiseGroups = 0
  /// Further bits of the number of envelopes in FIXFIX intervals (`aspx_num_env_bits_fixfix`).
  var envelopeBits = 0
  /// How an envelope's frequency resolution is chosen: 0 sent, 1 low, 2 by its duration, 3 high
  /// (`aspx_freq_res_mode`).
  var resolutionMode = 0

  /// Reads `aspx_config`, which has 15 bits.
  init(_ bits: inout BitReader) throws(AC4Error) {
    isCoarse = try bits.flag()
    start = try bits.read(3)
    stop = try bits.read(2)
    isHighTemplate = try bits.flag()
    interpolates = try bits.flag()
    preflattens = try bits.flag()
    limits = try bits.flag()
    noiseGroups = try bits.read(2)
    envelopeBits = try bits.read(1)
    resolutionMode = try bits.read(2)
  }

  /// All fields 0.
  init() {}
}

/// The settings that an A-SPX element is read with.
struct ASPXContext {
  /// Settings of the last I-frame.
  let configuration: ASPXConfiguration
  /// Whether this frame is an I-frame of the substream.
  let isIFrame: Bool
  /// A-SPX slots per frame.
  let steps: Int
  /// Whether the stream belongs to the 48 kHz family.
  let is48kHz: Bool
  /// The codebooks.
  let books: ASPXBooks
}

/// The state that reading an A-SPX element carries from frame to frame.
struct ASPXParserState {
  /// The subband groups that the last I-frame's settings give.
  var bands: ASPXBands?
  /// The end of each channel's last interval, in A-SPX slots from that frame's start.
  var ends: SIMD2<Int>

  /// The state before the first frame of `steps` A-SPX slots.
  init(steps: Int) { ends = SIMD2(repeating: steps) }
}

/// Codebooks of A-SPX (TS 103 190-1, Annex A.2).
final class ASPXBooks {
  // Signal levels and balances in steps of 1.5 dB (fine) and 3 dB (coarse), then those of noise.
  private let levelFine = BookFamily(
    Codebooks.aspxEnvLevel15F0, Codebooks.aspxEnvLevel15Df, Codebooks.aspxEnvLevel15Dt)
  private let levelCoarse = BookFamily(
    Codebooks.aspxEnvLevel30F0, Codebooks.aspxEnvLevel30Df, Codebooks.aspxEnvLevel30Dt)
  private let balanceFine = BookFamily(
    Codebooks.aspxEnvBalance15F0, Codebooks.aspxEnvBalance15Df, Codebooks.aspxEnvBalance15Dt)
  private let balanceCoarse = BookFamily(
    Codebooks.aspxEnvBalance30F0, Codebooks.aspxEnvBalance30Df, Codebooks.aspxEnvBalance30Dt)
  private let noiseLevel = BookFamily(
    Codebooks.aspxNoiseLevelF0, Codebooks.aspxNoiseLevelDf, Codebooks.aspxNoiseLevelDt)
  private let noiseBalance = BookFamily(
    Codebooks.aspxNoiseBalanceF0, Codebooks.aspxNoiseBalanceDf, Codebooks.aspxNoiseBalanceDt)

  /// The books of signal levels.
  func signal(isBalance: Bool, isCoarse: Bool) -> BookFamily {
    if isBalance { return isCoarse ? balanceCoarse : balanceFine }
    return isCoarse ? levelCoarse : levelFine
  }

  func noise(isBalance: Bool) -> BookFamily { isBalance ? noiseBalance : noiseLevel }
}
