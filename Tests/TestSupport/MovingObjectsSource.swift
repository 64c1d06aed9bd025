import AudioCore

/// A decode by script: what a reader of moving objects would hand to the timeline.
package final class MovingObjectsSource: TimedSource {
  /// A stereo bed and two objects.
  package var programme: Programme { script.programme }
  /// Jumps of a few samples count.
  package let timestampTolerance: Int64 = 2
  /// Nothing is known of frames.
  package let codecFrame: Int64 = 0
  /// Times are exact.
  package let clockUncertainty: Int64 = 0

  private let script: ObjectScript
  private let size: Int
  private let jumps: [Int: Int64]
  private var position = 0
  private var shift: Int64 = 0

  /// Reads `script` in blocks of `size` samples (0: whole); before the samples that `jumps` names, the
  /// timestamps jump by so many samples, and a block begins there.
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
