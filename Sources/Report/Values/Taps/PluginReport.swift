// SPDX-License-Identifier: Apache-2.0

/// The description of an LV2 plugin by itself (`pinna taps show --json`).
package struct PluginReport: Sendable, Codable, Equatable {
  /// The schema's name and version.
  package static let schemaName = "pinna.plugin/1"

  /// A control that a setting can change.
  package struct Control: Sendable, Codable, Equatable {
    /// A value with a name.
    package struct Choice: Sendable, Codable, Equatable {
      /// Its name.
      package var label: String
      /// Its value.
      package var value: Double

      /// A choice.
      package init(label: String, value: Double) {
        self.label = label
        self.value = value
      }
    }

    /// Name in settings: the port's symbol, or the address of a parameter.
    package var symbol: String
    /// Name for people.
    package var name: String
    /// `number`, `integer`, `switch`, `choice`, `path` or `text`.
    package var kind: String
    /// Its value without a setting; absent where it has none.
    package var standard: Double?
    /// Least value; absent where there is none.
    package var least: Double?
    /// Greatest value; absent where there is none.
    package var greatest: Double?
    /// Values with a name.
    package var choices: [Choice]

    /// A control.
    package init(
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
  package struct Preset: Sendable, Codable, Equatable {
    /// Its address.
    package var uri: String
    /// Name for people.
    package var label: String
    /// Folder of the bundle that it lies in.
    package var bundle: String

    /// A preset.
    package init(uri: String, label: String, bundle: String) {
      self.uri = uri
      self.label = label
      self.bundle = bundle
    }
  }

  /// Ports of sound.
  package struct Sound: Sendable, Codable, Equatable {
    /// Inputs, side chains not among them.
    package var inputs: Int
    /// Side chains, which get silence.
    package var sideChains: Int
    /// Outputs.
    package var outputs: Int

    /// Ports.
    package init(inputs: Int, sideChains: Int, outputs: Int) {
      self.inputs = inputs
      self.sideChains = sideChains
      self.outputs = outputs
    }
  }

  /// The needs and abilities of a plugin.
  package struct Features: Sendable, Codable, Equatable {
    /// Features that it needs of a host.
    package var required: [String] = []
    /// Features that it needs and Pinna hasn't.
    package var missing: [String] = []
    /// Whether it does work outside its blocks.
    package var hasWorker = false
    /// Whether it has state besides its controls.
    package var hasState = false
    /// Whether it states its delay.
    package var statesLatency = false

    /// Nothing special.
    package init() {}
  }

  /// Always `pinna.plugin/1`.
  package var schema = PluginReport.schemaName
  /// Its address.
  package var uri: String
  /// Name for people.
  package var name: String
  /// Author; absent where the plugin doesn't say.
  package var author: String?
  /// Its licence; absent where it doesn't say.
  package var license: String?
  /// Minor and micro version, such as `2.4`; absent where it doesn't say.
  package var version: String?
  /// Folder of its bundle.
  package var bundle: String
  /// Path of its code.
  package var binary: String
  /// SHA-256 of its code and its descriptions; absent in what its own process tells.
  package var sha256: String?
  /// Its ports of sound.
  package var sound: Sound
  /// Controls, in the order of the ports, parameters behind them.
  package var controls: [Control] = []
  /// Presets.
  package var presets: [Preset] = []
  /// Needs and abilities.
  package var features = Features()

  /// A plugin without controls.
  package init(uri: String, name: String, bundle: String, binary: String, sound: Sound) {
    self.uri = uri
    self.name = name
    self.bundle = bundle
    self.binary = binary
    self.sound = sound
  }
}

/// The LV2 plugins that are installed (`pinna taps list --lv2 --json`).
package struct PluginListReport: Sendable, Codable, Equatable {
  /// The schema's name and version.
  package static let schemaName = "pinna.plugins/1"

  /// One plugin.
  package struct Row: Sendable, Codable, Equatable {
    /// Its address.
    package var uri: String
    /// Name for people.
    package var name: String
    /// Sound inputs, side chains not among them.
    package var inputs: Int
    /// Sound outputs.
    package var outputs: Int

    /// A row.
    package init(uri: String, name: String, inputs: Int, outputs: Int) {
      self.uri = uri
      self.name = name
      self.inputs = inputs
      self.outputs = outputs
    }
  }

  /// Always `pinna.plugins/1`.
  package var schema = PluginListReport.schemaName
  /// The plugins, by address.
  package var plugins: [Row]

  /// A list.
  package init(plugins: [Row]) { self.plugins = plugins }
}
