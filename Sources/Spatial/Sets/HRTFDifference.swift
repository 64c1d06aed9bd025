/// How the responses of two sets differ as they are played, over the places both have.
package struct HRTFDifference: Sendable, Codable, Hashable {
  /// A typical and a high value of one figure over all places.
  package struct Spread: Sendable, Codable, Hashable {
    /// Median of delays, mean of levels.
    package let typical: Double
    /// The value that 95 % of the places don't exceed.
    package let high: Double
  }

  /// What differs at one place.
  package struct Place: Sendable, Codable, Hashable {
    /// Degrees, positive to the left.
    package let azimuth: Double
    /// Degrees, positive upwards.
    package let elevation: Double
    /// Difference of the interaural delays, in µs.
    package let delayMicroseconds: Double
    /// Mean difference of the interaural level differences, in dB.
    package let interauralLevelDB: Double
    /// Mean difference of the levels at the ears, in dB.
    package let spectrumDB: Double
  }

  /// Places compared; of two symmetric sets the left half and the median plane.
  package let places: Int
  /// Lowest elevation compared, in degrees.
  package let lowestElevation: Double
  /// Highest frequency compared, in Hz.
  package let highestFrequency: Double
  /// Interaural delays, in µs.
  package let delayMicroseconds: Spread
  /// Interaural level differences in thirds of an octave, in dB.
  package let interauralLevelDB: Spread
  /// Levels at each ear in thirds of an octave, in dB.
  package let spectrumDB: Spread
  /// Mean level of the second set above the first's, in dB.
  package let levelDB: Double
  /// The place whose levels at the ears differ most.
  package let largestSpectrum: Place
  /// The place whose interaural delays differ most.
  package let largestDelay: Place
}

extension HRTFSet {
  /// How `other` differs from this set, at those of this set's places from −40° of elevation
  /// upwards that have a place of the other set within 11.5°. Takes some seconds for 1,500
  /// directions.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` when there are none.
  package func difference(to other: HRTFSet) throws -> HRTFDifference {
    try HRTFComparison(self, other).difference()
  }
}
