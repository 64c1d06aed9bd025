/// How an object moves at one sample: it rests in a state, or it is on a ramp between two.
///
/// A motion stores both ends of its ramp and the number of samples passed. Cutting a block in the middle
/// of a ramp therefore changes only that number. The states behind the cut are calculated from the same
/// two ends as without it, so they are equal bit by bit, wherever blocks are cut.
package struct ObjectMotion: Sendable, Hashable, Codable {
  /// State in which the ramp began; the same as ``target`` when the object rests.
  package let origin: ObjectState
  /// State in which the ramp ends.
  package let target: ObjectState
  /// Samples that the whole ramp lasts; 0 when the object rests.
  package let ramp: Double
  /// How long before the first sample of the ramp it began, in samples, 0…1: times of metadata may lie
  /// between two samples.
  package let lead: Double
  /// Samples of the ramp that have passed since its first one; 0 when the object rests.
  package let elapsed: Int

  /// An object that rests in `state`.
  package init(restingIn state: ObjectState) {
    (origin, target, ramp, lead, elapsed) = (state, state, 0, 0, 0)
  }

  /// A ramp of `ramp` samples that began `elapsed` + `lead` samples ago. When it is over, or both ends are
  /// equal, the object rests in `target`.
  package init(
    from origin: ObjectState, to target: ObjectState, ramp: Double, lead: Double = 0,
    elapsed: Int = 0
  ) {
    let isOver = Double(elapsed) + lead >= ramp || origin == target
    self.origin = isOver ? target : origin
    self.target = target
    self.ramp = isOver ? 0 : ramp
    self.lead = isOver ? 0 : lead
    self.elapsed = isOver ? 0 : max(0, elapsed)
  }

  /// Whether the object rests.
  package var isResting: Bool { ramp == 0 }

  /// Which part of the way to ``target`` is done, 0…1; 1 when the object rests.
  package var fraction: Double {
    isResting ? 1 : (Double(elapsed) + lead) / ramp
  }

  /// The state at this sample.
  package var state: ObjectState {
    // The branch keeps a resting object's values exact.
    isResting ? target : origin.moved(to: target, by: fraction)
  }

  /// The motion `count` samples later, when no update comes in between.
  package func advanced(by count: Int) -> ObjectMotion {
    guard !isResting, count > 0 else { return self }
    let (sum, isLong) = elapsed.addingReportingOverflow(count)
    guard !isLong else { return ObjectMotion(restingIn: target) }
    return ObjectMotion(from: origin, to: target, ramp: ramp, lead: lead, elapsed: sum)
  }
}
