/// What a set of head-related responses is and what is done to it before it is played.
package struct HRTFSummary: Sendable, Codable, Hashable {
  /// A step between the measurements and what is played.
  package struct Step: Sendable, Codable, Hashable {
    /// Stable token: `delay-unit`, `symmetrise`, `head-size`, `level`, `diffuse-field` or `low-frequencies`.
    package let name: String
    /// Whether the step does anything to this set.
    package let isApplied: Bool
    /// The reason, with the figures that decided whether it is applied.
    package let reason: String
  }

  /// Levels of both ears' power averaged over the sphere, in thirds of an octave.
  package struct DiffuseField: Sendable, Codable, Hashable {
    /// Middle frequencies in Hz, 50 Hz upwards.
    package let frequenciesHz: [Double]
    /// Levels as measured, in dB: 0 dB is the power of a unit impulse.
    package let measuredDB: [Double]
    /// Levels after all steps, in dB.
    package let processedDB: [Double]
  }

  /// Interaural delays around the head, at ear height; positive where the left ear leads.
  package struct Delays: Sendable, Codable, Hashable {
    /// Azimuths in degrees, to the left.
    package let azimuths: [Double]
    /// As measured, µs.
    package let measuredMicroseconds: [Double]
    /// As played, µs.
    package let playedMicroseconds: [Double]
    /// Radius of the sphere with the delays that were measured, cm.
    package let headRadius: Double
    /// Factor between both.
    package let scale: Double
  }

  /// How left and right differ where both sides were measured.
  package struct Asymmetry: Sendable, Codable, Hashable {
    /// Mean difference of a response's level from its mirror image's, in dB, in thirds of an octave
    /// from 300 Hz to 12 kHz.
    package let levelDB: Double
    /// Mean difference of the interaural delay from its mirror image's, in µs.
    package let delayMicroseconds: Double
  }

  /// `kemar`, or the file's name.
  package let id: String
  /// Where the measurements come from.
  package let citation: String
  /// Number of measured directions.
  package let measurements: Int
  /// Number of places, with mirrored ones where the set is symmetric, without duplicates.
  package let directions: Int
  /// Lowest measured elevation, in degrees.
  package let lowestElevation: Double
  /// Highest measured elevation, in degrees.
  package let highestElevation: Double
  /// Taps of each response.
  package let taps: Int
  /// Samples per second of the responses.
  package let sampleRate: Int
  /// Unit of the delays that the set holds beside its responses: `none`, `samples` or `seconds`.
  package let delayUnit: String
  /// Lowest interaural delay as played, in µs; negative where the right ear leads.
  package let lowestDelayMicroseconds: Double
  /// Highest interaural delay as played, in µs; positive where the left ear leads.
  package let highestDelayMicroseconds: Double
  /// Interaural delays in the horizontal plane.
  package let delays: Delays
  /// The diffuse field before and after processing.
  package let diffuseField: DiffuseField
  /// Differences between the sides as measured; `nil` when fewer than half of the directions have
  /// a measured mirror image.
  package let asymmetry: Asymmetry?
  /// All steps, in their order.
  package let steps: [Step]
}

extension HRTFSet {
  /// Facts about this set. Takes some two seconds for 1,500 directions.
  /// - Throws: ``MediaError`` of kind `internal` when the transforms can't be made.
  package func summary() throws -> HRTFSummary { try HRTFInspection(self).summary() }

  /// Facts about the set in a SOFA file.
  /// - Throws: what ``load(path:options:)`` throws.
  package static func summary(
    of path: String, options: HRTFOptions = HRTFOptions()
  ) throws -> HRTFSummary {
    try load(path: path, options: options).summary()
  }
}
