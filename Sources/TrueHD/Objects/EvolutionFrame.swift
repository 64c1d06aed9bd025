// SPDX-License-Identifier: Apache-2.0
import ObjectMetadata

/// Finds the frame of metadata in what follows the segments of a unit.
///
/// Its payloads are those of E-AC-3's containers (EMDF), without sync word and length. Whatever doesn't fit is left alone: the
/// samples don't depend on it.
enum EvolutionFrame {
  /// Bytes before the frame: a check with the length in words, and the frame's length.
  private static let head = 4

  /// Bytes of the frame in `unit`, whose extra data begin at byte `start`; `nil` without one.
  static func range(
    _ unit: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Range<Int>? {
    guard unit.count - start >= head else { return nil }
    let word = Int(unit[start]) << 8 | Int(unit[start + 1])
    let size = 2 * (word & 0xFFF)
    // Without length and check there is only padding.
    guard word != 0, (word >> 12 ^ word >> 8 ^ word >> 4 ^ word) & 0xF == 0xF, size >= head,
      start + 2 + size <= unit.count
    else { return nil }
    let body = unit[(start + 2)..<(start + 2 + size)]
    let first = unit[start + 2]
    // The reserved bits count as often as the frame's bytes.
    let parity = UnitChecks.parity(body.dropLast()) ^ 0xA9 ^ first & 0xF0 ^ first >> 4
    guard parity == body.last else { return nil }
    let length = (Int(first) & 0xF) << 8 | Int(unit[start + 3])
    guard length > 0, length + 3 <= size else { return nil }
    return start + head..<start + head + length
  }

  /// Hands over the payloads with metadata of objects, up to the first that doesn't fit.
  /// - Parameter body: gets the bits from each payload's first on, its bytes, and the samples by which its times are later.
  static func objects(
    _ unit: UnsafeBufferPointer<UInt8>, from start: Int,
    _ body: (ObjectBitReader, _ size: Int, _ sampleOffset: Int) -> Void
  ) {
    guard let range = range(unit, from: start) else { return }
    let frame = UnsafeBufferPointer(rebasing: unit[range])
    guard var payloads = try? PayloadReader(ObjectBitReader(frame), .unit) else { return }
    while let payload = try? payloads.next() {
      guard payload.id == PayloadReader.objectsID else { continue }
      body(payload.bits(in: frame), payload.size, payload.sampleOffset)
    }
  }
}
