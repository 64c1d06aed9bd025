import AudioCore
import Foundation
import LibAV
import MediaIn
import TestSupport
import Testing

/// Error messages for files that can't be opened.
struct OpenFailureTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A box of `name` around `content`.
  private func box(_ name: String, _ content: [UInt8]) -> Data {
    let size = UInt32(8 + content.count)
    return Data((0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + Array(name.utf8))
      + Data(content)
  }

  private func failure(_ path: String) -> MediaError? {
    do {
      _ = try MediaFile(path: path)
      return nil
    } catch { return error as? MediaError }
  }

  /// An MP4 without a movie box, of which libavformat says so.
  private func writeMovieWithoutHeader() throws -> String {
    let path = folder.file("movie.mp4")
    let data =
      box("ftyp", Array("isom0000isom".utf8)) + box("mdat", [UInt8](repeating: 1, count: 64))
    try data.write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test("a file that can't be opened quotes libav's log line") func itsOwnLogLineIsQuoted() throws {
    LibAVLog.install()
    let found = try #require(failure(try writeMovieWithoutHeader()))
    #expect(found.kind == .inputUnreadable)
    #expect(found.message.contains("moov atom not found"))
    #expect(found.cause is LibAVError)
  }

  @Test("a log line of another thread isn't quoted") func anotherThreadsLogLineIsNot() throws {
    LibAVLog.install()
    let movie = try writeMovieWithoutHeader()
    let text = folder.file("text.bin")
    try Data(repeating: 0x41, count: 4096).write(to: URL(fileURLWithPath: text))
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      _ = try? MediaFile(path: movie)
      done.signal()
    }
    done.wait()
    let found = try #require(failure(text))
    #expect(found.subject == text)
    #expect(!found.message.contains("moov"))
  }
}
