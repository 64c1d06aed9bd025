/// A substream as `dac4` lists it (`ac4_substream_group_dsi`, TS 103 190-2, E.11).
package struct AC4SubstreamDescription: Sendable, Equatable {
  /// `dsi_sf_multiplier`: 0 base rate, 1 for 96 kHz, 2 for 192 kHz.
  package var rateMultiplier = 0
  /// `substream_bitrate_indicator`, if given.
  package var bitRateCode: Int?
  /// `dsi_substream_channel_mask`: speaker groups, one bit each; `nil` for objects.
  package var speakerGroups: Int?
  /// `b_ajoc`: whether objects are decoded from a downmix.
  package var isJointlyCoded = false
  /// Signals of that downmix; `nil` for a 5.X bed (`b_static_dmx`).
  package var downmixObjects: Int?
  /// Objects decoded from it.
  package var upmixObjects = 1
  /// Whether there are a bed, dynamic objects and objects of the intermediate spatial format: bits 3 to 1;
  /// bit 0 is reserved.
  package var objectKinds = 0

  init() {}

  init(_ bits: inout BitReader, channels: Bool) throws(AC4Error) {
    rateMultiplier = try bits.read(2)
    bitRateCode = try bits.optional(5)
    if channels {
      speakerGroups = try bits.read(24)
      return
    }
    isJointlyCoded = try bits.flag()
    if isJointlyCoded {
      if try !bits.flag() { downmixObjects = try bits.read(4) + 1 }
      upmixObjects = try bits.read(6) + 1
    }
    objectKinds = try bits.read(4)
  }

  func write(to bits: inout BitWriter) {
    bits.write(rateMultiplier, 2)
    bits.write(optional: bitRateCode, 5)
    if let speakerGroups {
      bits.write(speakerGroups, 24)
      return
    }
    bits.write(isJointlyCoded)
    if isJointlyCoded {
      bits.write(downmixObjects == nil)
      if let downmixObjects { bits.write(downmixObjects - 1, 4) }
      bits.write(upmixObjects - 1, 6)
    }
    bits.write(objectKinds, 4)
  }
}
