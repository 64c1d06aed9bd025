// SPDX-License-Identifier: Apache-2.0

/// Something that delivers a programme in order, once.
package protocol ProgrammeSource: AnyObject {
  /// Programme of every block.
  var programme: Programme { get }
  /// Appends the next samples with their object updates to `block`; answers `false` when nothing is
  /// left.
  ///
  /// The caller passes the same block every time and may drop samples in between. A source adds an
  /// update only where an object's state changes; through silence an object keeps its last state.
  /// - Throws: ``MediaError`` when the source is damaged or can't be read.
  func read(into block: ProgrammeBlock) throws -> Bool
  /// Leaves out up to `count` of its first samples without reading them, where the samples behind them are
  /// the same bits as if all had been read; asked before the first read only.
  /// - Returns: how many were left out; 0 where all have to be read.
  /// - Throws: ``MediaError`` when the source can't be read.
  func skip(_ count: Int64) throws -> Int64
}

/// Samples that a block has room for from the start, as many as most sources deliver at once.
private let usualFrames = 8192

extension ProgrammeSource {
  /// Reads everything.
  package func skip(_ count: Int64) -> Int64 { 0 }

  /// Hands all that is left to `take`, block by block. The block is the same each time, and the last may be empty.
  package func forEachBlock(_ take: (ProgrammeBlock) throws -> Void) throws {
    let block = ProgrammeBlock(programme, capacity: usualFrames)
    var hasMore = true
    while hasMore {
      block.removeAll()
      hasMore = try read(into: block)
      try take(block)
    }
  }
}

/// The plain channels of a programme that is one bed, for code that only compares or measures samples.
package final class BedSource: AudioSource {
  /// Format of every block.
  package let format: AudioFormat

  private let source: any ProgrammeSource

  /// The channels of `source`.
  /// - Parameter user: who needs the channels; an error message begins with this name.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` when it isn't one bed.
  package init(_ source: any ProgrammeSource, for user: String) throws {
    self.source = source
    format = try source.programme.bedFormat(for: user)
  }

  /// Appends the next samples to `buffer`; `false` when nothing is left.
  /// - Throws: what the source throws.
  package func read(into buffer: AudioBuffer) throws -> Bool {
    // A bed has no objects whose states a new block could forget.
    try source.read(into: ProgrammeBlock(source.programme, audio: buffer))
  }
}

/// Something that delivers plain channels in order, once; see ``ProgrammeSource`` for what decoders deliver.
package protocol AudioSource: AnyObject {
  /// Format of every block.
  var format: AudioFormat { get }
  /// Appends the next samples to `buffer`; answers `false` when nothing is left.
  /// - Throws: ``MediaError`` when the source is damaged or can't be read.
  func read(into buffer: AudioBuffer) throws -> Bool
}

extension AudioSource {
  /// Hands all that is left to `take`, block by block. The block is the same each time, and the last may be empty.
  package func forEachBlock(_ take: (AudioBuffer) throws -> Void) throws {
    let block = AudioBuffer(channels: format.channels, capacity: usualFrames)
    var hasMore = true
    while hasMore {
      block.removeAll()
      hasMore = try read(into: block)
      try take(block)
    }
  }
}

/// Decoded sound with its timestamps, before any trimming; the timeline reads it.
package protocol TimedSource: AnyObject {
  /// Programme of every block.
  var programme: Programme { get }
  /// Greatest error of a timestamp, in samples; a deviation up to it counts as neither gap nor overlap.
  var timestampTolerance: Int64 { get }
  /// Samples of a codec frame, where all have the same length; 0 when they vary or nothing is known.
  var codecFrame: Int64 { get }
  /// Greatest error of a jump's length, in samples, that comes from rounding times to the container's
  /// ticks; 0 where every sample falls on a tick.
  var clockUncertainty: Int64 { get }
  /// Appends the next samples with their object updates to `block`; `nil` at the end.
  ///
  /// The caller passes the same block every time and may drop samples in between, so a reader adds an
  /// update only where an object's state changes.
  /// - Throws: ``MediaError`` when the source is damaged or can't be read.
  func read(into block: ProgrammeBlock) throws -> TimedBlock?
  /// Leaves out up to `count` samples from here on without reading them, where the samples behind them are
  /// the same bits as if all had been read.
  /// - Returns: how many were left out; 0 where all have to be read.
  /// - Throws: ``MediaError`` when the source can't be read.
  func skip(_ count: Int64) throws -> Int64
}

extension TimedSource {
  /// Reads everything.
  package func skip(_ count: Int64) -> Int64 { 0 }
}

/// Facts of one decoded block, before any trimming.
package struct TimedBlock: Sendable, Equatable {
  /// Samples the block added to the buffer.
  package var frames: Int
  /// Timestamp of its first sample, in samples at the source's rate; `nil` when unknown.
  package var position: Int64?
  /// Start-up samples that container or codec ask to skip from here on.
  package var skipStart: Int
  /// Samples that container or codec ask to discard at the block's end.
  package var discardEnd: Int
  /// Duration that the container states for the block, in samples; `nil` where it states none or its
  /// clock is too coarse to count samples.
  package var declaredFrames: Int?
  /// Statements of the frame without sound in front of the block; `nil` for all blocks but the first of MP3 that has one.
  package var infoFrame: GaplessFacts.InfoFrame?
  /// Samples of the packets in front of the first block that give none, though the container's clock counts them.
  package var silentLead: Int64 = 0

  /// A block of `frames` samples.
  package init(
    frames: Int, position: Int64?, skipStart: Int = 0, discardEnd: Int = 0,
    declaredFrames: Int? = nil
  ) {
    self.frames = frames
    self.position = position
    self.skipStart = skipStart
    self.discardEnd = discardEnd
    self.declaredFrames = declaredFrames
  }
}
