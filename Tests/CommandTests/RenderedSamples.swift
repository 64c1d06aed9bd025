// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Samples and report of a `pinna render` that keeps the input's level and layout.
struct RenderedSamples {
  let planes: [[Float]]
  let report: [String: Any]

  /// Samples per channel.
  var count: Int { planes.first?.count ?? 0 }

  /// Codes of the degradations.
  var kinds: [String] { entries("degradations").compactMap { $0["code"] as? String } }

  /// Sentences of the degradations.
  var notes: String {
    entries("degradations").compactMap { $0["message"] as? String }.joined(separator: "\n")
  }

  /// Decisions by what they are about.
  func choice(_ what: String) -> String? {
    entries("decisions").first { $0["code"] as? String == what }?["chose"] as? String
  }

  /// The input's entry in the report.
  var input: [String: Any]? { entries("inputs").first }

  /// The report's section on the timeline.
  var timeline: [String: Any]? { input?["timeline"] as? [String: Any] }

  init(
    _ input: String, _ extra: [String] = [], environment: [String: String] = [:]
  ) throws {
    let folder = try TemporaryFolder()
    let result = try Product.run(
      RenderedSamples.arguments(input, folder) + extra + ["--json"], environment: environment)
    guard result.status == 0 else { throw ToolFailure(text: "\(result.status) \(result.errors)") }
    report = try JSONSerialization.jsonObject(with: result.output) as? [String: Any] ?? [:]
    guard let samples = WAVPlanes(try Data(contentsOf: folder.url("o.wav"))) else {
      throw ToolFailure(text: "the output isn't a WAV file")
    }
    planes = samples.planes
  }

  /// How a render that should fail ends; nothing may be left behind.
  static func failure(
    _ input: String, _ extra: [String] = [], environment: [String: String] = [:]
  ) async throws -> Tool.Result {
    let folder = try TemporaryFolder()
    let words = arguments(input, folder) + extra
    let result =
      try environment.isEmpty
      ? await InProcess.run(words) : Product.run(words, environment: environment)
    guard folder.contents.isEmpty else { throw ToolFailure(text: "left \(folder.contents)") }
    return result
  }

  private static func arguments(_ input: String, _ folder: TemporaryFolder) -> [String] {
    ["render", input, "-o", folder.file("o.wav"), "-e", "none", "-l", "off", "-b", "32f"]
  }

  private func entries(_ key: String) -> [[String: Any]] { report[key] as? [[String: Any]] ?? [] }
}
