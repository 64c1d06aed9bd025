import Signal

/// The slots, delays and look-ahead that follow from the length of a frame
/// (TS 103 190-1, 5.6.2 and Tables 189 to 192).
struct FrameTiming: Sendable, Equatable {
  /// Samples per frame at the coded rate.
  let length: Int
  /// Samples by which the transform's output is delayed, so that control data fit its slots (`d_pcm`).
  var alignmentDelay: Int
  /// Frames by which control data are delayed (`d_ctrl`).
  var controlDelay: Int
  /// QMF slots of look-ahead for high-frequency generation (`ts_offset_hfgen`).
  var lookAhead: Int
  /// Whether intervals are cut at the end of their frame. The standard lets them reach beyond it; tests cut
  /// them to compare with a decoder that does.
  var cutsIntervals = false
  /// QMF slots per A-SPX slot (`num_ts_in_ats`).
  let slotsPerStep: Int

  /// The timing of frames of `length` samples: 384, 512, 768, 960, 1024, 1536, 1920 or 2048.
  init(length: Int) {
    self.length = length
    slotsPerStep = length >= 1536 ? 2 : 1
    lookAhead = length >= 1536 ? 6 : 3
    controlDelay = length >= 1536 ? 1 : length >= 768 ? 2 : 4
    // The standard's tables put control data at the middle of their frame: half the prototype filter (288),
    // d_pcm and the look-ahead add up to d_ctrl − ½ frames.
    alignmentDelay = length * (2 * controlDelay - 1) / 2 - 288 - QMF.bands * lookAhead
  }

  /// QMF slots per frame.
  var slots: Int { length / QMF.bands }
  /// A-SPX slots per frame (`num_aspx_timeslots`).
  var steps: Int { slots / slotsPerStep }
  /// QMF slot after the last one that an interval may reach.
  var intervalEnd: Int { cutsIntervals ? slots : slots + min(lookAhead, SubbandSignal.tail) }
  /// Samples by which everything after the transform delays the signal.
  var delay: Int { alignmentDelay + QMF.delay + QMF.bands * lookAhead }
}
