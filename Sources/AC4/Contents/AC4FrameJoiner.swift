// SPDX-License-Identifier: Apache-2.0
import Signal

/// Joins transport frames that a codec frame is spread over (efficient high frame rate mode, TS 103 190-2, 5.1.3 and
/// 6.3.2.4): what comes out is a frame of the lower rate, which any decoder of that rate reads.
package struct AC4FrameJoiner: Sendable {
  /// The place that a frame states.
  package struct Part: Sendable, Equatable {
    /// Transport frames that a codec frame is spread over: 1, 2 or 4.
    package let fraction: Int
    /// The place of this one among them, from 0.
    package let position: Int
  }

  /// The place of a frame. A frame whose presentations are spread differently has that of the first.
  /// - Throws: as ``AC4TableOfContents/init(rawFrame:)``.
  package static func part(rawFrame: [UInt8]) throws(AC4Error) -> Part {
    let toc = try AC4TableOfContents(rawFrame: rawFrame)
    let fraction = toc.presentations.first { !$0.isEMDFOnly }?.frameRate.fraction ?? 1
    return Part(fraction: fraction, position: toc.sequenceCounter % fraction)
  }

  /// One frame of all parts of a codec frame, in their order.
  /// - Throws: ``AC4Error/damaged(_:)`` where they don't belong together, ``AC4Error/unsupported(_:)`` where presentations
  ///   are spread differently.
  package static func join(_ frames: [[UInt8]]) throws(AC4Error) -> [UInt8] {
    var tables: [AC4TableOfContents] = []
    for frame in frames { tables.append(try AC4TableOfContents(rawFrame: frame)) }
    guard let toc = tables.first else { throw .damaged("a frame without parts") }
    for presentation in toc.presentations where !presentation.isEMDFOnly {
      guard presentation.frameRate.fraction == frames.count else {
        throw .unsupported("presentations that are spread over different numbers of frames")
      }
    }
    guard tables.allSatisfy({ $0.substreams.count == toc.substreams.count }) else {
      throw .damaged("parts with different substreams")
    }
    let rate = try toc.frameRate.joined(frames.count)
    var bits = BitWriter()
    write(toc, frames[0], rate, count: frames.count, to: &bits)
    let sizes = toc.substreams.indices.map { index in
      tables.reduce(0) { $0 + $1.substreams[index].count }
    }
    write(sizes, to: &bits)
    var joined = bits.bytes
    // Bytes between the table and the first substream.
    let start = toc.substreams.first?.lowerBound ?? toc.byteCount
    joined += frames[0][toc.byteCount..<max(toc.byteCount, start)]
    for index in toc.substreams.indices {
      for (frame, table) in zip(frames, tables) { joined += frame[table.substreams[index]] }
    }
    return joined
  }

  /// Writes the table up to the substreams' sizes: that of the first part, but for counter and rates.
  private static func write(
    _ toc: AC4TableOfContents, _ frame: [UInt8], _ rate: AC4FrameRate, count: Int,
    to bits: inout BitWriter
  ) {
    bits.write(toc.bitstreamVersion, 2)
    bits.write(toc.sequenceCounter / count, 10)
    copy(frame, 12..<toc.rateField, to: &bits)
    bits.write(rate.index, 4)
    var place = toc.rateField + 4
    for fields in toc.rateFields {
      copy(frame, place..<fields.lowerBound, to: &bits)
      // One codec frame in each frame: a flag at the rates that could have more, and one at those that could have less.
      if rate.mayMultiply { bits.write(0, 1) }
      if rate.mayDivide { bits.write(0, 1) }
      place = fields.upperBound
    }
    copy(frame, place..<toc.sizeField, to: &bits)
  }

  private static func copy(_ frame: [UInt8], _ range: Range<Int>, to bits: inout BitWriter) {
    for bit in range { bits.write(Int(frame[bit / 8] >> UInt8(7 - bit % 8)) & 1, 1) }
  }

  /// `substream_index_table`.
  private static func write(_ sizes: [Int], to bits: inout BitWriter) {
    if sizes.count < 4 {
      bits.write(sizes.count, 2)
    } else {
      bits.write(0, 2)
      writeVariable(sizes.count - 4, to: &bits)
    }
    if sizes.count == 1 { bits.write(1, 1) }
    for size in sizes {
      bits.write(size >= 1024)
      bits.write(size & 1023, 10)
      if size >= 1024 { writeVariable(size >> 10, to: &bits) }
    }
    bits.align()
  }

  /// `variable_bits(2)`: each further group stands for one more than its bits, times 4.
  private static func writeVariable(_ value: Int, to bits: inout BitWriter) {
    var groups = [value & 3]
    var rest = value >> 2
    while rest > 0 {
      rest -= 1
      groups.append(rest & 3)
      rest >>= 2
    }
    for (place, group) in groups.reversed().enumerated() {
      bits.write(group, 2)
      bits.write(place < groups.count - 1)
    }
  }
}
