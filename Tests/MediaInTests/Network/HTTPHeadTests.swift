// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import MediaIn

/// Heads of answers, line by line.
@Suite struct HTTPHeadTests {
  /// Lines of `text` with their ends, as libcurl hands them over.
  private func head(_ text: String) throws -> HTTPHeadLines {
    var lines = HTTPHeadLines()
    for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
      try lines.add(Array(line) + [0x0A])
    }
    return lines
  }

  @Test("media type, validators and content range of an answer are read")
  func fieldsAreRead() throws {
    let head = try #require(
      head(
        "HTTP/1.1 206 Partial\nCONTENT-type: Audio/X; a=b\r\nETag:\t\"1\" \r\nnonsense\r\nContent-Range: bytes 5-9/20\r\n\r\n"
      ).head)
    #expect(head.mediaType == "audio/x" && head.validators == ["\"1\"", ""])
    #expect(try head.contentRange().range == 5..<10 && head.contentRange().size == 20)
  }

  @Test("interim answers are passed over, and trailers aren't fields")
  func onlyTheFinalAnswerCounts() throws {
    let lines = try head(
      "HTTP/1.1 100 C\r\nETag: 1\r\n\r\nHTTP/2 200 \r\na: b\r\n\r\nETag: 2\r\n\r\n")
    #expect(lines.head?.status == 200 && lines.head?["a"] == "b")
    #expect(lines.head?.validators == ["", ""])
    #expect(try head("HTTP/1.1 100 C\r\n\r\n").head == nil)
  }

  @Test("a content has the stated length, unless it comes in chunks")
  func lengthsAreRead() throws {
    for (fields, length) in [
      ("Content-Length: 5", 5), ("Content-Length: 5\r\ncontent-length: 5", 5), ("X: y", nil),
      ("transfer-encoding:Chunked\r\nContent-Length: 1", nil),
      ("Transfer-Encoding: identity\r\nContent-Length: 1", 1),
    ] as [(String, Int64?)] {
      #expect(try head("HTTP/1.1 200 x\r\n\(fields)\r\n\r\n").head?.length() == length)
    }
  }

  @Test(
    "a length that is none, and an unknown transfer coding, are refused",
    arguments: [
      "Content-Length: 1x", "Content-Length: +1", "Content-Length:",
      "Content-Length: 1\r\nContent-Length: 2", "Transfer-Encoding: gzip, chunked",
    ])
  func lengthsThatMakeNoSenseAreRefused(fields: String) throws {
    let head = try #require(head("HTTP/1.1 200 x\r\n\(fields)\r\n\r\n").head)
    #expect(throws: RemoteFailure.self) { try head.length() }
  }

  @Test(
    "a head that is none of HTTP or has no end is refused",
    arguments: [
      "x\r\n\r\n", "HTTP/3 200\r\n\r\n", "HTTP/1.1 20\r\n\r\n", "HTTP/1.1 2000\r\n\r\n",
      "HTTP/1.1 099 x\r\n\r\n",
      "HTTP/1.1 200 x\r\na: " + String(repeating: "b", count: 70_000) + "\r\n",
      "HTTP/1.1 200 x\r\n" + String(repeating: "a: b\r\n", count: 20_000),
      String(repeating: "HTTP/1.1 100 x\r\n\r\n", count: 4000),
      "HTTP/1.1 200 x\r\n\r\n" + String(repeating: "a: b\r\n", count: 20_000),
    ])
  func whatIsNoHTTPIsRefused(text: String) {
    let failure = #expect(throws: RemoteFailure.self) { try head(text) }
    #expect(failure?.cause == .malformed)
  }

  @Test(
    "a content range that is incomplete or contradicts itself is refused",
    arguments: [
      "", "bytes 5-9", "bytes 9-5/20", "bytes 5-20/20", "bytes -9/20", "bytes */20", "items 5-9/20",
      "bytes 5-9/x", "bytes 5-99999999999999999999/*",
    ])
  func rangesThatMakeNoSenseAreRefused(text: String) throws {
    let head = try #require(head("HTTP/1.1 206 x\r\nContent-Range: \(text)\r\n\r\n").head)
    #expect(throws: RemoteFailure.self) { try head.contentRange() }
  }

  @Test("a field missing in an answer takes nothing back")
  func whatAnAnswerLeavesOutTakesNothingBack() {
    let first = ContentIdentity(size: 10, validators: ["a", ""])
    let empty = ContentIdentity(size: nil, validators: ["", ""])
    let both = first.adding(empty)
    #expect(both.size == 10 && both.validators == ["a", ""])
    #expect(both.differs(from: ContentIdentity(size: nil, validators: ["b", ""])))
    #expect(empty.adding(first).size == 10)
  }
}
