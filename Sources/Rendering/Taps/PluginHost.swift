// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Essentials
import Platform
import Report

/// The program that hosts LV2 plugins, `pinna-lv2`, which is an optional part of Pinna.
package struct PluginHost: Sendable {
  package static let name = "pinna-lv2"
  /// Seconds that it may take to answer; reading the descriptions of hundreds of plugins takes a while on a busy machine.
  private static let patience = 60.0
  /// Folders of plugins, behind the user's own one.
  private static let folders = [
    "/usr/local/lib/lv2", "/usr/lib/lv2", "/usr/lib/x86_64-linux-gnu/lv2",
    "/usr/lib/aarch64-linux-gnu/lv2", "/usr/lib64/lv2",
  ]

  package let path: String

  /// The host beside this program, in `../libexec/pinna` from there, or in PATH; `nil` where there is none.
  package static var installed: PluginHost? {
    let folder = PathParts.split(PathParts.real(OwnProgram.path) ?? OwnProgram.path).folder
    let places = ["\(folder)\(name)", "\(folder)../libexec/pinna/\(name)"]
    return (places.first { ProgramPlace.path(of: $0) != nil } ?? ProgramPlace.path(of: name))
      .map { PluginHost(path: $0) }
  }

  /// The host.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` where it isn't installed.
  package static func find() throws -> PluginHost {
    guard let host = installed else {
      throw MediaError(
        .unsupportedFeature,
        "\(name) isn't installed, so LV2 plugins can't be used; install liblilv-dev and build Pinna anew"
      )
    }
    return host
  }

  /// All plugins that are installed.
  /// - Throws: ``MediaError`` when they can't be listed.
  package func list() throws -> PluginListReport {
    try decode(PluginListReport.self, ask("list", uri: ""), about: PluginHost.name)
  }

  /// Description that the plugin at `uri` gives of itself.
  /// - Throws: ``MediaError`` where it isn't installed or its description is broken.
  package func describe(_ uri: String) throws -> PluginReport {
    var report = try decode(PluginReport.self, ask("describe", uri: uri), about: uri)
    let folder = open(report.bundle, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let names = FolderNames.of(folder).filter { $0.hasSuffix(".ttl") }.sortedAsNames()
    report.sha256 = FileDigests.of([report.binary] + names.map { "\(report.bundle)/\($0)" })
    return report
  }

  /// Statement of the plugin called `name` in messages, after a run as `session` says.
  /// - Throws: ``MediaError`` where it can't be run so.
  func start(_ session: PluginSession, name: String) throws -> PluginStart {
    try decode(PluginStart.self, ask("start", session, about: name), about: name)
  }

  /// Starts the plugin as `session` says.
  /// - Throws: ``MediaError`` of kind `outOfResources`.
  func run(_ session: PluginSession) throws -> PipedProgram {
    try PipedProgram(path, ["run", try text(session)], environment: environment(session))
  }

  private func ask(_ command: String, uri: String) throws -> [UInt8] {
    let scratch = try ScratchFolder()
    let session = PluginSession(
      uri: uri, rate: 48_000, channels: 2, seconds: 60, scratch: scratch.path)
    return try ask(command, session, about: uri.isEmpty ? PluginHost.name : uri)
  }

  private func ask(
    _ command: String, _ session: PluginSession, about subject: String
  ) throws -> [UInt8] {
    let program = try PipedProgram(
      path, [command, try text(session)], environment: environment(session))
    var bytes: [UInt8] = []
    let end: ChildProcess.End
    do {
      end = try program.finish(within: PluginHost.patience) { bytes += $0 }
    } catch PipedProgram.Stop.silence(let seconds) {
      throw MediaError(
        .unsupportedFeature, about: subject,
        "gave no answer for \(seconds) s and was ended; use another plugin")
    }
    guard end == .code(0) else {
      throw PluginHost.failure(end, program.errors, about: subject)
    }
    return bytes
  }

  private func environment(_ session: PluginSession) -> [String] {
    let path = PluginHost.searched.joined(separator: ":")
    return [
      "PATH=\(ProgramPlace.folders.joined(separator: ":"))", "LC_ALL=C", "LV2_PATH=\(path)",
      // A crash is reported by its signal; the runtime's own account of it takes long and drowns what the plugin says.
      "SWIFT_BACKTRACE=enable=no",
      "HOME=\(session.scratch)", "TMPDIR=\(session.scratch)",
    ]
  }

  /// The folders that plugins are looked for in.
  static var searched: [String] {
    let home = getenv("HOME").map { [String(cString: $0) + "/.lv2"] } ?? []
    return stated.map { $0.split(separator: ":").map(String.init) } ?? home + folders
  }

  /// LV2_PATH of this process; `nil` where it isn't set.
  static var stated: String? { getenv("LV2_PATH").map { String(cString: $0) } }

  private func text(_ session: PluginSession) throws -> String {
    String(decoding: try JSONEncoder().encode(session), as: UTF8.self)
  }

  private func decode<Value: Decodable>(
    _ type: Value.Type, _ bytes: [UInt8], about subject: String
  ) throws -> Value {
    do { return try JSONDecoder().decode(type, from: Data(bytes)) } catch {
      throw MediaError(
        .internal, about: subject,
        "\(PluginHost.name) gave an answer that isn't understood; build Pinna anew",
        cause: error)
    }
  }

  /// Why a plugin's process ended too early, from what it wrote to its standard error.
  static func failure(
    _ end: ChildProcess.End, _ errors: String, about subject: String, behind samples: Int64? = nil
  ) -> MediaError {
    let mark = "\(name): "
    let lines = errors.split(whereSeparator: \.isNewline).map(String.init)
    if case .code(let code) = end, code != 0, let own = lines.last(where: { $0.hasPrefix(mark) }) {
      return MediaError(kind(code), about: subject, String(own.dropFirst(mark.count)))
    }
    let place = samples.map { " after sample \($0)" } ?? " when it was made or ran its first block"
    let said = lines.suffix(3).joined(separator: " / ")
    let how =
      switch end {
      case .code(let code): "ended its process with exit \(code)\(place)"
      case .signal(SIGXCPU): "used more of the processor than it may\(place)"
      case .signal(let number): "crashed (signal \(number))\(place)"
      }
    return MediaError(
      .unsupportedFeature, about: subject,
      "\(how)\(said.isEmpty ? "" : ": " + said); use another plugin, or leave it out")
  }

  /// The kind of failure that an exit code stands for.
  private static func kind(_ code: Int32) -> MediaError.Kind {
    switch code {
    case 2: return .usage
    case 3: return .inputMissing
    case 75: return .outOfResources
    case 1: return .internal
    default: return .unsupportedFeature
    }
  }
}
