/// One row of the frame rate table (TS 103 190-1, Tables 83 and 84).
struct FrameRateRow: Sendable, Equatable {
  /// `frame_len_base`.
  let length: Int
  /// Output samples for every ``down`` coded ones.
  let up: Int
  /// Coded samples for every ``up`` output ones.
  let down: Int

  /// Whether a frame doesn't last a whole number of output samples.
  var isFractional: Bool { length * up % down != 0 }

  /// Rows by `frame_rate_index`.
  static let all: [FrameRateRow] = [
    FrameRateRow(length: 1920, up: 1001, down: 960),
    FrameRateRow(length: 1920, up: 25, down: 24),
    FrameRateRow(length: 2048, up: 15, down: 16),
    FrameRateRow(length: 1536, up: 1001, down: 960),
    FrameRateRow(length: 1536, up: 25, down: 24),
    FrameRateRow(length: 960, up: 1001, down: 960),
    FrameRateRow(length: 960, up: 25, down: 24),
    FrameRateRow(length: 1024, up: 15, down: 16),
    FrameRateRow(length: 768, up: 1001, down: 960),
    FrameRateRow(length: 768, up: 25, down: 24),
    FrameRateRow(length: 512, up: 15, down: 16),
    FrameRateRow(length: 384, up: 1001, down: 960),
    FrameRateRow(length: 384, up: 25, down: 24),
    FrameRateRow(length: 2048, up: 1, down: 1),
  ]
}
