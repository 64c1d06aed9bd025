// SPDX-License-Identifier: Apache-2.0

/// The measured loudness that a stream states (`further_loudness_info`, TS 103 190-1, 4.3.12.4).
package struct AC4Loudness: Sendable, Equatable {
  /// Loudness that is measured over a sliding window.
  package struct Window: Sendable, Equatable {
    /// The loudness in LKFS, if stated.
    package internal(set) var current: Double?
    /// The largest such loudness in LKFS, if stated.
    package internal(set) var maximum: Double?
  }

  /// A loudness range and how it was measured.
  package struct LoudnessRange: Sendable, Equatable {
    /// The range in LU.
    package internal(set) var value: Double
    /// `lra_prac_type`.
    package internal(set) var practice: Int
  }

  /// `loudness_version`, if stated.
  package internal(set) var version: Int?
  /// `loud_prac_type`: which loudness practice was followed, 0 for none.
  package internal(set) var practice: Int?
  /// `dialgate_prac_type` of a level that was corrected with dialogue gating; −1 where the stream states the
  /// gating alone, `nil` without gating.
  package internal(set) var correctionDialogueGate: Int?
  /// Whether the correction was made in real time (`loudcorr_type`).
  package internal(set) var isCorrectedInRealTime: Bool?
  /// Integrated loudness with relative gating, LKFS.
  package internal(set) var integrated: Double?
  /// Integrated loudness of dialogue, LKFS.
  package internal(set) var dialogue: Double?
  /// `dialgate_prac_type` of ``dialogue``.
  package internal(set) var dialogueGate: Int?
  /// Short-term loudness, over 3 s.
  package internal(set) var shortTerm = Window()
  /// True peak, dBTP.
  package internal(set) var truePeak: Double?
  /// Largest true peak, dBTP.
  package internal(set) var maximumTruePeak: Double?
  /// Whether a programme boundary is signalled.
  package internal(set) var hasProgrammeBoundary = false
  /// Loudness range, if stated.
  package internal(set) var range: LoudnessRange?
  /// Momentary loudness, over 400 ms.
  package internal(set) var momentary = Window()
  /// `rtll_comp`: real-time loudness compression, as coded.
  package internal(set) var realTimeCompression: Int?

  init() {}

  /// Reads `further_loudness_info`.
  /// - Parameters:
  ///   - isWhole: whether version, practice and programme boundary are sent, as in presentations and old
  ///     substreams.
  ///   - hasOldEnd: whether `rtll_comp` is sent inside the extension, as in old substreams.
  init(_ bits: inout BitReader, isWhole: Bool, hasOldEnd: Bool) throws(AC4Error) {
    if isWhole {
      try readPractice(&bits)
    } else if try bits.flag() {
      correctionDialogueGate = -1
    }
    integrated = try AC4Loudness.level(&bits)
    dialogue = try AC4Loudness.level(&bits)
    if dialogue != nil { dialogueGate = try bits.read(3) }
    shortTerm.current = try AC4Loudness.level(&bits)
    shortTerm.maximum = try AC4Loudness.level(&bits)
    truePeak = try AC4Loudness.level(&bits)
    maximumTruePeak = try AC4Loudness.level(&bits)
    if isWhole { try readBoundary(&bits) }
    if let code = try bits.optional(10) {
      range = LoudnessRange(value: Double(code) / 10, practice: try bits.read(3))
    }
    momentary.current = try AC4Loudness.level(&bits)
    momentary.maximum = try AC4Loudness.level(&bits)
    try readEnd(&bits, hasOldEnd)
  }

  /// `loudness_version` and `loud_prac_type` with what depends on them.
  private mutating func readPractice(_ bits: inout BitReader) throws(AC4Error) {
    var number = try bits.read(2)
    if number == 3 { number += try bits.read(4) }
    version = number
    let type = try bits.read(4)
    practice = type
    guard type != 0 else { return }
    correctionDialogueGate = try bits.optional(3)
    isCorrectedInRealTime = try bits.flag()
  }

  /// `b_prgmbndy` and the boundary's place, which isn't kept.
  private mutating func readBoundary(_ bits: inout BitReader) throws(AC4Error) {
    hasProgrammeBoundary = try bits.flag()
    guard hasProgrammeBoundary else { return }
    // `prgmbndy` is a unary code.
    while try !bits.flag() {}
    try bits.skip(1)
    _ = try bits.optional(11)
  }

  /// `rtll_comp` and the extension.
  private mutating func readEnd(_ bits: inout BitReader, _ isOld: Bool) throws(AC4Error) {
    if !isOld { realTimeCompression = try bits.optional(8) }
    guard try bits.flag() else { return }
    let size = try bits.escaped(5, variable: 4)
    let end = bits.position + size
    if isOld { realTimeCompression = try bits.optional(8) }
    try bits.move(to: end)
  }

  /// An optional level in LKFS or dBTP: steps of 0.1 above −102.4.
  private static func level(_ bits: inout BitReader) throws(AC4Error) -> Double? {
    try bits.optional(11).map { Double($0 - 1024) / 10 }
  }
}
