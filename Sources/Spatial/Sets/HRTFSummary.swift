/// What a set of head-related responses is and what is done to it before it is played.
public struct HRTFSummary: Sendable, Codable, Hashable {
  /// A step between the measurements and what is played.
  public struct Step: Sendable, Codable, Hashable {
    /// Stable token: `delay-unit`, `symmetrise`, `level`, `diffuse-field` or `low-frequencies`.
    public let name: String
    /// Whether the step does anything to this set.
    public let isApplied: Bool
    /// Why it does or doesn't, with the figures that decided it.
    public let reason: String
  }

  /// Levels of both ears' power averaged over the sphere, in thirds of an octave.
  public struct DiffuseField: Sendable, Codable, Hashable {
    /// Middle frequencies in Hz, 50 Hz upwards.
    public let frequenciesHz: [Double]
    /// Levels as measured, in dB: 0 dB is the power of a unit impulse.
    public let measuredDB: [Double]
    /// Levels after all steps, in dB.
    public let processedDB: [Double]
  }

  /// How left and right differ where both sides were measured.
  public struct Asymmetry: Sendable, Codable, Hashable {
    /// Mean difference of a response's level from its mirror image's, in dB, in thirds of an octave
    /// from 300 Hz to 12 kHz.
    public let levelDB: Double
    /// Mean difference of the interaural delay from its mirror image's, in µs.
    public let delayMicroseconds: Double
  }

  /// `kemar`, or the file's name.
  public let id: String
  /// Where the measurements come from.
  public let citation: String
  /// Number of measured directions.
  public let measurements: Int
  /// Number of places, with mirrored ones where the set is symmetric, without duplicates.
  public let directions: Int
  /// Lowest measured elevation, in degrees.
  public let lowestElevation: Double
  /// Highest measured elevation, in degrees.
  public let highestElevation: Double
  /// Taps of each response.
  public let taps: Int
  /// Samples per second of the responses.
  public let sampleRate: Int
  /// Unit of the delays that the set holds beside its responses: `none`, `samples` or `seconds`.
  public let delayUnit: String
  /// Lowest interaural delay as played, in µs; negative where the right ear leads.
  public let lowestDelayMicroseconds: Double
  /// Highest interaural delay as played, in µs; positive where the left ear leads.
  public let highestDelayMicroseconds: Double
  /// The diffuse field before and after processing.
  public let diffuseField: DiffuseField
  /// Differences between the sides as measured; `nil` when fewer than half of the directions have
  /// a measured mirror image.
  public let asymmetry: Asymmetry?
  /// All steps, in their order.
  public let steps: [Step]
}

extension HRTFSet {
  /// Facts about this set. Takes some two seconds for 1,500 directions.
  /// - Throws: ``MediaError`` of kind `internal` when the transforms can't be made.
  public func summary() throws -> HRTFSummary { try HRTFInspection(self).summary() }

  /// Facts about the set in a SOFA file.
  /// - Throws: what ``load(path:options:)`` throws.
  public static func summary(
    of path: String, options: HRTFOptions = HRTFOptions()
  ) throws -> HRTFSummary {
    try load(path: path, options: options).summary()
  }
}
