// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Report
import Synchronization

/// Taps of LV2 plugins.
enum PluginFile {
  /// Seconds that a plugin may take and give no sound.
  private static let patience = 10.0

  /// The tap that `request` asks for.
  /// - Throws: ``MediaError`` of kind `usage` where the plugin or a preset isn't there, of kind `unsupportedFeature`
  ///   where Pinna's host of plugins isn't, or lacks what the plugin needs.
  static func load(_ request: PluginRequest, at point: TapPoint) throws -> LoadedTap {
    let host = try PluginHost.find()
    let about = try host.describe(request.uri)
    let preset = try request.preset.map { try find($0, in: about) }
    let files = request.settings.map(\.value) + [request.statePath ?? ""]
    var settings = ["\(about.name) \(about.version ?? "of unknown version")"]
    settings += request.settings.map { "\($0.name)=\($0.value)" }
    if let preset { settings.append("preset \(preset.label)") }
    if let path = request.statePath { settings.append("state \(path)") }
    if request.channels == .mix { settings.append("channels=mix") }
    let plan = PlannedTap(
      point: point, kind: "lv2", name: request.uri,
      sha256: FileDigests.of([about.sha256 ?? ""] + files), settings: settings)
    let runs = PluginRuns(
      host: host, request: request, title: plan.title,
      bundles: [about.bundle] + (preset.map { [$0.bundle] } ?? []), preset: preset?.uri)
    return LoadedTap(
      plan: plan,
      notes: ConfinementNotes.all + (PluginHost.stated.map { ["LV2_PATH is \($0)"] } ?? []),
      latency: about.features.statesLatency ? .reported : .found, isKeptProved: true, rings: true,
      processing: { context, known in
        let start = try runs.start(context.format)
        return ProgramTap(
          context: context, latency: known.isKnown ? known.used : start.latency,
          tail: .samples(Int64(known.tail)), name: plan.title,
          runs.program(start, stated: known.isPinned ? nil : start.latency))
      })
  }

  /// The preset that `name` calls by its address or its label.
  private static func find(
    _ name: String, in about: PluginReport
  ) throws -> PluginReport.Preset {
    let found = about.presets.filter { $0.uri == name || $0.label == name }
    guard let preset = found.first else {
      let labels = about.presets.map(\.label).joined(separator: ", ")
      throw MediaError(
        .usage, about: about.uri,
        "has no preset \(name); it has \(labels.isEmpty ? "none" : labels)")
    }
    return preset
  }

  /// The processes of one plugin.
  private final class PluginRuns: Sendable {
    private let host: PluginHost
    private let request: PluginRequest
    private let title: String
    private let bundles: [String]
    private let preset: String?
    /// Statements at its start, by the format of the sound.
    private let starts = Mutex<[AudioFormat: PluginStart]>([:])

    init(
      host: PluginHost, request: PluginRequest, title: String, bundles: [String], preset: String?
    ) {
      self.host = host
      self.request = request
      self.title = title
      self.bundles = bundles
      self.preset = preset
    }

    /// Statement of the plugin after a block of sound of `format`.
    func start(_ format: AudioFormat) throws -> PluginStart {
      if let known = starts.withLock({ $0[format] }) { return known }
      let scratch = try ScratchFolder()
      let start = try host.start(
        session(format, seconds: 60, scratch.path), name: title)
      starts.withLock { $0[format] = start }
      return start
    }

    /// How its process is started, which stated `start` before; it must state the delay `stated` in each block, unless that
    /// is `nil`.
    func program(_ start: PluginStart, stated: Int?) -> ProgramTap.Program {
      let (host, title) = (host, title)
      return ProgramTap.Program(
        patience: PluginFile.patience, silence: .unsupportedFeature,
        settings: start.values.map { "\($0.name)=\($0.text)" },
        notes: start.notes,
        remarks: { lines in
          // The plugin's own prints say nothing about the sound.
          let mark = "\(PluginHost.name): "
          return lines.filter { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
        },
        failure: { PluginHost.failure($0, $1, about: title, behind: $2) },
        start: { [self] format, seconds, scratch in
          var session = session(format, seconds: seconds, scratch)
          session.latency = stated
          return try host.run(session)
        })
    }

    private func session(_ format: AudioFormat, seconds: Int, _ scratch: String) -> PluginSession {
      var session = PluginSession(
        uri: request.uri, rate: format.sampleRate, channels: format.channels, seconds: seconds,
        scratch: scratch)
      session.bundles = bundles
      session.preset = preset
      session.state = request.statePath
      session.values = request.settings.map { PluginSession.Value($0.name, $0.value) }
      session.fit = request.channels == .mix ? .mix : .exact
      return session
    }
  }
}

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
    /// Missing channels are made up, and surplus ones dropped; the report tells how.
    case mix
  }

  /// The plugin's address.
  public var uri: String
  /// Address or name of a preset; `nil` for the plugin's defaults.
  public var preset: String?
  /// A file of state that a host saved; `nil` for none.
  public var statePath: String?
  /// Settings, applied after the preset.
  public var settings: [Setting] = []
  /// How channels meet.
  public var channels = Channels.exact

  /// The plugin at `uri`, as it is by default.
  public init(_ uri: String) { self.uri = uri }
}
