import Foundation
import TestSupport
import Testing

@testable import LibAV

/// A connection to a server of this machine.
@Suite(
  .tags(.system), .fullRunOnly, .enabled(if: LoopbackServer.isPresent, "python3 is not here"))
struct RemoteConnectionTests {
  /// A clock that stands still, except that each read waits for 0.3 s.
  private final class ReadingClock {
    private var seconds = 0.0
    private var questions = 2

    /// A read follows, which asks for the time when it begins and again while it waits.
    func beginRead() { questions = 0 }

    var now: Double {
      questions += 1
      if questions == 2 { seconds += 0.3 }
      return seconds
    }
  }

  /// Four reads take longer than the patience, in which 1024 bytes have to come.
  @Test(
    "with a patience of 1 s, reads of 1000 bytes in 0.3 s each reach the end, and reads of 100 bytes stall",
    arguments: [(1000, nil), (100, .stalled)] as [(Int, RemoteFailure.Cause?)])
  func whatComesIsHeldAgainstThePatience(count: Int, cause: RemoteFailure.Cause?) throws {
    LibAVLog.install()
    let folder = try TemporaryFolder()
    try Data(count: 20_000).write(to: folder.url("a.bin"))
    let server = try LoopbackServer(folder: folder.path)
    let target = RemoteConnection.Target(
      host: "127.0.0.1", port: try #require(URL(string: server.base)?.port), isSecure: false)
    let clock = ReadingClock()
    let connection = try RemoteConnection(
      target, authorities: nil,
      watch: TransferWatch(patience: 1, now: { clock.now }, isCancelled: { false }))
    try connection.write(Array("GET /a.bin HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8))
    var bytes = [UInt8](repeating: 0, count: count)
    var (got, total) = (0, 0)
    var failure: RemoteFailure?
    repeat {
      clock.beginRead()
      do {
        got = try bytes.withUnsafeMutableBytes { room in
          try connection.read(into: room, hasAnswered: total > 0)
        }
      } catch let error as RemoteFailure {
        (got, failure) = (0, error)
      }
      total += got
    } while got > 0
    #expect(failure?.cause == cause)
    // The head comes before the content.
    #expect((total > 20_000) == (cause == nil), "\(total) bytes")
  }
}
