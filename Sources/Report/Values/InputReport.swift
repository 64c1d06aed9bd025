import AudioCore

extension RenderReport {
  /// The input track.
  public struct Input: Sendable, Codable, Equatable {
    /// Path as given.
    public var path: String
    /// Container format.
    public var container: String
    /// Stream index in the container.
    public var stream: Int
    /// Codec name.
    public var codec: String
    /// Codec profile.
    public var profile: String?
    /// Channel layout.
    public var layout: String
    /// Hz.
    public var rate: Int
    /// Language tag.
    public var language: String?
    /// Dialogue normalisation of the bitstream, dB.
    public var dialnorm: Double?
    /// Whether the bitstream carries heavy compression words; they are applied only with `--drc`.
    public var drc: Bool?
    /// `yes`, `no` or `unknown`: whether the bitstream holds audio objects.
    public var objects: String
    /// How its objects are coded; absent where they aren't, or aren't decoded.
    public var objectCoding: ObjectCodingReport?
    /// Objects and channels that it holds beside its bed and that can't be decoded; absent without any.
    public var undecoded: ProgrammeFacts.Undecoded?
    /// Its objects, loudspeaker channels and sound fields; absent for a bed alone.
    public var scene: [ObjectReport]?
    /// What the timeline did; absent when the run ended before.
    public var timeline: Timeline?

    /// An input track.
    public init(
      path: String, container: String, stream: Int, codec: String, profile: String?,
      layout: String, rate: Int, language: String?, dialnorm: Double?, drc: Bool?, objects: String
    ) {
      self.path = path
      self.container = container
      self.stream = stream
      self.codec = codec
      self.profile = profile
      self.layout = layout
      self.rate = rate
      self.language = language
      self.dialnorm = dialnorm
      self.drc = drc
      self.objects = objects
    }
  }
}
