/// What an LV2 plugin says about itself (`pinna taps show --json`).
public struct PluginReport: Sendable, Codable, Equatable {
  /// The schema's name and version.
  public static let schemaName = "pinna.plugin/1"

  /// A control that a setting can change.
  public struct Control: Sendable, Codable, Equatable {
    /// A value with a name.
    public struct Choice: Sendable, Codable, Equatable {
      /// Its name.
      public var label: String
      /// Its value.
      public var value: Double

      /// A choice.
      public init(label: String, value: Double) {
        self.label = label
        self.value = value
      }
    }

    /// What settings call it: the port's symbol, or the address of a parameter.
    public var symbol: String
    /// What people call it.
    public var name: String
    /// `number`, `integer`, `switch`, `choice`, `path` or `text`.
    public var kind: String
    /// Its value without a setting; absent where it has none.
    public var standard: Double?
    /// Least value; absent where there is none.
    public var least: Double?
    /// Greatest value; absent where there is none.
    public var greatest: Double?
    /// Values with a name.
    public var choices: [Choice]

    /// A control.
    public init(
      symbol: String, name: String, kind: String, standard: Double?, least: Double?,
      greatest: Double?, choices: [Choice]
    ) {
      self.symbol = symbol
      self.name = name
      self.kind = kind
      self.standard = standard
      self.least = least
      self.greatest = greatest
      self.choices = choices
    }
  }

  /// Settings under a name.
  public struct Preset: Sendable, Codable, Equatable {
    /// Its address.
    public var uri: String
    /// What people call it.
    public var label: String
    /// Folder of the bundle that it lies in.
    public var bundle: String

    /// A preset.
    public init(uri: String, label: String, bundle: String) {
      self.uri = uri
      self.label = label
      self.bundle = bundle
    }
  }

  /// Ports of sound.
  public struct Sound: Sendable, Codable, Equatable {
    /// Inputs, side chains not among them.
    public var inputs: Int
    /// Side chains, which get silence.
    public var sideChains: Int
    /// Outputs.
    public var outputs: Int

    /// Ports.
    public init(inputs: Int, sideChains: Int, outputs: Int) {
      self.inputs = inputs
      self.sideChains = sideChains
      self.outputs = outputs
    }
  }

  /// What a plugin needs and can do.
  public struct Features: Sendable, Codable, Equatable {
    /// What it needs of a host.
    public var required: [String] = []
    /// What it needs and Pinna hasn't.
    public var missing: [String] = []
    /// Whether it does work outside its blocks.
    public var hasWorker = false
    /// Whether it has state besides its controls.
    public var hasState = false
    /// Whether it states its delay.
    public var statesLatency = false

    /// Nothing special.
    public init() {}
  }

  /// Always `pinna.plugin/1`.
  public var schema = PluginReport.schemaName
  /// Its address.
  public var uri: String
  /// What people call it.
  public var name: String
  /// Who made it; absent where it doesn't say.
  public var author: String?
  /// Its licence; absent where it doesn't say.
  public var license: String?
  /// Minor and micro version, such as `2.4`; absent where it doesn't say.
  public var version: String?
  /// Folder of its bundle.
  public var bundle: String
  /// Path of its code.
  public var binary: String
  /// SHA-256 of its code and its descriptions; absent in what its own process tells.
  public var sha256: String?
  /// Its ports of sound.
  public var sound: Sound
  /// Controls, in the order of the ports, parameters behind them.
  public var controls: [Control] = []
  /// Presets.
  public var presets: [Preset] = []
  /// What it needs and can do.
  public var features = Features()

  /// A plugin without controls.
  public init(uri: String, name: String, bundle: String, binary: String, sound: Sound) {
    self.uri = uri
    self.name = name
    self.bundle = bundle
    self.binary = binary
    self.sound = sound
  }
}

/// The LV2 plugins that are installed (`pinna taps list --lv2 --json`).
public struct PluginListReport: Sendable, Codable, Equatable {
  /// The schema's name and version.
  public static let schemaName = "pinna.plugins/1"

  /// One plugin.
  public struct Row: Sendable, Codable, Equatable {
    /// Its address.
    public var uri: String
    /// What people call it.
    public var name: String
    /// Sound inputs, side chains not among them.
    public var inputs: Int
    /// Sound outputs.
    public var outputs: Int

    /// A row.
    public init(uri: String, name: String, inputs: Int, outputs: Int) {
      self.uri = uri
      self.name = name
      self.inputs = inputs
      self.outputs = outputs
    }
  }

  /// Always `pinna.plugins/1`.
  public var schema = PluginListReport.schemaName
  /// The plugins, by address.
  public var plugins: [Row]

  /// A list.
  public init(plugins: [Row]) { self.plugins = plugins }
}
