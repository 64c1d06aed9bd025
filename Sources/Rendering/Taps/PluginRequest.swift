import AudioCore

/// An LV2 plugin that the sound is sent through, in a process of its own.
public struct PluginRequest: Sendable, Hashable, Codable {
  /// One setting of a plugin.
  public struct Setting: Sendable, Hashable, Codable {
    /// The symbol of a control, or the address of a parameter.
    public var name: String
    /// Its value as text: a number, `on` or `off`, or the name of a choice.
    public var value: String

    /// A setting.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// How the plugin's channels meet those of the sound.
  public enum Channels: String, Sendable, Hashable, Codable, CaseIterable {
    /// Both have as many, or one instance of a mono plugin runs for each channel.
    case exact
    /// What is missing is made up, and what is too much is dropped; the report tells how.
    case mix
  }

  /// The plugin's address.
  public var uri: String
  /// Address or name of a preset; `nil` for the plugin's defaults.
  public var preset: String?
  /// A file of state that a host saved; `nil` for none.
  public var statePath: String?
  /// Settings, applied behind the preset.
  public var settings: [Setting] = []
  /// How channels meet.
  public var channels = Channels.exact

  /// The plugin at `uri`, as it is by default.
  public init(_ uri: String) { self.uri = uri }
}
