// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Cuts a source to `[start, end)` samples, exact to the sample, and may put silence before it.
///
/// The samples are those of the whole decode. The source is read from its beginning unless it leaves samples out
/// by itself, because codecs with noise substitution or dither give other bits when entered elsewhere.
package final class RangeSource: ProgrammeSource {
  /// Most samples of silence appended at a time.
  private static let longestSilence: Int64 = 65_536

  /// No sound is that long; sums with it stay inside 64 bits.
  private static let farthest: Int64 = 1 << 60

  /// Programme of every block.
  package var programme: Programme { source.programme }

  private let source: any ProgrammeSource
  private let start: Int64
  private let end: Int64?
  /// Samples of silence that are still to come before the source.
  private var lead: Int64
  /// Block that was read last, before it is cut.
  private let incoming: ProgrammeBlock
  /// Samples read so far, silence included.
  private var position: Int64 = 0

  /// Keeps samples `start ..< end` of `lead` samples of silence followed by `source`; a negative
  /// `lead` drops samples instead.
  package init(
    source: any ProgrammeSource, start: Int64 = 0, end: Int64? = nil, lead: Int64 = 0
  ) {
    self.source = source
    self.start = start - min(0, lead)
    self.end = end.map { $0 - min(0, lead) }
    self.lead = max(0, lead)
    incoming = ProgrammeBlock(source.programme)
  }

  /// Lets the source leave out what lies before the range; asked before the first read only.
  /// - Returns: samples of the source that were left out.
  /// - Throws: what the source throws.
  package func skipToStart() throws -> Int64 {
    guard position == 0, start > lead, start < RangeSource.farthest else { return 0 }
    let skipped = try source.skip(start - lead)
    guard skipped > 0 else { return 0 }
    position = lead + skipped
    lead = 0
    return skipped
  }

  /// Appends the next samples of the range; `false` at its end.
  /// - Throws: what the source throws.
  package func read(into block: ProgrammeBlock) throws -> Bool {
    while end.map({ position < $0 }) ?? true {
      incoming.removeAll()
      var more = true
      if lead > 0 {
        let count = min(lead, RangeSource.longestSilence)
        incoming.appendSilence(Int(count))
        lead -= count
      } else {
        more = try source.read(into: incoming)
      }
      let count = Int64(incoming.frames)
      let from = max(0, min(count, start - position))
      let to = end.map { max(from, min(count, $0 - position)) } ?? count
      position += count
      block.append(incoming, range: Int(from)..<Int(to))
      guard more else { return false }
      if to > from { return true }
    }
    return false
  }
}
