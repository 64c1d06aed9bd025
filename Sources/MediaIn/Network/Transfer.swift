/// How far a fetch over http has come.
struct Transfer {
  let address: WebAddress
  /// The bytes wanted; `nil` for everything.
  let range: Range<Int64>?
  /// The most that is taken.
  let limit: Int64
  /// Bytes of the whole resource, as the first answer says.
  var size: Int64?
  /// Bytes received so far, over all tries.
  var received: Int64 = 0
  /// Whether the server may be asked for the rest alone.
  var isResumable = true

  /// Bytes of the range still to come.
  var left: Int64 { range.map { Int64($0.count) - received } ?? .max }

  /// What the next request has to ask for.
  var missing: Range<Int64> {
    let start = (range?.lowerBound ?? 0) + received
    return start..<max(start, range?.upperBound ?? .max)
  }

  /// How long the whole has to be for a resource of `size` bytes; `nil` when nobody says.
  func expected(of size: Int64?) -> Int64? { range.map { Int64($0.count) } ?? size }
}
