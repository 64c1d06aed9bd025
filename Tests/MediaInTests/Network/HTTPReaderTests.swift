import LibAV
import Testing

@testable import MediaIn

/// Answers of HTTP/1 as bytes.
@Suite struct HTTPReaderTests {
  /// A reader of `text` that gets `step` bytes at a time.
  private func reader(_ text: String, step: Int = .max) -> HTTPReader {
    var rest = Array(text.utf8)[...]
    return HTTPReader { room in
      let count = min(step, rest.count, room.count)
      room.copyBytes(from: rest.prefix(count))
      rest = rest.dropFirst(count)
      return count
    }
  }

  private func content(_ reader: HTTPReader, room: Int) throws -> String {
    var result: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: room)
    while true {
      let got = try bytes.withUnsafeMutableBytes { try reader.read(into: $0) }
      if got == 0 { return String(decoding: result, as: UTF8.self) }
      result += bytes.prefix(got)
    }
  }

  private func cause(_ text: String) -> RemoteFailure.Cause? {
    do {
      let reader = reader(text)
      let head = try reader.head()
      reader.begin(try head.framing())
      _ = try content(reader, room: 100)
      return nil
    } catch { return (error as? RemoteFailure)?.cause }
  }

  @Test(
    "content of plain, sized and chunked answers is the same in portions of any size",
    arguments: [1, 2, 3, 7, Int.max])
  func contentIsTheSameInAnyPortions(step: Int) throws {
    for (fields, body, expected) in [
      ("Content-Length: 5", "helloXXX", "hello"), ("Content-Length: 0", "XXX", ""),
      ("X: y", "hello", "hello"),
      ("Transfer-Encoding: chunked", "2\r\nhe\r\n3;a=b\r\nllo\r\n0\r\nT: u\r\n\r\nXXX", "hello"),
      (
        "transfer-encoding:chunked\r\nContent-Length: 1", "A \r\n0123456789\r\n0\r\n\r\n",
        "0123456789"
      ),
    ] {
      for room in [1, 4, 100] {
        let reader = reader(
          "HTTP/1.1 100 C\r\n\r\n\r\nHTTP/1.0 200 OK\r\n\(fields)\r\n\r\n\(body)", step: step)
        let head = try reader.head()
        #expect(head.status == 200)
        reader.begin(try head.framing())
        #expect(try content(reader, room: room) == expected)
      }
    }
  }

  @Test("media type, validators and content range of an answer are read")
  func fieldsAreRead() throws {
    let head = try reader(
      "HTTP/1.1 206 Partial\nCONTENT-type: Audio/X; a=b\r\nETag:\t\"1\" \r\nnonsense\r\nContent-Range: bytes 5-9/20\r\n\r\n"
    ).head()
    #expect(head.mediaType == "audio/x" && head.validators == ["\"1\"", ""])
    #expect(try head.contentRange().range == 5..<10 && head.contentRange().size == 20)
  }

  @Test(
    "a transfer that breaks off may be tried again",
    arguments: [
      "", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
    ]) func whatBreaksOffMayBeTriedAgain(text: String)
  { #expect(cause(text) == .transport) }

  @Test(
    "an answer that is no HTTP is refused",
    arguments: [
      "x\r\n\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.1 20\r\n\r\n", "HTTP/1.1 2000\r\n\r\n",
      "HTTP/1.1 099 x\r\n\r\n", "HTTP/1.1 200 x\r\nContent-Length: 1x\r\n\r\n",
      "HTTP/1.1 200 x\r\nContent-Length: +1\r\n\r\n", "HTTP/1.1 200 x\r\nContent-Length:\r\n\r\n",
      "HTTP/1.1 200 x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      "HTTP/1.1 200 x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
      "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
      "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
      "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
      "HTTP/1.1 200 x\r\na: " + String(repeating: "b", count: 70_000),
      "HTTP/1.1 200 x\r\n" + String(repeating: "a: b\r\n", count: 20_000),
      String(repeating: "\r\n", count: 40_000),
      // A long extension for each byte of content.
      "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n"
        + String(
          repeating: "1;" + String(repeating: "x", count: 1000) + "\r\na\r\n", count: 70),
    ]) func whatIsNoHTTPIsRefused(text: String)
  { #expect(cause(text) == .malformed) }

  @Test(
    "a content range that is incomplete or contradicts itself is refused",
    arguments: [
      "", "bytes 5-9", "bytes 9-5/20", "bytes 5-20/20", "bytes -9/20", "bytes */20", "items 5-9/20",
      "bytes 5-9/x", "bytes 5-99999999999999999999/*",
    ])
  func rangesThatMakeNoSenseAreRefused(text: String) throws {
    let head = try reader("HTTP/1.1 206 x\r\nContent-Range: \(text)\r\n\r\n").head()
    #expect(throws: RemoteFailure.self) { try head.contentRange() }
  }

  /// The reader learns how many bytes are missing, since the connection's end alone looks like that of the content.
  @Test("an answer that ends after 4 of 10 bytes has 6 missing bytes")
  func contentThatIsMissingIsCounted() throws {
    let reader = reader(
      "HTTP/1.1 206 x\r\nContent-Range: bytes 0-9/*\r\nContent-Length: 10\r\n\r\nabcd")
    reader.begin(try reader.head().framing())
    #expect(try content(reader, room: 3) == "abcd" && reader.missing == 6)
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
