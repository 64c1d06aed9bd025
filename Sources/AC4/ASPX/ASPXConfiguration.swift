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
