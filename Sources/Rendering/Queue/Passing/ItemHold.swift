import AudioCore
import Loudness
import Platform
import PlayQueue

/// What takes the rendered samples of an item.
protocol ItemSink: AnyObject {
  /// Adds all of `samples`, the first at sample `start` of the programme, as a part of `item`.
  /// - Throws: ``MediaError`` when they can't be stored.
  func add(_ samples: AudioBuffer, at start: Int64, of item: PlacedItem) throws
}

extension OverlapSum: ItemSink {}

/// Holds one item back until its loudness is known, and then adds it up at the level that it is to have.
final class ItemHold: ItemSink {
  /// What was solved for the item.
  struct Level: Sendable {
    /// Its loudness in LUFS before the gain; `nil` for silence.
    let integrated: Double?
    /// The gain in dB that brings it to its target; 0 for silence.
    let gain: Double
  }

  private let descriptor: Int32
  private let spool: Spool
  private let meter: LoudnessMeter
  private let part: AudioBuffer
  /// Sample of the programme at which the first stored one lies; `nil` before there is one.
  private var start: Int64?

  /// Holds an item of `format` with at most `memory` bytes; what is more goes to a temporary file.
  /// - Throws: ``MediaError`` for a rate at which loudness isn't measured, and without room for the file.
  init(format: AudioFormat, dualMono: Bool, memory: Int) throws {
    descriptor = try JobFiles.unlinkedFile()
    spool = Spool(
      channels: format.channels, memoryLimit: memory, descriptor: descriptor, name: "temporary file"
    )
    meter = try LoudnessMeter(format: format, dualMono: dualMono)
    part = AudioBuffer(channels: format.channels)
  }

  deinit { close(descriptor) }

  func add(_ samples: AudioBuffer, at start: Int64, of item: PlacedItem) throws {
    self.start = self.start ?? start
    try spool.append(samples)
    // What filters put before and behind the item isn't part of its loudness.
    let from = max(0, item.start - start)
    let to = min(Int64(samples.frames), item.end - start)
    guard from < to else { return }
    part.removeAll()
    part.append(samples, range: Int(from)..<Int(to))
    try meter.add(part)
  }

  /// Adds all of the item to `sum`, at `target` LUFS; `pass` is called after each piece with the sample behind it.
  /// - Throws: what `pass` throws; ``MediaError`` when what was stored can't be read.
  func release(
    _ item: PlacedItem, at target: Double, to sum: OverlapSum, _ pass: (Int64) throws -> Void
  ) throws -> Level {
    let integrated = meter.statistics().measurement.integrated
    let gain = integrated.map { target - $0 } ?? 0
    let levelled = item.raised(by: gain)
    let first = start ?? item.start
    try spool.replay(from: 0) { offset, samples in
      sum.add(samples, at: first + offset, of: levelled)
      try pass(first + offset + Int64(samples.frames))
      return true
    }
    return Level(integrated: integrated, gain: gain)
  }
}
