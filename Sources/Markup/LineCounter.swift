/// Finds the line and column of places in a document; places that come in order are found in one pass.
struct LineCounter {
  private var offset = 0
  private var line = 1
  private var lineStart = 0

  /// Line and column, both from 1, of the byte at `target`, which may be the document's end.
  mutating func place(of target: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
    if target < offset { self = LineCounter() }
    let end = min(target, bytes.count)
    bytes.withUnsafeBufferPointer { bytes in
      for place in offset..<max(offset, end) where bytes[place] == UInt8(ascii: "\n") {
        line += 1
        lineStart = place + 1
      }
    }
    offset = max(offset, end)
    return (line, end - lineStart + 1)
  }
}
