/// The header that begins a sequence (`IA Sequence Header OBU`).
package struct SequenceHeader: Equatable, Sendable {
  /// What `ia_code` must be: "iamf".
  static let code: [UInt8] = [0x69, 0x61, 0x6D, 0x66]

  /// What a decoder needs for at least one mix.
  package var primaryProfile: Int
  /// What a decoder needs for all mixes.
  package var additionalProfile: Int
}

extension SequenceHeader {
  /// A header from its payload.
  /// - Throws: ``IAMFError/malformed(_:)`` for another `ia_code`.
  init(_ bits: inout BitReader) throws(IAMFError) {
    guard try bits.bytes(4) == SequenceHeader.code else { throw .malformed("another ia_code") }
    primaryProfile = try bits.read(8)
    additionalProfile = try bits.read(8)
  }

  /// The profiles that are known, of the two that it names.
  package var knownProfiles: [Profile] {
    [primaryProfile, additionalProfile].compactMap(Profile.init)
  }
}

/// A profile: what a decoder promises to play.
package enum Profile: Int, Sendable {
  /// One element of up to 16 channels.
  case simple = 0
  /// Two elements, 18 channels.
  case base = 1
  /// 28 elements, 28 channels, expanded layouts (version 1.1).
  case baseEnhanced = 2
  /// The first one with objects (draft of version 2).
  case baseAdvanced = 3
  /// The same limits (draft of version 2).
  case advanced1 = 4
  /// 28 elements and channels (draft of version 2).
  case advanced2 = 5

  /// Sub-mixes that a mix may have.
  package var mostSubMixes: Int { rawValue >= Profile.baseAdvanced.rawValue ? 2 : 1 }
}
