// SPDX-License-Identifier: Apache-2.0

/// How an LV2 plugin is to be run, as the process that hosts it is told.
package struct PluginSession: Codable, Sendable, Equatable {
  /// A setting: the symbol of a control port or the address of a parameter, and its value as text.
  package struct Value: Codable, Sendable, Hashable {
    package var name: String
    package var text: String

    package init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  /// How the plugin's channels meet those of the sound.
  package enum Fit: String, Codable, Sendable, Hashable, CaseIterable {
    /// Both have as many, or one instance of a mono plugin runs for each channel.
    case exact
    /// Inputs without a channel get silence, a single input gets the mean of all channels, further outputs are
    /// dropped, and missing outputs repeat the last one.
    case mix
  }

  /// The plugin's address.
  package var uri: String
  /// Folders of the bundles that describe it; the first is its own.
  package var bundles: [String] = []
  /// Address of a preset; `nil` for the plugin's defaults.
  package var preset: String?
  /// Path of a file of state; `nil` for none.
  package var state: String?
  /// Settings, applied behind the preset.
  package var values: [Value] = []
  /// Sample rate, Hz.
  package var rate: Int
  /// Channels of the sound.
  package var channels: Int
  package var fit = Fit.exact
  /// The delay in samples that it must state in each block; `nil` where it may state any.
  package var latency: Int?
  /// Most seconds of the processor.
  package var seconds: Int
  /// The only folder in which it may write.
  package var scratch: String

  /// A session of the plugin `uri`, which has its defaults.
  package init(uri: String, rate: Int, channels: Int, seconds: Int, scratch: String) {
    self.uri = uri
    self.rate = rate
    self.channels = channels
    self.seconds = seconds
    self.scratch = scratch
  }

  /// Samples in a block of the plugin.
  package static let block = 1024
}

/// The statements of a plugin when it has run one block of silence.
package struct PluginStart: Codable, Sendable, Equatable {
  /// Its delay in samples.
  package var latency: Int
  /// Number of instances.
  package var instances: Int
  /// The settings of its control inputs, by symbol.
  package var values: [PluginSession.Value]
  /// Notes on what was settled for the user, as sentences.
  package var notes: [String]

  package init(latency: Int, instances: Int, values: [PluginSession.Value], notes: [String]) {
    self.latency = latency
    self.instances = instances
    self.values = values
    self.notes = notes
  }
}
