// SPDX-License-Identifier: Apache-2.0
@testable import MediaIn

/// The bytes are heads of answers, and trailers.
func fuzzHTTP(_ bytes: [UInt8]) {
  var lines = HTTPHeadLines()
  var count = 0
  for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
    count += line.count + 1
    do { try lines.add(Array(line) + [0x0A]) } catch { return }
    demand(count <= 2 * HTTPHeadLines.limit, "no more is kept than the limit says")
  }
  guard let head = lines.head else { return }
  demand((200...599).contains(head.status), "the status is final")
  demand(head.validators.count == 2, "there are two validators")
  demand(head.mediaType.map { !$0.contains(";") } ?? true, "the media type has no parameters")
  if let (range, size) = try? head.contentRange() {
    demand(!range.isEmpty && range.lowerBound >= 0, "the range has bytes")
    demand(range.upperBound <= size ?? .max, "the range lies inside")
  }
  if let length = try? head.length() { demand(length >= 0, "no length is negative") }
}
