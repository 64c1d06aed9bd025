import AudioCore

/// An object, a bed, a loudspeaker channel or a sound field of an input.
public struct ObjectReport: Sendable, Codable, Equatable {
  /// A place that is reached at a time.
  public struct Point: Sendable, Codable, Equatable {
    /// Seconds from the file's beginning.
    public var seconds: Double
    /// Azimuth, elevation and distance, or X, Y and Z.
    public var position: [Double]
    /// Linear gain.
    public var gain: Double

    /// A point of a path.
    public init(seconds: Double, position: [Double], gain: Double) {
      self.seconds = seconds
      self.position = position
      self.gain = gain
    }
  }

  /// Identifier of its object, e.g. `AO_1001`.
  public var id: String?
  /// Its name.
  public var name: String?
  /// `object`, `bed`, `speaker`, `ear` or `field`.
  public var type: String
  /// Kinds of its content by which it can be named, e.g. `dialogue`; absent where none is stated.
  public var kinds: [String]?
  /// What a listener may change about it; absent where that isn't stated.
  public var interaction: ObjectInteraction?
  /// Tracks of the file that it is made of, from 1; empty for what is decoded from a downmix.
  public var tracks: [Int]
  /// When it first sounds, in seconds.
  public var start: Double?
  /// When it last sounds, in seconds.
  public var end: Double?
  /// Changes of its state.
  public var changes: Int
  /// `polar` (azimuth and elevation in degrees, distance) or `cartesian` (X, Y, Z).
  public var coordinates: String?
  /// Least value of each coordinate while it sounds.
  public var least: [Double]?
  /// Greatest value of each coordinate while it sounds.
  public var greatest: [Double]?
  /// Where it goes; at most 100 points.
  public var path: [Point]?
  /// Sample peak in dBFS of its sound with its gain, before it is panned; absent for silence, for a sound field
  /// and where nothing was rendered.
  public var samplePeak: Double?
  /// Gated loudness in LUFS of the same sound as one channel of weight 1 (ITU-R BS.1770); absent where none
  /// passes the gate, and as above.
  public var integrated: Double?

  /// An object from its values.
  public init(
    name: String?, type: String, tracks: [Int], start: Double?, end: Double?, changes: Int,
    coordinates: String? = nil, least: [Double]? = nil, greatest: [Double]? = nil,
    path: [Point]? = nil
  ) {
    self.name = name
    self.type = type
    self.tracks = tracks
    self.start = start
    self.end = end
    self.changes = changes
    self.coordinates = coordinates
    self.least = least
    self.greatest = greatest
    self.path = path
  }
}

/// What the beginning of a track says of objects that are coded in a downmix (ETSI TS 103 420, ETSI TS 103 190-2).
public struct ObjectCodingReport: Sendable, Codable, Equatable {
  /// Number of all objects by the headers (`complexity_index_type_a`); absent where they state none.
  public var complexity: Int?
  /// Channels of the bed; absent without one.
  public var bed: String?
  /// Number of objects that can move.
  public var objects: Int
  /// The downmix that they are coded in.
  public var downmix: String
  /// Updates of each object in a second; absent where they come at no fixed rate.
  public var updatesPerSecond: Double?

  /// Facts from their values.
  public init(
    complexity: Int?, bed: String?, objects: Int, downmix: String, updatesPerSecond: Double?
  ) {
    self.complexity = complexity
    self.bed = bed
    self.objects = objects
    self.downmix = downmix
    self.updatesPerSecond = updatesPerSecond
  }
}
