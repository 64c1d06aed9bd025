// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import MediaIn

/// Single transfers, and the connections that they share.
@Suite(
  .tags(.system), .fullRunOnly, .enabled(if: LoopbackServer.isPresent, "python3 is not here"))
struct WebTransferTests {
  private let folder: TemporaryFolder
  private let server: LoopbackServer
  private let content: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    content = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    try Data(content).write(to: folder.url("a.bin"))
    server = try LoopbackServer(folder: folder.path)
  }

  private static let loopback = IPAddress(bytes: [127, 0, 0, 1])

  private func session(patience: Double = 20) -> WebResource.Session {
    WebResource.Session(
      hosts: HostPolicy(listed: []),
      watch: { TransferWatch(patience: patience, isCancelled: { false }) })
  }

  /// The content of an answer, read in portions of `room` bytes, and bytes that are missing of it.
  private func read(
    _ url: String, _ range: Range<Int64> = 0..<Int64.max, room: Int = 1000,
    session: WebResource.Session
  ) throws -> (bytes: [UInt8], missing: Int64) {
    let address = try #require(WebAddress(url))
    let resource = try WebResource(address, range: range, from: .user, session: session)
    var result: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: room)
    while true {
      let got = try bytes.withUnsafeMutableBytes { try resource.read(into: $0) }
      if got == 0 { return (result, resource.missing) }
      result += bytes.prefix(got)
    }
  }

  private func cause(_ url: String, session: WebResource.Session) -> RemoteFailure.Cause? {
    do {
      _ = try read(url, session: session)
      return nil
    } catch { return (error as? RemoteFailure)?.cause }
  }

  /// A second has to bring 1024 bytes.
  @Test(
    "with a patience of 1 s, 1000 bytes in each tenth of a second reach the end, and 40 bytes stall",
    arguments: [(1000, nil), (40, .stalled)] as [(Int, RemoteFailure.Cause?)])
  func whatComesIsHeldAgainstThePatience(pace: Int, cause: RemoteFailure.Cause?) throws {
    let url = server.base + "a.bin?pace=\(pace)"
    #expect(self.cause(url, session: session(patience: 1)) == cause)
  }

  @Test("ten ranges come over one connection where the server leaves it open")
  func connectionsAreUsedAgain() throws {
    let session = session()
    for start in stride(from: 0, to: 20_000, by: 2000) {
      let range = Int64(start)..<Int64(start) + 2000
      let got = try read(server.base + "a.bin?keep", range, session: session)
      #expect(got.bytes == Array(content[start..<start + 2000]))
    }
    #expect(Set(server.requests.map(\.connection)).count == 1)
    #expect(server.requests.count == 10)
    _ = try read(server.base + "a.bin?keep", session: self.session())
    #expect(Set(server.requests.map(\.connection)).count == 2)
  }

  @Test(
    "a connection that the server has closed meanwhile, or closes at the next request, is no failure",
    arguments: ["drop", "leave"])
  func connectionsThatWereClosedAreMadeAnew(fault: String) throws {
    let session = session()
    for _ in 0..<3 {
      #expect(try read(server.base + "a.bin?\(fault)", session: session).bytes == content)
      usleep(50_000)
    }
    #expect(Set(server.requests.map(\.connection)).count == 3)
  }

  @Test("a transfer that is dropped early isn't read to its end, and the next one is unharmed")
  func whatIsDroppedIsntReadToItsEnd() throws {
    let session = session()
    let address = try #require(WebAddress(server.base + "a.bin?keep&stall"))
    _ = try WebResource(address, range: 0..<Int64.max, from: .user, session: session)
    #expect(try read(server.base + "a.bin?keep", session: session).bytes == content)
    #expect(Set(server.requests.map(\.connection)).count == 2)
  }

  @Test("however fast a server sends, at most 64 KiB wait for being read")
  func aFastServerDoesntFillTheMemory() throws {
    let hostile = try HostileServer(folder: folder.path)
    let address = try #require(
      WebAddress("http://127.0.0.1:\(hostile.ports[0])/raw?head=HTTP/1.1%20200%20x&endless"))
    let request = WebRequest(
      address: address, range: 0..<Int64.max, addresses: [try #require(Self.loopback)], proxy: nil,
      authorities: nil)
    let transfer = try WebTransfer(
      request, over: WebConnections(),
      watch: TransferWatch(patience: 20, isCancelled: { false }))
    _ = try transfer.head()
    var bytes = [UInt8](repeating: 0, count: 1000)
    var most = 0
    for _ in 0..<1000 {
      // Meanwhile the buffers of the system fill.
      if transfer.waiting == 0 { usleep(20_000) }
      let got = try bytes.withUnsafeMutableBytes { try transfer.read(into: $0) }
      try #require(got > 0)
      most = max(most, transfer.waiting)
    }
    #expect(most <= 64 << 10)
  }

  @Test("an open connection is refused to a host that wasn't allowed to be at its address")
  func aConnectionElsewhereIsRefused() throws {
    let connections = WebConnections()
    func ask(_ addresses: [IPAddress]) throws {
      let request = WebRequest(
        address: try #require(
          WebAddress(server.base.replacing("127.0.0.1", with: "localhost") + "a.bin?keep")),
        range: 0..<Int64.max, addresses: addresses, proxy: nil, authorities: nil)
      let transfer = try WebTransfer(
        request, over: connections, watch: TransferWatch(patience: 20, isCancelled: { false }))
      _ = try transfer.head()
      var bytes = [UInt8](repeating: 0, count: 30_000)
      while try bytes.withUnsafeMutableBytes({ try transfer.read(into: $0) }) > 0 {}
    }
    // Without addresses, as behind a proxy, it goes where libcurl finds the name.
    try ask([])
    let failure = #expect(throws: RemoteFailure.self) {
      try ask([try #require(IPAddress(bytes: [127, 0, 0, 2]))])
    }
    #expect(failure?.detail.contains("127.0.0.1") == true)
    #expect(server.requests.count == 1)
  }

  /// The answers of the hostile server are files as they stand.
  private func raw(_ text: String) throws -> (url: String, server: HostileServer) {
    try Data(text.utf8).write(to: folder.url("raw.txt"))
    let hostile = try HostileServer(folder: folder.path)
    return ("http://127.0.0.1:\(hostile.ports[0])/answer?file=raw.txt", hostile)
  }

  @Test("content of plain, sized and chunked answers is the same in portions of any size")
  func contentIsTheSameInAnyPortions() throws {
    for (fields, body, expected) in [
      ("Content-Length: 5", "helloXXX", "hello"), ("Content-Length: 0", "XXX", ""),
      ("X: y", "hello", "hello"),
      ("Transfer-Encoding: chunked", "2\r\nhe\r\n3;a=b\r\nllo\r\n0\r\nT: u\r\n\r\nXXX", "hello"),
      (
        "transfer-encoding:chunked\r\nContent-Length: 1", "A \r\n0123456789\r\n0\r\n\r\n",
        "0123456789"
      ),
    ] {
      let (url, hostile) = try raw(
        "HTTP/1.1 100 C\r\n\r\nHTTP/1.1 200 OK\r\n\(fields)\r\n\r\n\(body)")
      for room in [1, 4, 100] {
        let got = try read(url, room: room, session: session())
        #expect(got.bytes == Array(expected.utf8) && got.missing == 0, "\(fields)")
      }
      withExtendedLifetime(hostile) {}
    }
  }

  @Test(
    "a transfer that breaks off may be tried again",
    arguments: [
      "", "HTTP/1.1 20", "HTTP/1.1 200 OK\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
    ])
  func whatBreaksOffMayBeTriedAgain(text: String) throws {
    let (url, hostile) = try raw(text)
    #expect(cause(url, session: session()) == .transport)
    withExtendedLifetime(hostile) {}
  }

  @Test("an answer that ends after 4 of 10 bytes has 6 missing bytes")
  func contentThatIsMissingIsCounted() throws {
    let (url, hostile) = try raw(
      "HTTP/1.1 206 x\r\nContent-Range: bytes 0-9/*\r\nContent-Length: 10\r\n\r\nabcd")
    let got = try read(url, session: session())
    #expect(got.bytes == Array("abcd".utf8) && got.missing == 6)
    withExtendedLifetime(hostile) {}
  }

  @Test(
    "an answer that breaks a rule isn't asked for again",
    arguments: [
      "x\r\n\r\n", "HTTP/1.1 20\r\n\r\n", "HTTP/1.1 200 x\r\nContent-Length: 1x\r\n\r\n",
      "HTTP/1.1 200 x\r\nContent-Length: -5\r\n\r\n",
      "HTTP/1.1 200 x\r\nnonsense\r\nContent-Length: 1\r\n\r\na",
      "HTTP/1.1 200 x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      "HTTP/1.1 200 x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
      "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
      "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
      "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
      "HTTP/1.1 200 x\r\na: " + String(repeating: "b", count: 200_000),
      "HTTP/1.1 200 x\r\n" + String(repeating: "a: b\r\n", count: 20_000),
      String(repeating: "\r\n", count: 40_000),
      // An extension without end, trailers without end, and a long extension for each byte of content.
      "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n1;"
        + String(repeating: "x", count: 400_000),
      "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
        + String(repeating: "a: b\r\n", count: 20_000),
      "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n"
        + String(
          repeating: "1;" + String(repeating: "x", count: 1000) + "\r\na\r\n", count: 400),
    ])
  func whatBreaksARuleIsRefused(text: String) throws {
    let (url, hostile) = try raw(text)
    #expect(cause(url, session: session()) == .malformed)
    withExtendedLifetime(hostile) {}
  }

  @Test(
    "transfers release all handles",
    .enabled(if: HeldResources.isCounted, "this C library doesn't say what it has given out"))
  func handlesAreGivenBack() async {
    await #expect(processExitsWith: .success) {
      let address = try #require(WebAddress("http://127.0.0.1:1/a"))
      let addresses = [try #require(IPAddress("127.0.0.1"))]
      let lost = HeldResources.lost {
        let request = WebRequest(
          address: address, range: 0..<1, addresses: addresses, proxy: nil, authorities: nil)
        let transfer = try? WebTransfer(
          request, over: WebConnections(),
          watch: TransferWatch(patience: 20, isCancelled: { false }))
        _ = try? transfer?.head()
      }
      #expect(lost == nil, "\(lost ?? "")")
    }
  }
}
