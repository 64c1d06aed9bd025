// SPDX-License-Identifier: Apache-2.0

// Hosts LV2 plugins in a process of its own, the program pinna-lv2.
//
// To read in this order:
// 1. LV2Host.swift: its commands.
// 2. Running/Player.swift: sound through a session's plugins.
// 3. Running/Rack.swift: the instances that work on all channels.
// 4. Plugins/World.swift: what lilv has read of plugins.
// 5. Features/HostFeatures.swift: what a plugin gets of its host.

import AudioCore
import Essentials
import Platform
import Report

/// The host of LV2 plugins, which pinna starts in a process of its own: `pinna-lv2 list`, `describe`, `start` or `run`
/// with a session as JSON.
///
/// JSON or sound goes to standard output. A failure is one sentence on standard error, and the exit code is that
/// of pinna.
@main
enum LV2Host {
  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch let error as MediaError {
      complain(error.message)
      exit(error.exitCode)
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  private static func run(_ words: [String]) throws {
    guard words.count == 2 else {
      throw MediaError(
        .usage, "pinna-lv2 is started by pinna; use pinna taps and --tap POINT:lv2=URI")
    }
    let session = try JSONDecoder().decode(PluginSession.self, from: Data(words[1].utf8))
    let pipe = try SoundPipe()
    let code = Confinement.enter(seconds: UInt64(session.seconds), scratch: session.scratch)
    guard code == 0 else {
      throw MediaError(
        .outOfResources, "can't give up its rights (\(String(cString: strerror(code))))")
    }
    Denormals.flush()
    let world = try World()
    switch words[0] {
    case "list":
      world.loadAll()
      try answer(Describer(world: world).list, pipe)
    case "describe":
      world.loadAll()
      try answer(Describer(world: world).describe(try world.plugin(session.uri)), pipe)
    case "start":
      world.load(session.bundles)
      try Player(session: session, world: world).start { try answer($0, pipe) }
    case "run":
      world.load(session.bundles)
      try Player(session: session, world: world).play(pipe)
    default: throw MediaError(.usage, "\(words[0]) is no command of pinna-lv2")
    }
  }

  /// Writes `value` as JSON, and ends the output.
  private static func answer(_ value: some Encodable, _ pipe: SoundPipe) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    try [UInt8](try encoder.encode(value)).withUnsafeBytes { try pipe.write($0) }
    pipe.shut()
  }

  /// Writes one sentence to standard error.
  private static func complain(_ text: String) {
    // Whoever starts it by hand may do so at a terminal.
    let line = String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0.isPlain ? $0 : "\u{FFFD}" }))
    _ = Descriptor.writeAll(Array("pinna-lv2: \(line)\n".utf8), to: STDERR_FILENO)
  }
}
