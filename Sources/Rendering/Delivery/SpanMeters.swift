import AudioCore
import Loudness

/// Measures the loudness of parts of an output while it passes by.
final class SpanMeters {
  /// A part of an output.
  struct Span: Sendable {
    /// Its number, different from those of the others.
    let number: Int
    /// Its samples, counted from the output's first.
    let range: Range<Int64>
  }

  /// Loudness in LUFS of the parts that have ended, by their numbers; silence has none.
  private(set) var loudness: [Int: Double] = [:]
  private let format: AudioFormat
  private let dualMono: Bool
  /// The parts that haven't begun, the next one last.
  private var waiting: [Span]
  private var open: [(span: Span, meter: LoudnessMeter)] = []
  private var position: Int64 = 0

  /// Meters of `spans`, in any order, of an output of `format`.
  init(_ spans: [Span], format: AudioFormat, dualMono: Bool) {
    self.format = format
    self.dualMono = dualMono
    waiting = spans.sorted { $0.range.lowerBound > $1.range.lowerBound }
  }

  /// Measures the next samples.
  /// - Throws: ``MediaError`` when they can't be measured.
  func add(_ samples: AudioBuffer) throws {
    let end = position + Int64(samples.frames)
    while let span = waiting.last, span.range.lowerBound < end {
      waiting.removeLast()
      open.append(
        (span, try LoudnessMeter(format: format, measuresTruePeak: false, dualMono: dualMono)))
    }
    for (span, meter) in open {
      let range = span.range.clamped(to: position..<end)
      guard range != position..<end else {
        try meter.add(samples)
        continue
      }
      guard !range.isEmpty else { continue }
      let part = AudioBuffer(channels: samples.channels, capacity: range.count)
      part.append(
        samples, range: Int(range.lowerBound - position)..<Int(range.upperBound - position))
      try meter.add(part)
    }
    position = end
    close()
  }

  /// Takes the figures of the parts that have ended.
  private func close() {
    for (span, meter) in open where span.range.upperBound <= position {
      loudness[span.number] = meter.measurement().integrated
    }
    open.removeAll { $0.span.range.upperBound <= position }
  }
}
