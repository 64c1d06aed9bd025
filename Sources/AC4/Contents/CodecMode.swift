/// The tools that a channel element uses (`mono_codec_mode`, `stereo_codec_mode` and so on,
/// TS 103 190-1, 4.3.5).
enum CodecMode: Int, CaseIterable {
  /// Spectra alone.
  case simple
  /// Spectra and spectral extension.
  case extended
  /// Spectra, spectral extension and coupling above a subband.
  case partlyCoupled
  /// Spectra, spectral extension and coupling.
  case coupled
  /// Spectra, spectral extension and coupling of five channels into two.
  case widelyCoupled

  /// Whether some channels are made from others.
  var isCoupled: Bool { rawValue >= 2 }
}
