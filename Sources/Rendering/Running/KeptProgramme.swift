import AudioCore
import Signal

/// What becomes of a programme's objects over time, for an output that stores them as they are.
final class KeptProgramme {
  let programme: Programme
  /// Updates of each plane, on a clock whose sample 0 is the first one that was added.
  private(set) var updates: [[ObjectUpdate]]
  /// Largest magnitude of all samples.
  private(set) var peak: Float = 0
  private var frames: Int64 = 0

  init(_ programme: Programme) {
    self.programme = programme
    updates = Array(repeating: [], count: programme.planes)
  }

  /// Largest magnitude of all samples, dBFS.
  var peakLevel: Double { Decibels.level(Double(peak)) }

  /// Takes the next samples with their updates.
  func add(_ block: ProgrammeBlock) {
    if frames == 0 {
      // A range may begin while objects move.
      for plane in block.objectPlanes {
        guard let motion = block.motions[plane] else { continue }
        updates[plane].append(ObjectUpdate(plane: plane, at: 0, motion: motion))
      }
    }
    for var update in block.updates {
      update.at += frames - block.start
      updates[update.plane].append(update)
    }
    for channel in 0..<block.audio.channels {
      for sample in block.audio.channel(channel) { peak = max(peak, sample.magnitude) }
    }
    frames += Int64(block.frames)
  }
}
