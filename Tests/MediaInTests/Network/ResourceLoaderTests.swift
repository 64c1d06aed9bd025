// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import LibAV
import TestSupport
import Testing

@testable import MediaIn

/// Transfers over http, good and bad.
@Suite(
  .tags(.system), .fullRunOnly, .enabled(if: LoopbackServer.isPresent, "python3 is not here"),
  .serialized)
struct ResourceLoaderTests {
  private let folder: TemporaryFolder
  private let server: LoopbackServer
  private let content: [UInt8]

  init() throws {
    LibAVLog.install()
    folder = try TemporaryFolder()
    var noise = SeededNoise(seed: 11)
    content = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &noise) }
    try Data(content).write(to: folder.url("a.bin"))
    try Data().write(to: folder.url("empty.bin"))
    server = try LoopbackServer(folder: folder.path)
  }

  private func fetch(
    _ path: String, range: Range<Int64>? = nil, limit: Int = 1 << 20, patience: Double = 20,
    isCancelled: @escaping () -> Bool = { false }
  ) throws -> (bytes: [UInt8], arrival: ResourceLoader.Arrival) {
    let address = try #require(WebAddress(path.hasPrefix("http") ? path : server.base + path))
    let policy = ResourceLoader.Policy(tries: 4, firstPause: 0.01, patience: patience)
    let loader = ResourceLoader(policy: policy, isCancelled: isCancelled)
    return try loader.bytes(.web(address), range: range, limit: limit, from: .user)
  }

  private func failure(
    _ path: String, range: Range<Int64>? = nil, limit: Int = 1 << 20, patience: Double = 20
  ) -> MediaError? {
    do {
      _ = try fetch(path, range: range, limit: limit, patience: patience)
      return nil
    } catch { return error as? MediaError }
  }

  @Test(
    "300,000 bytes arrive whole with and without ranges, chunked and after a redirection",
    arguments: [
      "a.bin", "a.bin?norange", "a.bin?norange&chunked", "a.bin?chunked", "a.bin?redirect=/a.bin",
    ])
  func everythingArrives(path: String) throws {
    let result = try fetch(path)
    #expect(result.bytes == content)
    #expect(result.arrival.isSizeKnown == !path.contains("norange&chunked"))
  }

  @Test("an empty file arrives as no bytes")
  func anEmptyFileIsEmpty() throws {
    #expect(try fetch("empty.bin?norange").bytes.isEmpty)
  }

  @Test("ranges arrive to the byte, and the first bytes also from a server without ranges")
  func rangesAreExact() throws {
    #expect(try fetch("a.bin", range: 1000..<1001).bytes == [content[1000]])
    #expect(try fetch("a.bin", range: 0..<7).bytes == Array(content[..<7]))
    #expect(try fetch("a.bin", range: 299_990..<300_000).bytes == Array(content.suffix(10)))
    #expect(try fetch("a.bin?norange", range: 0..<7).bytes == Array(content[..<7]))
    #expect(server.requests.first?.range == "bytes=1000-1000")
  }

  @Test("a range beyond the end, or in the middle from a server without ranges, is refused")
  func aRangeBeyondTheEndIsAnError() {
    #expect(failure("a.bin", range: 299_990..<300_001)?.kind == .inputUnreadable)
    #expect(failure("a.bin", range: 300_000..<300_001)?.kind == .inputUnreadable)
    let plain = failure("a.bin?norange", range: 10..<20)
    #expect(plain?.kind == .inputUnreadable)
    #expect(plain?.message.contains("parts of a file") == true)
  }

  @Test("a broken transfer goes on at the byte where it broke")
  func aBrokenTransferGoesOnWhereItBroke() throws {
    #expect(try fetch("a.bin?cut=100000&times=2").bytes == content)
    #expect(server.requests.map(\.range) == ["bytes=0-", "bytes=100000-", "bytes=200000-"])
    #expect(try fetch("a.bin?cut=50&times=1", range: 100..<200).bytes == Array(content[100..<200]))
    #expect(server.requests.suffix(2).map(\.range) == ["bytes=100-199", "bytes=150-199"])
  }

  @Test("a broken transfer from a server without ranges begins again")
  func withoutRangesItBeginsAgain() throws {
    #expect(try fetch("a.bin?cut=100000&norange").bytes == content)
  }

  @Test("a transfer that always breaks is unavailable after four requests")
  func aTransferThatAlwaysBreaksIsNoShorterFile() {
    let error = failure("a.bin?cut=1000&times=99")
    #expect(error?.kind == .unavailable)
    #expect(server.requests.count == 4)
    #expect(failure("a.bin?cut=1000&times=99&norange")?.kind == .unavailable)
  }

  @Test(
    "statuses 408, 429, 500 and 503 are unavailable after four tries, and other errors after one",
    arguments: [
      (500, MediaError.Kind.unavailable, 4), (503, .unavailable, 4), (429, .unavailable, 4),
      (408, .unavailable, 4), (404, .inputMissing, 1), (410, .inputMissing, 1),
      (403, .inputUnreadable, 1), (401, .inputUnreadable, 1), (400, .inputUnreadable, 1),
      (451, .inputUnreadable, 1),
    ])
  func statusesAreToldApart(status: Int, kind: MediaError.Kind, tries: Int) {
    let error = failure("a.bin?fail=\(status)")
    #expect(error?.kind == kind)
    #expect(error?.message.contains("HTTP \(status)") == true)
    #expect(server.requests.count == tries)
  }

  @Test("a server that answers 503 twice gives the content at the third request")
  func aServerThatRecoversIsWaitedFor() throws {
    #expect(try fetch("a.bin?fail=503&times=2").bytes == content)
    #expect(server.requests.count == 3)
  }

  @Test("a server that sends nothing within the limit ends the transfer")
  func silenceEndsATransfer() {
    let error = failure("a.bin?stall", patience: 0.4)
    #expect(error?.kind == .unavailable)
    #expect(error?.message.contains("nothing or too little") == true)
  }

  @Test("a transfer that is cancelled ends as interrupted")
  func aCancelledTransferStops() {
    var polls = 0
    let error = #expect(throws: MediaError.self) {
      try fetch("a.bin?stall") {
        polls += 1
        return polls > 3
      }
    }
    #expect(error?.kind == .interrupted)
  }

  @Test("a refused connection is an unreadable input without the password in its message")
  func nobodyThere() {
    let error = failure("http://user:secret@127.0.0.1:1/a.bin")
    #expect(error?.kind == .inputUnreadable)
    #expect(error?.message.contains("127.0.0.1:1") == true)
    #expect(error?.message.contains("secret") == false)
  }

  @Test("a redirection to a file or another protocol is refused as unreadable")
  func redirectionsStayOnTheWeb() {
    #expect(failure("a.bin?redirect=file://\(folder.file("a.bin"))")?.kind == .inputUnreadable)
    #expect(failure("a.bin?redirect=concat:a.bin")?.kind == .inputUnreadable)
  }

  @Test("content beyond a limit of 1000 bytes is refused, and the error states the limit")
  func whatIsTooLongIsRefused() {
    #expect(failure("a.bin", limit: 1000)?.message.contains("1000 bytes") == true)
  }

  /// The server states the length of a playlist that is longer than any real one, so nothing more of it is fetched.
  @Test("a playlist beyond the limit is refused by its stated length after one request")
  func aHugePlaylistIsRefusedByItsStatedLength() throws {
    let huge = Data("#EXTM3U\n".utf8) + Data(count: PlaylistLine.limit)
    try huge.write(to: folder.url("a.m3u8"))
    let error = failure("a.m3u8?cut=100000", limit: 2 * PlaylistLine.limit)
    #expect(error?.kind == .inputUnreadable)
    #expect(error?.message.contains("\(PlaylistLine.limit) bytes") == true)
    #expect(server.requests.count == 1)
  }

  /// Ranges of one address are parts of one content, so another content that is there by then is refused.
  @Test("content that changes between two ranges is refused as unavailable")
  func aContentThatChangesBetweenRangesIsRefused() throws {
    let address = try #require(WebAddress(server.base + "a.bin"))
    let policy = ResourceLoader.Policy(tries: 1, firstPause: 0.01, patience: 20)
    let loader = ResourceLoader(policy: policy, isCancelled: { false })
    func part(_ range: Range<Int64>) throws -> [UInt8] {
      try loader.bytes(.web(address), range: range, limit: 100, from: .user).bytes
    }
    #expect(try part(0..<100) == Array(content[..<100]))
    #expect(try part(100..<200) == Array(content[100..<200]))
    try Data(content.dropLast()).write(to: folder.url("a.bin"))
    let error = #expect(throws: MediaError.self) { try part(200..<300) }
    #expect(error?.kind == .unavailable)
  }

  @Test("the media type of an answer is kept in lower case without parameters")
  func theMediaTypeIsKept() throws {
    #expect(try fetch("a.bin?type=Audio/X%3Bb=c").arrival.mediaType == "audio/x")
  }

  @Test("each of eight transfers that fail at once has its own status in its error")
  func severalTransfersAtOnceKeepTheirFailuresApart() async throws {
    let base = server.base
    await withTaskGroup(of: (Int, MediaError?).self) { group in
      for status in [404, 403, 503, 429, 451, 410, 500, 401] {
        group.addTask {
          let policy = ResourceLoader.Policy(tries: 2, firstPause: 0.01, patience: 20)
          let loader = ResourceLoader(policy: policy, isCancelled: { false })
          do {
            let address = try #require(WebAddress(base + "a.bin?fail=\(status)"))
            _ = try loader.bytes(.web(address), limit: 100, from: .user)
            return (status, nil)
          } catch { return (status, error as? MediaError) }
        }
      }
      for await (status, error) in group {
        #expect(error?.message.contains("HTTP \(status)") == true, "\(status)")
      }
    }
  }
}
