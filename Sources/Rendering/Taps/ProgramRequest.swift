import AudioCore

/// A program that sound is sent through: interleaved 32-bit floats, little endian, on its standard input and output.
public struct ProgramRequest: Sendable, Hashable, Codable {
  /// How its delay is known.
  public enum Latency: Sendable, Hashable, Codable {
    /// A test signal shows it before the run.
    case measured
    /// So many samples.
    case samples(Int)
  }

  /// The program, by path or by name, and its arguments.
  public var words: [String]
  /// How its delay is known.
  public var latency = Latency.measured
  /// How much longer its output may be than its input; 0 seconds by default.
  public var tail = TimeSpec.samples(0)

  /// A program with its arguments.
  public init(_ words: [String]) { self.words = words }
}
