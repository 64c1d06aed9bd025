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
  /// What is known of each plane's object at its last update.
  private var courses: [Course?]

  /// An object at its last update.
  private struct Course {
    /// When that was.
    let at: Int64
    /// What it would have done there without the update; `nil` for the first one.
    let before: ObjectMotion?
    /// What it does since.
    let motion: ObjectMotion
  }

  init(_ programme: Programme) {
    self.programme = programme
    updates = Array(repeating: [], count: programme.planes)
    courses = Array(repeating: nil, count: programme.planes)
  }

  /// Largest magnitude of all samples, dBFS.
  var peakLevel: Double { Decibels.level(Double(peak)) }

  /// Takes the next samples with their updates.
  func add(_ block: ProgrammeBlock) {
    if frames == 0 {
      // A range may begin while objects move.
      for plane in block.objectPlanes {
        guard let motion = block.motions[plane] else { continue }
        add(ObjectUpdate(plane: plane, at: 0, motion: motion))
      }
    }
    for var update in block.updates {
      update.at += frames - block.start
      add(update)
    }
    for channel in 0..<block.audio.channels {
      for sample in block.audio.channel(channel) { peak = max(peak, sample.magnitude) }
    }
    frames += Int64(block.frames)
  }
  /// Adds an update. Several at one sample become one, and what an object does already isn't repeated: where
  /// blocks are cut or change threads, updates state again what holds, and what is stored must not depend on
  /// that.
  private func add(_ update: ObjectUpdate) {
    let (plane, last) = (update.plane, courses[update.plane])
    let reached = last.map { $0.motion.advanced(by: Int(update.at - $0.at)) }
    let motion = update.motion(after: reached ?? ObjectMotion(restingIn: update.state))
    let before = last?.at == update.at ? last?.before : reached
    if updates[plane].last?.at == update.at { updates[plane].removeLast() }
    if motion != before {
      updates[plane].append(ObjectUpdate(plane: plane, at: update.at, motion: motion))
    }
    courses[plane] = Course(at: update.at, before: before, motion: motion)
  }
}
