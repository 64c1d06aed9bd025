// SPDX-License-Identifier: Apache-2.0
import Signal

/// Decodes the segment that a unit has of a substream.
struct SegmentReader {
  /// The facts of a segment that concern the whole unit.
  struct Facts {
    /// Samples at the unit's end that are only padding; `nil` unless the programme or a clip of it ends here.
    var zeros: Int?
    /// Output timing of a restart header; `nil` without one.
    var timing: Int?
    /// Checks of the output up to the restart header, the decoder's and the stream's; `nil` where they can't be compared.
    var checks: (own: Int, sent: Int)?
  }

  /// The task of a segment.
  struct Task {
    /// Bytes in the unit.
    let range: Range<Int>
    /// Whether parity and CRC end it.
    let isChecked: Bool
    /// Whether the unit has a major sync.
    let hasSync: Bool
    /// Substreams that a presentation is made of, this one the last; empty where none is to be made.
    let sources: [Substream]
  }

  /// First 16 bits of a terminator. Two set bits follow, or two clear ones in streams of FFmpeg's encoder that state padding.
  private static let terminator = 0xD234

  private let substream: Substream
  private let task: Task
  private let sync: MajorSync
  private var bits: BitReader
  private var facts = Facts()

  /// Decodes a segment of `unit`.
  /// - Throws: ``TrueHDError``; nothing of the substream is of use then up to its next restart header.
  static func decode(
    _ unit: UnsafeBufferPointer<UInt8>, _ task: Task, of substream: Substream, _ sync: MajorSync,
    _ checks: UnitChecks, _ residuals: ResidualReader
  ) throws(TrueHDError) -> Facts {
    if task.isChecked {
      guard task.range.count >= 4 else { throw .damaged("a segment's length") }
      let end = task.range.upperBound
      let sums = checks.ofSegment(
        UnsafeBufferPointer(rebasing: unit[task.range.lowerBound..<(end - 2)]))
      guard sums.parity == unit[end - 2] else { throw .damaged("a segment's parity") }
      guard sums.crc == unit[end - 1] else { throw .damaged("a segment's CRC") }
    }
    let bits = try BitReader(unit).part(
      at: task.range.lowerBound, count: task.range.count - (task.isChecked ? 2 : 0))
    var reader = SegmentReader(substream: substream, task: task, sync: sync, bits: bits)
    try reader.readBlocks(residuals)
    try reader.readEnd()
    return reader.facts
  }

  private init(substream: Substream, task: Task, sync: MajorSync, bits: BitReader) {
    (self.substream, self.task, self.sync, self.bits) = (substream, task, sync, bits)
  }

  private mutating func readBlocks(_ residuals: ResidualReader) throws(TrueHDError) {
    var at = 0
    repeat {
      try readHeaders(at)
      guard substream.isLive else { throw .damaged("a substream before its restart header") }
      guard at + substream.blockSize <= sync.unitLength else { throw .damaged("too many samples") }
      // Length and check of a protected block: their rules aren't known.
      if substream.header.isProtected { try bits.skip(16) }
      try residuals.read(&bits, substream, at: at)
      if substream.header.isProtected { try bits.skip(8) }
      try predict(at)
      if !task.sources.isEmpty {
        if at == 0 { substream.output.beginUnit(substream.header.kind) }
        substream.output.render(substream, task.sources, at: at)
      }
      at += substream.blockSize
    } while try !bits.flag()
    guard at == sync.unitLength else { throw .damaged("too few samples") }
    substream.keepHistory(sync.unitLength)
    if !task.sources.isEmpty { substream.matrices.advance() }
  }

  private mutating func readHeaders(_ at: Int) throws(TrueHDError) {
    let isFirst = at == 0
    if try bits.flag() {
      if try bits.flag() {
        guard isFirst else { throw .damaged("a restart header inside a unit") }
        try restart()
      }
      guard substream.isLive else { throw .damaged("a substream before its restart header") }
      try substream.readBlockHeader(&bits, at: at, unitLength: sync.unitLength)
    }
    guard !isFirst || !task.hasSync || facts.timing != nil else {
      throw .damaged("a major sync without a restart header")
    }
  }

  private mutating func restart() throws(TrueHDError) {
    let header = try RestartHeader(&bits)
    let fits =
      switch header.kind {
      case .noise: true
      case .dither: sync.format == .trueHD
      case .interpolated: sync.format == .trueHD && substream.index == 3
      }
    guard fits else { throw .damaged("kind of a restart header") }
    if substream.isLive, !substream.hasGaps {
      facts.checks = (substream.output.check, header.losslessCheck)
    }
    facts.timing = header.outputTiming
    substream.restart(header)
  }

  /// Turns the block's residuals into samples.
  private func predict(_ at: Int) throws(TrueHDError) {
    for channel in substream.coded {
      let first = channel * Substream.stride + Substream.history + at
      let filters = Predictor.Filters(
        taps: UnsafePointer(substream.taps.base) + channel * Substream.tapStride,
        channel: substream.channels.base[channel], step: substream.steps.base[channel],
        bits: substream.header.kind.bits)
      let fits = Predictor.run(
        substream.samples.base + first, substream.errors.base + first,
        count: substream.blockSize, filters)
      guard fits else { throw .damaged("a sample out of range") }
    }
  }

  /// Reads up to the segment's end: perhaps a terminator, and nothing behind it.
  private mutating func readEnd() throws(TrueHDError) {
    try bits.skip((16 - (bits.position - 8 * task.range.lowerBound) & 15) & 15)
    if bits.remaining >= 32 {
      let (sign, form) = (try bits.read(16), try bits.read(2))
      let (isPadded, count) = (try bits.flag(), try bits.read(13))
      if sign == SegmentReader.terminator, form == 3 || form == 0 && isPadded {
        facts.zeros = isPadded ? count : 0
        guard !isPadded || count < sync.unitLength else { throw .damaged("zero samples") }
      } else if !task.isChecked {
        throw .damaged("a segment's end")
      }
    }
    // Unknown words are left alone where parity and CRC prove that they were meant.
    guard bits.remaining == 0 || task.isChecked else { throw .damaged("a segment's end") }
  }
}
