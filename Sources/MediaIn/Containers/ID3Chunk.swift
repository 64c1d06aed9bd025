import Platform

/// The chunk with an ID3v2 tag in a WAV file (`id3 `, also in RF64 and BW64) or an AIFF file (`ID3 `).
enum ID3Chunk {
  /// Chunks that are looked through at most; real files have a dozen.
  private static let limit = 65_536

  /// The place of the tag in `file`; `nil` where it has none, or is of another kind.
  static func place(in file: LocalFile) -> Int64? {
    let head = file.bytes(at: 0, count: 12)
    guard head.count == 12 else { return nil }
    let isAIFF = head.starts(with: "FORM".utf8) && head[8..<11].elementsEqual("AIF".utf8)
    let isWAV = ["RIFF", "RF64", "BW64"].contains { head.starts(with: $0.utf8) }
    guard isAIFF || isWAV && head[8...].elementsEqual("WAVE".utf8) else { return nil }
    var longData: Int64?
    var offset: Int64 = 12
    for _ in 0..<limit {
      let chunk = file.bytes(at: offset, count: 8)
      guard chunk.count == 8 else { return nil }
      var size = number(isAIFF ? Array(chunk[4...]) : chunk[4...].reversed())
      switch String(decoding: chunk[..<4], as: UTF8.self) {
      case "id3 ", "ID3 ": return offset + 8
      case "ds64": longData = number(file.bytes(at: offset + 16, count: 8).reversed())
      case "data" where size == 0xFFFF_FFFF:
        guard let longData, longData >= 0, longData <= file.size else { return nil }
        size = longData
      default: break
      }
      offset += 8 + size + size % 2
    }
    return nil
  }

  private static func number(_ bytes: [UInt8]) -> Int64 {
    bytes.reduce(0) { $0 << 8 | Int64($1) }
  }
}
