// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Delivers an ``ObjectScript`` as a decoder of moving objects would.
package final class MovingObjectsSource: TimedSource {
  /// A stereo bed and two objects.
  package var programme: Programme { script.programme }
  /// Small, so that jumps of a few samples count as gaps.
  package let timestampTolerance: Int64 = 2
  /// The length of codec frames is unknown.
  package let codecFrame: Int64 = 0
  /// Times are exact.
  package let clockUncertainty: Int64 = 0

  private let script: ObjectScript
  private let size: Int
  private let jumps: [Int: Int64]
  private var position = 0
  private var shift: Int64 = 0

  /// Reads `script` in blocks of `size` samples (0: whole). At each sample that is a key of `jumps` a
  /// block begins, and the timestamps jump by the value.
  package init(_ script: ObjectScript, size: Int, jumps: [Int: Int64] = [:]) {
    self.script = script
    self.size = size == 0 ? script.frames : size
    self.jumps = jumps
  }

  /// Appends the next block.
  package func read(into block: ProgrammeBlock) -> TimedBlock? {
    guard position < script.frames else { return nil }
    shift += jumps[position] ?? 0
    let next = jumps.keys.filter { $0 > position }.min() ?? script.frames
    let end = min(position + size, next, script.frames)
    script.append(position..<end, to: block)
    defer { position = end }
    return TimedBlock(frames: end - position, position: Int64(position) + shift)
  }
}
