/// What Dolby's tools say about a master beside its definition metadata (`dbmd` chunk).
package struct DolbyMetadata: Sendable, Equatable {
  /// How Dolby's own downmix of the surround channels is made.
  package enum WarpMode: UInt8, Sendable {
    case normal, warping, proLogicIIx, loRo, notIndicated
  }

  /// How far away headphones should let a channel sound.
  package enum HeadphoneMode: UInt8, Sendable {
    /// Not virtualised.
    case off
    case near, far, mid, notIndicated
  }

  private static let atmos: UInt8 = 9
  private static let supplement: UInt8 = 10
  private static let supplementMark: UInt32 = 0xF872_6FBD
  private static let trims = 9

  /// The program that made the master; empty when it isn't named.
  package private(set) var tool = ""
  /// Version of that program, e.g. `1.8.0`; empty when it isn't named.
  package private(set) var toolVersion = ""
  /// How Dolby's downmix is made; `nil` when it isn't stated.
  package private(set) var warpMode: WarpMode?
  /// The mode of each channel of the WAV file, beds first; may be shorter than there are channels.
  package private(set) var headphoneModes: [HeadphoneMode] = []
  /// For each of nine layouts, whether Dolby's renderer chooses the trim itself.
  package private(set) var automaticTrims: [Bool] = []

  /// Reads the payload of a `dbmd` chunk; damage is reported, and what lies before it is kept.
  package init(_ payload: [UInt8], findings: FindingLog) {
    guard payload.count >= 4 else {
      findings.note(.dolbyMetadata, "the dbmd chunk has \(payload.count) bytes; it isn't used")
      return
    }
    var place = 4
    while place < payload.count, payload[place] != 0 {
      let size = payload.littleEndian16(at: place + 1)
      let start = place + 3
      guard start + size < payload.count else {
        findings.note(.dolbyMetadata, kind: "cut", "the dbmd chunk ends inside a segment")
        return
      }
      let segment = Array(payload[start..<start + size])
      let sum = segment.reduce(size) { $0 + Int($1) } + Int(payload[start + size])
      if sum & 0xFF == 0 {
        read(payload[place], segment)
      } else {
        findings.note(
          .dolbyMetadata, kind: "checksum",
          "segment \(payload[place]) of dbmd has a wrong checksum; it isn't used")
      }
      place = start + size + 1
    }
  }

  private mutating func read(_ id: UInt8, _ segment: [UInt8]) {
    switch id {
    case DolbyMetadata.atmos where segment.count > 152:
      tool = segment.paddedText(32..<96)
      toolVersion = segment[96..<99].map(String.init).joined(separator: ".")
      warpMode = WarpMode(rawValue: segment[152] & 7)
    case DolbyMetadata.supplement
    where segment.littleEndian32(at: 0) == DolbyMetadata.supplementMark:
      let count = segment.littleEndian16(at: 4)
      let trims = 7
      let modes = trims + DolbyMetadata.trims * 15 + count
      guard modes + count <= segment.count else { return }
      automaticTrims = (0..<DolbyMetadata.trims).map { segment[trims + $0 * 15] & 1 != 0 }
      headphoneModes = segment[modes..<modes + count].map {
        HeadphoneMode(rawValue: $0 & 7) ?? .notIndicated
      }
    default: break
    }
  }
}
