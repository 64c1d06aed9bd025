/// Reads big-endian bit fields; answers 0 beyond the end and remembers it.
struct BitReader {
  private let bytes: [UInt8]
  private var position = 0
  private(set) var isExhausted = false

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func read(_ count: Int) -> Int {
    var value = 0
    for _ in 0..<count {
      value <<= 1
      if position < bytes.count * 8 {
        value |= Int(bytes[position >> 3] >> UInt8(7 - position & 7) & 1)
      } else {
        isExhausted = true
      }
      position += 1
    }
    return value
  }

  mutating func flag() -> Bool { read(1) == 1 }

  mutating func skip(_ count: Int) { position += count }
}
