// SPDX-License-Identifier: Apache-2.0

/// How two HRTF sets differ as they are played (`pinna.hrtf-comparison/1`).
public struct HRTFComparisonReport: Sendable, Codable, Equatable {
  /// One of both sets.
  public struct Party: Sendable, Codable, Equatable {
    /// `kemar`, or the file's name.
    public var id: String
    /// SHA-256 of the file or of the built-in data.
    public var sha256: String

    /// A set.
    public init(id: String, sha256: String) {
      self.id = id
      self.sha256 = sha256
    }
  }

  /// A typical and a high value over all places.
  public struct Spread: Sendable, Codable, Equatable {
    /// Median of delays, mean of levels.
    public var typical: Double
    /// 95 % of all values are at most this.
    public var percentile95: Double

    /// Both values.
    public init(typical: Double, percentile95: Double) {
      self.typical = typical
      self.percentile95 = percentile95
    }
  }

  /// The differences at one place.
  public struct Place: Sendable, Codable, Equatable {
    /// Degrees, positive to the left.
    public var azimuth: Double
    /// Degrees, positive upwards.
    public var elevation: Double
    /// Interaural delays, µs.
    public var delayMicroseconds: Double
    /// Mean of the interaural level differences, dB.
    public var interauralLevelDB: Double
    /// Mean of the levels at the ears, dB.
    public var spectrumDB: Double

    /// A place.
    public init(
      azimuth: Double, elevation: Double, delayMicroseconds: Double, interauralLevelDB: Double,
      spectrumDB: Double
    ) {
      self.azimuth = azimuth
      self.elevation = elevation
      self.delayMicroseconds = delayMicroseconds
      self.interauralLevelDB = interauralLevelDB
      self.spectrumDB = spectrumDB
    }
  }

  /// The schema's name and version.
  public static let schemaName = "pinna.hrtf-comparison/1"

  /// Always `pinna.hrtf-comparison/1`.
  public var schema = HRTFComparisonReport.schemaName
  /// The first set; its directions are compared.
  public var first: Party
  /// The second set.
  public var second: Party
  /// Directions compared.
  public var places: Int
  /// Lowest elevation compared, degrees.
  public var lowestElevation: Double
  /// Highest frequency compared, Hz.
  public var highestFrequencyHz: Double
  /// Interaural delays, µs: median and 95 %.
  public var delayMicroseconds: Spread
  /// Interaural level differences, dB: mean and 95 %.
  public var interauralLevelDB: Spread
  /// Levels at each ear in thirds of an octave, dB: mean and 95 %.
  public var spectrumDB: Spread
  /// Level of the second set minus that of the first, dB.
  public var levelDB: Double
  /// Place at which the levels at the ears differ most.
  public var largestSpectrum: Place
  /// Place at which the interaural delays differ most.
  public var largestDelay: Place

  /// A comparison.
  public init(
    first: Party, second: Party, places: Int, lowestElevation: Double, highestFrequencyHz: Double,
    delayMicroseconds: Spread, interauralLevelDB: Spread, spectrumDB: Spread, levelDB: Double,
    largestSpectrum: Place, largestDelay: Place
  ) {
    self.first = first
    self.second = second
    self.places = places
    self.lowestElevation = lowestElevation
    self.highestFrequencyHz = highestFrequencyHz
    self.delayMicroseconds = delayMicroseconds
    self.interauralLevelDB = interauralLevelDB
    self.spectrumDB = spectrumDB
    self.levelDB = levelDB
    self.largestSpectrum = largestSpectrum
    self.largestDelay = largestDelay
  }
}
