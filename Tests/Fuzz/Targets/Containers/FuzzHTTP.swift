@testable import MediaIn

/// The first byte is how many bytes come at once, the rest an answer of HTTP.
func fuzzHTTP(_ bytes: [UInt8]) {
  guard let step = bytes.first else { return }
  let whole = content(bytes.dropFirst(), step: .max)
  demand(content(bytes.dropFirst(), step: Int(step) + 1) == whole, "portions don't matter")
}

/// The content of an answer of which `step` bytes come at once; `nil` for one that is refused.
private func content(_ bytes: ArraySlice<UInt8>, step: Int) -> [UInt8]? {
  var rest = bytes
  let reader = HTTPReader { room in
    let count = min(step, rest.count, room.count)
    room.copyBytes(from: rest.prefix(count))
    rest = rest.dropFirst(count)
    return count
  }
  do {
    let head = try reader.head()
    demand((200...599).contains(head.status), "the status is final")
    if let (range, size) = try? head.contentRange() {
      demand(!range.isEmpty && range.upperBound <= size ?? .max, "the range lies inside")
    }
    let framing = try head.framing()
    reader.begin(framing)
    var result: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 100)
    while true {
      let got = try room.withUnsafeMutableBytes { try reader.read(into: $0) }
      if got == 0 { break }
      result += room.prefix(got)
    }
    demand(result.count <= bytes.count, "no byte is made up")
    if case .length(let length) = framing { demand(result.count <= length, "the length is kept") }
    return result
  } catch { return nil }
}
