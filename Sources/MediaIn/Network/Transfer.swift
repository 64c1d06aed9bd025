/// The progress of a fetch over http, over all of its tries.
struct Transfer {
  let address: WebAddress
  /// The bytes wanted; `nil` for everything.
  let range: Range<Int64>?
  /// The most that is taken.
  var limit: Int64
  /// Who named the address.
  let origin: HostPolicy.Origin
  /// The content, as the first answer says.
  var identity: ContentIdentity?
  /// Bytes received so far, over all tries.
  var received: Int64 = 0
  /// Whether the server may be asked for the rest alone.
  var isResumable = true

  /// Bytes of the range still to come.
  var left: Int64 { range.map { Int64($0.count) - received } ?? .max }

  /// Bytes that the next request asks for; the end is `Int64.max` for all the rest.
  var missing: Range<Int64> {
    let start = (range?.lowerBound ?? 0) + received
    return start..<max(start, range?.upperBound ?? .max)
  }

  /// Bytes that have to arrive in all from a resource of `size` bytes; `nil` when neither a range nor the
  /// server states a length.
  func expected(of size: Int64?) -> Int64? { range.map { Int64($0.count) } ?? size }
}

/// What tells one content of a URL from another.
struct ContentIdentity {
  /// Bytes of the whole resource; `nil` when the server doesn't state it.
  let size: Int64?
  /// What the server says to tell contents apart; empty texts for what it leaves out.
  let validators: [String]

  /// What this and `later`, of the same content, say together: an answer that leaves something out takes nothing back.
  func adding(_ later: ContentIdentity) -> ContentIdentity {
    ContentIdentity(
      size: size ?? later.size,
      validators: zip(validators, later.validators).map { $0.isEmpty ? $1 : $0 })
  }

  /// Whether `other` can't be the same content.
  func differs(from other: ContentIdentity) -> Bool {
    if let size, let later = other.size, size != later { return true }
    return zip(validators, other.validators).contains { before, now in
      !before.isEmpty && !now.isEmpty && before != now
    }
  }
}
