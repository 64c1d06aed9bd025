import Signal

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
  let signal = FixedBuffer<Int16>(0, count: 5 * rowLength)
  /// Differences of noise levels, ``rowLength`` for each envelope.
  let noise = FixedBuffer<Int16>(0, count: 2 * rowLength)
}
