/// What follows from the length of a frame: slots, delays and look-ahead
/// (TS 103 190-1, 5.6.2 and Tables 189 to 192).
struct FrameTiming: Sendable, Equatable {
  /// Samples per frame at the coded rate.
  let length: Int
  /// Samples by which the transform's output waits for the filter bank's grid (`d_pcm`).
  var alignmentDelay: Int
  /// Frames by which control data wait (`d_ctrl`).
  var controlDelay: Int
  /// QMF slots of look-ahead for high-frequency generation (`ts_offset_hfgen`).
  var lookAhead: Int
  /// Whether intervals end with the frame even where they reach further; never so in a decoder that
  /// follows the standard.
  var cutsIntervals = false
  /// QMF slots per A-SPX slot.
  let slotsPerStep: Int

  /// The timing of frames of `length` samples: 384, 512, 768, 960, 1024, 1536, 1920 or 2048.
  init(length: Int) {
    self.length = length
    slotsPerStep = length >= 1536 ? 2 : 1
    lookAhead = length >= 1536 ? 6 : 3
    controlDelay = length >= 1536 ? 1 : length >= 768 ? 2 : 4
    // Control data lie centred on the frame: the delays balance half the filter bank's prototype.
    alignmentDelay = length * (2 * controlDelay - 1) / 2 - 288 - 64 * lookAhead
  }

  /// QMF slots per frame.
  var slots: Int { length / 64 }
  /// A-SPX slots per frame.
  var steps: Int { slots / slotsPerStep }
  /// QMF slot after the last one that an interval may fill.
  var intervalEnd: Int { cutsIntervals ? slots : slots + min(lookAhead, SubbandSignal.tail) }
  /// Samples from the transform's output to the finished signal.
  var delay: Int { alignmentDelay + QMF.delay + 64 * lookAhead }
}
