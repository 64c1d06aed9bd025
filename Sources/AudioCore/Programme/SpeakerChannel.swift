/// A channel that is meant for one loudspeaker (DirectSpeakers, ITU-R BS.2076-2, 5.4.3.1).
public struct SpeakerChannel: Sendable, Hashable, Codable {
  /// Bounds of the coordinates of loudspeakers that may play the channel: azimuth, elevation and distance,
  /// or X, Y and Z, as the object's position has them. `nil` for each that isn't stated.
  public struct Bounds: Sendable, Hashable, Codable {
    /// Azimuth or X.
    public var first: Double?
    /// Elevation or Y.
    public var second: Double?
    /// Distance or Z.
    public var third: Double?

    /// Bounds; none by default.
    public init(first: Double? = nil, second: Double? = nil, third: Double? = nil) {
      self.first = first
      self.second = second
      self.third = third
    }
  }

  /// Names of the loudspeaker as written, e.g. `M+030`, in the order in which they are tried.
  public var labels: [String]
  /// The common pack that it belongs to, e.g. `AP_00010003`; `nil` for a pack of the programme's own.
  public var pack: String?
  /// Whether it carries low frequencies only.
  public var isLFE: Bool
  /// Least coordinates.
  public var least: Bounds
  /// Greatest coordinates.
  public var greatest: Bounds

  /// A channel for a loudspeaker.
  public init(
    labels: [String] = [], pack: String? = nil, isLFE: Bool = false, least: Bounds = Bounds(),
    greatest: Bounds = Bounds()
  ) {
    self.labels = labels
    self.pack = pack
    self.isLFE = isLFE
    self.least = least
    self.greatest = greatest
  }
}
