import AudioCore

/// What is done with the audio objects of a file.
public struct ObjectOptions: Sendable, Hashable, Codable {
  /// Whether objects are rendered.
  public enum Use: String, Sendable, Hashable, Codable, CaseIterable {
    /// Where there are some.
    case automatic = "auto"
    /// Never: the channels are played as the file's header names them.
    case bed
    /// A file without objects is refused.
    case render
  }

  /// Whether the mixer's wishes for headphones are followed.
  public enum HeadphoneModes: String, Sendable, Hashable, Codable, CaseIterable {
    /// What is marked "off" isn't virtualised; "near" and "far" say how much of a room is heard.
    case follow
    /// Everything is virtualised, and the room treats all objects alike.
    case ignore
  }

  /// Whether they are rendered.
  public var use = Use.automatic
  /// Identifier, name or language of the programme to play; `nil` for the only one, or the one of the
  /// lowest identifier.
  public var programme: String?
  /// Identifiers of objects that are played instead of the ones that they complement.
  public var complements: [String] = []
  /// Objects and blocks that are less important than this, 0…10, aren't heard; `nil` hears all.
  public var importance: Int?
  /// Objects that sound, by identifier, kind of content or name; empty for all.
  public var only: [String] = []
  /// What is changed about objects, within what the file allows.
  public var changes: [ObjectChange] = []
  /// Whether the mixer's wishes for headphones are followed.
  public var headphoneModes = HeadphoneModes.follow

  /// Whether some objects are chosen, which means something only where objects are rendered.
  var choosesObjects: Bool {
    programme != nil || !complements.isEmpty || importance != nil || !only.isEmpty
      || !changes.isEmpty
  }

  /// Options with their defaults.
  public init() {}
}
