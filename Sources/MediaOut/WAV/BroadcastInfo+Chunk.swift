extension BroadcastInfo {
  /// The `bext` chunk, version 2 (EBU Tech 3285, 2.3): texts padded with zeros, loudness in hundredths,
  /// 0x7FFF where a figure is unset.
  package var chunk: WAVChunk {
    let figures = [loudness, range, truePeak, momentaryMax, shortTermMax]
    let zeros = { (count: Int) in [UInt8](repeating: 0, count: count) }
    var bytes = BroadcastInfo.field(description, 256) + BroadcastInfo.field("Pinna", 32)
    // Reference of the originator, date and time.
    bytes += zeros(32 + 10 + 8)
    bytes +=
      LittleEndianBytes.of(Int64(bitPattern: timeReference)) + LittleEndianBytes.of(UInt16(2))
    // UMID.
    bytes += zeros(64)
    for figure in figures {
      bytes += LittleEndianBytes.of(UInt16(bitPattern: BroadcastInfo.hundredths(figure)))
    }
    return WAVChunk(id: "bext", bytes: bytes + zeros(180) + Array(codingHistory.utf8))
  }

  /// A figure in hundredths; 0x7FFF for none and for one that can't be stated.
  static func hundredths(_ value: Double?) -> Int16 {
    guard let value, value.isFinite, value.magnitude < 300 else { return 0x7FFF }
    return Int16((value * 100).rounded())
  }

  private static func field(_ text: String, _ size: Int) -> [UInt8] {
    let bytes = Array(text.utf8.prefix(size))
    return bytes + [UInt8](repeating: 0, count: size - bytes.count)
  }
}
