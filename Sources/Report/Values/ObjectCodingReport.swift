/// What the first access units of a track say of objects that are coded in a downmix (ETSI TS 103 420).
public struct ObjectCodingReport: Sendable, Codable, Equatable {
  /// Number of all objects by the headers (`complexity_index_type_a`); absent where they state none.
  public var complexity: Int?
  /// Channels of the bed; absent without one.
  public var bed: String?
  /// Number of objects that can move.
  public var objects: Int
  /// The downmix that they are coded in.
  public var downmix: String
  /// Updates of each object in a second.
  public var updatesPerSecond: Double

  /// Facts from their values.
  public init(
    complexity: Int?, bed: String?, objects: Int, downmix: String, updatesPerSecond: Double
  ) {
    self.complexity = complexity
    self.bed = bed
    self.objects = objects
    self.downmix = downmix
    self.updatesPerSecond = updatesPerSecond
  }
}
