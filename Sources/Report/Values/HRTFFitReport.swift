/// How an HRTF set is fitted to a head (`pinna.hrtf-fit/1`).
public struct HRTFFitReport: Sendable, Codable, Equatable {
  /// The schema's name and version.
  public static let schemaName = "pinna.hrtf-fit/1"

  /// Always `pinna.hrtf-fit/1`.
  public var schema = HRTFFitReport.schemaName
  /// `kemar`, or the file's name.
  public var id: String
  /// SHA-256 of the file or of the built-in data.
  public var sha256: String
  /// Radius of the sphere with the set's own delays, cm.
  public var setRadiusCm: Double
  /// Radius of the sphere with the delays of the head, cm.
  public var headRadiusCm: Double
  /// Factor of the set's delays: what `--itd-scale` takes.
  public var scale: Double

  /// A fit.
  public init(
    id: String, sha256: String, setRadiusCm: Double, headRadiusCm: Double, scale: Double
  ) {
    self.id = id
    self.sha256 = sha256
    self.setRadiusCm = setRadiusCm
    self.headRadiusCm = headRadiusCm
    self.scale = scale
  }
}
