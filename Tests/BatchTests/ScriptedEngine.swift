// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Report
import Synchronization

@testable import Batch

/// An engine that renders nothing and notes what it is asked.
final class ScriptedEngine: BatchEngine {
  typealias Job = [String]

  let versions = ["1"]
  let version = "1.0"
  private let calls = Mutex<[[[String]]]>([])

  /// Arguments of all renders that were parsed, one list for each of their outputs.
  var prepared: [[[String]]] { calls.withLock { $0 } }

  private func value(_ flag: String, _ options: [String]) -> String? {
    if let place = options.firstIndex(of: flag), place + 1 < options.count {
      return options[place + 1]
    }
    return options.first { $0.hasPrefix(flag + "=") }.map { String($0.dropFirst(flag.count + 1)) }
  }

  func form(_ options: [String], ending: String?, input: String) throws -> RenderForm {
    if let ending, !["wav", "flac", "mp4"].contains(ending) {
      throw MediaError(.usage, "no format is called .\(ending)")
    }
    let known = value("-f", options).map { $0 == "fmp4" ? "mp4" : $0 }
    return RenderForm(
      ending: ending ?? known ?? "wav", endpoint: value("--endpoint", options) ?? "headphones",
      isCopy: value("-c:a", options) == "copy",
      isAlbum: value("--loudness-mode", options) == "album",
      decodeKey: value("--audio", options) ?? "",
      files: { $0.hasSuffix(".mp4") ? [$0, $0 + ".hash"] : [$0] })
  }

  func prepare(_ words: [RenderWords]) throws -> PreparedRender<[String]> {
    let outputs = words.map(\.all)
    calls.withLock { $0.append(outputs) }
    let arguments = outputs.flatMap { $0 }
    if value("--loudness", arguments) == "loud" {
      throw MediaError(.usage, "--loudness loud: isn't a number")
    }
    return PreparedRender(
      job: arguments, text: arguments.joined(separator: " "),
      companions: value("--hrtf", arguments).map { [$0] } ?? [])
  }

  func goldenDigest(_ folder: String) throws -> String {
    throw MediaError(.usage, "\(folder): there is no golden")
  }

  func digest(source: String) throws -> SourceDigest { SourceDigest(file: nil, whole: nil) }

  func render(
    _ job: [String], overwrite: Bool, progress: @escaping @Sendable (WorkProgress) -> Void
  ) async throws(EngineFailure) -> RenderReport { throw ScriptedEngine.refusal }

  func renderAlbum(
    _ jobs: [[String]], overwrite: Bool, progress: @escaping @Sendable (WorkProgress) -> Void
  ) async throws(EngineFailure) -> [RenderReport] { throw ScriptedEngine.refusal }

  func compare(
    _ reports: [RenderReport], source: String, golden folder: String
  ) throws -> ItemReport.Golden { throw ScriptedEngine.refusal.error }

  private static let refusal = EngineFailure(MediaError(.internal, "it renders nothing"))
}
