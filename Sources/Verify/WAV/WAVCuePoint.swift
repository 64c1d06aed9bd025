/// A named sample of a WAV file as Pinna's own parser reads it.
package struct WAVCuePoint: Sendable, Equatable {
  /// Bytes of a chunk that are read at most.
  static let longestChunk: Int64 = 1 << 26

  /// Number by which labels refer to it.
  let id: UInt32
  /// Samples from the first of the file.
  package let position: UInt32
  /// Its label; empty for none.
  package internal(set) var title = ""

  /// The points in the content of a `cue ` chunk; what its end cuts off is left out.
  static func points(_ bytes: [UInt8]) -> [WAVCuePoint] {
    let count = min(Int(bytes.little32(at: 0)), max(0, bytes.count - 4) / 24)
    return (0..<count).map { index in
      let place = 4 + 24 * index
      return WAVCuePoint(id: bytes.little32(at: place), position: bytes.little32(at: place + 20))
    }
  }

  /// The labels in the content of a `LIST` chunk by the numbers of their points; none where the list isn't
  /// of type `adtl`.
  static func labels(_ bytes: [UInt8]) -> [UInt32: String] {
    guard bytes.starts(with: "adtl".utf8) else { return [:] }
    var result: [UInt32: String] = [:]
    var place = 4
    while place + 8 <= bytes.count {
      let length = Int(bytes.little32(at: place + 4))
      let end = min(bytes.count, place + 8 + length)
      if bytes[place..<place + 4].elementsEqual("labl".utf8), end >= place + 12 {
        let text = bytes[(place + 12)..<end].prefix { $0 != 0 }
        result[bytes.little32(at: place + 8)] = String(decoding: text, as: UTF8.self)
      }
      place += 8 + length + length % 2
    }
    return result
  }
}
