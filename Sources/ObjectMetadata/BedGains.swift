import AudioCore

/// Gains that metadata give the channels of a bed. A bed has no updates in a programme, so they are applied
/// to the samples.
package struct BedGains {
  private var motions: [ObjectMotion]

  /// Full level for `count` channels.
  package init(_ count: Int) {
    motions = Array(repeating: ObjectMotion(restingIn: ObjectState()), count: count)
  }

  /// Applies the gain of channel `plane` to `count` samples and moves on behind them.
  package mutating func apply(_ plane: Int, to samples: UnsafeMutablePointer<Float>, count: Int) {
    let motion = motions[plane]
    if motion.isResting {
      if motion.target.gain != 1 {
        for index in 0..<count { samples[index] *= Float(motion.target.gain) }
      }
      return
    }
    for index in 0..<count {
      samples[index] *= Float(motion.advanced(by: index).state.gain)
    }
    motions[plane] = motion.advanced(by: count)
  }

  /// Takes an update at the next sample.
  package mutating func take(_ update: ObjectUpdate) {
    motions[update.plane] = update.motion(after: motions[update.plane])
  }
}
