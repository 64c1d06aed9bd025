import Platform

/// The header of an AU file (Sun audio): where its samples end.
struct AUHeader {
  /// Byte after the last sample by the header; `nil` where the header leaves that open (0xFFFFFFFF, or 0
  /// by writers that were stopped).
  let end: Int64?

  /// Reads the header of `file`; `nil` when it isn't of this kind.
  init?(_ file: LocalFile) {
    let head = file.bytes(at: 0, count: 12)
    guard head.count == 12, head.starts(with: ".snd".utf8) else { return nil }
    let number = { (place: Int) in
      head[place..<place + 4].reduce(0 as Int64) { $0 << 8 | Int64($1) }
    }
    let size = number(8)
    end = size == 0xFFFF_FFFF || size == 0 ? nil : number(4) + size
  }
}
