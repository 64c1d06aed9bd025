/// How much two files may differ in each layer and still count as alike.
public struct ComparisonTolerance: Sendable, Equatable {
  /// Name on the command line.
  public var name: String
  /// Whether container, codec, tags, edit lists, boxes and fragments must be the same.
  public var comparesStructure: Bool
  /// Whether the decoded samples must have the same hash.
  public var comparesHash: Bool
  /// Largest level of what remains when TEST is subtracted from REF, in dB re REF.
  public var residual: Double
  /// Largest gain in dB, either way.
  public var gain: Double
  /// Largest difference of the programme's loudness and of any channel's, in LU.
  public var loudness: Double
  /// Largest difference of the programme's true peak and of any channel's, in dB.
  public var truePeak: Double
  /// Largest log-mel distance of any 20 ms, in dB.
  public var spectralPeak: Double
  /// Largest log-mel distance over 100 ms, in dB.
  public var spectralSustained: Double
  /// Largest log-mel distance on average, in dB.
  public var spectralMean: Double
  /// Largest tilt of the spectrum in dB an octave, either way.
  public var tilt: Double
  /// Frequency in Hz from which on content may be missing; `nil` when none may.
  public var cutoff: Double?
  /// Largest mean difference of interaural levels, in dB.
  public var interauralLevel: Double
  /// Largest mean difference of interaural times, in microseconds.
  public var interauralTime: Double
  /// Largest mean difference of interaural coherence, 0…1.
  public var interauralCoherence: Double

  /// The same file: equal container and codec, tags, boxes and samples.
  public static let exact = ComparisonTolerance(
    name: "exact", comparesStructure: true, comparesHash: true, residual: -140, gain: 0.001,
    loudness: 0.01, truePeak: 0.01, spectralPeak: 0.05, spectralSustained: 0.02,
    spectralMean: 0.01, tilt: 0.005, cutoff: nil, interauralLevel: 0.01, interauralTime: 0.5,
    interauralCoherence: 0.001)

  /// The same sound in any container: dither and word length may differ, and so may a portable
  /// build.
  public static let transparent = ComparisonTolerance(
    name: "transparent", comparesStructure: false, comparesHash: false, residual: -60, gain: 0.02,
    loudness: 0.05, truePeak: 0.1, spectralPeak: 3, spectralSustained: 1.5, spectralMean: 0.5,
    tilt: 0.05, cutoff: 20_000, interauralLevel: 0.2, interauralTime: 10,
    interauralCoherence: 0.02)

  /// The same programme after a good lossy codec: samples differ, levels and spectrum hardly do.
  public static let lossy = ComparisonTolerance(
    name: "lossy", comparesStructure: false, comparesHash: false, residual: -10, gain: 0.2,
    loudness: 0.3, truePeak: 1.5, spectralPeak: 12, spectralSustained: 6, spectralMean: 2,
    tilt: 0.3, cutoff: 15_500, interauralLevel: 1, interauralTime: 50, interauralCoherence: 0.1)

  /// All named sets.
  public static let all = [exact, transparent, lossy]
}
