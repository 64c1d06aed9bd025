import AudioCore

/// Cuts sound into steps of 100 ms, to the nearest sample.
final class StepClock {
  /// Samples of a whole step; the last one of a programme may be shorter.
  let size: Int
  private let sampleRate: Int
  private let cutter: BlockCutter<AudioBuffer>
  private let piece: AudioBuffer
  private var steps: Int64 = 0

  /// A clock for sound in `format`.
  init(_ format: AudioFormat) {
    size = max(1, (format.sampleRate + 5) / 10)
    sampleRate = max(1, format.sampleRate)
    cutter = BlockCutter(size: size, channels: format.channels)
    piece = AudioBuffer(channels: format.channels)
  }

  /// Length of a whole step in seconds.
  var seconds: Double { Double(size) / Double(sampleRate) }

  /// Takes `block`, and hands on each complete step with its start in seconds.
  /// - Throws: what `use` throws.
  func add(_ block: AudioBuffer, _ use: (AudioBuffer, Double) throws -> Void) throws {
    // The cutter keeps a copy of what it gets; pieces keep that short, however long the block is.
    for start in stride(from: 0, to: block.frames, by: size) {
      piece.removeAll()
      piece.append(block, range: start..<min(block.frames, start + size))
      try cutter.push(piece) { try use($0, next()) }
    }
  }

  /// Hands on what is left, a shorter step.
  /// - Throws: what `use` throws.
  func finish(_ use: (AudioBuffer, Double) throws -> Void) throws {
    try cutter.flush { try use($0, next()) }
  }

  /// Start of the next step in seconds, from a whole number of samples, so that no error adds up.
  private func next() -> Double {
    defer { steps += 1 }
    return Double(steps * Int64(size)) / Double(sampleRate)
  }
}
