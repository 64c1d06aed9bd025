// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Dispatch
import Platform

/// Reads a source on a thread of its own, a few blocks ahead of whoever renders them.
///
/// Sendable, because only the reading thread touches the source and its time until ``stop()`` returns, and each buffer
/// belongs to the side that took it from its queue.
final class ReadAhead: BlockFeed, @unchecked Sendable {
  /// Batches that go round, and the buffers of each.
  private static let (batches, buffers) = (3, 8)
  /// Blocks that change threads together. Handing over each would cost a wake-up of the other thread; gathering
  /// them into one would cost a copy.
  private enum Batch {
    case blocks([ProgrammeBlock], free: [AudioBuffer])
    case failure(any Error)
  }

  private let source: any ProgrammeSource
  private let stages: StageTimes
  /// Samples of a batch at least, unless its buffers are fewer than the source's blocks.
  private let gathered: Int
  private let free = HandoverQueue<[AudioBuffer]>()
  private let filled = HandoverQueue<Batch>()
  private let ended = DispatchSemaphore(value: 0)
  /// The batch that is being handed out: its blocks, the number of the next one, and the buffers left empty.
  private var blocks: [ProgrammeBlock] = []
  private var number = 0
  private var spare: [AudioBuffer] = []
  private var isStopped = false
  /// Processor seconds that reading took.
  private var seconds = 0.0

  /// Begins to read `source` in batches of about `gathered` samples; ``stop()`` adds what that took to `stages`.
  init(_ source: any ProgrammeSource, _ stages: StageTimes, gathered: Int = 8192) {
    self.source = source
    self.stages = stages
    self.gathered = gathered
    let planes = max(1, source.programme.planes)
    for _ in 0..<ReadAhead.batches {
      free.put((0..<ReadAhead.buffers).map { _ in AudioBuffer(channels: planes) })
    }
    SideThread.start("pinna.read") { [self] in
      let start = SystemClock.thread
      read()
      seconds = SystemClock.thread - start
      filled.end()
      ended.signal()
    }
  }

  func next() throws -> ProgrammeBlock? {
    if number == blocks.count, try !nextBatch() { return nil }
    number += 1
    return blocks[number - 1]
  }

  /// Returns the buffers of the batch before and takes the next one; `false` at the end.
  private func nextBatch() throws -> Bool {
    let used = blocks.map(\.audio) + spare
    (blocks, spare, number) = ([], [], 0)
    if !used.isEmpty { free.put(used) }
    switch filled.take() {
    case .blocks(let fresh, let rest): (blocks, spare) = (fresh, rest)
    case .failure(let error): throw error
    case nil: return false
    }
    return true
  }

  func stop() {
    guard !isStopped else { return }
    isStopped = true
    free.close()
    ended.wait()
    stages.add(.read, seconds)
  }

  /// Fills batches until the source ends, fails, or nobody takes them any more.
  private func read() {
    // One block knows the objects' states throughout; what others take over from it brings them along.
    let incoming = ProgrammeBlock(source.programme)
    var more = true
    while more, let buffers = free.take() {
      var blocks: [ProgrammeBlock] = []
      var frames = 0
      do {
        while more, frames < gathered, blocks.count < buffers.count {
          let buffer = buffers[blocks.count]
          buffer.removeAll()
          let block = ProgrammeBlock(source.programme, audio: buffer, start: incoming.start)
          more = try source.read(into: incoming)
          block.take(incoming)
          frames += block.frames
          blocks.append(block)
        }
      } catch {
        return filled.put(.failure(error))
      }
      filled.put(.blocks(blocks, free: Array(buffers[blocks.count...])))
    }
  }
}

/// Delivers the sound of a source in pieces that are large enough to be worth a call.
protocol BlockFeed: AnyObject {
  /// The next piece, valid until the next call; `nil` at the end.
  /// - Throws: what the source throws.
  func next() throws -> ProgrammeBlock?

  /// Ends the reading; the source may be used by others then.
  func stop()
}

/// Reads a source when a piece is asked for.
final class DirectFeed: BlockFeed {
  /// Samples gathered before they are passed on: calls for every small packet would cost time.
  private static let gathered = 4096

  private let source: any ProgrammeSource
  private let stages: StageTimes
  private let block: ProgrammeBlock
  private var isAtEnd = false

  /// A feed from `source`; what reading takes goes to `stages`.
  init(_ source: any ProgrammeSource, _ stages: StageTimes) {
    self.source = source
    self.stages = stages
    block = ProgrammeBlock(source.programme, capacity: 2 * DirectFeed.gathered)
  }

  func next() throws -> ProgrammeBlock? {
    guard !isAtEnd else { return nil }
    block.removeAll()
    isAtEnd = try stages.time(.read) { try !source.fill(block, DirectFeed.gathered) }
    return block
  }

  func stop() {}
}

extension RunProgress {
  /// The blocks of `source`, read ahead where the run may have two threads.
  func feed(_ source: any ProgrammeSource, threads: Int) -> any BlockFeed {
    threads > 1 ? ReadAhead(source, stages) : DirectFeed(source, stages)
  }
}

extension ProgrammeSource {
  /// Appends pieces to `block` until it has `count` samples or more; `false` at the end.
  /// - Throws: what the source throws.
  func fill(_ block: ProgrammeBlock, _ count: Int) throws -> Bool {
    while block.frames < count {
      guard try read(into: block) else { return false }
    }
    return true
  }
}
