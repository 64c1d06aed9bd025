// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Dispatch
import Loudness
import Platform
import Signal
import Verify

/// Takes account of the samples that are written.
protocol SoundAccount: AnyObject {
  /// Adds the next samples; the buffer may change afterwards.
  /// - Throws: ``MediaError`` when samples can't be measured.
  func add(_ block: AudioBuffer) throws

  /// The account of everything that was added. Call once.
  /// - Throws: as ``add(_:)``.
  func close() throws -> WrittenSound.Account
}

/// Measures the samples of a lossless output, and keeps a checksum of their bytes: when the file holds the
/// same bytes, the figures are those of the file.
final class DirectAccount: SoundAccount {
  private let meter: LoudnessMeter
  private let spectrum: LongTermSpectrum
  private let checksum: ByteChecksum
  private var packed: PackedBlock

  /// An account of `format`, whose samples the proof reads as `stored`; `isDualMono` as the meter takes
  /// it.
  /// - Throws: ``MediaError`` when they can't be measured.
  init(format: AudioFormat, isDualMono: Bool, stored: SampleFormat) throws {
    meter = try LoudnessMeter(format: format, dualMono: isDualMono, needsLoudness: false)
    spectrum = LongTermSpectrum(format: format)
    checksum = try ByteChecksum()
    packed = PackedBlock(stored)
  }

  func add(_ block: AudioBuffer) throws {
    try meter.add(block)
    spectrum.add(block)
    packed.withBytes(block) { checksum.update($0) }
  }

  func close() -> WrittenSound.Account {
    WrittenSound.Account(
      checksum: checksum.finish(), statistics: meter.statistics(), spectrum: spectrum.levels)
  }
}

/// An account that is kept on a thread of its own, while the next samples are being written.
final class ThreadedAccount: SoundAccount {
  /// Buffers that go round.
  private static let buffers = 2

  /// The state that both threads share.
  ///
  /// Sendable, because only the account's thread touches the account, the failure and the time until it has ended, and
  /// each buffer belongs to the side that took it from its queue.
  private final class Work: @unchecked Sendable {
    let account: any SoundAccount
    let free = HandoverQueue<AudioBuffer>()
    let filled = HandoverQueue<AudioBuffer>()
    let ended = DispatchSemaphore(value: 0)
    var failure: (any Error)?
    var seconds = 0.0

    init(_ account: any SoundAccount) { self.account = account }

    func run() {
      let start = SystemClock.thread
      while let buffer = filled.take() {
        if failure == nil { do { try account.add(buffer) } catch { failure = error } }
        buffer.removeAll()
        free.put(buffer)
      }
      seconds = SystemClock.thread - start
      ended.signal()
    }
  }

  private let work: Work
  private let stages: StageTimes

  /// Keeps `account` of `channels` channels; ``close()`` adds what that took to `stages`.
  init(_ account: any SoundAccount, channels: Int, _ stages: StageTimes) {
    self.stages = stages
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
    stages.add(.account, work.seconds)
    if let failure = work.failure { throw failure }
    return try work.account.close()
  }
}

/// The facts about the samples that went into a file while it was written.
struct WrittenSound {
  /// The samples as every reader of the file must find them.
  struct Account {
    /// Checksum of their bytes in the form that ``SoundAccount`` was made for.
    let checksum: [UInt8]
    /// Loudness of the samples.
    let statistics: LoudnessStatistics
    /// Levels of ``LongTermSpectrum/frequencies``, dB.
    let spectrum: [Double?]
  }

  /// Samples that had to be clipped to full scale.
  let clipped: Int64
  /// Checksum of the bytes of the samples, in the form that the proof reads; `nil` for a lossy encoding.
  let checksum: [UInt8]?
  /// `nil` for a lossy encoding, whose readers get other samples than were written, and for planes that are kept.
  let account: Account?
}
