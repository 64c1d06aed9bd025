extension ProbeReport {
  /// One presentation of an AC-4 track.
  public struct Presentation: Sendable, Codable, Equatable {
    /// Place in the table of contents, from 0.
    public var index: Int
    /// Its id, if it has one.
    public var id: Int?
    /// Channel mode, e.g. `stereo`; missing for objects.
    public var channels: String?
    /// Whether it is immersive stereo, made for headphones.
    public var immersiveStereo: Bool
    /// Whether it holds audio objects.
    public var objects: Bool
    /// Languages of its substreams.
    public var languages: [String]
    /// Frames a second.
    public var frameRate: Double
    /// Dialogue normalisation, dB.
    public var dialnorm: Double?
    /// Integrated loudness the stream states, LUFS.
    public var integrated: Double?
    /// True peak the stream states, dBTP.
    public var truePeak: Double?
    /// Whether it carries dynamic range control.
    public var dynamicRange: Bool
    /// Whether its dialogue can be enhanced.
    public var dialogueEnhancement: Bool

    /// A presentation.
    public init(
      index: Int, id: Int?, channels: String?, immersiveStereo: Bool, objects: Bool,
      languages: [String], frameRate: Double, dialnorm: Double?, integrated: Double?,
      truePeak: Double?, dynamicRange: Bool, dialogueEnhancement: Bool
    ) {
      self.index = index
      self.id = id
      self.channels = channels
      self.immersiveStereo = immersiveStereo
      self.objects = objects
      self.languages = languages
      self.frameRate = frameRate
      self.dialnorm = dialnorm
      self.integrated = integrated
      self.truePeak = truePeak
      self.dynamicRange = dynamicRange
      self.dialogueEnhancement = dialogueEnhancement
    }
  }
}
