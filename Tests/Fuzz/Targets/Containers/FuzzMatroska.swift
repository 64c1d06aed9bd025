// SPDX-License-Identifier: Apache-2.0
import Matroska

@testable import MediaIn

/// The bytes are a file of Matroska with chapters.
func fuzzMatroska(_ bytes: [UInt8]) {
  guard let head = try? MatroskaHead(FuzzInput.source(bytes)) else { return }
  demand(head.segment.end <= bytes.count, "a segment ends with the file")
  let editions = MatroskaEditions(head)
  // An atom has an identifier and a length.
  demand(editions.outermost * 2 <= bytes.count, "a chapter takes bytes of the file")
  demand(
    editions.nested.count * 2 <= bytes.count, "a chapter within another takes bytes of the file")
  demand(editions.refusal?.isEmpty != true, "a refusal has a reason")
}
