/// The tools that a channel element uses: advanced spectral extension (A-SPX) generates the high band,
/// advanced coupling (A-CPL) makes channels from others (`mono_codec_mode`, `stereo_codec_mode` and so on,
/// TS 103 190-1, 4.3.5).
enum CodecMode: Int, CaseIterable {
  /// SIMPLE: spectra alone.
  case simple
  /// ASPX: spectra and A-SPX.
  case extended
  /// ASPX_ACPL_1: spectra, A-SPX and A-CPL, with coded residuals below a subband.
  case partlyCoupled
  /// ASPX_ACPL_2: spectra, A-SPX and A-CPL of pairs.
  case coupled
  /// ASPX_ACPL_3: spectra, A-SPX and A-CPL that makes five channels from two.
  case widelyCoupled
  /// ASPX_AJCC: spectra, A-SPX and joint channel coding that makes ten channels from four (TS 103 190-2).
  case joint

  /// Whether some channels are made from others by A-CPL.
  var isCoupled: Bool { rawValue >= 2 && self != .joint }

  /// Whether some channels are made from others.
  var makesChannels: Bool { rawValue >= 2 }
}
