import AudioCore
import Dispatch

/// An account that is kept on a thread of its own, while the next samples are being written.
final class ThreadedAccount: SoundAccount {
  /// Buffers that go round.
  private static let buffers = 2

  /// What both threads know.
  ///
  /// Sendable, because only the account's thread touches the account and the failure until it has ended, and
  /// each buffer belongs to the side that took it from its queue.
  private final class Work: @unchecked Sendable {
    let account: any SoundAccount
    let free = HandoverQueue<AudioBuffer>()
    let filled = HandoverQueue<AudioBuffer>()
    let ended = DispatchSemaphore(value: 0)
    var failure: (any Error)?

    init(_ account: any SoundAccount) { self.account = account }

    func run() {
      while let buffer = filled.take() {
        if failure == nil { do { try account.add(buffer) } catch { failure = error } }
        buffer.removeAll()
        free.put(buffer)
      }
      ended.signal()
    }
  }

  private let work: Work

  /// Keeps `account` of `channels` channels.
  init(_ account: any SoundAccount, channels: Int) {
    let work = Work(account)
    for _ in 0..<ThreadedAccount.buffers { work.free.put(AudioBuffer(channels: channels)) }
    SideThread.start("pinna.account") { work.run() }
    self.work = work
  }

  // After a failure elsewhere nobody closes the account.
  deinit { work.filled.close() }

  func add(_ block: AudioBuffer) {
    guard let buffer = work.free.take() else { return }
    buffer.append(block)
    work.filled.put(buffer)
  }

  func close() throws -> WrittenSound.Account {
    work.filled.end()
    work.ended.wait()
    if let failure = work.failure { throw failure }
    return try work.account.close()
  }
}
