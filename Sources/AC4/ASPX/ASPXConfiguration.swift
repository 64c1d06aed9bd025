/// Spectral extension's settings from the last I-frame (`aspx_config`, TS 103 190-1, 4.2.12.1).
struct ASPXConfiguration: Equatable {
  /// Whether signal levels step by 3 dB; 1.5 dB otherwise (`aspx_quant_mode_env`).
  var isCoarse = false
  /// `aspx_start_freq`.
  var start = 0
  /// `aspx_stop_freq`.
  var stop = 0
  /// Whether the high-resolution template is used (`aspx_master_freq_scale`).
  var isHighTemplate = false
  /// Whether levels are estimated subband by subband (`aspx_interpolation`).
  var interpolates = false
  /// Whether the source spectrum is flattened first (`aspx_preflat`).
  var preflattens = false
  /// Whether gains are limited (`aspx_limiter`).
  var limits = false
  /// `aspx_noise_sbg`.
  var noiseGroups = 0
  /// Bits of the number of fixed envelopes beyond one (`aspx_num_env_bits_fixfix`).
  var envelopeBits = 0
  /// How frequency resolution is chosen (`aspx_freq_res_mode`).
  var resolutionMode = 0

  /// Reads the 15 bits.
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
