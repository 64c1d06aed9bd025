// SPDX-License-Identifier: Apache-2.0
import Signal

/// Levels that a major sync states of presentations 0…2 (`channel_meaning`). A lossless decoder applies none of them.
package struct ChannelMeaning: Equatable, Sendable {
  /// Level of dialogue and of the room in which a presentation was mixed.
  package struct Levels: Equatable, Sendable {
    /// Level of dialogue in dB below full scale (`dialogue_norm`), 0…63.
    package var dialogueNorm = 0
    /// Level of the mixing room less 70 dB SPL, 0…63.
    package var mixLevel = 0
    /// Format of the source, 0…63; 0 for presentation 0, which states none.
    package var sourceFormat = 0
    /// Whether dynamic range control is meant to be on (`control`).
    package var isControlled = false
  }

  /// Gain of heavy dynamic range control to begin with, in quarters of a factor of 2.
  package let heavyStartGain: Int
  /// Gain of dynamic range control to begin with, in 16ths of a factor of 2.
  package let startGain: Int
  /// Levels of presentation 0.
  package let stereo: Levels
  /// Levels of presentation 1.
  package let six: Levels
  /// Levels of presentation 2.
  package let eight: Levels

  /// Reads it; `hasExtra` tells whether more follows.
  init(_ bits: inout BitReader, _ hasExtra: inout Bool) throws(TrueHDError) {
    var (stereo, six, eight) = (Levels(), Levels(), Levels())
    heavyStartGain = try bits.signed(6)
    stereo.isControlled = try bits.flag()
    six.isControlled = try bits.flag()
    eight.isControlled = try bits.flag()
    try bits.skip(1)
    startGain = try bits.signed(7)
    (stereo.dialogueNorm, stereo.mixLevel) = (try bits.read(6), try bits.read(6))
    (six.dialogueNorm, six.mixLevel) = (try bits.read(5), try bits.read(6))
    six.sourceFormat = try bits.read(5)
    (eight.dialogueNorm, eight.mixLevel) = (try bits.read(5), try bits.read(6))
    eight.sourceFormat = try bits.read(6)
    try bits.skip(1)
    hasExtra = try bits.flag()
    (self.stereo, self.six, self.eight) = (stereo, six, eight)
  }
}

/// The composition of presentation 3 (`extra_channel_meaning`), known before any metadata of objects.
package struct ExtraMeaning: Equatable, Sendable {
  /// Level of dialogue in dB below full scale, 0…31.
  package private(set) var dialogueNorm = 0
  /// Level of the mixing room less 70 dB SPL, 0…63.
  package private(set) var mixLevel = 0
  /// Channels, 1…32.
  package private(set) var channels = 0
  /// Whether there is nothing but objects and perhaps an LFE.
  package private(set) var isDynamicOnly = false
  /// Whether an LFE comes before the objects, or is the whole bed.
  package private(set) var hasLFEOnly = false
  /// Parts of a programme that isn't only dynamic: bit 0 a bed, 1 an intermediate spatial format, 2 objects.
  package private(set) var content = 0
  /// Channels of the bed by groups, bit 0 first.
  package private(set) var bed = 0
  /// Format of intermediate spatial objects; `nil` without them.
  package private(set) var spatialFormat: Int?
  /// Objects that can move, where the stream says how many; `nil` where only the rest of the channels tells.
  package private(set) var statedObjects: Int?

  /// Whether objects or an intermediate spatial format need metadata to be played.
  package var needsMetadata: Bool { isDynamicOnly || content & 6 != 0 }

  /// Objects that can move: all channels that aren't the bed's.
  package var objects: Int {
    if let statedObjects { return statedObjects }
    return isDynamicOnly ? max(0, channels - (hasLFEOnly ? 1 : 0)) : 0
  }

  /// Reads it; `nil` where the stream has no presentation 3 that it could describe.
  static func read(
    _ bits: inout BitReader, describesThird: Bool
  ) throws(TrueHDError) -> ExtraMeaning? {
    let start = bits.position
    let end = start + 16 * (try bits.read(4) + 1)
    var extra: ExtraMeaning?
    if describesThird {
      var part = bits
      try part.limit(to: min(end, bits.end))
      extra = try ExtraMeaning(&part)
    }
    try bits.move(to: end)
    return extra
  }

  private init(_ bits: inout BitReader) throws(TrueHDError) {
    dialogueNorm = try bits.read(5)
    mixLevel = try bits.read(6)
    channels = try bits.read(5) + 1
    isDynamicOnly = try bits.flag()
    if isDynamicOnly {
      hasLFEOnly = try bits.flag()
      return
    }
    content = try bits.read(4)
    if content & 1 != 0 {
      try bits.skip(2)
      hasLFEOnly = try bits.flag()
      if !hasLFEOnly {
        try bits.skip(1)
        bed = try bits.read(10)
      }
    }
    if content & 2 != 0 { spatialFormat = try bits.read(3) }
    if content & 4 != 0 { statedObjects = try bits.read(5) + 1 }
  }
}
