/// Times as Matroska's statistics tags write them.
enum ClockTime {
  /// Nanoseconds of `hh:mm:ss.nnnnnnnnn`; `nil` when the text isn't such a time.
  static func nanoseconds(_ text: String) -> Int64? {
    let fields = text.split(separator: ":")
    guard fields.count == 3, let hours = Int64(fields[0]), let minutes = Int64(fields[1]),
      (0..<10_000).contains(hours), (0..<60).contains(minutes)
    else { return nil }
    let parts = fields[2].split(separator: ".", maxSplits: 1)
    guard let whole = parts.first.flatMap({ Int64($0) }), (0..<60).contains(whole) else {
      return nil
    }
    var fraction = parts.count > 1 ? String(parts[1].prefix(9)) : "0"
    fraction += String(repeating: "0", count: 9 - fraction.count)
    guard let nanoseconds = Int64(fraction), nanoseconds >= 0 else { return nil }
    return ((hours * 60 + minutes) * 60 + whole) * 1_000_000_000 + nanoseconds
  }
}
