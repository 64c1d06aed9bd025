// SPDX-License-Identifier: Apache-2.0
@testable import AC4

/// Writes spectral extension that adds next to nothing: one envelope of the lowest level.
enum SyntheticExtension {
  /// `aspx_config`: the highest crossover, one noise group per octave, always high resolution.
  static func writeConfiguration(_ bits: inout BitWriter) {
    bits.write(0, 1)
    bits.write(7, 3)
    bits.write(0, 2)
    bits.write(1, 1)
    bits.write(0, 3)
    bits.write(0, 2)
    bits.write(0, 1)
    bits.write(3, 2)
  }

  /// Groups that the configuration leads to.
  static func bands() throws -> ASPXBands {
    var writer = BitWriter()
    writeConfiguration(&writer)
    writer.align()
    let bytes = writer.bytes
    return try bytes.withUnsafeBufferPointer { buffer in
      var bits = BitReader(buffer)
      return try ASPXBands(try ASPXConfiguration(&bits), offset: 0, is48kHz: true)
    }
  }

  /// Values of `companding_control` of several channels.
  enum Control {
    case off
    /// One gain for all channels in each slot.
    case shared
    /// One gain for all channels in all slots.
    case sharedMean
  }

  /// `companding_control` of an element of `channels` channels.
  static func writeCompanding(_ control: Control, _ channels: Int, _ bits: inout BitWriter) {
    switch control {
    case .off: writeNoCompanding(channels, &bits)
    case .shared: bits.write(0b11, 2)
    case .sharedMean: bits.write(0b101, 3)
    }
  }

  /// `companding_control` that switches it off.
  static func writeNoCompanding(_ channels: Int, _ bits: inout BitWriter) {
    if channels > 1 { bits.write(0, 1) }
    bits.write(0, channels + 1)
  }

  /// `aspx_data_1ch` or `aspx_data_2ch`.
  static func writeData(_ channels: Int, _ bits: inout BitWriter, isIFrame: Bool) {
    guard let bands = try? bands() else { return }
    if isIFrame { bits.write(0, 3) }
    // FIXFIX with one envelope, no balance.
    for channel in 0..<channels {
      bits.write(0, 2)
      if channel == 0, channels == 2 { bits.write(0, 1) }
    }
    bits.write(0, 2 * channels)
    for _ in 0..<channels * bands.noiseCount { bits.write(0, 2) }
    bits.write(0, channels)
    bits.write(0, 2)
    for _ in 0..<channels {
      Track.write(0, Codebooks.aspxEnvLevel15F0, &bits)
      for _ in 1..<bands.highCount { Track.write(0, Codebooks.aspxEnvLevel15Df, &bits) }
    }
    for _ in 0..<channels {
      Track.write(0, Codebooks.aspxNoiseLevelF0, &bits)
      for _ in 1..<bands.noiseCount { Track.write(0, Codebooks.aspxNoiseLevelDf, &bits) }
    }
  }
}
