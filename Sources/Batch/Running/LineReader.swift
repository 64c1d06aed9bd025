import Platform

/// Cuts what comes from a descriptor into lines.
struct LineReader {
  /// Largest line in bytes; a longer one is dropped, because its writer can't be trusted.
  private static let longest = 256 << 20

  private var kept: [UInt8] = []

  /// Adds `bytes`.
  /// - Returns: the lines that are complete now, without their ends.
  mutating func take(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var rest = bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(kept + rest[..<end])
      kept = []
      rest = rest[(end + 1)...]
    }
    kept += rest
    if kept.count > LineReader.longest { kept = [] }
    return lines
  }
}
