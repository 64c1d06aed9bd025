import AudioCore
import LibAV

/// Converts frames after a change of format in mid-stream to the format that the track began with.
final class FormatConverter {
  /// The format that everything is converted to.
  let target: AudioFormat
  private let log: DiagnosticLog
  private var current: AudioFormat?
  private var resampler: Resampler?
  private let input: AudioBuffer
  private var inputs: [Int: AudioBuffer] = [:]

  init(target: AudioFormat, log: DiagnosticLog) {
    self.target = target
    self.log = log
    input = AudioBuffer(channels: target.channels)
  }

  /// Whether frames are being converted now.
  var isActive: Bool { resampler != nil }

  /// Appends `frame`, which has `format`, converted where it differs from the target.
  func append(_ frame: Frame, format: AudioFormat, to output: AudioBuffer) throws {
    if format == target {
      try finish(into: output)
      try frame.append(to: output)
      return
    }
    if format != current {
      try finish(into: output)
      let fresh = Resampler(to: target)
      _ = try fresh.prepare(format)
      resampler = fresh
      current = format
      log.degrade(
        .formatChange,
        "the track changes in mid-stream to \(format.layout) at \(format.sampleRate) Hz; "
          + "converted to \(target.layout) at \(target.sampleRate) Hz")
    }
    let scratch = inputs[format.channels] ?? AudioBuffer(channels: format.channels)
    inputs[format.channels] = scratch
    scratch.removeAll()
    try frame.append(to: scratch)
    try resampler?.process(scratch, into: output)
  }

  /// Drains a running conversion.
  func finish(into output: AudioBuffer) throws {
    guard let running = resampler else { return }
    resampler = nil
    current = nil
    // The resampler's finish may trim what it appended, so it gets a buffer of its own.
    let rest = AudioBuffer(channels: target.channels)
    try running.finish(into: rest)
    output.append(rest)
  }
}
