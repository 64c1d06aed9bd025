/// Where a sound comes from, seen from the listener.
public struct Direction: Sendable, Hashable, Codable {
  /// Degrees, 0 in front, positive to the left (as in SOFA and ITU-R BS.2051), −180…180.
  public var azimuth: Double
  /// Degrees, 0 at ear height, positive upwards, −90…90.
  public var elevation: Double

  /// A direction from its angles in degrees.
  public init(azimuth: Double, elevation: Double = 0) {
    self.azimuth = azimuth
    self.elevation = elevation
  }

  /// The position's label in ITU-R BS.2051, e.g. `M+030`, `U-110`, `B+000`: `T` above 75° of elevation,
  /// `U` above 15°, `B` below −15°, else `M`; then the azimuth in whole degrees.
  public var label: String {
    let layer = elevation > 15 ? (elevation > 75 ? "T" : "U") : (elevation < -15 ? "B" : "M")
    let degrees = String(Int(azimuth.magnitude.rounded()))
    let padded = String(repeating: "0", count: max(0, 3 - degrees.count)) + degrees
    return layer + (azimuth < 0 ? "-" : "+") + padded
  }
}
