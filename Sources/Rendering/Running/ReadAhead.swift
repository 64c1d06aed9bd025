import AudioCore
import Dispatch

/// Reads a source on a thread of its own, a few pieces ahead of whoever renders them.
///
/// Sendable, because only the reading thread touches the source until ``stop()`` returns, and each buffer
/// belongs to the side that took it from its queue.
final class ReadAhead: BlockFeed, @unchecked Sendable {
  /// Buffers that go round.
  private static let buffers = 3
  private enum Piece {
    case block(ProgrammeBlock)
    case failure(any Error)
  }

  private let source: any ProgrammeSource
  /// Samples of a piece at least.
  private let gathered: Int
  private let free = HandoverQueue<AudioBuffer>()
  private let filled = HandoverQueue<Piece>()
  private let ended = DispatchSemaphore(value: 0)
  /// The piece that was handed out last.
  private var current: ProgrammeBlock?
  private var isStopped = false

  /// Begins to read `source` in pieces of at least `gathered` samples, but for the last.
  init(_ source: any ProgrammeSource, gathered: Int = 8192) {
    self.source = source
    self.gathered = gathered
    for _ in 0..<ReadAhead.buffers {
      free.put(
        AudioBuffer(channels: max(1, source.programme.planes), capacity: 2 * gathered))
    }
    SideThread.start("pinna.read") { [self] in
      read()
      filled.end()
      ended.signal()
    }
  }

  func next() throws -> ProgrammeBlock? {
    if let used = current { free.put(used.audio) }
    current = nil
    switch filled.take() {
    case .block(let block): current = block
    case .failure(let error): throw error
    case nil: break
    }
    return current
  }

  func stop() {
    guard !isStopped else { return }
    isStopped = true
    free.close()
    ended.wait()
  }

  /// Fills buffers until the source ends, fails, or nobody takes them any more.
  private func read() {
    // One block knows the objects' states throughout; what others take over from it brings them along.
    let incoming = ProgrammeBlock(source.programme, capacity: 2 * gathered)
    var more = true
    while more, let buffer = free.take() {
      buffer.removeAll()
      let block = ProgrammeBlock(source.programme, audio: buffer, start: incoming.start)
      do { more = try source.fill(incoming, gathered) } catch {
        return filled.put(.failure(error))
      }
      block.take(incoming)
      filled.put(.block(block))
    }
  }
}
